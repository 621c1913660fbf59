/** Folders of runs: which there are, and what is in one. Nothing is computed here but where a value stands. */
import { listFolder, readBytes, readJson } from './api.js';

const FOLDERS_MOST = 100; // that are looked into

/** Paths of the folders below `folder` ('' or with a slash at its end) that hold a run, the last written first; variants
 * are one folder deeper. */
export async function findRuns(folder) {
  const runs = [];
  let left = FOLDERS_MOST;
  async function look(path, depth) {
    if (left-- <= 0) return;
    const entries = await listFolder(path.replace(/\/$/, ''));
    const record = entries.find((entry) => !entry.folder && entry.name === 'run.json');
    if (record !== undefined && path !== '') runs.push({ path: path.replace(/\/$/, ''), modified_s: record.modified_s });
    if (depth > 0) for (const entry of entries) if (entry.folder) await look(`${path}${entry.name}/`, depth - 1);
  }
  await look(folder, 2);
  return runs.sort((a, b) => b.modified_s - a.modified_s).map(({ path }) => path);
}

/* Values by column of each point of a map's table. */
function rowsOf(text) {
  const [head, ...lines] = text.trim().split('\n').map((line) => line.split(','));
  return lines.map((cells) => Object.fromEntries(head.map((column, i) =>
    [column, cells[i] === '' ? null : Number.isNaN(Number(cells[i])) ? cells[i] : Number(cells[i])])));
}

/** {path, record (run.json), mesh (bytes of room.glb), files, maps, hearings}. A map has {grid, source, octaves, points,
 * rows}. A hearing is a receiver or a point of a grid, heard from a source: {run (its path), source, receiver, at, file,
 * channel (of a grid, else null), response or row}; `measured`, a file of the time
 * `measured_s`, if a measured response is beside it. */
export async function readRun(path) {
  const [record, mesh, list] = await Promise.all([readJson(`${path}/run.json`), readBytes(`${path}/room.glb`), listFolder(path)]);
  const files = list.map(({ name }) => name), maps = [];
  const at = Object.fromEntries((record.receivers ?? []).map(({ name, position_m: position }) => [name, position]));
  const hearings = record.responses.map((response) => ({ run: path, source: response.source, receiver: response.receiver,
    at: at[response.receiver], file: response.file, channel: null, response }));
  for (const grid of record.grids ?? []) for (const map of grid.maps) {
    const rows = rowsOf(new TextDecoder().decode(await readBytes(`${path}/${map.table}`)));
    maps.push({ grid: grid.name, source: map.source, table: map.table, octaves: map.nominal_hz, points: rows.map(({ x, y, z }) => [x, y, z]), rows });
    rows.forEach((row, channel) => hearings.push({ run: path, source: map.source, receiver: row.name, at: [row.x, row.y, row.z], file: map.file, channel, row }));
  }
  for (const hearing of hearings) {
    const found = list.find(({ name }) => name === measuredFile(hearing));
    if (found !== undefined) Object.assign(hearing, { measured: found.name, measured_s: found.modified_s });
  }
  return { path, record, mesh, files, maps, hearings };
}

/** The command that goes on with a run. */
export const resumeWords = (folder) => ['simulate', '--resume', folder, '--watch', '--progress', 'json', '--json'];

/** The name of the file for what was measured there, in the folder of the run. */
export const measuredFile = ({ file, channel }) => `measured_${file.replace(/\.wav$/, '')}${channel === null ? '' : `_${channel + 1}`}.wav`;

/** The measured response beside a hearing, as a hearing of its own. */
export const asMeasured = (hearing) => ({ ...hearing, file: hearing.measured, channel: null, isMeasured: true });

/** How commands name the response: a file, or one channel of it. */
export const responsePath = ({ run, file, channel }) => `${run}/${file}${channel === null ? '' : `@${channel + 1}`}`;

/** Of a figure at a hearing by octave: {octave, value, error, from}; null where it is absent. `compared`: the comparison
 * whose second response a measured one is. */
export const figureOf = ({ response, row, isMeasured }, figure, octaves, compared) => octaves.map((octave, i) => {
  if (isMeasured) {
    const of = compared?.pairs[0].octaves[figure], at = compared?.octaves_hz.indexOf(octave) ?? -1;
    return { octave, value: of?.second[at] ?? null, error: null, from: 'measured' };
  }
  if (response) return { octave, value: response[figure]?.[i] ?? null, error: response[`${figure}_error`]?.[i] ?? null, from: response.from?.[i] ?? 'waves' };
  return { octave, value: row[`${figure}_${octave}`] ?? null, error: row[`${figure}_${octave}_error`] ?? null, from: row[`from_${octave}`] ?? 'waves' };
});

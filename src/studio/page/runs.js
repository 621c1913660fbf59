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

/** {path, record (run.json), mesh (bytes of room.glb), seats}. A seat is a point of a receiver grid: {name, at, source,
 * grid, channel, row: values by column of the map's table}. */
export async function readRun(path) {
  const record = await readJson(`${path}/run.json`), mesh = await readBytes(`${path}/room.glb`), seats = [];
  for (const grid of record.grids ?? []) for (const map of grid.maps) {
    const [head, ...lines] = new TextDecoder().decode(await readBytes(`${path}/${map.table}`)).trim().split('\n').map((line) => line.split(','));
    lines.forEach((cells, channel) => {
      const row = Object.fromEntries(head.map((column, i) => [column, cells[i] === '' ? null : Number.isNaN(Number(cells[i])) ? cells[i] : Number(cells[i])]));
      seats.push({ name: row.name, at: [row.x, row.y, row.z], source: map.source, grid: grid.name, channel, file: map.file, row });
    });
  }
  return { path, record, mesh, seats };
}

/** Places where one hears something: receivers and seats, for every source. */
export const hearingsOf = (run) => [
  ...run.record.responses.map((response) => ({ source: response.source, receiver: response.receiver, file: response.file, channel: null, response })),
  ...run.seats.map((seat) => ({ source: seat.source, receiver: seat.name, file: seat.file, channel: seat.channel, seat })),
];

/** Of a figure at a hearing by octave: {octave, value, error, from}; null where it is absent. */
export const figureOf = (hearing, figure, octaves) => octaves.map((octave, i) => {
  const { response, seat } = hearing;
  if (response) return { octave, value: response[figure]?.[i] ?? null, error: response[`${figure}_error`]?.[i] ?? null, from: response.from?.[i] ?? 'waves' };
  return { octave, value: seat.row[`${figure}_${octave}`] ?? null, error: seat.row[`${figure}_${octave}_error`] ?? null, from: seat.row[`from_${octave}`] ?? 'waves' };
});

/** What commands say of the room and the library, asked once and kept while the page is open. */
import { useEffect, useState } from 'preact/hooks';
import { attempt, cancel, change, run, studio } from './state.js';

const current = new Map(); // what is asked: {key, promise, number, done, stale}
const last = new Map(); // path of a project: its last check

/* The JSON of a command. Another key of the same question takes its place: a command that still runs for the old one
 * is cancelled. */
function ask(question, key, words) {
  const before = current.get(question);
  if (before?.key === key) return before.promise;
  if (before && !before.done) {
    before.stale = true;
    if (before.number !== null) cancel(before.number);
  }
  const now = { key, number: null, done: false, stale: false };
  const begun = (number) => {
    now.number = number;
    if (now.stale) cancel(number);
  };
  now.promise = run(words, begun).then(({ json }) => json).finally(() => { now.done = true; });
  now.promise.catch(() => { if (current.get(question) === now) current.delete(question); }); // another try may succeed
  current.set(question, now);
  return now.promise;
}

/* What of a project changes what `check` says of it. */
const CHECKED = ['room', 'units', 'up', 'seal_m', 'open', 'two_sided', 'sources', 'receivers', 'receiver_grids', 'materials', 'materials_file', 'other_surfaces', 'audience',
  'fmax_hz', 'quality', 'scheme', 'spacing_m', 'points_per_wavelength'];
const checked = (plain) => JSON.stringify([studio.stamp, ...CHECKED.map((key) => plain[key])]);

/** Where `check` writes the model as it read it, of a project or a model. */
export const meshPath = (file) => file.replace(/\.[^.]*$/, '.mesh.glb');

/** The JSON of `check` for a project, studio.project, or for a model: {path, plain: {}}. */
export async function checkRoom(project) {
  const found = await ask(`check ${project.path}`, checked(project.plain), ['check', project.path, '--mesh', meshPath(project.path), '--force', '--progress', 'json']);
  last.set(project.path, found);
  return found;
}

/** Although nothing is known to have changed. */
export function checkAgain(project) {
  current.delete(`check ${project.path}`);
  change({ stamp: `${studio.stamp} ` });
}

/** What the last check of the project found, perhaps before its last change; null: none was made. */
export const lastCheck = (project) => last.get(project.path) ?? null;

/** The JSON of `plan`, for the project as it is now, on the back end that it takes or another. */
export const planRun = (project, ...more) => ask(`plan ${more} ${project.path}`, project.hash + studio.stamp, ['plan', project.path, ...more, '--progress', 'json']);

/** The JSON of `materials`; null until it is there. */
export function useLibrary() {
  const [library, setLibrary] = useState(null);
  useEffect(() => {
    attempt(async () => setLibrary(await ask('materials', '', ['materials'])));
  }, []);
  return library;
}

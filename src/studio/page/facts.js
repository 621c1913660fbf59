/** What commands say of the room and the library, asked once and kept while the page is open. */
import { useEffect, useState } from 'preact/hooks';
import { attempt, run } from './state.js';

const kept = new Map(); // key: promise
const last = new Map(); // path of a project: its last check

function once(key, make) {
  if (!kept.has(key)) {
    const made = make();
    made.catch(() => kept.delete(key)); // another try may succeed
    kept.set(key, made);
  }
  return kept.get(key);
}

/* What of a project changes what `check` says of it. */
const checked = ({ room, units, up, seal_m, open, sources, receivers, materials, audience, fmax_hz, quality, scheme, spacing_m, points_per_wavelength }) =>
  JSON.stringify([room, units, up, seal_m, open, sources, receivers, materials, audience, fmax_hz, quality, scheme, spacing_m, points_per_wavelength]);

/** Where `check` writes the model as it read it, of a project or a model. */
export const meshPath = (file) => file.replace(/\.[^.]*$/, '.mesh.glb');

/** The JSON of `check` for a project, studio.project, or for a model: {path, plain: {}}. */
export const checkRoom = (project) => once(`check ${project.path} ${checked(project.plain)}`, async () => {
  const { json } = await run(['check', project.path, '--mesh', meshPath(project.path), '--force', '--progress', 'json']);
  last.set(project.path, json);
  return json;
});

/** What the last check of the project found, perhaps before its last change; null: none was made. */
export const lastCheck = (project) => last.get(project.path) ?? null;

/** The JSON of `plan`, for the project as it is now. */
export const planRun = (project, options) => once(`plan ${project.path} ${project.hash} ${options.join(' ')}`,
  async () => (await run(['plan', project.path, '--progress', 'json', ...options])).json);

/** The JSON of `materials`; null until it is there. */
export function useLibrary() {
  const [library, setLibrary] = useState(null);
  useEffect(() => {
    attempt(async () => setLibrary(await once('materials', async () => (await run(['materials'])).json)));
  }, []);
  return library;
}

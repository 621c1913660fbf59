/** What mends a room: fixes {key, value} of a project, as findings of `check` and failures of commands name them, and faces
 * for its holes. */
import { T, printed } from '../../present/report/script/words.js';
import { hashOf, refusal, writeFile } from './api.js';
import { attempt, editProject, folderOf, modelPath, openModel, openProject, putValue, run, show, studio } from './state.js';
import { HEADS } from './view/glb.js';
import { closeHoles } from './view/lid.js';

export const length = (metres) => (metres < 1 ? `${printed((100 * metres).toFixed(1))} cm` : `${printed(metres.toFixed(2))} m`);

/* Text of the button, and option of `new`. */
const KINDS = {
  seal_m: [(value) => T('Close cracks up to {0}', length(value)), (value) => ['--seal', `${(100 * value).toFixed(1)}cm`]],
  open: [() => T('Keep it open'), () => ['--open']],
  units: [(value) => T('The unit is {0}', value), (value) => ['--units', value]],
  up: [(value) => T('The axis {0} points up', value), (value) => ['--up', value]],
  fmax_hz: [(value) => T('Waves up to {0} Hz', String(value)), (value) => ['--fmax', String(value)]],
};

/** For its button. */
export const mendText = ({ key, value }) => KINDS[key][0](value);

/** Set it in the project, or make a project that has it; begun(number) is called for the command. */
export const mend = ({ key, value }, begun = () => {}) => attempt(async () => {
  if (studio.project !== null) return editProject((document) => putValue(document, [key], value));
  const path = studio.file.replace(/\.[^.]*$/, '.yaml'), words = ['new', studio.file, '-o', path, ...KINDS[key][1](value), '--progress', 'json'];
  const make = async (...more) => { await run([...words, ...more], begun); await openProject(path); };
  if ((await hashOf(path)) === null) return make();
  return show(refusal(T('{0} is there already.', path)), [{ label: T('Open it'), act: () => attempt(() => openProject(path)) }, { label: T('Replace it'), act: () => attempt(() => make('--force')) }]);
});

/** A path for another version of the model that is open: beside it, and free. */
export async function freeModel(kind) {
  const stem = (modelPath() ?? studio.file).replace(/(\.(split|closed)(-\d+)?)?\.[^./]*$/, `.${kind}`);
  let path = `${stem}.glb`;
  for (let n = 2; (await hashOf(path)) !== null; n++) path = `${stem}-${n}.glb`; // undo needs the one before
  return path;
}

/** Let the project read that model, whose units are known. */
export function takeModel(document, path) {
  document.set('room', path.slice(folderOf(studio.file).length));
  for (const of of ['units', 'up']) document.delete(of);
}

/** Write the model once more with those holes (lid.js) closed, and read that: the user's file stays. `bytes` are its mesh. */
export const closeWithFaces = (bytes, holes) => attempt(async () => {
  const path = await freeModel('closed');
  await writeFile(path, closeHoles(bytes, holes, [HEADS]), null);
  if (studio.project === null) await openModel(path);
  else await editProject((document) => takeModel(document, path));
});

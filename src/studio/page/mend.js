/** What mends a room: {key, value} of a project, as findings of `check` and failures of commands name it. */
import { T } from '../../present/report/script/words.js';
import { hashOf, refusal } from './api.js';
import { attempt, openProject, run, setValue, studio } from './state.js';

export const centimetres = (metres) => (metres < 1 ? `${(100 * metres).toFixed(1)} cm` : `${metres.toFixed(2)} m`);

/** For its button. */
export const mendText = ({ key, value }) => ({ seal_m: () => T('Close cracks up to {0}', centimetres(value)), units: () => T('The unit is {0}', value),
  up: () => T('The axis {0} points up', value), fmax_hz: () => T('Waves up to {0} Hz', String(value)) })[key]();

/** Set it in the project, or make a project that has it. */
export const mend = ({ key, value }) => attempt(async () => {
  if (studio.project !== null) return setValue([key], value);
  const path = studio.file.replace(/\.[^.]*$/, '.yaml');
  if ((await hashOf(path)) !== null) throw refusal(T('{0} is there already.', path), T('Open it and correct it there.'));
  const option = { seal_m: ['--seal', `${(100 * value).toFixed(1)}cm`], units: ['--units', value], up: ['--up', value], fmax_hz: ['--fmax', String(value)] }[key];
  await run(['new', studio.file, '-o', path, ...option, '--progress', 'json']);
  return openProject(path);
});

/** What the page knows. All of it is in the folder too: the project in its file, commands in theirs; so a page that is
 * loaded again finds it. Components call useStudio(); everything else calls the functions here, which notify them. */
import { useEffect, useReducer } from 'preact/hooks';
import { parseDocument } from 'yaml';
import { T, setLanguage } from '../../present/report/script/words.js';
import { cancelJob, followJob, hashOf, jobOutput, listFolder, listJobs, readCatalogue, readText, refusal, startJob, writeFile } from './api.js';

export const studio = {
  screen: 'open',  // id of screens.js
  file: '',        // what is open: a project or a model; '' for nothing
  project: null,   // {path, text, hash, plain, past, future}: plain is the YAML as values, past and future are texts
  selected: null,  // {kind: 'material' | 'source' | 'receiver', name}
  jobs: [],        // of listJobs(), each with what it printed: {progress, messages}
  command: null,   // number of the job that was started last
  told: null,      // the same, once its end is no news any more
  stamp: '',       // of the files that the open project or model is read from: it changes with them
  tour: null,      // step of tour.js
  run: '',         // whose results are shown; '': the newest
  trouble: null,   // {message, fix, mend, choices: [{label, act}]}: what went wrong; mend as mend.js has it, or null
};

const listeners = new Set();

/** Set fields of the studio. */
export function change(fields) {
  Object.assign(studio, fields);
  for (const notify of listeners) notify();
}

/** The studio, in a component that is drawn again when it changes. */
export function useStudio() {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => { listeners.add(draw); return () => listeners.delete(draw); }, []);
  return studio;
}

export const show = (error, choices = []) => change({ trouble: { message: error.message, fix: error.fix ?? null, mend: error.mend ?? null, choices } });

/** Do it; what goes wrong is shown. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (!error.cancelled) show(error);
    return undefined;
  }
}

/** Turn the page to a language: 'en' or 'de'. */
export async function speak(language) {
  setLanguage(language, language === 'en' ? null : await readCatalogue(language));
  change({});
}

/* ---- the address: #file=..&screen=.. ---- */

/** What went wrong on a screen stays there, unless it asks for a choice. */
export function go(screen) {
  const last = studio.jobs[studio.command - 1];
  change({ screen, trouble: studio.trouble?.choices.length > 0 ? studio.trouble : null, told: last && !isOpen(last) ? studio.command : studio.told });
  writeAddress();
}

function writeAddress() {
  const fields = new URLSearchParams();
  if (studio.file !== '') fields.set('file', studio.file);
  fields.set('screen', studio.screen);
  history.replaceState(null, '', `#${fields}`);
}

/** What the address asks for. */
export const askedFor = () => {
  const fields = new URLSearchParams(location.hash.slice(1));
  return { file: fields.get('file') ?? '', screen: fields.get('screen') };
};

/* ---- the project ---- */

export const isProject = (path) => /\.ya?ml$/i.test(path);
/** What `check` writes is none: meshes for the view (facts.js), the path of a leak. */
export const isModel = (path) => /\.(obj|gltf|glb|ply|stl|dae|fbx|3ds|dxf|ifc)$/i.test(path) && !/\.mesh\.glb$|(^|\/)leak(-\d+)?\.obj$/i.test(path);
export const folderOf = (path) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '');

/** The model of the open project or the open model, as a path of the folder; null for a built-in room. */
export function modelPath() {
  if (studio.project === null) return isModel(studio.file) ? studio.file : null;
  const { room } = studio.project.plain;
  return typeof room === 'string' ? folderOf(studio.project.path) + room : null;
}

function plainOf(text, path) {
  const document = parseDocument(text);
  if (document.errors.length > 0)
    throw refusal(T('{0} is not YAML: {1}', path, document.errors[0].message.split('\n')[0]), T('Correct it in an editor.'));
  const plain = document.toJS() ?? {};
  if (typeof plain !== 'object' || Array.isArray(plain)) throw refusal(T('{0} is not a project.', path));
  return plain;
}

const UNDONE_MOST = 100; // changes

/* What can be undone is kept while the tab is open, for the file as it was left. */
function keepHistory({ path, hash, past, future }) {
  try { sessionStorage.setItem(`history of ${path}`, JSON.stringify({ hash, past, future })); } catch { /* too long: it goes with the page */ }
}

function historyOf(path, hash) {
  const kept = JSON.parse(sessionStorage.getItem(`history of ${path}`));
  return kept?.hash === hash ? { past: kept.past, future: kept.future } : { past: [], future: [] };
}

export async function openProject(path) {
  const { text, hash } = await readText(path);
  const plain = plainOf(text, path);
  change({ file: path, project: { path, text, hash, plain, ...historyOf(path, hash) }, selected: null, trouble: null, stamp: await stampOf(path, plain) });
  writeAddress();
}

/** A model without a project. */
export async function openModel(path) {
  change({ file: path, project: null, selected: null, trouble: null, stamp: await stampOf(path, { room: path.slice(folderOf(path).length) }) });
  writeAddress();
}

/* Size and time of the files beside `path` that `plain` names. */
async function stampOf(path, { room, materials_file: materials }) {
  const folder = folderOf(path), names = [room, materials].filter((name) => typeof name === 'string');
  const stamps = await Promise.all(names.map(async (name) => {
    const at = folder + name, list = await listFolder(folderOf(at).replace(/\/$/, '')).catch(() => []);
    const found = list.find((one) => folderOf(at) + one.name === at);
    return found ? [found.size_bytes, found.modified_s] : null;
  }));
  return JSON.stringify(stamps);
}

/** The model may have been exported again. */
export async function lookAtModel() {
  const { file, project } = studio;
  if (file === '') return;
  const stamp = await stampOf(file, project?.plain ?? { room: file.slice(folderOf(file).length) });
  if (studio.file === file && stamp !== studio.stamp) change({ stamp });
}

/** The file may have been changed in another window or in an editor. */
export async function lookAgain() {
  await lookAtModel();
  const { project } = studio;
  if (project === null || (await hashOf(project.path)) === project.hash) return;
  const { text, hash } = await readText(project.path);
  if (studio.project !== project || hash === project.hash) return;
  change({ project: { ...project, text, hash, plain: plainOf(text, project.path), past: [...project.past, project.text], future: [] } });
}

let saving = Promise.resolve();

/* One save after the other. `next(project)` gives {text, past, future}. */
function save(next) {
  const work = async () => {
    const { project } = studio;
    const { text, past, future } = next(project);
    if (text === project.text) return;
    const plain = plainOf(text, project.path);
    const put = async (before) => {
      const hash = await writeFile(project.path, text, before);
      change({ project: { ...project, text, hash, plain, past: past.slice(-UNDONE_MOST), future } });
      keepHistory(studio.project);
    };
    try {
      await put(project.hash);
    } catch (error) {
      if (error.status !== 412) throw error;
      show(refusal(T('{0} was changed elsewhere: in another window, or in an editor.', project.path),
        T('Your last change is not saved.')), [
        { label: T('Take the other version'), act: () => attempt(lookAgain) },
        { label: T('Save mine over it'), act: () => attempt(async () => put(await hashOf(project.path))) },
      ]);
    }
  };
  saving = saving.then(() => attempt(work));
  return saving;
}

/** Change the project: `edit` gets its YAML (Document of `yaml`), whose comments stay. */
export const editProject = (edit) => save((project) => {
  const document = parseDocument(project.text);
  edit(document);
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false, indentSeq: false });
  return { text, past: [...project.past, project.text], future: [] };
});

/** Set a value of the YAML, or remove it (null) with the mappings above it that are empty then. */
export function putValue(document, path, value) {
  if (value !== null) {
    document.setIn(path, typeof value === 'object' ? document.createNode(value) : value);
    return;
  }
  document.deleteIn(path);
  for (let end = path.length - 1; end > 0; end--)
    if (document.getIn(path.slice(0, end))?.items?.length === 0) document.deleteIn(path.slice(0, end));
}

export const setValue = (path, value) => editProject((document) => putValue(document, path, value));

export const undo = () => studio.project?.past.length > 0 && save(({ text, past, future }) =>
  ({ text: past[past.length - 1], past: past.slice(0, -1), future: [text, ...future] }));

export const redo = () => studio.project?.future.length > 0 && save(({ text, past, future }) =>
  ({ text: future[0], past: [...past, text], future: future.slice(1) }));

/* ---- commands ---- */

const FOLLOWED = 2; // connections; the server runs two commands at once
const following = new Set(); // numbers
const ended = new Map(); // number: its status, from its last event
const waiting = new Map(); // number: resolve(job)

const changeJob = (number, fields) =>
  change({ jobs: studio.jobs.map((job) => (job.number === number ? { ...job, ...fields(job) } : job)) });

/* A line of standard error. */
function takeLine(number, line) {
  let said;
  try { said = JSON.parse(line); } catch { return; }
  const kind = Object.keys(said)[0];
  changeJob(number, ({ state, messages, progress }) => ({ ...(state === 'waits' && { state: 'runs' }),
    ...(said.phase !== undefined ? { progress: { run: progress?.run, whole: said.run !== undefined, ...said } } : { messages: [...messages, { ...said[kind], kind }] }) }));
}

function follow(number) {
  if (following.has(number) || ended.has(number)) return;
  following.add(number);
  followJob(number, () => changeJob(number, () => ({ messages: [] })), (line) => takeLine(number, line), (status) => {
    following.delete(number);
    ended.set(number, status);
    attempt(refreshJobs);
  });
}

/** Read the list of commands, and follow those that run. */
export async function refreshJobs() {
  const list = await listJobs();
  const known = new Map(studio.jobs.map((job) => [job.number, job]));
  change({ jobs: list.map((job) => ({ progress: null, messages: [], ...known.get(job.number), ...job,
    ...(job.state !== 'runs' && { ending: null }), ...(ended.has(job.number) && { ending: null, state: ended.get(job.number) === null ? 'lost' : 'ended', status: ended.get(job.number) }) })) });
  studio.jobs.filter(isOpen).slice(0, FOLLOWED).forEach(({ number }) => follow(number));
  for (const { number } of studio.jobs.filter((job) => job.resumable && forGood.delete(job.number))) cancel(number);
  for (const [number, resolve] of waiting) {
    const job = studio.jobs[number - 1];
    if (ended.has(number)) {
      waiting.delete(number);
      resolve(job);
    } else if (!isOpen(job)) follow(number); // for what it printed
  }
}

export const isOpen = ({ state }) => state === 'waits' || state === 'runs';

/** Start a command. Resolves to its number. */
export async function start(words) {
  const number = await startJob(words);
  change({ command: number });
  await refreshJobs();
  return number;
}

/** Run a command that prints JSON, to its end. Resolves to {json, job}; a negative answer (status 1) is one too. A
 * failure is the program's sentence. `begun(number)` is called once it is in the queue. */
export async function run(words, begun = () => {}) {
  const number = await start([...words, '--json']);
  begun(number);
  const job = await new Promise((resolve) => {
    waiting.set(number, resolve);
    attempt(refreshJobs);
  });
  if (job.status === 130) throw Object.assign(refusal(T('The command was cancelled.')), { cancelled: true });
  const error = job.messages.find(({ kind }) => kind === 'error');
  const text = job.status === 0 || job.status === 1 ? await jobOutput(number) : '';
  if (text.trim() === '')
    throw Object.assign(refusal(error?.message ?? T('The command ended with status {0}.', String(job.status)), error?.advice ?? null), { mend: error?.fix });
  return { json: JSON.parse(text), job };
}

const forGood = new Set(); // numbers: what they leave goes too

/** End it; a run can be resumed then. `ending`, 'pauses' or 'cancelled', is what it is doing until it has ended. */
export const cancel = (number, ending = 'cancelled') => attempt(async () => {
  changeJob(number, () => ({ ending }));
  try {
    await cancelJob(number);
    await refreshJobs();
  } catch (error) {
    changeJob(number, () => ({ ending: null }));
    throw error;
  }
});

/** End it for good. */
export const endJob = (number) => { forGood.add(number); return cancel(number); };

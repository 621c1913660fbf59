/** Open: what is in the folder, most recent first; files from elsewhere; the built-in church. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { T, T_LATER } from '../../present/report/script/words.js';
import { hashOf, listFolder, refusal, writeFile } from './api.js';
import { html, size } from './parts.js';
import { attempt, change, folderOf, go, isModel, isProject, openModel, openProject, run, show } from './state.js';

const RUNS_LOOKED_AT = 100; // folders that are asked whether they are runs
const CHURCH = 'church.obj';

const kindOf = ({ name, folder, run: isRun }) =>
  (folder ? (isRun ? 'run' : 'folder') : isProject(name) ? 'project' : isModel(name) ? 'model' : '');
const words = { project: T_LATER('Project'), model: T_LATER('Model'), run: T_LATER('Results'), folder: T_LATER('Folder') };

async function entriesOf(folder) {
  const list = (await listFolder(folder)).sort((a, b) => b.modified_s - a.modified_s);
  await Promise.all(list.filter((entry) => entry.folder).slice(0, RUNS_LOOKED_AT).map(async (entry) => {
    entry.run = (await listFolder(folder + entry.name)).some(({ name }) => name === 'run.json');
  }));
  return list.filter((entry) => kindOf(entry) !== '');
}

export const openFile = (path) => attempt(async () => {
  if (isProject(path)) {
    await openProject(path);
    go('materials');
  } else {
    await openModel(path);
    go('model');
  }
});

const showRun = (run) => { change({ run }); go('results'); };

/* Files of the user's machine, one after the other. Resolves to those that were put there: another of that name stays
 * unless the user replaces it. */
async function upload(files, folder, onShare) {
  const there = [];
  for (const file of files) {
    const path = folder + file.name;
    const put = (before) => writeFile(path, file, before, (share) => onShare({ name: file.name, share }));
    try {
      await put(null);
      there.push(file);
    } catch (error) {
      if (error.status !== 412) throw error;
      show(refusal(T('{0} is already in the folder.', path), T('The file was not sent.')), [{ label: T('Replace it'),
        act: () => attempt(async () => { await put(await hashOf(path)); onShare(null); if (isProject(path) || isModel(path)) await openFile(path); }) }]);
    }
  }
  onShare(null);
  return there;
}

const Entry = ({ entry, folder, enter, studio }) => {
  const path = folder + entry.name;
  const kind = kindOf(entry);
  const title = html`${entry.name}${entry.folder ? '/' : ''}`;
  return html`<tr class=${path === studio.file ? 'selected' : ''}>
    <td><button class="plain" onClick=${() => (kind === 'folder' ? enter(`${path}/`) : kind === 'run' ? showRun(path) : openFile(path))}>${title}</button></td>
    <td>${T(words[kind])}</td><td class="number">${entry.folder ? '' : size(entry.size_bytes)}</td>
    <td class="number">${new Date(1000 * entry.modified_s).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })}</td></tr>`;
};

export function Open({ studio }) {
  const [folder, enter] = useState(folderOf(studio.file));
  const [entries, setEntries] = useState(null);
  const [sent, setSent] = useState(null);
  const [over, setOver] = useState(false);
  const input = useRef(null);
  const read = () => attempt(async () => setEntries(await entriesOf(folder)));
  useEffect(() => { read(); }, [folder]);
  const take = (files) => attempt(async () => {
    const list = await upload([...files], folder, setSent);
    await read();
    const first = list.find(({ name }) => isProject(name)) ?? list.find(({ name }) => isModel(name));
    if (list.length > 0 && first === undefined) show(refusal(T('None of these files is a model or a project.'), T('They are in the folder now.')));
    else if (first !== undefined) await openFile(folder + first.name);
  });
  const church = () => attempt(async () => {
    if ((await hashOf(CHURCH)) === null) await run(['room', 'church', '-o', CHURCH]);
    await openFile(CHURCH);
  });
  return html`<h1>${T('Open')}</h1>
    <div class=${`drop${over ? ' over' : ''}`}
      onDragOver=${(event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)}
      onDrop=${(event) => { event.preventDefault(); setOver(false); take(event.dataTransfer.files); }}>
      <p>${T('Drop a model here: OBJ, glTF, GLB, PLY, STL, DAE, FBX, 3DS, DXF or IFC, with the files that belong to it.')}</p>
      <div class="buttons"><button class="first" onClick=${() => input.current.click()}>${T('Choose files')}</button>
        <button onClick=${church}>${T('Try the built-in church')}</button>
        <input ref=${input} type="file" multiple hidden aria-label=${T('Files')} onChange=${(event) => { take(event.target.files); event.target.value = ''; }} />
        ${sent && html`<span class="progress"><progress max="1" value=${sent.share} aria-label=${T('Sent')} />${sent.name}</span>`}</div>
    </div>
    <h2>${folder === '' ? T('In this folder') : folder} ${folder !== '' && html`<button class="small" onClick=${() => enter(folderOf(folder.slice(0, -1)))}>${T('Up')}</button>`}</h2>
    ${entries && (entries.length === 0 ? html`<p class="faint">${T('There is no model, project or run yet.')}</p>` : html`<table>
      <thead><tr><th>${T('Name')}</th><th>${T('Kind')}</th><th class="number">${T('Size')}</th><th class="number">${T('Changed')}</th></tr></thead>
      <tbody>${entries.map((entry) => html`<${Entry} key=${entry.name} ...${{ entry, folder, enter, studio }} />`)}</tbody></table>`)}`;
}

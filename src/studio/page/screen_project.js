/** Project: `new MODEL` makes one of a model; of an open one, what belongs to neither surfaces nor places. */
import { useEffect, useState } from 'preact/hooks';
import { T } from '../../present/report/script/words.js';
import { hashOf, listFolder } from './api.js';
import { Command, NumberField, Progress, Title, html } from './parts.js';
import { attempt, folderOf, go, isModel, modelPath, openProject, run, setValue } from './state.js';
import { openFile } from './screen_open.js';

const UNITS = ['auto', 'm', 'cm', 'mm', 'in', 'ft'];
const UPS = ['auto', 'z', 'y'];

const Choice = ({ label, value, of, choose }) => html`<label>${label}
  <select value=${value} onChange=${(event) => choose(event.target.value)}>${of.map((one) => html`<option>${one}</option>`)}</select></label>`;

/* A number of the project; empty: its default. */
const Amount = ({ label, path, value, standard, unit, low, high, times = 1 }) => html`<label>${label}
  <${NumberField} step="any" min=${low} max=${high} placeholder=${standard} value=${value === undefined ? '' : Number((times * value).toPrecision(6))} commit=${(text) =>
    setValue(path, text === '' ? null : Number(text) / times)} /> ${unit}</label>`;

function Settings({ project: { path, plain } }) {
  const set = (key) => (value) => setValue([key], value), [models, setModels] = useState([]), folder = folderOf(path);
  useEffect(() => { attempt(async () => setModels((await listFolder(folder.replace(/\/$/, ''))).map(({ name }) => name).filter(isModel))); }, [folder]);
  return html`<${Title} text=${T('Project')} next=${T('Next: {0}', T('Materials'))} act=${() => go('materials')} />
    <p>${typeof plain.room === 'string' ? T('{0} is about the model {1}.', path, plain.room) : T('The room of {0} is built in.', path)}</p>
    <h2>${T('Model')}</h2><div class="buttons fields">
      ${typeof plain.room === 'string' && html`<${Choice} label=${T('File')} value=${plain.room} of=${[...new Set([plain.room, ...models])]} choose=${set('room')} />`}
      <${Choice} label=${T('Units of the model')} value=${plain.units ?? 'auto'} of=${UNITS} choose=${set('units')} />
      <${Choice} label=${T('Axis that points up')} value=${plain.up ?? 'auto'} of=${UPS} choose=${set('up')} />
      <${Amount} label=${T('Close cracks up to')} path=${['seal_m']} value=${plain.seal_m} standard="0" unit="cm" times=${100} low="0.1" high="50" />
      <label><input type="checkbox" checked=${plain.open === true} onChange=${(event) => setValue(['open'], event.target.checked || null)} /> ${T('Openings stay open')}</label></div>
    <h2>${T('Air')}</h2><div class="buttons fields">
      <${Amount} label=${T('Temperature')} path=${['air', 'temperature_c']} value=${plain.air?.temperature_c} standard="20" unit="°C" low="-50" high="100" />
      <${Amount} label=${T('Humidity')} path=${['air', 'humidity_percent']} value=${plain.air?.humidity_percent} standard="50" unit="%" low="0" high="100" /></div>`;
}

export const Project = ({ studio }) => (studio.project !== null ? html`<${Settings} project=${studio.project} />` : html`<${Make} studio=${studio} />`);

function Make({ studio }) {
  const [units, setUnits] = useState('auto');
  const [up, setUp] = useState('auto');
  const [seal, setSeal] = useState('');
  const [number, setNumber] = useState(null); // 0: it has none yet
  const [there, setThere] = useState(null); // a project of that name
  const model = modelPath();
  const path = model.replace(/\.[^.]*$/, '.yaml');
  const words = ['new', model, '-o', path, '--progress', 'json', ...(units === 'auto' ? [] : ['--units', units]),
    ...(up === 'auto' ? [] : ['--up', up]), ...(seal === '' ? [] : ['--seal', `${seal}cm`])];
  const make = (extra) => attempt(async () => {
    setThere(null);
    if (extra.length === 0 && (await hashOf(path)) !== null) {
      setThere(path);
      return;
    }
    setNumber(0);
    try {
      await run([...words, ...extra], setNumber);
      await openProject(path);
      go('materials');
    } finally {
      setNumber(null);
    }
  });
  const job = studio.jobs[number - 1];
  return html`<h1>${T('Project')}</h1>
    <p>${T('A project holds everything about a run: materials, places, frequency. It is made from the model {0}, with materials guessed by their names.', model)}</p>
    <div class="buttons fields">
      <${Choice} label=${T('Units of the model')} value=${units} of=${UNITS} choose=${setUnits} />
      <${Choice} label=${T('Axis that points up')} value=${up} of=${UPS} choose=${setUp} />
      <label>${T('Close cracks up to')} <input type="number" min="0.1" max="50" step="0.1" value=${seal} onInput=${(event) => setSeal(event.target.value)} /> cm</label>
    </div>
    <p><${Command} words=${words} /></p>
    <div class="buttons"><button class="first" disabled=${number !== null} onClick=${() => make([])}>${T('Make the project')}</button>
      ${number !== null && html`<${Progress} of=${job?.progress} />`}</div>
    ${there && html`<p class="warning">${T('{0} is there already.', there)} <span class="buttons">
      <button onClick=${() => openFile(there)}>${T('Open it')}</button>
      <button onClick=${() => make(['--force'])}>${T('Replace it')}</button></span></p>`}`;
}

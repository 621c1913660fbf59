/** Places: sources, receivers and areas of receivers, as the project has them; `check` says what is wrong with them. */
import { useEffect, useState } from 'preact/hooks';
import { T } from '../../present/report/script/words.js';
import { html } from './parts.js';
import { attempt, change, editProject, show } from './state.js';
import { checkRoom, lastCheck } from './facts.js';
import { refusal } from './api.js';

const AXES = ['x', 'y', 'z'];
const SETTLES = 900; // ms without a change, before the places are checked
const PATTERNS = ['omni', 'voice', 'cardioid'];
const NAME = /^[A-Za-z0-9_-]{1,63}$/;

const rounded = (position) => position.map((one) => Number(one.toFixed(3)));
const numberOf = (text) => (text.trim() === '' ? NaN : Number(text.replace(',', '.')));

/* A list of the project as [{name, position, ofModel, ..}]; the model's own places where the project has none. */
function placesOf(list, checked) {
  const known = new Map((checked ?? []).map(({ name, position_m: position }) => [name, rounded(position)]));
  return list === undefined ? [...known].map(([name, position]) => ({ name, position, ofModel: true }))
    : (list ?? []).map((one) => (typeof one === 'string' ? { name: one, position: known.get(one) ?? null, ofModel: true } : { ...one, ofModel: false }));
}

/* Edit entry `i` of a list; a list that was left to the model is written out first. */
const editList = (key, places, edit) => editProject((document) => {
  if (!document.has(key)) document.set(key, document.createNode(places.map(({ name }) => name)));
  edit(document, document.get(key));
});

const setFields = (key, places, i, fields) => editList(key, places, (document, list) => {
  const { name, position, ofModel } = places[i];
  if (ofModel) list.set(i, document.createNode({ name, position }));
  for (const [field, value] of Object.entries(fields)) {
    if (value === null) list.get(i).delete(field);
    else list.get(i).set(field, Array.isArray(value) ? document.createNode(value, { flow: true }) : value);
  }
  const node = list.get(i).get('position', true);
  if (node?.items) node.flow = true;
});

const Field = ({ label, value, isGood, commit, wide }) => {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const good = isGood(text);
  return html`<input class=${wide ? 'name' : 'number'} aria-label=${label} aria-invalid=${good ? 'false' : 'true'} value=${text}
    onInput=${(event) => setText(event.target.value)}
    onChange=${() => (good ? text !== String(value) && commit(text) : setText(String(value)))} />`;
};

function nextName(letter, places) {
  let n = 1;
  while (places.some(({ name }) => name === letter + n)) n += 1;
  return letter + n;
}

function Row({ listKey, places, i, extra, selected }) {
  const place = places[i];
  const set = (fields) => setFields(listKey, places, i, fields);
  const rename = (name) => (places.some((one, j) => j !== i && one.name === name)
    ? show(refusal(T('There is another place called {0}.', name))) : set({ name }));
  const kind = listKey.slice(0, -1);
  return html`<tr class=${selected?.kind === kind && selected.name === place.name ? 'selected' : ''} onFocusIn=${() => change({ selected: { kind, name: place.name } })}>
    <td><${Field} label=${T('Name')} wide value=${place.name} isGood=${(text) => NAME.test(text)} commit=${rename} /> ${place.ofModel && html`<small>${T('of the model')}</small>`}</td>
    ${AXES.map((axis, a) => html`<td><${Field} label=${`${axis} ${T('of {0}', place.name)}`} value=${place.position?.[a] ?? ''}
      isGood=${(text) => Number.isFinite(numberOf(text))}
      commit=${(text) => set({ position: (place.position ?? [0, 0, 0]).map((one, b) => (a === b ? numberOf(text) : one)) })} /></td>`)}
    ${extra(place, set)}
    <td><button class="small" aria-label=${T('Remove {0}', place.name)} onClick=${() => editList(listKey, places, (_, list) => list.delete(i))}>${T('Remove')}</button></td></tr>`;
}

function List({ title, listKey, letter, places, columns, extra, fresh, selected }) {
  const add = () => editList(listKey, places, (document, list) => {
    list.add(document.createNode({ name: nextName(letter, places), position: fresh }));
    list.items[list.items.length - 1].get('position', true).flow = true;
  });
  return html`<h2>${title}</h2><table class="places"><thead><tr><th>${T('Name')}</th>${AXES.map((axis) => html`<th>${axis} [m]</th>`)}${columns.map((one) => html`<th>${one}</th>`)}<th /></tr></thead>
    <tbody>${places.map((place, i) => html`<${Row} key=${place.name} ...${{ listKey, places, i, extra, selected }} />`)}</tbody></table>
    <p><button onClick=${add}>${T('Add')}</button></p>`;
}

/* Areas: {name, material?, corners?, spacing_m?, height_m?}. */
function Areas({ areas, materials }) {
  const set = (i, key, value) => editProject((document) => {
    const path = ['receiver_grids', i, key];
    if (value === null) document.deleteIn(path);
    else document.setIn(path, value);
  });
  const add = () => editProject((document) => {
    const name = areas.some((one) => one.name === 'audience') ? nextName('area', areas) : 'audience';
    const entry = document.createNode(name === 'audience' ? { name } : { name, material: materials[0] });
    if (document.get('receiver_grids')?.add) document.get('receiver_grids').add(entry);
    else document.set('receiver_grids', document.createNode([entry]));
  });
  const remove = (i) => editProject((document) => document.deleteIn(areas.length === 1 ? ['receiver_grids'] : ['receiver_grids', i]));
  const isLength = (text) => text === '' || numberOf(text) > 0;
  return html`<h2>${T('Areas with a map of every figure')}</h2>
    ${areas.length > 0 && html`<table class="places"><thead><tr><th>${T('Name')}</th><th>${T('Where')}</th><th>${T('Spacing')} [m]</th><th>${T('Height of ears')} [m]</th><th /></tr></thead>
    <tbody>${areas.map((area, i) => html`<tr key=${area.name}>
      <td><${Field} label=${T('Name')} wide value=${area.name} isGood=${(text) => NAME.test(text)} commit=${(text) => set(i, 'name', text)} /></td>
      <td>${area.corners ? T('a polygon of {0} corners', String(area.corners.length)) : html`<select aria-label=${T('Where')} value=${area.material ?? ''}
        onChange=${(event) => set(i, 'material', event.target.value === '' ? null : event.target.value)}>
        <option value="">${T('where people sit')}</option>${materials.map((one) => html`<option value=${one}>${T('on {0}', one)}</option>`)}</select>`}</td>
      ${['spacing_m', 'height_m'].map((key) => html`<td><${Field} label=${key} value=${area[key] ?? ''} isGood=${isLength} commit=${(text) => set(i, key, text === '' ? null : numberOf(text))} /></td>`)}
      <td><button class="small" aria-label=${T('Remove {0}', area.name)} onClick=${() => remove(i)}>${T('Remove')}</button></td></tr>`)}</tbody></table>`}
    <p><button onClick=${add}>${T('Add')}</button></p>`;
}

/* What `check` has against places, each with the nearest valid point as a button where the program names one. */
function Findings({ checked, lists }) {
  const found = (checked?.findings ?? []).filter(({ kind, severity }) => severity !== 'harmless' && /^(point|receiver|source)/.test(kind));
  const mend = (finding) => {
    const to = /\(([-\d.]+), ([-\d.]+), ([-\d.]+)\) m/.exec(finding.advice)?.slice(1).map(Number);
    for (const [key, places] of to ? lists : []) {
      const i = places.findIndex(({ position }) => position?.every((one, a) => Math.abs(one - finding.position_m?.[a]) < 2e-3));
      if (i >= 0) return html`<button onClick=${() => setFields(key, places, i, { position: rounded(to) })}>${T('Move it there')}</button>`;
    }
    return null;
  };
  return found.map((finding) => html`<div class="trouble"><p>${finding.sentence} ${finding.advice}</p>${mend(finding)}</div>`);
}

export function Places({ studio }) {
  const { project, selected } = studio;
  const { sources, receivers, receiver_grids: areas } = project.plain;
  const [checked, setChecked] = useState(lastCheck(project));
  useEffect(() => {
    let stale = false;
    const timer = setTimeout(() => attempt(async () => { const found = await checkRoom(project); if (!stale) setChecked(found); }), checked ? SETTLES : 0);
    return () => { stale = true; clearTimeout(timer); };
  }, [project.hash]);
  const ours = placesOf(sources, checked?.sources);
  const ears = placesOf(receivers, checked?.receivers);
  const middle = checked ? rounded(checked.room.low_m.map((low, a) => (low + checked.room.high_m[a]) / 2)) : [0, 0, 0];
  const fresh = (height) => [middle[0], middle[1], Number(((checked?.room.low_m[2] ?? 0) + height).toFixed(3))];
  const pattern = (place, set) => html`<td><select aria-label=${T('Directivity of {0}', place.name)} value=${place.directivity ?? 'omni'}
      onChange=${(event) => set({ directivity: event.target.value === 'omni' ? null : event.target.value, ...(event.target.value === 'omni' && { aim: null }) })}>
      ${[...new Set([...PATTERNS, place.directivity ?? 'omni'])].map((one) => html`<option>${one}</option>`)}</select></td>
    <td>${place.directivity && html`<select aria-label=${T('Aim of {0}', place.name)} value=${String(place.aim ?? '')} onChange=${(event) => set({ aim: event.target.value || null })}>
      <option value="">${T('all receivers')}</option>${[...new Set([...ears.map(({ name }) => name), ...(place.aim ? [String(place.aim)] : [])])].map((one) => html`<option>${one}</option>`)}</select>`}</td>`;
  const head = (place, set) => html`<td><input type="checkbox" aria-label=${T('Dummy head at {0}', place.name)} checked=${Boolean(place.dummy_head)}
    onChange=${(event) => set({ dummy_head: event.target.checked || null })} /></td>`;
  return html`<h1>${T('Places')}</h1>
    <p class="faint">${T('In metres, with z up. Names go into the names of results.')}</p>
    <${Findings} checked=${checked} lists=${[['sources', ours], ['receivers', ears]]} />
    <${List} title=${T('Sources')} listKey="sources" letter="S" places=${ours} columns=${[T('Directivity'), T('Aimed at')]} extra=${pattern} fresh=${fresh(1.5)} selected=${selected} />
    <${List} title=${T('Receivers')} listKey="receivers" letter="R" places=${ears} columns=${[T('Dummy head')]} extra=${head} fresh=${fresh(1.2)} selected=${selected} />
    <${Areas} areas=${areas ?? []} materials=${Object.keys(project.plain.materials ?? {})} />`;
}

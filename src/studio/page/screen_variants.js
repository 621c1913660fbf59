/** Variants side by side: what each changes of the base, as the project has it. */
import { useState } from 'preact/hooks';
import { T, T_LATER } from '../../present/report/script/words.js';
import { refusal } from './api.js';
import { Curve, NumberField, Title, html } from './parts.js';
import { editProject, go, putValue, setValue, show } from './state.js';
import { lastCheck, useLibrary } from './facts.js';

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9 _-]{0,62}$/;
const SHOWN = ['audience', 'air', 'materials']; // by rows of their own
const AIR = { temperature_c: T_LATER('Temperature [°C]'), humidity_percent: T_LATER('Humidity [%]') };

/* One that would change nothing keeps the audience of the base, since the program refuses an empty one. */
const edit = (variant, path, value, base) => editProject((document) => {
  putValue(document, ['variants', variant, ...path], value);
  if (!document.hasIn(['variants', variant])) document.setIn(['variants', variant, 'audience'], base.audience ?? 0);
});

const wordsOf = (material) => (material === undefined ? T('by its name')
  : typeof material === 'string' || typeof material === 'number' ? String(material)
    : material.library ?? (material.build ? [material.build].flat().join(', ') : material.octaves ? T('own octaves') : material.absorption !== undefined ? String(material.absorption) : T('a sheet')));

const said = (value) => (value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value));

/* What the variant has instead of the base's number; empty: the same. */
const Amount = ({ label, value, base, set }) => html`<${NumberField} step="any" class="number" aria-label=${label} placeholder=${base ?? ''} value=${value ?? ''}
  commit=${(text) => set(text === '' ? null : Number(text))} />`;

function Material({ label, own, base, library, set }) {
  const current = own === undefined ? '' : wordsOf(own);
  const names = library.materials.map(({ name }) => name);
  return html`<select aria-label=${label} value=${current} onChange=${(event) => set(event.target.value === '' ? null : event.target.value)}>
    <option value="">${T('as the base: {0}', wordsOf(base))}</option>
    ${(current === '' || names.includes(current) ? names : [current, ...names]).map((name) => html`<option>${name}</option>`)}</select>`;
}

const folderNamed = (text) => text.toLowerCase().replaceAll(' ', '_');

/* The name of a variant that has this material: as it can be a folder, and no other's. */
function nameAfter(material, variants) {
  const name = material.replaceAll(/[^A-Za-z0-9 _-]+/g, ' ').replaceAll(/ +/g, ' ').trim().slice(0, 56) || 'variant';
  const taken = ['all', 'base', ...variants.map(([other]) => folderNamed(other))];
  let n = 1;
  while (taken.includes(folderNamed(n === 1 ? name : `${name} ${n}`))) n += 1;
  return n === 1 ? name : `${name} ${n}`;
}

/* One surface in several materials: a click makes a variant that has it, another click takes it away. */
function Several({ plain, variants, surfaces, first, library }) {
  const [surface, setSurface] = useState(surfaces.includes(first) ? first : surfaces.find((name) => /ceiling|decke|roof|dach|vault/i.test(name)) ?? surfaces[0]);
  const [words, setWords] = useState('');
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = library.materials.filter(({ name, kind, aliases }) => wanted.every((word) => [name, kind, ...aliases].join(' ').toLowerCase().includes(word)));
  const made = (name) => variants.find(([, variant]) => JSON.stringify(variant) === JSON.stringify({ materials: { [surface]: name } }))?.[0];
  const turn = (name) => (made(name) === undefined ? edit(nameAfter(name, variants), ['materials', surface], name, plain) : setValue(['variants', made(name)], null));
  return html`<h2>${T('One surface in several materials')}</h2>
    <p class="buttons"><label>${T('Surface')} <select value=${surface} onChange=${(event) => setSurface(event.target.value)}>${surfaces.map((name) => html`<option>${name}</option>`)}</select></label>
      <input type="search" placeholder=${T('Search the library')} aria-label=${T('Search the library')} value=${words} onInput=${(event) => setWords(event.target.value)} />
      <span class="faint">${T('Each click on a material makes a variant that has it.')}</span></p>
    <ul class="library columns">${found.map(({ name, kind, source, absorption }) => html`<li key=${name}><button class="plain" aria-pressed=${made(name) !== undefined ? 'true' : 'false'} onClick=${() => turn(name)}>
      <${Curve} values=${absorption} octaves=${library.nominal_hz} /><span>${name}<br /><small>${kind}, ${source}</small></span></button></li>`)}</ul>`;
}

export function Variants({ studio }) {
  const { plain } = studio.project;
  const library = useLibrary();
  const [name, setName] = useState('');
  const [shown, setShown] = useState([]); // surfaces that nothing changes yet
  const variants = Object.entries(plain.variants ?? {});
  const checked = lastCheck(studio.project)?.materials.map(({ name }) => name) ?? [];
  const surfaces = [...new Set([...Object.keys(plain.materials ?? {}), ...variants.flatMap(([, of]) => Object.keys(of?.materials ?? {})), ...checked])];
  const others = [...new Set(variants.flatMap(([, of]) => Object.keys(of ?? {})))].filter((key) => !SHOWN.includes(key));
  const changed = surfaces.filter((surface) => shown.includes(surface) || variants.some(([, variant]) => variant?.materials?.[surface] !== undefined));
  const add = (event) => {
    event.preventDefault();
    if (!NAME.test(name)) show(refusal(T('The name of a variant has letters, digits, blanks, _ and -.')));
    else if (['all', 'base'].includes(name) || variants.some(([other]) => folderNamed(other) === folderNamed(name))) show(refusal(T('There is another variant called {0}.', name)));
    else {
      edit(name, ['audience'], plain.audience ?? 0, plain);
      setName('');
    }
  };
  const remove = (variant) => setValue(['variants', variant], null);
  return html`<${Title} text=${T('Variants')} next=${T('Next: {0}', T('Plan and run'))} act=${() => go('plan')} ready />
    <p class="faint">${T('A variant changes materials, audience or air; frequency and places are the same for all, so that they can be compared.')}</p>
    <form class="buttons" onSubmit=${add}><input aria-label=${T('Name of a new variant')} placeholder=${T('Name of a new variant')} value=${name} onInput=${(event) => setName(event.target.value)} />
      <button disabled=${name === ''}>${T('Add')}</button></form>
    ${library && surfaces.length > 0 && html`<${Several} plain=${plain} variants=${variants} surfaces=${surfaces} first=${studio.selected?.kind === 'material' ? studio.selected.name : null} library=${library} />`}
    ${variants.length > 0 && library && html`<table class="places variants"><thead><tr><th /><th>${T('Base')}</th>${variants.map(([variant]) => html`<th>${variant}
        <button class="small" aria-label=${T('Remove {0}', variant)} onClick=${() => remove(variant)}>${T('Remove')}</button></th>`)}</tr></thead><tbody>
      <tr><th>${T('Occupied share of seats and pews')}</th><td>${plain.audience ?? ''}</td>${variants.map(([variant, of]) => html`<td>
        <${Amount} label=${T('audience of {0}', variant)} value=${of?.audience} base=${plain.audience} set=${(value) => edit(variant, ['audience'], value, plain)} /></td>`)}</tr>
      ${Object.entries(AIR).map(([key, text]) => html`<tr key=${key}><th>${T(text)}</th><td>${plain.air?.[key] ?? ''}</td>${variants.map(([variant, of]) => html`<td>
        <${Amount} label=${`${key} ${T('of {0}', variant)}`} value=${of?.air?.[key]} base=${plain.air?.[key]} set=${(value) => edit(variant, ['air', key], value, plain)} /></td>`)}</tr>`)}
      ${changed.map((surface) => html`<tr key=${surface}><th>${surface}</th><td>${wordsOf(plain.materials?.[surface])}</td>${variants.map(([variant, of]) => html`<td>
        <${Material} label=${`${surface} ${T('of {0}', variant)}`} own=${of?.materials?.[surface]} base=${plain.materials?.[surface]} library=${library}
          set=${(value) => edit(variant, ['materials', surface], value, plain)} /></td>`)}</tr>`)}
      ${others.map((key) => html`<tr key=${key}><th><code>${key}</code></th><td>${said(plain[key])}</td>${variants.map(([, of]) => html`<td>${said(of?.[key])}</td>`)}</tr>`)}</tbody></table>
      <p><label>${T('Another surface to change')} <select value="" onChange=${(event) => setShown([...shown, event.target.value])}><option value="" />
        ${surfaces.filter((surface) => !changed.includes(surface)).map((surface) => html`<option>${surface}</option>`)}</select></label></p>`}`;
}

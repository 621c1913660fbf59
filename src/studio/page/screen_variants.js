/** Variants side by side: what each changes of the base, as the project has it. */
import { useState } from 'preact/hooks';
import { T, T_LATER } from '../../present/report/script/words.js';
import { refusal } from './api.js';
import { NumberField, html } from './parts.js';
import { editProject, putValue, setValue, show } from './state.js';
import { useLibrary } from './facts.js';

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9 _-]{0,62}$/;
const AIR = { temperature_c: T_LATER('Temperature [°C]'), humidity_percent: T_LATER('Humidity [%]') };

/* One that would change nothing keeps the audience of the base, since the program refuses an empty one. */
const edit = (variant, path, value, base) => editProject((document) => {
  putValue(document, ['variants', variant, ...path], value);
  if (!document.hasIn(['variants', variant])) document.setIn(['variants', variant, 'audience'], base.audience ?? 0);
});

const wordsOf = (material) => (material === undefined ? T('by its name')
  : typeof material === 'string' || typeof material === 'number' ? String(material)
    : material.library ?? (material.octaves ? T('own octaves') : material.absorption !== undefined ? String(material.absorption) : T('a sheet')));

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

export function Variants({ studio }) {
  const { plain } = studio.project;
  const library = useLibrary();
  const [name, setName] = useState('');
  const [shown, setShown] = useState([]); // surfaces that nothing changes yet
  const variants = Object.entries(plain.variants ?? {});
  const surfaces = Object.keys(plain.materials ?? {});
  const changed = surfaces.filter((surface) => shown.includes(surface) || variants.some(([, variant]) => variant?.materials?.[surface] !== undefined));
  const add = (event) => {
    event.preventDefault();
    const folder = (text) => text.toLowerCase().replaceAll(' ', '_');
    if (!NAME.test(name)) show(refusal(T('The name of a variant has letters, digits, blanks, _ and -.')));
    else if (['all', 'base'].includes(name) || variants.some(([other]) => folder(other) === folder(name))) show(refusal(T('There is another variant called {0}.', name)));
    else {
      edit(name, ['audience'], plain.audience ?? 0, plain);
      setName('');
    }
  };
  const remove = (variant) => setValue(['variants', variant], null);
  return html`<h1>${T('Variants')}</h1>
    <p class="faint">${T('A variant changes materials, audience or air; frequency and places are the same for all, so that they can be compared.')}</p>
    <form class="buttons" onSubmit=${add}><input aria-label=${T('Name of a new variant')} placeholder=${T('Name of a new variant')} value=${name} onInput=${(event) => setName(event.target.value)} />
      <button disabled=${name === ''}>${T('Add')}</button></form>
    ${variants.length > 0 && library && html`<table class="places variants"><thead><tr><th /><th>${T('Base')}</th>${variants.map(([variant]) => html`<th>${variant}
        <button class="small" aria-label=${T('Remove {0}', variant)} onClick=${() => remove(variant)}>${T('Remove')}</button></th>`)}</tr></thead><tbody>
      <tr><th>${T('Occupied share of seats and pews')}</th><td>${plain.audience ?? ''}</td>${variants.map(([variant, of]) => html`<td>
        <${Amount} label=${T('audience of {0}', variant)} value=${of?.audience} base=${plain.audience} set=${(value) => edit(variant, ['audience'], value, plain)} /></td>`)}</tr>
      ${Object.entries(AIR).map(([key, text]) => html`<tr key=${key}><th>${T(text)}</th><td>${plain.air?.[key] ?? ''}</td>${variants.map(([variant, of]) => html`<td>
        <${Amount} label=${`${key} ${T('of {0}', variant)}`} value=${of?.air?.[key]} base=${plain.air?.[key]} set=${(value) => edit(variant, ['air', key], value, plain)} /></td>`)}</tr>`)}
      ${changed.map((surface) => html`<tr key=${surface}><th>${surface}</th><td>${wordsOf(plain.materials[surface])}</td>${variants.map(([variant, of]) => html`<td>
        <${Material} label=${`${surface} ${T('of {0}', variant)}`} own=${of?.materials?.[surface]} base=${plain.materials[surface]} library=${library}
          set=${(value) => edit(variant, ['materials', surface], value, plain)} /></td>`)}</tr>`)}</tbody></table>
      <p><label>${T('Another surface to change')} <select value="" onChange=${(event) => setShown([...shown, event.target.value])}><option value="" />
        ${surfaces.filter((surface) => !changed.includes(surface)).map((surface) => html`<option>${surface}</option>`)}</select></label></p>`}`;
}

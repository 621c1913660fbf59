/** Materials: what every surface of the model is made of, and the library. Absorptions are those of the project and of
 * `materials --json`; areas are those that `check` found. */
import { useEffect, useState } from 'preact/hooks';
import { T } from '../../present/report/script/words.js';
import { Curve, html, octaveText } from './parts.js';
import { attempt, change, editProject, setValue } from './state.js';
import { checkRoom, lastCheck, useLibrary } from './facts.js';

/* A material of the project, in its long form. */
const longForm = (value) => (typeof value === 'string' ? { library: value } : typeof value === 'number' ? { absorption: value } : value ?? {});

const plain = (name) => name.toLowerCase().replaceAll(/[_-]/g, ' ').trim();

/* What the project says of a surface: {words, values, guessed}; values is null where only the program knows. */
function surfaceOf(name, project, library) {
  const materials = project.plain.materials ?? {};
  const key = Object.keys(materials).find((one) => plain(one) === plain(name));
  const given = longForm(materials[key]);
  const count = library?.nominal_hz.length ?? 8;
  const inLibrary = library?.materials.find((one) => [one.name, ...one.aliases].some((called) => plain(called) === plain(given.library ?? name)));
  const values = given.octaves ?? (given.absorption !== undefined ? Array(count).fill(given.absorption) : inLibrary?.absorption ?? null);
  const words = given.octaves ? T('own octaves') : given.absorption !== undefined ? T('{0} at all frequencies', String(given.absorption))
    : given.flow_resistance !== undefined ? T('a sheet') : given.library ?? inLibrary?.name ?? T('nothing is known');
  return { key: key ?? name, words, values, guessed: given.guessed === true };
}

/* Edits. The comment of a line describes what was there, so it goes. */
const give = (key, fields) => editProject((document) => {
  const old = document.getIn(['materials', key], true);
  const scattering = longForm(old?.toJSON?.() ?? old).scattering;
  document.setIn(['materials', key], document.createNode({ ...fields, ...(scattering !== undefined && { scattering }) }));
});

const confirm = (keys) => editProject((document) => {
  for (const key of keys) document.deleteIn(['materials', key, 'guessed']);
});

const setAudience = (text) => setValue(['audience'], text === '' ? null : Math.min(1, Math.max(0, Number(text))));

function Octaves({ values, octaves, save }) {
  const [texts, setTexts] = useState(values.map(String));
  const numbers = texts.map(Number);
  const good = numbers.every((one, i) => texts[i].trim() !== '' && one >= 0 && one <= 1);
  return html`<form class="octaves" onSubmit=${(event) => { event.preventDefault(); save(numbers); }}>
    ${octaves.map((octave, i) => html`<label>${octaveText(octave)}<input inputmode="decimal" aria-invalid=${numbers[i] >= 0 && numbers[i] <= 1 ? 'false' : 'true'}
      value=${texts[i]} onInput=${(event) => setTexts(texts.map((text, j) => (i === j ? event.target.value.replace(',', '.') : text)))} /></label>`)}
    <button disabled=${!good}>${T('Use these')}</button>
    ${!good && html`<small>${T('An absorption is a number from 0 to 1.')}</small>`}</form>`;
}

function Library({ library, surface, name }) {
  const [words, setWords] = useState('');
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = library.materials.filter((one) => {
    const text = [one.name, one.kind, ...one.aliases].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return html`<aside aria-label=${T('Another material for {0}', name)}>
    <h2>${name}</h2>
    <p>${surface.words}</p>
    ${surface.guessed && html`<p><button onClick=${() => confirm([surface.key])}>${T('The guess is right')}</button></p>`}
    <${Octaves} key=${`${name} ${surface.words} ${surface.values}`} values=${surface.values ?? library.nominal_hz.map(() => '')} octaves=${library.nominal_hz}
      save=${(octaves) => give(surface.key, { octaves })} />
    <input type="search" class="search" placeholder=${T('Search the library')} aria-label=${T('Search the library')} value=${words}
      onInput=${(event) => setWords(event.target.value)} />
    <ul class="library">${found.map((one) => html`<li key=${one.name}><button class="plain" aria-pressed=${one.name === surface.words}
      onClick=${() => give(surface.key, { library: one.name })}><${Curve} values=${one.absorption} octaves=${library.nominal_hz} />
      <span>${one.name}<br /><small>${one.kind}, ${one.source}</small></span></button></li>`)}</ul>
    ${found.length === 0 && html`<p class="faint">${T('The library has no such material.')}</p>`}</aside>`;
}

export function Materials({ studio }) {
  const { project, selected } = studio;
  const library = useLibrary();
  const [checked, setChecked] = useState(lastCheck(project));
  useEffect(() => { attempt(async () => setChecked(await checkRoom(project))); }, [project.path]);
  const areas = new Map((checked?.materials ?? []).map((one) => [one.name, one]));
  const names = checked ? [...areas.keys()] : Object.keys(project.plain.materials ?? {});
  const all = names.map((name) => ({ name, area: areas.get(name)?.area_m2, ...surfaceOf(name, project, library) }))
    .sort((a, b) => (b.area ?? 0) - (a.area ?? 0));
  const guesses = all.filter(({ guessed }) => guessed);
  const chosen = selected?.kind === 'material' ? all.find(({ name }) => name === selected.name) : undefined;
  const choose = (name) => change({ selected: { kind: 'material', name } });
  return html`<h1>${T('Materials')}</h1>
    ${guesses.length > 0 && html`<p class="warning buttons"><span>${T('{0} of {1} are guesses, by the names of the surfaces.', String(guesses.length), String(all.length))}</span>
      <button onClick=${() => confirm(guesses.map(({ key }) => key))}>${T('All guesses are right')}</button></p>`}
    <p><label>${T('Occupied share of seats and pews')}
      <input type="number" class="fmax" min="0" max="1" step="0.1" value=${project.plain.audience ?? ''} onChange=${(event) => setAudience(event.target.value)} /></label></p>
    <div class="beside"><div><table>
      <thead><tr><th>${T('Surface')}</th><th class="number">${T('Area')}</th><th>${T('Material')}</th><th>${T('Absorption, 63 Hz to 8 kHz')}</th></tr></thead>
      <tbody>${all.map((one) => html`<tr key=${one.name} class=${one === chosen ? 'selected' : ''} onClick=${() => choose(one.name)}>
        <td><button class="plain" aria-pressed=${one === chosen} onClick=${() => choose(one.name)}>${one.name}</button></td>
        <td class="number">${one.area === undefined ? '' : `${Number(one.area.toPrecision(3))} m²`}</td>
        <td>${one.words} ${one.guessed && html`<span class="tag guess">${T('guess')}</span>`}</td>
        <td>${one.values && library && html`<${Curve} values=${one.values} octaves=${library.nominal_hz} />`}</td></tr>`)}</tbody></table>
      ${checked === null && html`<p class="faint">${T('`check` measures the areas.')}</p>`}</div>
      ${chosen && library ? html`<${Library} library=${library} surface=${chosen} name=${chosen.name} />`
        : html`<aside><p class="faint">${T('Choose a surface to give it another material.')}</p></aside>`}</div>`;
}

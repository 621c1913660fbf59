/** Materials: what every surface of the model is made of, in the room and in a list, and the library. Absorptions are those
 * of the project, of `materials --json` and of `check`, which has areas too. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { T, T_LATER, printed } from '../../present/report/script/words.js';
import { hashOf, readText, refusal, writeFile } from './api.js';
import { Curve, NumberField, Title, html, octaveText, rangeText } from './parts.js';
import { attempt, change, editProject, folderOf, go, run, setValue, show } from './state.js';
import { freeModel, takeModel } from './mend.js';
import { checkRoom, lastCheck, useLibrary } from './facts.js';
import { useMesh } from './screen_model.js';
import { HEADS, readGlb } from './view/glb.js';
import { RoomPane } from './view/room_pane.js';
import { patchAt, splitGlb } from './view/split.js';

/* '0.3 +- 0.05' as [0.3, 0.05], 'oak door +- 5 %' as ['oak door', 0.05], anything else as [it, null]. */
const parted = (value) => {
  const found = typeof value === 'string' ? /^(.*?)\s*(?:\+-|\+\/-|±)\s*([\d.]+)\s*(%?)$/.exec(value.trim()) : null;
  if (!found) return [value, null];
  return [found[1] === '' || isNaN(found[1]) ? found[1] : Number(found[1]), Number(found[2]) / (found[3] ? 100 : 1)];
};
const known = (value, bar) => (bar === null ? value : `${value} +- ${bar}`);

/* A material of the project, in its long form, without its +-: `bars` has those of the octaves, `bar` that of all. */
function longForm(value) {
  const long = typeof value === 'object' ? value ?? {} : typeof parted(value)[0] === 'number' ? { absorption: value } : { library: value };
  const [library, ofName] = parted(long.library), [absorption, ofNumber] = parted(long.absorption), octaves = long.octaves?.map(parted);
  return { ...long, library, absorption, octaves: octaves?.map(([one]) => one), bars: octaves?.map(([, bar]) => bar) ?? [], bar: ofName ?? ofNumber };
}

const plain = (name) => name.toLowerCase().replaceAll(/[_-]/g, ' ').trim();

/* What the project says of a surface: {words, values, bars, guessed}; values is null where nobody knows, bars where the
 * program was not asked yet. `takes`: what a +- is behind, `bar`: the one that is behind it. */
function surfaceOf(name, project, library, checked) {
  const materials = project.plain.materials ?? {};
  const key = Object.keys(materials).find((one) => plain(one) === plain(name));
  const given = longForm(materials[key]);
  const count = library?.nominal_hz.length ?? 8;
  const inLibrary = library?.materials.find((one) => [one.name, ...one.aliases].some((called) => plain(called) === plain(given.library ?? name)));
  const values = given.octaves ?? (typeof given.absorption === 'number' ? Array(count).fill(given.absorption)
    : (given.absorption === undefined && given.build === undefined && inLibrary?.absorption) || checked?.absorption_octaves || null);
  const words = given.build ? [given.build].flat().join(', ') : given.octaves ? T('own octaves') : typeof given.absorption === 'number' ? T('{0} at all frequencies', printed(given.absorption))
    : given.absorption !== undefined ? T('own bands') : given.flow_resistance !== undefined ? T('a sheet') : given.library ?? inLibrary?.name ?? (library === null ? ''
      : project.plain.materials_file && checked?.origin === 'file' ? T('of {0}', project.plain.materials_file)
      : project.plain.other_surfaces !== undefined ? T('{0} at all frequencies', printed(project.plain.other_surfaces)) : T('nothing is known'));
  const current = checked && (materials[key] === undefined || checked.absorption_uncertainty_from === (given.guessed ? 'guess' : 'laboratory'));
  const asked = [current && checked, !given.guessed && inLibrary].find((one) => one && String(one.absorption_octaves ?? one.absorption) === String(values))?.absorption_error_octaves ?? [];
  const bars = (values ?? []).map((_, i) => given.bars[i] ?? given.bar ?? asked[i]);
  const takes = given.octaves ? 'octaves' : typeof given.absorption === 'number' ? 'absorption' : given.library || words === inLibrary?.name ? 'library' : null;
  return { key: key ?? name, words, values, bars: bars.length > 0 && bars.every(Number.isFinite) ? bars : null, bar: given.bars.length > 0 && new Set(given.bars).size === 1 ? given.bars[0] : given.bar, takes,
    guessed: given.guessed === true, build: given.build && [given.build].flat() };
}

/* Edits. The comment of a line describes what was there, so it goes. */
const give = (key, fields) => editProject((document) => {
  const old = document.getIn(['materials', key], true);
  const scattering = longForm(old?.toJSON?.() ?? old).scattering;
  document.setIn(['materials', key], document.createNode({ ...(scattering !== undefined && { scattering }), ...fields }));
  for (const of of ['octaves', 'build']) { const list = document.getIn(['materials', key, of], true); if (list?.items) list.flow = true; }
});

/* Say how well it is known; null: as laboratories measure it. */
const giveBar = ({ key, words, values, takes }, bar) => editProject((document) => {
  const old = document.getIn(['materials', key], true)?.toJSON?.();
  const value = takes === 'octaves' ? values.map((one) => known(one, bar)) : known(takes === 'library' ? words : values[0], bar);
  document.setIn(['materials', key], document.createNode({ ...(typeof old === 'object' ? old : {}), [takes]: value }));
  const list = document.getIn(['materials', key, 'octaves'], true);
  if (list?.items) list.flow = true;
});

const confirm = (keys) => editProject((document) => {
  for (const key of keys) document.deleteIn(['materials', key, 'guessed']);
});

const setAudience = (text) => setValue(['audience'], text === '' ? null : Math.min(1, Math.max(0, Number(text))));

/* ---- a material for a surface ---- */

/* Absorption by octave, to be pulled up and down or typed. */
const Octaves = ({ texts, setTexts, octaves }) => html`<div class="octaves">${octaves.map((octave, i) => {
  const number = Number(texts[i]), good = texts[i].trim() !== '' && number >= 0 && number <= 1;
  const set = (event) => setTexts(texts.with(i, event.target.value.replace(',', '.')));
  return html`<label><input type="range" min="0" max="1" step="0.01" value=${good ? number : 0} aria-label=${T('absorption at {0} Hz', octaveText(octave))} onInput=${set} />
    <input inputmode="decimal" aria-invalid=${good ? 'false' : 'true'} aria-label=${octaveText(octave)} value=${texts[i]} onInput=${set} />${octaveText(octave)}</label>`;
})}</div>`;

/* Send a table of the user's into the folder of the project, and list it as the program reads it. */
async function readTable(file, project, take) {
  const path = folderOf(project.path) + file.name, hash = await hashOf(path);
  const put = async () => {
    await writeFile(path, file, hash);
    const { json } = await run(['materials', '--materials', path]);
    take({ name: file.name, ...json });
  };
  if (hash !== null && (await readText(path)).text !== (await file.text()))
    show(refusal(T('{0} is there already.', path)), [{ label: T('Replace it'), act: () => attempt(put) }]);
  else await put();
}

const apart = (one, other) => one.reduce((sum, value, i) => sum + (value - other[i]) ** 2, 0);

/* What another material is chosen from: the library and a table, by words and by the curve that is set. */
function Choose({ library, surface, name, project, table, setTable, children }) {
  const [words, setWords] = useState(''), [alike, setAlike] = useState(false);
  const [texts, setTexts] = useState((surface.values ?? library.nominal_hz.map(() => '')).map(String));
  const numbers = texts.map(Number), good = numbers.every((one, i) => texts[i].trim() !== '' && one >= 0 && one <= 1);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const own = (table?.materials ?? []).map((one) => ({ ...one, own: true, kind: T('of {0}', table.name), aliases: [] }));
  const found = [...own, ...library.materials].filter((one) => {
    const text = [one.name, one.kind, ...one.aliases].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  if (alike && good) found.sort((a, b) => apart(a.absorption, numbers) - apart(b.absorption, numbers));
  const take = (one) => give(surface.key, one.own ? { octaves: one.absorption.map((value, i) => known(value, one.absorption_error_given ? Number(one.absorption_error_octaves[i].toPrecision(3)) : null)), ...(one.scattering && { scattering: Object.fromEntries(one.scattering.map((value, i) => [library.scattering_octaves_hz[i], value])) }) }
    : { library: one.name });
  return html`<aside aria-label=${T('Another material for {0}', name)}>
    <h2>${name}</h2>
    <p>${surface.words} ${surface.guessed && html`<button class="small" onClick=${() => confirm([surface.key])}>${T('The guess is right')}</button>`}</p>
    <${Octaves} texts=${texts} setTexts=${setTexts} octaves=${library.nominal_hz} />
    <p class="buttons"><button disabled=${!good} onClick=${() => give(surface.key, { octaves: numbers.map((one) => known(one, surface.bar)) })}>${T('Use these')}</button>
      <label><input type="checkbox" checked=${alike} disabled=${!good} onChange=${(event) => setAlike(event.target.checked)} /> ${T('List what is most like it first')}</label>
      ${!good && html`<small>${T('An absorption is a number from 0 to 1.')}</small>`}</p>
    ${surface.takes && html`<p><label>${T('Known within ±')} <${NumberField} class="fmax" aria-label=${T('Known within ±')} min="0" max="1" step="0.01" value=${surface.bar ?? ''}
        commit=${(text) => giveBar(surface, text === '' ? null : Math.abs(Number(text)))} /></label>
      <small>${T('Nine of ten such surfaces are within it. Empty: as laboratories measure it.')}</small></p>`}
    ${children}
    <${Build} surface=${surface} own=${surface.build} octaves=${library.nominal_hz} />
    <div class="buttons"><input type="search" class="search" placeholder=${T('Search the library')} aria-label=${T('Search the library')} value=${words}
      onInput=${(event) => setWords(event.target.value)} />
      <label class="button">${T('A table (CSV)')}<input type="file" accept=".csv,.txt,.yaml,.yml" onChange=${(event) => { const [file] = event.target.files; event.target.value = ''; if (file) attempt(() => readTable(file, project, setTable)); }} /></label></div>
    ${table?.above_one && html`<p class="warning">${T('{0}; it counts as 0.95, the most that a wall absorbs here.', table.above_one)}</p>`}
    <ul class="library">${found.map((one) => html`<li key=${`${one.own} ${one.name}`}><button class="plain" aria-pressed=${!one.own && one.name === surface.words ? 'true' : 'false'}
      onClick=${() => take(one)}><${Curve} values=${one.absorption} octaves=${library.nominal_hz} />
      <span>${one.name}<br /><small>${one.kind}${one.source ? `, ${one.source}` : ''}</small></span></button></li>`)}</ul>
    ${found.length === 0 && html`<p class="faint">${T('The library has no such material.')}</p>`}</aside>`;
}

/* What a layer can be, each with an example (src/manual/materials.md). */
const LAYERS = { plate: T_LATER('perforated plate 12 mm holes 8 mm 15 %'), fleece: T_LATER('fleece 60 Pa s/m'), wool: T_LATER('mineral wool 50 mm 8 kPa s/m2'), air: 'air 200 mm',
  panel: T_LATER('plywood 10 mm 6 kg/m2') };

/* A wall from its layers: `materials --build` says what it absorbs. */
function Build({ surface, own, octaves }) {
  const [layers, setLayers] = useState(own ?? []), [found, setFound] = useState(null), [busy, setBusy] = useState(false);
  const set = (list) => { setLayers(list); setFound(null); };
  const find = () => attempt(async () => { setBusy(true); setFound((await run(['materials', '--build', layers.join('; ')])).json); }).then(() => setBusy(false));
  return html`<details open=${own !== undefined}><summary>${T('Build it from layers')}</summary>
    <ol class="layers">${layers.map((layer, i) => html`<li key=${i}><input aria-label=${T('Layer {0} from the room', String(i + 1))} value=${layer} onChange=${(event) => set(layers.with(i, event.target.value))} />
      <button class="small" aria-label=${T('Remove {0}', layer)} onClick=${() => set(layers.filter((_, j) => j !== i))}>×</button></li>`)}</ol>
    <p class="buttons"><select aria-label=${T('Add a layer')} value="" onChange=${(event) => { set([...layers, T(event.target.value)]); event.target.value = ''; }}><option value="">${T('Add a layer')}</option>
        ${Object.values(LAYERS).map((text) => html`<option value=${text}>${T(text)}</option>`)}</select>
      <button disabled=${layers.length === 0 || busy} onClick=${find}>${T('What does it absorb?')}</button></p>
    <p><small>${T('From the room on. Behind the last layer is a rigid wall.')}</small></p>
    ${found && html`<div class="buttons"><${Curve} values=${found.local.map((value) => Number(value.toFixed(2)))} octaves=${octaves} />
      <button class="first" onClick=${() => give(surface.key, { build: layers })}>${T('Use this wall')}</button></div>`}</details>`;
}

/* ---- a part of a surface ---- */

/* Write the model once more, with some faces called `called`, and let the project name it: the user's file stays. */
async function split(project, bytes, mesh, faces, name, called, checked) {
  const path = await freeModel('split');
  await writeFile(path, splitGlb(bytes, mesh, faces, called, [HEADS]), null);
  const { key, words, values } = surfaceOf(name, project, null, checked);
  const given = project.plain.materials?.[key] ?? (checked?.library_name ? { library: checked.library_name } : { octaves: values ?? words });
  await editProject((document) => {
    takeModel(document, path);
    document.setIn(['materials', called], document.createNode(given));
  });
  change({ selected: { kind: 'material', name: called } });
}

function Split({ name, names, faces, done, begin, cancel }) {
  const [called, setCalled] = useState(`${name}_part`);
  const taken = names.some((one) => plain(one) === plain(called)) || called.trim() === '';
  if (faces === null) return html`<p><button onClick=${begin}>${T('Split it: click its faces in the room')}</button></p>`;
  return html`<form class="warning buttons" onSubmit=${(event) => { event.preventDefault(); done(called.trim()); }}>
    <span role="status">${faces.length === 0 ? T('Click a face in the room; with Shift, further ones; with Alt, one triangle.') : T('{0} triangles are chosen.', String(faces.length))}</span>
    <input aria-label=${T('Name of the new surface')} value=${called} aria-invalid=${taken ? 'true' : 'false'} onInput=${(event) => setCalled(event.target.value)} />
    <button disabled=${faces.length === 0 || taken}>${T('Split')}</button><button type="button" onClick=${cancel}>${T('Cancel')}</button></form>`;
}

/* ---- the screen ---- */

export function Materials({ studio }) {
  const { project, selected } = studio;
  const library = useLibrary(), bytes = useMesh(studio);
  const mesh = useMemo(() => (bytes === null ? null : readGlb(bytes)), [bytes]);
  const [checked, setChecked] = useState(lastCheck(project)), [table, setTable] = useState(null), [faces, setFaces] = useState(null);
  useEffect(() => {
    let current = true;
    attempt(async () => { const found = await checkRoom(project); if (current) setChecked(found); });
    return () => { current = false; };
  }, [project.path, studio.stamp, JSON.stringify([project.plain.room, Object.values(project.plain.materials ?? {}).map((one) => one?.build)])]);
  const known = new Map((checked?.materials ?? []).map((one) => [one.name, one]));
  const names = mesh ? mesh.materials.map(({ name }) => name).filter((name) => name !== HEADS) : checked ? [...known.keys()] : Object.keys(project.plain.materials ?? {});
  const all = names.map((name) => ({ name, area: known.get(name)?.area_m2, ...surfaceOf(name, project, library, known.get(name)) }))
    .sort((a, b) => (b.area ?? 0) - (a.area ?? 0));
  const guesses = all.filter(({ guessed }) => guessed);
  const chosen = selected?.kind === 'material' ? all.find(({ name }) => name === selected.name) : undefined;
  const choose = (name) => { setFaces(null); change({ selected: { kind: 'material', name } }); };
  const onPick = ({ kind, material, triangle, shift, alone }) => {
    if (kind !== 'surface' || material === HEADS) return;
    if (faces === null) choose(material);
    else if (material !== chosen.name) show(refusal(T('That face is of {0}.', material), T('Click faces of {0}, or cancel.', chosen.name)));
    else {
      const patch = patchAt(mesh, triangle, alone), others = faces.filter((t) => !patch.includes(t));
      setFaces(!shift ? patch : others.length < faces.length ? others : [...faces, ...patch]);
    }
  };
  const painted = useMemo(() => (faces ?? []).flatMap((t) => [...mesh.indices.subarray(3 * t, 3 * t + 3)]), [faces, mesh]);
  return html`<div class="room-beside">
    <${RoomPane} name=${studio.file} mesh=${bytes} chosen=${faces === null ? chosen?.name ?? null : null} faces=${painted} placing=${faces !== null} onPick=${onPick}
      materials=${all.map(({ name, values }) => ({ name, absorption_octaves: values }))} octaves=${library?.nominal_hz ?? []} />
    <section class="room-list materials" aria-label=${T('Materials')}><div class="surfaces"><${Title} text=${T('Materials')} next=${T('Next: {0}', T('Places'))} act=${() => go('places')} ready=${checked !== null && guesses.length === 0} />
      ${guesses.length > 0 && html`<p class="warning buttons"><span>${T('{0} of {1} are guesses, by the names of the surfaces.', String(guesses.length), String(all.length))}</span>
        <button onClick=${() => confirm(guesses.map(({ key }) => key))}>${T('All guesses are right')}</button></p>`}
      <p><label>${T('Occupied share of seats and pews')}
        <${NumberField} class="fmax" min="0" max="1" step="0.1" value=${project.plain.audience ?? ''} commit=${setAudience} /></label></p>
      <table><thead><tr><th>${T('Surface')}</th><th class="number">${T('Area')}</th><th>${T('Absorption, 63 Hz to 8 kHz')}</th></tr></thead>
        <tbody>${all.map((one) => html`<tr key=${one.name} class=${one === chosen ? 'selected' : ''} onClick=${() => choose(one.name)}>
          <td><button class="plain" aria-pressed=${one === chosen ? 'true' : 'false'} onClick=${() => choose(one.name)}>${one.name}</button><br />
            <small>${one.words}</small> ${one.guessed && html`<span class="tag guess">${T('guess')}</span>`}</td>
          <td class="number">${one.area === undefined ? '' : `${printed(Number(one.area.toPrecision(3)))} m²`}</td>
          <td>${one.values && library && html`<${Curve} values=${one.values} bars=${one.bars} octaves=${library.nominal_hz} />`}
            ${one.bars && html`<small class="faint">${T('known within ±{0}', rangeText(one.bars, 2))}</small>`}</td></tr>`)}</tbody></table>
      ${checked === null && html`<p class="faint">${T('The areas are being measured.')}</p>`}</div>
      ${chosen && library ? html`<${Choose} key=${`${chosen.name} ${chosen.words} ${chosen.values}`} library=${library} surface=${chosen} name=${chosen.name} project=${project} table=${table} setTable=${setTable}>
          <${Split} key=${chosen.name} name=${chosen.name} names=${names} faces=${faces} begin=${() => setFaces([])} cancel=${() => setFaces(null)}
            done=${(called) => attempt(async () => { await split(project, bytes, mesh, faces, chosen.name, called, known.get(chosen.name)); setFaces(null); })} /><//>`
        : html`<p class="faint">${T('Choose a surface, here or in the room, to give it another material.')}</p>`}
    </section></div>`;
}

/** Model: the room, and what `check` finds in it: a list, pins in the room, its spaces. */
import { useEffect, useState } from 'preact/hooks';
import { T, T_LATER } from '../../present/report/script/words.js';
import { hashOf, readBytes, refusal } from './api.js';
import { checkRoom, meshPath } from './facts.js';
import { Progress, html } from './parts.js';
import { attempt, change, editProject, go, isOpen, openProject, run } from './state.js';
import { RoomPane } from './view/room_pane.js';

const LEVELS = { unfit: T_LATER('Must be corrected'), missing: T_LATER('Needed for a run'), doubtful: T_LATER('Doubtful'), harmless: T_LATER('Good to know') };

const centimetres = (metres) => (metres < 1 ? `${(100 * metres).toFixed(1)} cm` : `${metres.toFixed(2)} m`);

/* What a finding's fix does, for its button. */
const fixText = ({ key, value }) => (key === 'seal_m' ? T('Close cracks up to {0}', centimetres(value))
  : key === 'units' ? T('The unit is {0}', value) : T('The axis {0} points up', value));

/* The key of a project, or a project that has it. */
const apply = ({ key, value }, studio) => attempt(async () => {
  if (studio.project !== null) return editProject((document) => document.setIn([key], value));
  const path = studio.file.replace(/\.[^.]*$/, '.yaml');
  if ((await hashOf(path)) !== null) throw refusal(T('{0} is there already.', path), T('Open it and correct it there.'));
  const option = { seal_m: ['--seal', `${(100 * value).toFixed(1)}cm`], units: ['--units', value], up: ['--up', value] }[key];
  await run(['new', studio.file, '-o', path, ...option, '--progress', 'json']);
  return openProject(path);
});

/* Sizes of its places: of openings their widths. */
const placeText = (finding, place) => (finding.kind === 'openings' || finding.kind === 'leak'
  ? T('opening {0} wide', centimetres(place.size_m)) + (place.length_m ? T(', {0} long', centimetres(place.length_m)) : '') : finding.sentence);

const near = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis])) < 1e-6;

/* One pin for a place, of the first finding that has it. */
function pinsOf(check) {
  const pins = [];
  check.findings.forEach((finding, index) => {
    if (finding.severity === 'harmless') return;
    for (const place of finding.places) {
      if (pins.some(({ at }) => near(at, place.position_m))) continue;
      const leak = check.leaks.find(({ position_m: at }) => near(at, place.position_m));
      pins.push({ at: place.position_m, text: placeText(finding, place), kind: finding.severity, index,
        path: leak?.path_m ?? null, across: leak?.gap_m ?? place.size_m });
    }
  });
  return pins;
}

/** The mesh that the last `check` of the file read, as bytes, or null; it is there before the check has ended. */
export function useMesh(studio) {
  const [mesh, setMesh] = useState(null);
  const path = meshPath(studio.file);
  const job = studio.jobs.findLast(({ arguments: words }) => words[0] === 'check' && words.includes(path));
  const read = job !== undefined && (job.state === 'ended' || (job.progress !== null && job.progress.phase !== 'reading the model'));
  useEffect(() => {
    if (read) readBytes(path).then(setMesh, () => {}); // a model that cannot be read has none, which the command says
  }, [path, job?.number, read]);
  return mesh;
}

/** The JSON of `check` of what is open, null until it is there. */
export function useCheck(studio) {
  const [check, setCheck] = useState(null);
  const project = studio.project ?? { path: studio.file, plain: {} };
  const key = JSON.stringify(project.plain);
  useEffect(() => {
    let current = true;
    attempt(async () => { const found = await checkRoom(project); if (current) setCheck(found); });
    return () => { current = false; };
  }, [studio.file, key]);
  return check;
}

export const placesOf = ({ sources, receivers }) => [...sources.map((one) => ({ kind: 'source', name: one.name, at: one.position_m })),
  ...receivers.map((one) => ({ kind: 'receiver', name: one.name, at: one.position_m }))];

function Finding({ finding, numbers, selected, select, studio }) {
  return html`<li class=${`finding of-${finding.severity} ${selected ? 'selected' : ''}`}>
    <button class="plain" aria-pressed=${selected ? 'true' : 'false'} onClick=${select}>
      ${numbers.map((number) => html`<span class=${`pin-number of-${finding.severity}`}>${number}</span>`)} ${finding.sentence}</button>
    ${finding.severity !== 'harmless' && finding.advice && html`<p><small>${finding.advice}</small></p>`}
    ${finding.fix && html`<p><button onClick=${() => apply(finding.fix, studio)}>${fixText(finding.fix)}</button>
      ${studio.project ? html`<code>${finding.fix.key}: ${finding.fix.value}</code>` : html`<small>${T('makes a project of the model')}</small>`}</p>`}
  </li>`;
}

function Spaces({ check, look }) {
  return html`<h2>${T('Spaces')}</h2><table><thead><tr><th>${T('Space')}</th><th class="number">${T('Volume')}</th><th>${T('In it')}</th></tr></thead>
    <tbody>${check.cavities.map((space) => html`<tr class=${space.taken ? 'selected' : ''}>
      <td><button class="plain" onClick=${() => look(space.position_m)}>${space.name}</button>${space.taken && html` <span class="tag">${T('simulated')}</span>`}</td>
      <td class="number">${space.volume_m3.toPrecision(4)} m³</td><td><small>${space.points}</small></td></tr>`)}</tbody></table>
    ${check.cavities_further > 0 && html`<p><small>${T('{0} smaller ones have {1} m³ together.', String(check.cavities_further), check.cavities_further_volume_m3.toPrecision(3))}</small></p>`}`;
}

export function Model({ studio }) {
  const check = useCheck(studio), mesh = useMesh(studio);
  const [finding, setFinding] = useState(null), [looking, setLooking] = useState(null);
  const pins = check === null ? [] : pinsOf(check);
  const select = (index) => {
    setFinding(index);
    const at = check.findings[index].position_m;
    if (at !== null) setLooking([...at]);
  };
  const onPick = (what) => {
    if (what.kind === 'pin') select(pins[what.index].index);
    if (what.kind === 'surface') change({ selected: { kind: 'material', name: what.material } });
  };
  const chosen = studio.selected?.kind === 'material' ? studio.selected.name : null;
  const material = check?.materials.find(({ name }) => name === chosen);
  const job = studio.jobs.findLast(({ arguments: words }) => words[0] === 'check' && words.includes(meshPath(studio.file)));
  const levels = check === null ? [] : Object.keys(LEVELS).filter((level) => check.findings.some(({ severity }) => severity === level));
  return html`<div class="room-beside">
    <${RoomPane} name=${studio.file} mesh=${mesh} places=${check === null ? [] : placesOf(check)} pins=${pins} materials=${check?.materials ?? []}
      octaves=${check?.material_octaves_hz ?? []} chosen=${chosen} looking=${looking} onPick=${onPick} />
    <section class="room-list" aria-label=${T('What check finds')}>
      <h1>${T('Model')}</h1>
      ${studio.project === null && html`<p><button class="first" onClick=${() => go('project')}>${T('Make a project of it')}</button></p>`}
      ${check === null && html`<p>${T('The model is being checked: is it closed, are its units right?')}</p>`}
      ${job && isOpen(job) && html`<p><${Progress} of=${job.progress} /></p>`}
      ${check !== null && html`<p class=${`verdict of-${check.verdict === 'fit' ? 'good' : check.verdict === 'unfit' ? 'unfit' : 'doubtful'}`} role="status">
          ${check.verdict === 'fit' ? T('Fit for a run.') : check.verdict === 'unfit' ? T('Unfit for a run: {0}.', check.why) : T('Fit, with doubts: {0}.', check.why)}</p>
        <p><small>${check.room.high_m.map((value, axis) => (value - check.room.low_m[axis]).toFixed(1)).join(' x ')} m,
          ${' '}${T('{0} triangles', String(check.room.triangles))}${check.air_volume_m3 !== null && `, ${check.air_volume_m3.toPrecision(4)} m³`}</small></p>
        ${material && html`<div class="picked" role="status"><strong>${material.name}</strong> ${material.area_m2.toPrecision(3)} m², ${material.library_name ?? material.origin}
          ${studio.project && html` <button class="small" onClick=${() => go('materials')}>${T('Another material')}</button>`}</div>`}
        ${levels.map((level) => html`<h2>${T(LEVELS[level])}</h2><ul class="findings">${check.findings.map((one, index) => one.severity === level && html`<${Finding}
          finding=${one} numbers=${pins.flatMap((pin, i) => (pin.index === index ? [i + 1] : []))} selected=${index === finding} select=${() => select(index)} studio=${studio} />`)}</ul>`)}
        <${Spaces} check=${check} look=${(at) => setLooking([...at])} />`}
    </section>
  </div>`;
}

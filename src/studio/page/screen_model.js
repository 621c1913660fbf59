/** Model: the room, and what `check` finds in it: a list, pins in the room, its spaces. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { T, T_LATER, printed } from '../../present/report/script/words.js';
import { readBytes } from './api.js';
import { checkAgain, checkRoom, meshPath } from './facts.js';
import { closeWithFaces, length, mend, mendText } from './mend.js';
import { Progress, Title, adviceOf, html } from './parts.js';
import { attempt, change, go, isOpen } from './state.js';
import { readGlb } from './view/glb.js';
import { holeAt, holesOf } from './view/lid.js';
import { RoomPane } from './view/room_pane.js';

const LEVELS = { unfit: T_LATER('Must be corrected'), missing: T_LATER('Needed for a run'), doubtful: T_LATER('Doubtful'), harmless: T_LATER('Good to know') };

/* Sizes of its places: of openings their widths. */
const placeText = (finding, place) => (finding.kind === 'openings' || finding.kind === 'leak'
  ? T('opening {0} wide', length(place.size_m)) + (place.length_m ? T(', {0} long', length(place.length_m)) : '') : finding.sentence);

const near = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis])) < 1e-6;

/* What the list has: of openings one finding, whose first path is that of a leak; so that the model has no air goes
 * without saying. */
const listed = ({ findings }) => {
  const open = findings.filter(({ kind }) => kind === 'openings');
  return findings.filter(({ kind, position_m: at }) => open.length === 0 || !(kind === 'not_enclosed' || (/^leak/.test(kind) && at && open.some(({ places }) => places.some((place) => near(place.position_m, at))))));
};

/* One pin for a place, of the first finding that has it; of harmless ones only where they are chosen. */
function pinsOf(check, findings, chosen) {
  const pins = [];
  findings.forEach((finding, index) => {
    if (finding.severity === 'harmless' && index !== chosen) return;
    for (const place of finding.places) {
      if (pins.some(({ at }) => near(at, place.position_m))) continue;
      const leak = check.leaks.find(({ position_m: at }) => near(at, place.position_m));
      pins.push({ at: place.position_m, text: placeText(finding, place), kind: finding.severity, index,
        path: leak?.path_m ?? null, across: leak?.gap_m ?? place.size_m });
    }
  });
  return pins;
}

const same = (before, after) => { const old = new Uint8Array(before ?? 0); return old.length === after.byteLength && new Uint8Array(after).every((byte, i) => byte === old[i]); };

/** The mesh that the last `check` of the file read, as bytes, or null; it is there before the check has ended. */
export function useMesh(studio) {
  const [mesh, setMesh] = useState(null);
  const path = meshPath(studio.file);
  const job = studio.jobs.findLast(({ arguments: words }) => words[0] === 'check' && words.includes(path));
  const read = job === undefined ? '' : job.state === 'ended' ? 'whole' : job.progress !== null && job.progress.phase !== 'reading the model' ? 'early' : ''; // what is there early may be that of an earlier check
  useEffect(() => {
    if (read) readBytes(path).then((bytes) => setMesh((before) => (same(before, bytes) ? before : bytes)), () => {}); // a model that cannot be read has none, which the command says
  }, [path, job?.number, read]);
  return mesh;
}

/* {check, fresh, again}: the JSON of `check` of what is open, null until it is there; `fresh`: of what is open now. */
function useCheck(studio) {
  const [made, setMade] = useState({ check: null, of: '' });
  const project = studio.project ?? { path: studio.file, plain: {} };
  const key = JSON.stringify([studio.file, studio.stamp, project.plain]);
  useEffect(() => {
    let current = true;
    attempt(async () => { const check = await checkRoom(project); if (current) setMade({ check, of: key }); });
    return () => { current = false; };
  }, [key]);
  return { check: made.check, fresh: made.of === key, again: () => checkAgain(project) };
}

export const placesOf = ({ sources, receivers }) => [...sources.map((one) => ({ kind: 'source', name: one.name, at: one.position_m })),
  ...receivers.map((one) => ({ kind: 'receiver', name: one.name, at: one.position_m }))];

/* Sound gets out through each of its places. Faces close them where their edges are known; cracks can be closed on the
 * grid; or all stay open. */
function Openings({ finding, numbers, chosen, look, holes, act, busy }) {
  const wide = finding.fix === null || finding.places.some(({ size_m: size }) => size > finding.fix.value);
  const found = [...new Set(finding.places.map(({ position_m: at, size_m: size }) => holeAt(holes, at, Math.max(0.05, size))).filter(Boolean))];
  const around = [...new Set(found.map(({ material }) => material))].join(', ');
  const button = (first, text, work) => html`<button class=${first ? 'first' : ''} disabled=${busy} onClick=${() => act(work)}>${text}</button>`;
  return html`<li class=${`finding of-${finding.severity}`}><p>${finding.severity === 'unfit' ? T('The room is not closed. Sound gets out through:')
    : T('The room is closed on the grid of this run. On a finer one sound may get out through:')}</p>
    <ol class="openings">${finding.places.map((place, i) => html`<li><button class="plain" aria-pressed=${chosen === place ? 'true' : 'false'} onClick=${() => look(place)}>
      <span class=${`pin-number of-${finding.severity}`}>${numbers[i]}</span> ${placeText(finding, place)}</button></li>`)}</ol>
    <p class="buttons">${!wide && button(true, mendText(finding.fix), (begun) => mend(finding.fix, begun))}
      ${found.length > 0 && button(wide, found.length === 1 ? T('Close it with a face of {0}', around) : T('Close {0} of them with faces of {1}', String(found.length), around), () => closeWithFaces(holes.bytes, found))}
      ${finding.severity === 'unfit' && button(wide && found.length === 0, mendText({ key: 'open' }), (begun) => mend({ key: 'open', value: true }, begun))}</p>
    ${finding.severity === 'unfit' && html`<p><small>${[found.length > 0 && T('A face is put into a copy of the model.'), T('What stays open lets sound out, like a window into the open air.'),
    T('Or close it in the program that you draw with, and export again.')].filter(Boolean).join(' ')}</small></p>`}</li>`;
}

function Finding({ finding, numbers, selected, select, act, busy, studio }) {
  const advice = finding.fix ? null : adviceOf(finding.advice);
  return html`<li class=${`finding of-${finding.severity} ${selected ? 'selected' : ''}`}>
    <button class="plain" aria-pressed=${selected ? 'true' : 'false'} onClick=${select}>
      ${numbers.map((number) => html`<span class=${`pin-number of-${finding.severity}`}>${number}</span>`)} ${finding.sentence}</button>
    ${finding.severity !== 'harmless' && advice && html`<p><small>${advice}</small></p>`}
    ${finding.fix && html`<p><button disabled=${busy} onClick=${() => act((begun) => mend(finding.fix, begun))}>${mendText(finding.fix)}</button>
      ${!studio.project && html` <small>${T('makes a project of the model')}</small>`}</p>`}
  </li>`;
}

/* A line along all edges of a box. */
const boxEdges = (low, high) => ['000', '100', '110', '010', '000', '001', '101', '100', '101', '111', '110', '111', '011', '010', '011', '001']
  .map((corner) => [...corner].map((of, axis) => (of === '1' ? high : low)[axis]));

function Spaces({ check, chosen, look }) {
  return html`<h2>${T('Spaces')}</h2><table><thead><tr><th>${T('Space')}</th><th class="number">${T('Volume')}</th><th>${T('In it')}</th></tr></thead>
    <tbody>${check.cavities.map((space) => html`<tr class=${space.taken ? 'selected' : ''}>
      <td><button class="plain" aria-pressed=${space === chosen ? 'true' : 'false'} onClick=${() => look(space)}>${space.name}</button>${space.taken && html` <span class="tag">${T('simulated')}</span>`}</td>
      <td class="number">${printed(space.volume_m3.toPrecision(4))} m³</td><td><small>${space.points}</small></td></tr>`)}</tbody></table>
    ${check.cavities_further > 0 && html`<p><small>${T('{0} smaller ones have {1} m³ together.', String(check.cavities_further), printed(check.cavities_further_volume_m3.toPrecision(3)))}</small></p>`}`;
}

export function Model({ studio }) {
  const { check, fresh, again } = useCheck(studio), mesh = useMesh(studio);
  const [chosen, setChosen] = useState(null), [looking, setLooking] = useState(null); // a finding, or a place of openings
  const [space, setSpace] = useState(null), [mending, setMending] = useState(null); // number of its command, or 0
  const findings = useMemo(() => (check === null ? [] : listed(check)), [check]);
  const holes = useMemo(() => (mesh === null || !findings.some(({ kind }) => kind === 'openings') ? [] : Object.assign(holesOf(readGlb(mesh)), { bytes: mesh })), [mesh, findings]);
  const pins = check === null ? [] : pinsOf(check, findings, findings.indexOf(chosen));
  const marks = space === null ? [] : [{ kind: 'box', points: boxEdges(space.low_m, space.high_m) }];
  const look = (what) => { setChosen(what); if (what.position_m !== null) setLooking([...what.position_m]); };
  const act = (work) => { setMending(0); work(setMending).then(() => setMending(null)); };
  const onPick = (what) => {
    if (what.kind === 'pin') look(findings[pins[what.index].index]);
    if (what.kind === 'surface') change({ selected: { kind: 'material', name: what.material } });
  };
  const named = studio.selected?.kind === 'material' ? studio.selected.name : null;
  const material = check?.materials.find(({ name }) => name === named);
  const job = mending > 0 ? studio.jobs[mending - 1] : studio.jobs.findLast(({ arguments: words }) => words[0] === 'check' && words.includes(meshPath(studio.file)));
  const levels = Object.keys(LEVELS).filter((level) => findings.some(({ severity }) => severity === level));
  const works = (job && isOpen(job)) || mending !== null, ready = fresh && !works && check.verdict !== 'unfit';
  const numbersOf = (finding) => pins.flatMap((pin, i) => (findings[pin.index] === finding ? [i + 1] : []));
  const metres = (value, digits) => printed(value.toFixed(digits));
  return html`<div class="room-beside">
    <${RoomPane} name=${studio.file} mesh=${mesh} places=${check === null ? [] : placesOf(check)} pins=${pins} marks=${marks} materials=${check?.materials ?? []}
      octaves=${check?.material_octaves_hz ?? []} chosen=${named} looking=${looking} onPick=${onPick} />
    <section class="room-list" aria-label=${T('What check finds')}>
      <${Title} text=${T('Model')} next=${studio.project === null ? T('Make a project of it') : T('Next: {0}', T('Materials'))} act=${() => go(studio.project === null ? 'project' : 'materials')} ready=${ready} />
      ${works || !fresh ? html`<p role="status">${mending !== null ? T('It is being mended.') : check === null ? T('The model is being checked: is it closed, are its units right?') : T('It is being checked again.')}<br />
        <${Progress} of=${job && isOpen(job) ? job.progress : null} /></p>`
    : html`<div class=${`verdict of-${check.verdict === 'fit' ? 'good' : check.verdict === 'unfit' ? 'unfit' : 'doubtful'}`} role="status">
          <span>${check.verdict === 'fit' ? T('Fit for a run.') : check.verdict === 'unfit' ? T('Unfit for a run: {0}.', check.why) : T('Fit, with doubts: {0}.', check.why)}</span>
          <button class="small" onClick=${again}>${T('Check again')}</button></div>`}
      ${check !== null && html`<div class=${fresh ? '' : 'old'}><p><small>${check.room.high_m.map((value, axis) => metres(value - check.room.low_m[axis], 1)).join(' × ')} m,
          ${' '}${T('{0} triangles', String(check.room.triangles))}${check.air_volume_m3 !== null && `, ${printed(check.air_volume_m3.toPrecision(4))} m³`}</small></p>
        ${material && html`<div class="picked" role="status"><strong>${material.name}</strong> ${printed(material.area_m2.toPrecision(3))} m², ${material.library_name ?? material.origin}
          ${studio.project && html` <button class="small" onClick=${() => go('materials')}>${T('Another material')}</button>`}</div>`}
        ${levels.map((level) => html`<h2>${T(LEVELS[level])}</h2><ul class="findings">${findings.map((one) => one.severity === level && (one.kind === 'openings'
    ? html`<${Openings} finding=${one} numbers=${numbersOf(one)} chosen=${chosen} look=${look} holes=${holes} act=${act} busy=${works || !fresh} />`
    : html`<${Finding} finding=${one} numbers=${numbersOf(one)} selected=${one === chosen} select=${() => look(one)} act=${act} busy=${works || !fresh} studio=${studio} />`))}</ul>`)}
        <${Spaces} check=${check} chosen=${space} look=${(one) => { setSpace(one); setLooking([...one.position_m]); }} /></div>`}
    </section>
  </div>`;
}

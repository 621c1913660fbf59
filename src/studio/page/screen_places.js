/** Places: sources, receivers and areas of receivers, as the project has them, in the room beside; `check` says what is
 * wrong with them, where people sit, and what stands in straight paths. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { T, printed } from '../../present/report/script/words.js';
import { Title, adviceOf, html } from './parts.js';
import { attempt, change, editProject, go, show } from './state.js';
import { checkRoom, lastCheck } from './facts.js';
import { refusal } from './api.js';
import { useMesh } from './screen_model.js';
import { RoomPane } from './view/room_pane.js';

const AXES = ['x', 'y', 'z'];
const SETTLES = 900; // ms without a change, before the places are checked
const PATTERNS = ['omni', 'voice', 'cardioid'];
const NAME = /^[A-Za-z0-9_-]{1,63}$/;
const NEW = { sources: ['S', 1.5], receivers: ['R', 1.2] }; // first letter of a name, height above the floor [m]
const PATHS_SHOWN = 16; // without a choice

const rounded = (position) => position.map((one) => Number(one.toFixed(3)));
const numberOf = (text) => (text.trim() === '' ? NaN : Number(text.replace(',', '.')));
const isNumber = (text) => Number.isFinite(numberOf(text));
const kindOf = (key) => key.slice(0, -1);

/* ---- the project's lists ---- */

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

function nextName(letter, places) {
  let n = 1;
  while (places.some(({ name }) => name === letter + n)) n += 1;
  return letter + n;
}

const select = (kind, name) => change({ selected: { kind, name } });

const addPlace = (key, places, floor) => {
  const [letter, height] = NEW[key], name = nextName(letter, places);
  editList(key, places, (document, list) => {
    const entry = document.createNode({ name, position: rounded([floor[0], floor[1], floor[2] + height]) });
    entry.get('position', true).flow = true;
    list.add(entry);
  });
  select(kindOf(key), name);
};

const addArea = (areas, fields) => editProject((document) => {
  const entry = document.createNode({ name: areas.some(({ name }) => name === 'audience') || fields.corners ? nextName('area_', areas) : 'audience', ...fields });
  if (fields.corners) entry.set('corners', document.createNode(fields.corners, { flow: true }));
  if (document.get('receiver_grids')?.add) document.get('receiver_grids').add(entry);
  else document.set('receiver_grids', document.createNode([entry]));
});

/* ---- directions ---- */

const mean = (list) => AXES.map((_, axis) => list.reduce((sum, position) => sum + position[axis] / list.length, 0));

/* [azimuth, elevation] from one position towards another, in degrees. */
function towards(from, to) {
  const [x, y, z] = to.map((value, axis) => value - from[axis]);
  return [Math.atan2(y, x) * 180 / Math.PI, Math.atan2(z, Math.hypot(x, y)) * 180 / Math.PI];
}

/* Where a place points (rooms/PROJECT.md: aim, look), or undefined. */
function directionOf(kind, place, sources, receivers) {
  const others = (kind === 'source' ? receivers : sources).filter(({ position }) => position);
  const given = kind === 'source' ? place.aim : place.look;
  if (!place.position || (kind === 'source' ? !place.directivity || place.directivity === 'omni' : !place.dummy_head && given === undefined)) return undefined;
  if (typeof given === 'number') return [given, 0];
  if (Array.isArray(given)) return given.length === 2 ? given : towards(place.position, given);
  const other = others.find(({ name }) => name === given);
  if (other) return towards(place.position, other.position);
  if (others.length === 0) return undefined;
  return kind === 'source' ? towards(place.position, mean(others.map(({ position }) => position))) : [towards(place.position, others[0].position)[0], 0];
}

const angles = (direction) => direction.map((value) => Number(value.toFixed(1)));

/* ---- lists ---- */

const Field = ({ label, value, isGood = isNumber, commit, wide, unknown = false }) => {
  const own = wide ? String(value) : printed(value), [text, setText] = useState(own);
  useEffect(() => setText(own), [own]);
  const good = unknown || isGood(text);
  return html`<input disabled=${unknown} class=${wide ? 'name' : 'number'} aria-label=${label} aria-invalid=${good ? 'false' : 'true'} value=${text} size=${wide ? Math.max(6, text.length) : 5}
    onInput=${(event) => setText(event.target.value)}
    onChange=${() => (good ? text !== own && commit(text) : setText(own))} />`;
};

const Choice = ({ label, value, of, choose }) => html`<label>${label} <select value=${value} onChange=${(event) => choose(event.target.value)}>
  ${of.map(([one, text]) => html`<option value=${one}>${text}</option>`)}</select></label>`;

/* What only the chosen place shows. `set(fields)` changes it. */
function Details({ kind, place, height, setHeight, direction, others, set }) {
  const source = kind === 'source', key = source ? 'aim' : 'look';
  const given = place[key], patterns = [...new Set([...PATTERNS, place.directivity ?? 'omni'])];
  const turn = (axis) => (text) => set({ [key]: source ? angles(direction).with(axis, numberOf(text)) : numberOf(text) });
  return html`<div class="details">
    ${height !== null && html`<label>${T('Above the floor')} <${Field} label=${T('height of {0} above the floor', place.name)} value=${height.toFixed(2)} commit=${(text) => setHeight(numberOf(text))} /> m</label>`}
    ${source ? html`<${Choice} label=${T('Directivity')} value=${place.directivity ?? 'omni'} of=${patterns.map((one) => [one, one])}
        choose=${(one) => set({ directivity: one === 'omni' ? null : one, ...(one === 'omni' && { aim: null }) })} />`
      : html`<label><input type="checkbox" checked=${Boolean(place.dummy_head)} onChange=${(event) => set({ dummy_head: event.target.checked || null })} /> ${T('Dummy head')}</label>`}
    ${direction && html`<${Choice} label=${source ? T('Aimed at') : T('Looks at')} value=${typeof given === 'string' ? given : given === undefined ? '' : 'direction'}
        of=${[['', source ? T('all receivers') : T('the source that sounds')], ...others.map(({ name }) => [name, name]), ['direction', T('a direction')]]}
        choose=${(one) => set({ [key]: one === '' ? null : one !== 'direction' ? one : source ? angles(direction) : angles(direction)[0] })} />
      <label>${T('Azimuth')} <${Field} label=${T('azimuth of {0}', place.name)} value=${angles(direction)[0]} commit=${turn(0)} />°</label>
      ${source && html`<label>${T('Elevation')} <${Field} label=${T('elevation of {0}', place.name)} value=${angles(direction)[1]} commit=${turn(1)} />°</label>`}`}
  </div>`;
}

function Place({ listKey, places, i, selected, details }) {
  const place = places[i], kind = kindOf(listKey), chosen = selected?.kind === kind && selected.name === place.name;
  const set = (fields) => setFields(listKey, places, i, fields);
  const rename = (name) => {
    if (places.some((one, j) => j !== i && one.name === name)) show(refusal(T('There is another place called {0}.', name)));
    else { set({ name }); select(kind, name); }
  };
  return html`<li class=${chosen ? 'selected' : ''} onFocusIn=${() => !chosen && select(kind, place.name)}>
    <div class="place"><${Field} label=${T('Name')} wide value=${place.name} isGood=${(text) => NAME.test(text)} commit=${rename} />
    ${AXES.map((axis, a) => html`<label>${axis}<${Field} label=${`${axis} ${T('of {0}', place.name)}`} unknown=${place.position === null} value=${place.position?.[a] ?? ''}
      commit=${(text) => set({ position: place.position.map((one, b) => (a === b ? numberOf(text) : one)) })} /></label>`)}
    <button class="small" aria-label=${T('Remove {0}', place.name)} onClick=${() => editList(listKey, places, (_, list) => list.delete(i))}>×</button></div>
    ${place.ofModel && html`<small>${T('of the model')}</small>`}
    ${chosen && html`<${Details} ...${details(kind, place)} kind=${kind} place=${place} set=${set} />`}</li>`;
}

/* Areas of receivers: where people sit, a surface, or a polygon. */
function Areas({ areas, materials, grids }) {
  const set = (i, key, value) => editProject((document) => (value === null ? document.deleteIn(['receiver_grids', i, key]) : document.setIn(['receiver_grids', i, key], value)));
  const remove = (i) => editProject((document) => document.deleteIn(areas.length === 1 ? ['receiver_grids'] : ['receiver_grids', i]));
  const isLength = (text) => text === '' || numberOf(text) > 0;
  return html`<ul class="places">${areas.map((area, i) => html`<li key=${i}><div class="place">
      <${Field} label=${T('Name')} wide value=${area.name} isGood=${(text) => NAME.test(text)} commit=${(text) => set(i, 'name', text)} />
      ${area.corners ? T('a polygon of {0} corners', String(area.corners.length)) : html`<select aria-label=${T('Where')} value=${area.material ?? ''}
        onChange=${(event) => set(i, 'material', event.target.value === '' ? null : event.target.value)}>
        <option value="">${T('where people sit')}</option>${materials.map((one) => html`<option value=${one}>${T('on {0}', one)}</option>`)}</select>`}
      <button class="small" aria-label=${T('Remove {0}', area.name)} onClick=${() => remove(i)}>×</button></div>
      <div class="details">${[['spacing_m', T('Spacing')], ['height_m', T('Height of ears')]].map(([key, text]) => html`<label>${text} <${Field} label=${key} value=${area[key] ?? ''} isGood=${isLength}
        commit=${(one) => set(i, key, one === '' ? null : numberOf(one))} /> m</label>`)}
      ${grids.filter(({ name }) => name === area.name).map(({ points, spacing_m: spacing }) => html`<small>${T('{0} points, {1} m apart', String(points), printed(spacing))}</small>`)}</div></li>`)}</ul>`;
}

/* ---- what `check` says ---- */

const isOfPlaces = ({ kind, severity }) => severity !== 'harmless' && /^(point|receiver|source)/.test(kind);

/* Each with the nearest valid point as a button where the program names one. */
function Finding({ finding, number, lists }) {
  const to = /\(([-\d.]+), ([-\d.]+), ([-\d.]+)\) m/.exec(finding.advice)?.slice(1).map(Number);
  const meant = to && lists.flatMap(([key, places]) => places.map(({ position }, i) => ({ key, places, i, position })))
    .find(({ position }) => position?.every((one, a) => Math.abs(one - finding.position_m?.[a]) < 2e-3));
  return html`<div class="trouble"><p>${number > 0 && html`<span class="pin-number of-unfit">${number}</span>`} ${finding.sentence} ${to ? finding.advice : adviceOf(finding.advice)}</p>
    ${meant && html`<button onClick=${() => setFields(meant.key, meant.places, meant.i, { position: rounded(to) })}>${T('Move it there')}</button>`}</div>`;
}

/* Straight paths with the names of the project: a dummy head's ears are one receiver. */
function pathsOf(checked) {
  const ears = new Map((checked?.dummy_heads ?? []).flatMap(({ name, left, right }) => [[left, name], [right, null]]));
  const at = (list, name) => list.find((one) => one.name === name)?.position_m;
  return (checked?.paths ?? []).filter(({ receiver }) => ears.get(receiver) !== null).map((path) => ({ ...path, receiver: ears.get(path.receiver) ?? path.receiver,
    ends: [at(checked.sources, path.source), at(checked.receivers, path.receiver)] }));
}

const Paths = ({ paths }) => paths.length > 0 && html`<h2>${T('Straight paths')}</h2><ul class="paths">${paths.map(({ source, receiver, distance_m: distance, clear, obstacles }) => html`<li>
  <span class=${`path ${clear ? '' : 'blocked'}`} />${source} → ${receiver}, ${printed(distance.toFixed(1))} m: ${clear ? T('clear')
  : T('behind {0}', [...new Set(obstacles.map(({ material }) => material))].join(', '))}</li>`)}</ul>`;

/* ---- the screen ---- */

export function Places({ studio }) {
  const { project, selected } = studio;
  const areas = project.plain.receiver_grids ?? [];
  const mesh = useMesh(studio), view = useRef(null);
  const [checked, setChecked] = useState(lastCheck(project));
  const [placing, setPlacing] = useState(null); // 'sources', 'receivers' or 'area'
  const [corners, setCorners] = useState([]), [pulled, setPulled] = useState(null), [looking, setLooking] = useState(null), [, setReady] = useState(0);
  useEffect(() => {
    let stale = false;
    const timer = setTimeout(() => attempt(async () => { const found = await checkRoom(project); if (!stale) setChecked(found); }), checked ? SETTLES : 0);
    return () => { stale = true; clearTimeout(timer); };
  }, [project.hash, studio.stamp]);
  const lists = { sources: placesOf(project.plain.sources, checked?.sources), receivers: placesOf(project.plain.receivers, checked?.receivers) };
  if (pulled?.key in lists) lists[pulled.key] = lists[pulled.key].with(pulled.i, { ...lists[pulled.key][pulled.i], ...pulled.fields });
  const { sources, receivers } = lists;
  const shaped = areas.map((area, i) => (pulled?.area === i ? { ...area, corners: area.corners.with(pulled.corner, pulled.at) } : area));
  const chosen = (kind, name) => selected?.kind === kind && selected.name === name;

  /* What can be pulled in the room, each with where it stands in the project. */
  const handles = [...Object.entries(lists).flatMap(([key, list]) => list.map((place, i) => ({ key, i, kind: kindOf(key), name: place.name, at: place.position,
    direction: directionOf(kindOf(key), place, sources, receivers), chosen: chosen(kindOf(key), place.name) }))),
  ...shaped.flatMap(({ corners: list }, area) => (list ?? []).map((at, corner) => ({ kind: 'corner', name: '', at, area, corner }))),
  ...corners.map((at) => ({ kind: 'corner', name: '', at }))].filter(({ at }) => at);
  const onDrag = ({ index, kind, at, azimuth, elevation, towards: other, done }) => {
    const { key, i, area, corner } = handles[index];
    const back = kind === 'place' ? at === null : azimuth === undefined;
    if (back || (key === undefined && area === undefined)) setPulled(null);
    else if (area !== undefined) {
      setPulled({ area, corner, at: rounded(at) });
      if (done) editProject((document) => document.setIn(['receiver_grids', area, 'corners', corner], document.createNode(rounded(at), { flow: true }))).then(() => setPulled(null));
    } else {
      const aim = () => other?.name ?? (key === 'sources' ? angles([azimuth, elevation]) : angles([azimuth])[0]);
      const fields = kind === 'place' ? { position: rounded(at) } : { [key === 'sources' ? 'aim' : 'look']: aim() };
      if (!chosen(kindOf(key), lists[key][i].name)) select(kindOf(key), lists[key][i].name);
      setPulled({ key, i, fields });
      if (done) setFields(key, lists[key], i, fields).then(() => setPulled(null));
    }
  };
  const finish = (list) => {
    if (list.length > 2) addArea(areas, { corners: list });
    setCorners([]);
    setPlacing(null);
  };
  const onPick = (what) => {
    if (what.kind === 'pin') setLooking([...pins[what.index].at]);
    else if (placing === null) { if (what.kind === 'place' && handles[what.index]?.key) select(handles[what.index].kind, handles[what.index].name); }
    else if (what.kind === 'place' && placing === 'area' && handles[what.index] && handles[what.index].at === corners[0]) finish(corners);
    else if (what.floor === null) show(refusal(T('There is no floor below that point.')));
    else if (placing === 'area') setCorners([...corners, rounded(what.floor)]);
    else { addPlace(placing, lists[placing], what.floor); setPlacing(null); }
  };
  const inMiddle = () => {
    const middle = checked?.room.low_m.map((low, axis) => (low + checked.room.high_m[axis]) / 2) ?? [0, 0, 0];
    onPick({ kind: 'surface', floor: view.current?.floorBelow(middle) ?? middle });
  };

  const findings = (checked?.findings ?? []).filter(isOfPlaces);
  const pinned = findings.filter(({ position_m: at }) => at !== null);
  const pins = pinned.map(({ position_m: at, sentence, severity }) => ({ at, text: sentence, kind: severity }));
  const there = ({ source, receiver }) => sources.some(({ name }) => name === source) && receivers.some(({ name }) => name === receiver);
  const all = pathsOf(checked).filter(there), paths = all.filter(({ source, receiver }) => chosen('source', source) || chosen('receiver', receiver));
  const shown = paths.length > 0 || all.length > PATHS_SHOWN ? paths : all;
  const grids = (checked?.grids ?? []).filter(({ name }) => areas.some((area) => area.name === name));
  const marks = [...grids.map(({ positions_m: on }) => ({ kind: 'seats', points: on })),
    ...(pulled === null ? shown.map(({ clear, ends }) => ({ kind: clear ? 'path' : 'blocked', points: ends })) : []),
    ...(pulled === null ? shown.flatMap(({ obstacles }) => obstacles.map(({ position_m: [x, y, z] }) => ({ kind: 'blocked', points: [[x, y, z - 0.15], [x, y, z + 0.15]] }))) : []),
    ...shaped.filter((area) => area.corners).map((area) => ({ kind: 'area', points: [...area.corners, area.corners[0]] })),
    { kind: 'area', points: corners }];
  const details = (kind, place) => {
    const foot = place.position && (view.current?.floorBelow(place.position) ?? null);
    const key = `${kind}s`, i = lists[key].findIndex(({ name }) => name === place.name);
    return { height: foot ? place.position[2] - foot[2] : null, direction: directionOf(kind, place, sources, receivers), others: kind === 'source' ? receivers : sources,
      setHeight: (height) => setFields(key, lists[key], i, { position: rounded([place.position[0], place.position[1], foot[2] + height]) }) };
  };
  const tool = (what, text) => html`<button aria-pressed=${placing === what ? 'true' : 'false'} disabled=${mesh === null}
    onClick=${() => { setCorners([]); setPlacing(placing === what ? null : what); }}>${text}</button>`;
  const hints = { sources: T('Click on the floor where the source is to stand.'), receivers: T('Click on the floor where the receiver is to be.'),
    area: T('Click on the corners of the area, one after the other.') };
  const list = (key, title, text) => html`<h2>${title}</h2>
    <ul class="places">${lists[key].map((_, i) => html`<${Place} key=${i} listKey=${key} places=${lists[key]} i=${i} selected=${selected} details=${details} />`)}</ul>
    <p>${tool(key, text)}</p>`;
  return html`<div class="room-beside">
    <${RoomPane} name=${studio.file} mesh=${mesh} places=${handles} pins=${pins} marks=${marks} materials=${checked?.materials ?? []} octaves=${checked?.material_octaves_hz ?? []}
      looking=${looking} placing=${placing !== null} onPick=${onPick} onDrag=${onDrag} onView=${(room) => { view.current = room; setReady((n) => n + 1); }} />
    <section class="room-list" aria-label=${T('Places')}><${Title} text=${T('Places')} next=${T('Next: {0}', T('Plan and run'))} act=${() => go('plan')}
        ready=${checked !== null && findings.length === 0 && sources.length > 0 && receivers.length + areas.length > 0} />
      <p class="faint" role="status">${placing !== null ? hints[placing] : T('Pull places and the tips of arrows about in the room; a place stays as high above the floor.')}
        ${placing in lists && html` <button class="small" onClick=${inMiddle}>${T('In the middle of the room')}</button>`}
        ${placing === 'area' && html` <button class="small" disabled=${corners.length < 3} onClick=${() => finish(corners)}>${T('Close the area')}</button>`}</p>
      ${findings.map((finding) => html`<${Finding} finding=${finding} number=${pinned.indexOf(finding) + 1} lists=${Object.entries(lists)} />`)}
      ${list('sources', T('Sources'), T('Place a source'))}
      ${list('receivers', T('Receivers'), T('Place a receiver'))}
      <h2>${T('Areas with a map of every figure')}</h2>
      <${Areas} areas=${shaped} grids=${grids} materials=${(checked?.materials ?? []).map(({ name }) => name)} />
      <p class="buttons">${tool('area', T('Draw an area'))} <button onClick=${() => addArea(areas, {})}>${T('Where people sit')}</button></p>
      <${Paths} paths=${shown} />
    </section></div>`;
}

/** The room and what turns, cuts and colours it, as every screen shows it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { RAMP } from '../../../present/room/room_things.js';
import { T, printed } from '../../../present/report/script/words.js';
import { html, octaveText } from '../parts.js';
import { makeRoomView } from './room_view.js';

const STEPS = 200; // of a cut slider

export const ramp = `linear-gradient(to right, ${RAMP.map((c) => `rgb(${c.join(',')})`).join(', ')})`;

/** A colour scale from `low` to `high`, texts. */
export const Scale = ({ low, high }) => html`<span class="scale"><span>${low}</span><span class="ramp" ref=${(bar) => { if (bar) bar.style.background = ramp; }} /><span>${high}</span></span>`;

function Cuts({ facts, view }) {
  const [at, setAt] = useState([null, null, facts.solid]);
  const set = (axis, value) => {
    setAt(at.with(axis, value));
    view.setCut(axis, value);
  };
  return html`${['x', 'y', 'z'].map((name, axis) => {
    const [low, high] = [facts.low[axis], facts.high[axis]];
    const value = at[axis] ?? high;
    return html`<label class="cut">${name}<input type="range" min="0" max=${STEPS} value=${Math.round((STEPS * (value - low)) / (high - low || 1))}
      aria-label=${T('Walls solid up to {0}', name)} aria-valuetext=${`${printed(value.toFixed(1))} m`}
      onInput=${(event) => { const step = Number(event.target.value); set(axis, step === STEPS ? null : low + (high - low) * step / STEPS); }} />
      <output>${at[axis] === null ? T('all') : `${printed(value.toFixed(1))} m`}</output></label>`;
  })}`;
}

/** `mesh`: bytes of a GLB, or null; places, pins, marks, faces, onPick and onDrag (null: places stay) as room_view.js has
 * them; `materials` those of a command's JSON, with absorption_octaves at `octaves`; `map` {values, points} with `range`;
 * `looking`: a position to look at; `placing`: a click means a place; onView(view);
 * `walk`: {points, at} of a walk and of its walker. */
export function RoomPane({ name, mesh, places = [], pins = [], marks = [], faces = [], materials = [], octaves = [], map = null, range = [0, 1], chosen = null,
  looking = null, walk = null, placing = false, onPick = () => {}, onDrag = null, onView = () => {}, children }) {
  const canvas = useRef(null), view = useRef(null), pick = useRef(onPick), drag = useRef(onDrag);
  const [facts, setFacts] = useState(null), [broken, setBroken] = useState(null);
  const [by, setBy] = useState(''), [walking, setWalking] = useState(false), [person, setPerson] = useState(true);
  pick.current = onPick;
  drag.current = onDrag;
  useEffect(() => {
    try {
      view.current = makeRoomView(canvas.current, { onPick: (what) => pick.current(what), onDrag: (what) => drag.current(what) });
      canvas.current.roomView = view.current; // for tests, and for what is dropped on it
    } catch (error) {
      setBroken(error.message);
      return undefined;
    }
    return () => view.current.dispose();
  }, []);
  const draw = (act, on) => useEffect(() => { if (view.current !== null) act(view.current); }, on);
  draw((room) => { if (mesh !== null) { setFacts(room.setMesh(mesh)); onView(room); } }, [mesh]);
  const standing = person && facts !== null ? [{ kind: 'person', name: printed('1.75 m'), at: whereToStand(facts, places) }] : [];
  draw((room) => room.setPlaces([...places, ...standing]), [JSON.stringify(places), facts, person]);
  draw((room) => room.setMovable(onDrag !== null), [onDrag !== null]);
  draw((room) => room.setPins(pins), [JSON.stringify(pins), facts]);
  draw((room) => room.setMarks(marks), [JSON.stringify(marks), facts]);
  draw((room) => { if (facts !== null) room.setFaces(faces); }, [faces, facts]);
  draw((room) => room.setMap(map, range), [map, range.join()]);
  draw((room) => room.setWalk(walk?.points ?? [], walk?.at ?? null), [JSON.stringify([walk?.points, walk?.at]), facts]);
  draw((room) => room.chosen(chosen), [chosen, facts]);
  draw((room) => { if (looking !== null) room.lookAt(looking); }, [looking]);
  const i = octaves.indexOf(Number(by));
  const absorption = materials.map((one) => [one.name, one.absorption_octaves?.[i]]);
  const most = Math.max(...absorption.map(([, value]) => value ?? 0)) || 1;
  draw((room) => room.colourBy(i < 0 ? null : Object.fromEntries(absorption.map(([of, value]) => [of, value / most]))), [by, JSON.stringify(absorption), facts]);
  const box = (text, standard, act) => html`<label><input type="checkbox" defaultChecked=${standard} onChange=${(event) => act(event.target.checked)} /> ${text}</label>`;
  if (broken !== null) return html`<div class="room"><p class="warning">${T('This browser cannot show the room in three dimensions: {0}', broken)}</p></div>`;
  return html`<div class="room">
    <div class="room-frame"><canvas ref=${canvas} class=${placing ? 'placing' : ''} tabindex="0" role="application" aria-roledescription=${T('room that can be turned')}
      aria-label=${T('The room {0} in three dimensions. Arrow keys turn it, plus and minus come nearer and go away, 0 resets the view. While walking, arrow keys go and turn.', name)} />
      ${mesh === null && html`<p class="room-wait">${T('The model is being read.')}</p>`}</div>
    ${facts && html`<div class="buttons room-tools">
      <button onClick=${() => view.current.reset()}>${T('Reset view')}</button>
      <button onClick=${() => view.current.above()}>${T('From above')}</button>
      <button aria-pressed=${walking ? 'true' : 'false'} onClick=${() => { view.current.walk(!walking); setWalking(!walking); canvas.current.focus(); }}>${T('Walk')}</button>
      <span class="cuts">${T('Walls solid up to')} <${Cuts} key=${mesh} facts=${facts} view=${view.current} /></span>
      ${octaves.length > 0 && html`<label>${T('Colours')} <select value=${by} onChange=${(event) => setBy(event.target.value)}>
        <option value="">${T('by material')}</option>
        ${octaves.map((octave) => html`<option value=${octave}>${T('absorption at {0} Hz', octaveText(octave))}</option>`)}</select></label>`}
      ${i >= 0 && html`<${Scale} low="0" high=${printed(most.toPrecision(2))} />`}
      ${box(T('Glass'), true, (on) => view.current.setGlass(on))}
      ${box(T('Backs in red'), false, (on) => view.current.setBacks(on))}
      ${box(T('Person and metre'), true, setPerson)}
      ${children}</div>`}
  </div>`;
}

/* Beside the first receiver, where there is a floor; else in the middle of the box. */
function whereToStand({ low, high }, places) {
  const near = places.find(({ kind }) => kind === 'receiver') ?? places[0];
  return near ? [near.at[0] + 0.6, near.at[1] + 0.6, low[2]] : [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]];
}

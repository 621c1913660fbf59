/** The tour of one minute: a card beside each part of the screen that it explains. */
import { useEffect, useRef } from 'preact/hooks';
import { T, T_LATER } from '../../present/report/script/words.js';
import { html } from './parts.js';
import { prefer, preference } from './preferences.js';
import { change, go } from './state.js';

const GAP = 12, EDGE = 8; // pixels

/* `at` is what the card stands beside. */
const STEPS = [
  { screen: 'model', at: 'nav', text: T_LATER('These screens lead from a model to its sound, one after the other. Alt and a digit opens one.') },
  { screen: 'model', at: '.room-frame', text: T_LATER('This is the room. Drag to turn it, turn the wheel to come nearer, click on a surface to see what it is.') },
  { screen: 'model', at: '.room-list', text: T_LATER('Here stands what is wrong with the model, and what mends it as a button. This church is closed.') },
  { screen: 'materials', at: 'main table', text: T_LATER('Every surface has a material. Guesses come from the names in the model: confirm them, or choose another material.') },
  { screen: 'places', at: 'main table', text: T_LATER('Sources and receivers are places in the room. One that cannot be is refused, with the nearest place that can.') },
  { screen: 'plan', at: 'main button.first', text: T_LATER('Time and memory are known before a run begins. This button starts it, and it goes on when the browser is closed.') },
  { screen: 'results', at: 'footer', text: T_LATER('Figures, maps and sounds of every run stand here. What a button did stands below as a command, and undo takes it back.') },
];

/** Shown without being asked for once in a browser, where the built-in church is opened. */
export const beginTour = (file) => /^(.*\/)?church\.ya?ml$/.test(file) && preference('tour') === null && show(0);

export function show(step) {
  if (step !== null) go(STEPS[step].screen);
  else prefer('tour', 'seen');
  change({ tour: step });
}

/* Beside what it explains: at the first side with room, else within its lower edge. */
function place(card, ring, at) {
  const part = document.querySelector(at)?.getBoundingClientRect();
  ring.hidden = part === undefined;
  const box = part ?? { left: innerWidth, right: innerWidth, top: innerHeight, bottom: innerHeight, width: 0, height: 0 };
  const { width, height } = card.getBoundingClientRect();
  Object.assign(ring.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
  const sides = [[box.right + GAP, box.top], [box.left - width - GAP, box.top], [box.left, box.bottom + GAP], [box.left, box.top - height - GAP],
    [box.right - width - GAP, box.bottom - height - GAP]];
  const inside = ([left, top]) => left >= EDGE && left + width <= innerWidth - EDGE && top >= EDGE && top + height <= innerHeight - EDGE;
  const [left, top] = sides.find(inside) ?? sides[4];
  Object.assign(card.style, { left: `${Math.max(EDGE, left)}px`, top: `${Math.max(EDGE, top)}px` });
}

export function Tour({ step }) {
  const card = useRef(null), ring = useRef(null), next = useRef(null);
  useEffect(() => {
    let frame;
    const follow = () => { place(card.current, ring.current, STEPS[step].at); frame = requestAnimationFrame(follow); };
    follow();
    next.current.focus();
    return () => cancelAnimationFrame(frame);
  }, [step]);
  const close = () => { show(null); document.querySelector('#tour').focus(); };
  const last = step === STEPS.length - 1;
  return html`<div class="tour-ring" ref=${ring} /><section class="tour" ref=${card} role="dialog" aria-label=${T('Tour')} aria-describedby="tour-text"
      onKeyDown=${(event) => event.key === 'Escape' && close()}>
    <p id="tour-text" aria-live="polite">${T(STEPS[step].text)}</p>
    <div class="buttons"><small>${T('{0} of {1}', String(step + 1), String(STEPS.length))}</small>
      ${!last && html`<button onClick=${close}>${T('Skip')}</button>`}
      ${step > 0 && html`<button onClick=${() => show(step - 1)}>${T('Back')}</button>`}
      <button class="first" ref=${next} onClick=${last ? close : () => show(step + 1)}>${last ? T('Finish') : T('Next')}</button></div>
  </section>`;
}

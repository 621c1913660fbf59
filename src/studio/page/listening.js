/** Listening to two places or two runs: A, B, and X, which is one of them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { T } from '../../present/report/script/words.js';
import { readBytes } from './api.js';
import { html } from './parts.js';
import { attempt } from './state.js';
import { click, commonGain, convolve, decodeDry, playInStep, wavChannels } from './sound.js';

/* The response of a hearing: two channels are two ears; of others one is taken. */
async function responseOf({ path, hearing }) {
  const bytes = await readBytes(`${path}/${hearing.file}`);
  if (hearing.channel !== null) return wavChannels(bytes, [hearing.channel]);
  const all = wavChannels(bytes);
  return all.length === 2 ? all : all.slice(0, 1);
}

/** `choices`: {label, path, hearing}; the first two are chosen. */
export function Listening({ choices }) {
  const [pair, setPair] = useState([0, Math.min(1, choices.length - 1)]);
  const [dry, setDry] = useState({ name: '', samples: click() });
  const [playing, setPlaying] = useState(null), [heard, setHeard] = useState('A'), [told, setTold] = useState('');
  const trial = useRef({ x: 0, right: 0, of: 0 }), context = useRef(null);
  const stop = () => { playing?.stop(); setPlaying(null); };
  useEffect(() => () => playing?.stop(), [playing]);
  const hear = (name, track = playing) => {
    setHeard(name);
    track.hear(name === 'X' ? trial.current.x : 'AB'.indexOf(name));
  };
  const play = () => attempt(async () => {
    stop();
    context.current ??= new AudioContext({ sampleRate: 48000 });
    await context.current.resume();
    const sounds = await Promise.all(pair.map(async (i) => convolve(dry.samples, await responseOf(choices[i]))));
    trial.current.x = crypto.getRandomValues(new Uint8Array(1))[0] % 2;
    const track = playInStep(context.current, sounds, commonGain(sounds));
    setPlaying(track);
    setTold('');
    hear('A', track);
  });
  const guess = (answer) => {
    const { current } = trial, right = answer === current.x;
    current.of += 1;
    current.right += right ? 1 : 0;
    setTold(`${right ? T('Right') : T('Wrong')}: ${T('X was {0}.', 'AB'[current.x])} ${T('{0} right of {1}; by chance half would be.', String(current.right), String(current.of))}`);
    current.x = crypto.getRandomValues(new Uint8Array(1))[0] % 2;
    if (heard === 'X') hear('X');
  };
  const take = (file) => file && attempt(async () => {
    stop();
    setDry({ name: file.name, samples: await decodeDry(await file.arrayBuffer()) });
  });
  const choose = (which) => html`<label>${'AB'[which]} <select value=${pair[which]} onChange=${(event) => { stop(); setPair(pair.with(which, Number(event.target.value))); }}>
    ${choices.map(({ label }, i) => html`<option value=${i}>${label}</option>`)}</select></label>`;
  const keys = (event) => {
    const name = event.key.toUpperCase();
    if (playing === null || !['A', 'B', 'X'].includes(name) || event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === 'SELECT') return;
    event.preventDefault();
    hear(name);
  };
  return html`<section class="listening" aria-label=${T('Listening')} onKeyDown=${keys}>
    <h2>${T('Listening')}</h2>
    <div class="buttons">${choose(0)} ${choose(1)}</div>
    <div class="buttons" onDragOver=${(event) => event.preventDefault()} onDrop=${(event) => { event.preventDefault(); take(event.dataTransfer.files[0]); }}>
      <label class="file-choice">${T('Dry recording')} <input type="file" accept="audio/*" onChange=${(event) => take(event.target.files[0])} /></label>
      <small>${dry.name || T('none: a click, so that one hears the response itself')}</small></div>
    <div class="buttons">${playing === null ? html`<button class="first" onClick=${play}>${T('Play')}</button>` : html`<button onClick=${stop}>${T('Stop')}</button>`}
      ${['A', 'B', 'X'].map((name) => html`<button disabled=${playing === null} aria-pressed=${playing !== null && heard === name ? 'true' : 'false'} onClick=${() => hear(name)}>${name}</button>`)}
      <button disabled=${playing === null} onClick=${() => guess(0)}>${T('X is A')}</button><button disabled=${playing === null} onClick=${() => guess(1)}>${T('X is B')}</button></div>
    <p role="status">${told}</p>
    <p><small>${T('Both sounds have one gain and play in step: the keys A, B and X switch between them at the same place. X is one of them, drawn anew after each guess.')}</small></p>
  </section>`;
}

/** Listening to two places or two runs: A, B, and X, which is one of them. `auralise` makes the sounds, with one gain. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { T } from '../../present/report/script/words.js';
import { listFolder } from './api.js';
import { Progress, html } from './parts.js';
import { responsePath } from './runs.js';
import { playInStep, readSound } from './sound.js';
import { attempt, folderOf, run } from './state.js';
import { SendFile } from './send_file.js';

const isRecording = (name) => /\.(wav|flac|ogg|aiff?|mp3)$/i.test(name), isHead = (name) => /\.sofa$/i.test(name);

/* Files of the opened folder, with a button for another one. */
function FileChoice({ label, own, value, set, made, isOne, studio }) {
  const folder = folderOf(studio.file), [there, setThere] = useState([]);
  const look = () => attempt(async () => setThere((await listFolder(folder.replace(/\/$/, ''))).filter((one) => !one.folder && isOne(one.name)).map(({ name }) => folder + name)));
  useEffect(() => { look(); }, [folder]);
  return html`<div class="buttons"><label>${label} <select value=${value} onChange=${(event) => set(event.target.value)}>
      ${Object.entries(made).map(([word, text]) => html`<option value=${word}>${text}</option>`)}
      ${there.map((path) => html`<option value=${path}>${path}</option>`)}</select></label>
    <${SendFile} label=${own} pathOf=${(file) => folder + file.name} then=${async (path) => { await look(); set(path); }} /></div>`;
}

/** What the source plays: a recording, or what the program makes. */
export const DrySound = ({ dry, setDry, studio }) =>
  html`<${FileChoice} label=${T('Dry sound')} own=${T('Own recording')} value=${dry} set=${setDry} made=${{ click: T('a click: the response itself'), clap: T('a clap'), organ: T('an organ') }} isOne=${isRecording} studio=${studio} />`;

/* Both ears of a head in the room, or of a measured one that the run had. */
const earsOf = ({ response }) => response?.file_ears ?? response?.file_binaural ?? null;

/* How commands name what is heard; through the measured `head`, `binaural` makes it first. */
async function soundOf(hearing, output, head, setJob) {
  if (output === 'loudspeakers') return responsePath(hearing);
  if (earsOf(hearing)) return `${hearing.run}/${earsOf(hearing)}`;
  if (head === '' || !hearing.response?.file_ambix || hearing.isMeasured) return responsePath(hearing);
  const ears = `${hearing.run}/${hearing.response.file_ambix.replace('_ambix', '_headphones')}`;
  await run(['binaural', `${hearing.run}/${hearing.response.file_ambix}`, '--head', head, '-o', ears, '--force'], setJob);
  return ears;
}

/** `choices`: {label, hearing}; `second` is the number of the one that is B at first. `ways` {dry, output, head}: how one
 * listens, which setWays(fields) changes. */
export function Listening({ choices, second, ways: { dry, output, head }, setWays, studio }) {
  const [pair, setPair] = useState([0, second]);
  const [playing, setPlaying] = useState(null), [heard, setHeard] = useState('A'), [told, setTold] = useState(''), [job, setJob] = useState(null);
  const trial = useRef({ x: 0, right: 0, of: 0 }), context = useRef(null), made = useRef({ key: '', sounds: [] });
  const stop = () => { playing?.stop(); setPlaying(null); };
  const change = (fields) => { stop(); setWays(fields); };
  useEffect(() => () => playing?.stop(), [playing]);
  const draw = () => { trial.current.x = crypto.getRandomValues(new Uint8Array(1))[0] % 2; };
  const hear = (name, track = playing) => {
    setHeard(name);
    track.hear(name === 'X' ? trial.current.x : 'AB'.indexOf(name));
  };
  const hearings = pair.map((i) => choices[i].hearing);
  const key = JSON.stringify([pair.map((i) => responsePath(choices[i].hearing)), dry, output, head]);
  const play = () => attempt(async () => {
    context.current ??= new AudioContext({ sampleRate: 48000 });
    await context.current.resume();
    if (made.current.key !== key) {
      const responses = [];
      for (const one of hearings) responses.push(await soundOf(one, output, head, setJob));
      const { json } = await run(['auralise', ...responses, '--dry', dry, '-o', `${folderOf(studio.file)}listening`, '--force', '--progress', 'json'], setJob);
      const sounds = await Promise.all(json.files.slice(0, 2).map(({ file }) => readSound(context.current, `${json.directory}/${file}`)));
      made.current = { key, sounds };
    }
    const track = playInStep(context.current, made.current.sounds);
    draw();
    setPlaying(track);
    setTold('');
    hear('A', track);
  }).then(() => setJob(null));
  const guess = (answer) => {
    const { current } = trial, right = answer === current.x;
    current.of += 1;
    current.right += right ? 1 : 0;
    setTold(`${right ? T('Right') : T('Wrong')}: ${T('X was {0}.', 'AB'[current.x])} ${T('{0} right of {1}; by chance half would be.', String(current.right), String(current.of))}`);
    draw();
    if (heard === 'X') hear('X');
  };
  const choose = (which) => html`<label>${'AB'[which]} <select value=${pair[which]} onChange=${(event) => { stop(); setPair(pair.with(which, Number(event.target.value))); }}>
    ${choices.map(({ label }, i) => html`<option value=${i}>${label}</option>`)}</select></label>`;
  const keys = (event) => {
    const name = event.key.toUpperCase();
    if (playing === null || !['A', 'B', 'X'].includes(name) || event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === 'SELECT') return;
    event.preventDefault();
    hear(name);
  };
  const oneEared = output === 'headphones' ? hearings.filter((one) => earsOf(one) === null && (head === '' || !one.response?.file_ambix || one.isMeasured)) : [];
  return html`<section class="listening" aria-label=${T('Listening')} onKeyDown=${keys}>
    <h2>${T('Listening')}</h2>
    <div class="buttons">${choose(0)} ${choose(1)}</div>
    <${DrySound} dry=${dry} setDry=${(one) => change({ dry: one })} studio=${studio} />
    <div class="buttons"><label>${T('Through')} <select value=${output} onChange=${(event) => change({ output: event.target.value })}>
      <option value="headphones">${T('headphones')}</option><option value="loudspeakers">${T('loudspeakers')}</option></select></label></div>
    ${output === 'headphones' && hearings.some((one) => one.response?.file_ambix && !earsOf(one)) && html`<${FileChoice} label=${T('Head')} own=${T('Measured head, SOFA')} value=${head}
      set=${(one) => change({ head: one })} made=${{ '': T('none') }} isOne=${isHead} studio=${studio} />`}
    ${oneEared.length > 0 && html`<p><small>${T('{0}: both ears hear one response. With a dummy head there, or with ambisonic responses and a measured head, each has its own.', [...new Set(oneEared.map(({ receiver }) => receiver))].join(', '))}</small></p>`}
    <div class="buttons">${playing === null ? html`<button disabled=${job !== null} onClick=${play}>${T('Play')}</button>` : html`<button onClick=${stop}>${T('Stop')}</button>`}
      ${['A', 'B', 'X'].map((name) => html`<button disabled=${playing === null} aria-pressed=${playing !== null && heard === name ? 'true' : 'false'} onClick=${() => hear(name)}>${name}</button>`)}
      <button disabled=${playing === null} onClick=${() => guess(0)}>${T('X is A')}</button><button disabled=${playing === null} onClick=${() => guess(1)}>${T('X is B')}</button>
      ${job !== null && html`<${Progress} of=${studio.jobs[job - 1]?.progress} />`}</div>
    <p role="status">${told}</p>
    <p><small>${T('Both sounds have one gain and play in step: the keys A, B and X switch between them at the same place. X is one of them, drawn anew after each guess.')}</small></p>
  </section>`;
}

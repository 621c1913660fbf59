/** Blind listening: two sounds under the names A and B, switched without a gap, and a guess which is which. */
import { make } from './data.js';

function decodeText(uri) {
  const binary = atob(uri.slice(uri.indexOf(',') + 1));
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i);
  return out.buffer;
}

/** Every sound of the page, in its order: label and element. */
export function soundsOf(data) {
  return data.runs.flatMap((run) => (run.sounds || []).map((sound) => ({
    ...sound,
    label: data.runs.length > 1 && sound.kind === 'wet' ? `${run.name}: ${sound.label}` : sound.label,
    element: document.getElementById(sound.audio_id),
  }))).filter((sound, i, all) => sound.element !== null && all.findIndex((other) => other.audio_id === sound.audio_id) === i);
}

/* The pair that says most: the same receiver in two runs, else the simulated sound and the dry one of its band. */
function firstPair(sounds) {
  const wet = sounds.filter((sound) => sound.kind === 'wet');
  for (const one of wet) {
    const other = wet.find((two) => two.run !== one.run && two.receiver === one.receiver && two.source === one.source);
    if (other) return [one, other];
  }
  const dry = sounds.find((sound) => sound.kind === 'dry_lowpassed') || sounds.find((sound) => sound.kind === 'dry');
  if (wet.length > 0 && dry) return [wet[0], dry];
  return [sounds[0], sounds[1]];
}

/** The widget, or null where there are not two sounds. Returns its state for tests. */
export function blindListening(section, data) {
  const sounds = soundsOf(data);
  if (sounds.length < 2) return null;
  const state = { context: null, buffers: new Map(), swapped: false, pair: [], playing: null, current: 'A', trials: 0, right: 0 };
  const choose = (name, chosen) => make('select', { 'aria-label': name },
    ...sounds.map((sound, i) => make('option', { value: String(i), selected: sound === chosen }, sound.label)));
  const [one, two] = firstPair(sounds);
  const first = choose('First sound', one), second = choose('Second sound', two);
  const start = make('button', { type: 'button' }, 'Shuffle and play');
  const a = make('button', { type: 'button', 'aria-pressed': 'false', disabled: true }, 'A');
  const b = make('button', { type: 'button', 'aria-pressed': 'false', disabled: true }, 'B');
  const stop = make('button', { type: 'button', disabled: true }, 'Stop');
  const guessA = make('button', { type: 'button', disabled: true }, 'A is the first');
  const guessB = make('button', { type: 'button', disabled: true }, 'B is the first');
  const told = make('p', { role: 'status', 'aria-live': 'polite' });

  const buffer = async (sound) => {
    if (!state.buffers.has(sound.audio_id)) {
      const uri = sound.element.currentSrc || sound.element.src;
      state.buffers.set(sound.audio_id, await state.context.decodeAudioData(decodeText(uri)));
    }
    return state.buffers.get(sound.audio_id);
  };
  function silence() {
    if (state.playing === null) return;
    for (const { node } of Object.values(state.playing)) { try { node.stop(); } catch { /* it had ended */ } }
    state.playing = null;
  }
  /* Both run at once and in step; one is heard. */
  function hear(which) {
    state.current = which;
    a.setAttribute('aria-pressed', String(which === 'A'));
    b.setAttribute('aria-pressed', String(which === 'B'));
    if (state.playing === null) return;
    for (const [name, { gain }] of Object.entries(state.playing))
      gain.gain.setTargetAtTime(name === which ? 1 : 0, state.context.currentTime, 0.008);
  }
  function play(buffers) {
    silence();
    const longest = Math.max(...buffers.map((one) => one.duration));
    state.playing = {};
    ['A', 'B'].forEach((name, i) => {
      const node = state.context.createBufferSource(), gain = state.context.createGain();
      const padded = state.context.createBuffer(buffers[i].numberOfChannels, Math.ceil(longest * buffers[i].sampleRate), buffers[i].sampleRate);
      for (let c = 0; c < padded.numberOfChannels; c++) padded.copyToChannel(buffers[i].getChannelData(c), c);
      node.buffer = padded;
      node.loop = true;
      gain.gain.value = name === state.current ? 1 : 0;
      node.connect(gain).connect(state.context.destination);
      state.playing[name] = { node, gain };
    });
    const at = state.context.currentTime + 0.05;
    for (const { node } of Object.values(state.playing)) node.start(at);
  }
  start.addEventListener('click', async () => {
    const pair = [sounds[Number(first.value)], sounds[Number(second.value)]];
    if (pair[0] === pair[1]) { told.textContent = 'Choose two different sounds.'; return; }
    document.querySelectorAll('audio').forEach((element) => element.pause());
    state.context = state.context || new AudioContext();
    try {
      await state.context.resume();
      const buffers = await Promise.all(pair.map(buffer));
      state.swapped = crypto.getRandomValues(new Uint8Array(1))[0] % 2 === 1;
      state.pair = pair;
      state.current = 'A';
      play(state.swapped ? [buffers[1], buffers[0]] : buffers);
      hear('A');
      for (const button of [a, b, stop, guessA, guessB]) button.disabled = false;
      told.textContent = 'Playing. Switch between A and B, then say which is the first sound.';
    } catch (error) {
      told.textContent = `This browser cannot play these sounds: ${error.message}.`;
    }
  });
  a.addEventListener('click', () => hear('A'));
  b.addEventListener('click', () => hear('B'));
  stop.addEventListener('click', () => { silence(); a.disabled = b.disabled = stop.disabled = true; });
  const guess = (answer) => {
    const right = (answer === 'A') === !state.swapped;
    state.trials += 1;
    state.right += right ? 1 : 0;
    silence();
    for (const button of [a, b, stop, guessA, guessB]) button.disabled = true;
    told.textContent = `${right ? 'Right' : 'Wrong'}: A was “${state.pair[state.swapped ? 1 : 0].label}”. ${state.right} right of ${state.trials}; by chance half would be.`;
  };
  guessA.addEventListener('click', () => guess('A'));
  guessB.addEventListener('click', () => guess('B'));
  const widget = make('fieldset', { class: 'blind' }, make('legend', {}, 'Blind comparison'),
    make('p', {}, 'Two sounds play in step under the names A and B, in an order that nobody knows. All have one gain.'),
    make('p', {}, make('label', {}, 'First sound ', first), ' ', make('label', {}, 'Second sound ', second)),
    make('p', { class: 'buttons' }, start, a, b, stop), make('p', { class: 'buttons' }, guessA, guessB), told);
  widget.addEventListener('keydown', (event) => {
    if (event.target.tagName === 'SELECT' || a.disabled) return;
    const key = event.key.toLowerCase();
    if (key === 'a' || key === 'b') { event.preventDefault(); hear(key.toUpperCase()); }
  });
  section.append(widget);
  return state;
}

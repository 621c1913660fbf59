/** Blind listening: two sounds under the names X and Y (A and B are the runs), switched without a gap, and a guess
 * which is which. */
import { bytes, make } from './data.js';
import { shown, T } from './words.js';

/** Every sound of the page, in its order: label and element. */
export function soundsOf(data) {
  return data.runs.flatMap((run) => (run.sounds || []).map((sound) => ({
    ...sound,
    label: shown(data.runs.length > 1 && sound.kind === 'wet' ? `${'AB'[sound.run]}, ${run.name}: ${sound.label}` : sound.label),
    element: document.getElementById(sound.audio_id),
  }))).filter((sound, i, all) => sound.element !== null && all.findIndex((other) => other.audio_id === sound.audio_id) === i);
}

/* The pair worth most: the same receiver in two runs, else the simulated sound and the dry one of its band. */
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
  const state = { context: null, buffers: new Map(), swapped: false, pair: [], playing: null, current: 'X', trials: 0, right: 0 };
  const choose = (name, chosen) => make('select', { 'aria-label': name },
    ...sounds.map((sound, i) => make('option', { value: String(i), selected: sound === chosen }, sound.label)));
  const [one, two] = firstPair(sounds);
  const first = choose(T('First sound'), one), second = choose(T('Second sound'), two);
  const button = (text, attributes = {}) => make('button', { type: 'button', disabled: true, ...attributes }, text);
  const start = make('button', { type: 'button' }, T('Shuffle and play'));
  const hearX = button('X', { 'aria-pressed': 'false' }), hearY = button('Y', { 'aria-pressed': 'false' });
  const stop = button(T('Stop')), guessX = button(T('X is the first')), guessY = button(T('Y is the first')), reveal = button(T('Reveal'));
  const ofTrial = [hearX, hearY, stop, guessX, guessY, reveal];
  const status = make('p', { role: 'status', 'aria-live': 'polite' });

  const buffer = async (sound) => {
    if (!state.buffers.has(sound.audio_id)) {
      const uri = sound.element.currentSrc || sound.element.src;
      state.buffers.set(sound.audio_id, await state.context.decodeAudioData(bytes(uri.slice(uri.indexOf(',') + 1))));
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
    hearX.setAttribute('aria-pressed', String(which === 'X'));
    hearY.setAttribute('aria-pressed', String(which === 'Y'));
    if (state.playing === null) return;
    for (const [name, { gain }] of Object.entries(state.playing))
      gain.gain.setTargetAtTime(name === which ? 1 : 0, state.context.currentTime, 0.008);
  }
  /* Of one length, so that neither is known by its end. */
  function play(buffers) {
    silence();
    const longest = Math.max(...buffers.map((each) => each.duration));
    state.playing = {};
    ['X', 'Y'].forEach((name, i) => {
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
  /* Nothing of the trial before is left to be seen when the next begins, and the focus is not lost. */
  function end(words) {
    silence();
    const focused = ofTrial.includes(document.activeElement);
    for (const each of ofTrial) each.disabled = true;
    hearX.setAttribute('aria-pressed', 'false');
    hearY.setAttribute('aria-pressed', 'false');
    if (focused) start.focus();
    status.textContent = words;
  }
  start.addEventListener('click', async () => {
    const pair = [sounds[Number(first.value)], sounds[Number(second.value)]];
    if (pair[0] === pair[1]) { end(T('Choose two different sounds.')); return; }
    document.querySelectorAll('audio').forEach((element) => element.pause());
    try {
      state.context = state.context || new AudioContext();
      await state.context.resume();
      const buffers = await Promise.all(pair.map(buffer));
      state.swapped = crypto.getRandomValues(new Uint8Array(1))[0] % 2 === 1;
      state.pair = pair;
      state.current = 'X';
      play(state.swapped ? [buffers[1], buffers[0]] : buffers);
      hear('X');
      for (const each of ofTrial) each.disabled = false;
      status.textContent = T('Playing. Switch between X and Y, then say which of them is the first sound.');
    } catch (error) {
      end(T('This browser cannot play these sounds: {0}.', error.message));
    }
  });
  const truth = () => T('X was “{0}”, Y was “{1}”.', state.pair[state.swapped ? 1 : 0].label, state.pair[state.swapped ? 0 : 1].label);
  const guess = (answer) => {
    const right = (answer === 'X') === !state.swapped;
    state.trials += 1;
    state.right += right ? 1 : 0;
    end(`${right ? T('Right') : T('Wrong')}: ${truth()} ${T('{0} right of {1}; by chance half would be.', state.right, state.trials)}`);
  };
  hearX.addEventListener('click', () => hear('X'));
  hearY.addEventListener('click', () => hear('Y'));
  stop.addEventListener('click', () => end(''));
  guessX.addEventListener('click', () => guess('X'));
  guessY.addEventListener('click', () => guess('Y'));
  reveal.addEventListener('click', () => end(truth()));
  for (const choice of [first, second]) choice.addEventListener('change', () => end(''));
  const widget = make('fieldset', { class: 'blind' }, make('legend', {}, T('Blind comparison')),
    make('p', {}, T('Two sounds play in step, under the names X and Y in an order that is drawn anew each time. All have one gain. The keys X and Y switch between them.')),
    make('p', {}, make('label', {}, T('First sound '), first)), make('p', {}, make('label', {}, T('Second sound '), second)),
    make('p', { class: 'buttons' }, start, hearX, hearY, stop), make('p', { class: 'buttons' }, guessX, guessY, reveal), status);
  widget.addEventListener('keydown', (event) => {
    if (event.target.tagName === 'SELECT' || hearX.disabled || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toUpperCase();
    if (key === 'X' || key === 'Y') { event.preventDefault(); hear(key); }
  });
  section.append(widget);
  return state;
}

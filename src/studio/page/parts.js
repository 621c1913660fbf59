/** Small parts of screens. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import htm from 'htm';
import { T, T_LATER, printed } from '../../present/report/script/words.js';

export const html = htm.bind(h);

/** As a shell needs it. */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/* What only programs want of a command. */
const forPeople = (words) => words.filter((word, i) =>
  word !== '--json' && word !== '--progress' && !(word === 'json' && words[i - 1] === '--progress'));

export const commandText = (words) => ['transept', ...forPeople(words)].map(quoted).join(' ');

const copy = (text) => navigator.clipboard?.writeText(text);

/** A command as text, to copy. */
export const Command = ({ words }) => html`<span class="command"><code>${commandText(words)}</code>
  <button class="small" onClick=${() => copy(commandText(words))}>${T('Copy')}</button></span>`;

/* Phases of `--progress json` whose word needs another. */
const PHASES = { survey: T_LATER('estimating'), grid: T_LATER('making the grid'), model: T_LATER('reading the model'), engine: T_LATER('preparing'), steps: T_LATER('waves'),
  rays: T_LATER('rays'), responses: T_LATER('responses'), points: T_LATER('areas'), maps: T_LATER('maps'), record: T_LATER('writing'), speed: T_LATER('measuring the machine'),
  sounds: T_LATER('sounds'), dry: T_LATER('dry sound'), levels: T_LATER('levels'), page: T_LATER('page'), variants: T_LATER('variants'), comparing: T_LATER('comparing'),
  'reading the model': T_LATER('reading the model'), 'looking for crossing faces': T_LATER('looking for crossing faces'), 'choosing the grid': T_LATER('choosing the grid'),
  'looking for closed spaces and leaks': T_LATER('looking for closed spaces and leaks'), 'looking for openings': T_LATER('looking for openings'),
  'looking for narrow openings': T_LATER('looking for narrow openings'), 'looking for cracks': T_LATER('looking for cracks'),
  'looking for surfaces that no air reaches': T_LATER('looking for surfaces that no air reaches') };
export const phaseText = (of) => T(PHASES[of.phase] ?? of.phase);

/** {phase, fraction, seconds_left, run} of `--progress json`: of a run, how far all its sources are; `whole`: this line tells. */
export const Progress = ({ of, ending = null }) => {
  const { fraction } = of?.run ?? of ?? { fraction: 0 };
  const left = !of ? null : of.whole ? of.run.seconds_left : !of.run || of.run.number === of.run.count ? of.seconds_left : null;
  const words = ending === 'pauses' ? T('is being paused') : ending !== null ? T('is being stopped') : of && [of.run && of.run.count > 1 ? T('source {0} of {1}, {2}', String(of.run.number), String(of.run.count), of.source) : of.source,
    phaseText(of), left !== null && T('{0} left', time(left))].filter(Boolean).join(', ');
  return html`<span class="progress"><progress max="1" value=${fraction} aria-label=${T('Progress')}></progress>${words && html`<span>${words}</span>`}</span>`;
};

/** The name of a screen, and the button to what comes next; `ready`: there is no reason to stay. */
export const Title = ({ text, next, act, ready }) => html`<div class="title"><h1>${text}</h1>
  ${next && html`<button class=${ready ? 'first' : ''} onClick=${act}>${next}</button>`}</div>`;

/** Of a failure or a finding, the advice that does not name options of the command line. */
export const adviceOf = (advice) => (/(^|\s)--|`/.test(advice ?? '') ? null : advice);

/** A number that is taken when it is left; what is being typed stays while the page is drawn again. It shows `value` again
 * until the commit has changed that. */
export function NumberField({ value, commit, ...rest }) {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  return html`<input type="number" ...${rest} value=${text} onInput=${(event) => setText(event.target.value)} onChange=${(event) => { commit(event.target.value); setText(String(value)); }} />`;
}

/** Seconds for people. */
export function time(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${printed((seconds / 3600).toPrecision(2))} h` : `${Math.round(seconds / 86400)} ${T('days')}`;
}

/** Bytes for people. */
export function size(bytes) {
  const step = Math.min(4, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** step;
  return `${printed(value < 10 && step > 0 ? value.toFixed(1) : Math.round(value))} ${[T('bytes'), 'kB', 'MB', 'GB', 'TB'][step]}`;
}

/** Octaves as they are called. */
export const octaveText = (hertz) => (hertz >= 1000 ? `${hertz / 1000}k` : String(hertz));

const WIDE = 120;
const TALL = 32;

const rounded = (value, digits) => printed(Number(value.toPrecision(digits)));

/** The least and the most of values. */
export const rangeText = (values, digits = 3) => [...new Set([Math.min(...values), Math.max(...values)].map((one) => rounded(one, digits)))].join(' – ');

/** Absorption by octave, 0 to 1, as a small curve with its least and its most, in the band of its error bars. Its heights are
 * square roots, so that stone and plaster differ; the lines are at 0.25 and 1. */
export function Curve({ values, bars = null, octaves }) {
  const at = (value, i) => `${((i * WIDE) / (values.length - 1)).toFixed(1)},${(TALL * (1 - Math.sqrt(Math.min(1, Math.max(0, value))))).toFixed(1)}`;
  const text = values.map((value, i) => T('{0} at {1} Hz', printed(value) + (bars ? ` ± ${rounded(bars[i], 2)}` : ''), octaveText(octaves[i]))).join(', ');
  const within = bars && [...values.map((value, i) => at(value + bars[i], i)), ...values.map((value, i) => at(value - bars[i], i)).reverse()].join(' ');
  return html`<span class="curve"><svg viewBox="-3 -3 ${WIDE + 6} ${TALL + 6}" role="img" aria-label=${T('absorption {0}', text)}>
    <title>${text}</title>
    <path class="axis" d="M0,0 V${TALL} H${WIDE} M0,${TALL / 2} H${WIDE} M0,0 H${WIDE}" />
    ${within && html`<polygon points=${within} />`}
    <polyline points=${values.map(at).join(' ')} /></svg><small>${rangeText(values)}</small></span>`;
}

/** Figures by octave with error bars, and curves over time, of one or two places. */
import { T, printed } from '../../present/report/script/words.js';
import { html, octaveText } from './parts.js';

const WIDE = 420, TALL = 190, LEFT = 46, BOTTOM = 24, TOP = 10;

/** Steps of 1, 2 or 5 that divide a range into about four. */
function ticks(low, high) {
  const raw = (high - low) / 4 || 1, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= raw);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

/** `series`: lists of figureOf() (runs.js), A first. Filled marks are from waves, hollow ones from rays. */
export function OctaveChart({ name, unit, series, octaves }) {
  const known = series.flat().filter(({ value }) => value !== null);
  if (known.length === 0) return html`<p>${T('{0} is not known here in any octave.', name)}</p>`;
  const low = Math.min(...known.map(({ value, error }) => value - (error ?? 0))), high = Math.max(...known.map(({ value, error }) => value + (error ?? 0)));
  const floor = low > 0 && low < 0.5 * high ? 0 : low - 0.08 * (high - low || 1), ceiling = high + 0.08 * (high - floor || 1);
  const x = (i, s) => LEFT + (WIDE - LEFT) * (i + 0.5) / octaves.length + (series.length > 1 ? 12 * s - 6 : 0);
  const y = (value) => TOP + (TALL - BOTTOM - TOP) * (ceiling - value) / (ceiling - floor);
  return html`<svg class="octave-chart" viewBox="0 0 ${WIDE} ${TALL}" role="img" aria-label=${T('{0} by octave; the table below has the values', name)}>
    ${ticks(floor, ceiling).map((value) => html`<line class="grid" x1=${LEFT} x2=${WIDE} y1=${y(value)} y2=${y(value)} />
      <text x=${LEFT - 6} y=${y(value) + 4} text-anchor="end">${printed(Number(value.toPrecision(6)))}</text>`)}
    <text x="0" y=${TALL - 6}>${unit}</text>
    ${octaves.map((octave, i) => html`<text x=${x(i, 0.5)} y=${TALL - 6} text-anchor="middle">${octaveText(octave)}</text>`)}
    ${series.map((list, s) => list.map(({ value, error, from }, i) => value !== null && html`<g class=${`series-${s} from-${from}`}>
      ${error !== null && html`<path d="M${x(i, s) - 3},${y(value - error)} h6 M${x(i, s)},${y(value - error)} V${y(value + error)} M${x(i, s) - 3},${y(value + error)} h6" />`}
      ${s === 0 ? html`<circle cx=${x(i, s)} cy=${y(value)} r="4.5" />` : html`<rect x=${x(i, s) - 4} y=${y(value) - 4} width="8" height="8" />`}</g>`))}
  </svg>`;
}

/** Curves {step, values} over time from 0 on, A first. */
export function Curves({ label, curves }) {
  const all = curves.flatMap(({ values }) => values), low = Math.min(...all), high = Math.max(0, ...all);
  const end = Math.max(...curves.map(({ step, values }) => step * (values.length - 1)));
  const x = (time) => LEFT + (WIDE - LEFT - 8) * time / (end || 1), y = (value) => TOP + (TALL - BOTTOM - TOP) * (high - value) / (high - low || 1);
  return html`<svg class="octave-chart" viewBox="0 0 ${WIDE} ${TALL}" role="img" aria-label=${label}>
    ${ticks(low, high).map((value) => html`<line class="grid" x1=${LEFT} x2=${WIDE} y1=${y(value)} y2=${y(value)} /><text x=${LEFT - 6} y=${y(value) + 4} text-anchor="end">${printed(Number(value.toPrecision(6)))}</text>`)}
    ${ticks(0, end).map((time) => html`<text x=${x(time)} y=${TALL - 6} text-anchor="middle">${printed(Number(time.toPrecision(6)))} s</text>`)}
    <text x="0" y=${TALL - 6}>dB</text>
    ${curves.map(({ step, values }, s) => html`<g class=${`series-${s}`}><polyline points=${values.map((value, i) => `${x(i * step).toFixed(1)},${y(value).toFixed(1)}`).join(' ')} /></g>`)}</svg>`;
}

/** The same as a table. */
export function OctaveTable({ name, unit, series, labels, octaves }) {
  const text = ({ value, error }) => (value === null ? '–' : `${printed(value.toPrecision(3))}${error !== null ? ` ± ${printed(error.toPrecision(2))}` : ''}`);
  return html`<table class="octave-table"><caption>${name}${unit && ` [${unit}]`}</caption>
    <thead><tr><th>${T('Octave')}</th>${labels.map((label) => html`<th class="number">${label}</th>`)}<th>${T('From')}</th></tr></thead>
    <tbody>${octaves.map((octave, i) => html`<tr><th scope="row">${octaveText(octave)} Hz</th>${series.map((list) => html`<td class="number">${text(list[i])}</td>`)}
      <td>${series[0][i].from === 'rays' ? T('rays') : T('waves')}</td></tr>`)}</tbody></table>`;
}

/** Readable curves in place of the flat drawings: decays with their fits, spectra, responses. */
import uPlot from 'uplot';
import { besideDrawing, COLOURS, DASHES, float32, int16, make, octaveName, responseName } from './data.js';
import { printed, T } from './words.js';

const AXIS = { stroke: '#1b1f24', grid: { stroke: '#e3e7ec' }, ticks: { stroke: '#c9d1da' } };

/* Where a curve is lowest or highest, so that its legend says it to whoever does not point at it; -1: nowhere. */
const extreme = (values, of) => values.indexOf(of(...values.filter(Number.isFinite)));

/* Marks of an axis, no longer than their steps ask for. */
const marks = (u, splits) => splits.map((value) => (value === null ? null : printed(Number(value.toPrecision(6)))));

/* Values in the legend: with so many decimals or digits, and a dash where there is none. */
const shown = (format) => (_, value) => (value === null || value === undefined ? '–' : printed(format(value)));
const decimals = (count) => shown((value) => value.toFixed(count));

/* The series of a curve beside its abscissae. */
const abscissa = (label, count) => ({ label, value: decimals(count) });
const curve = (label, width, value) => ({ label, stroke: COLOURS[0], width, points: { show: false }, value });

/* Values of a straight line over the abscissae, null outside its range. */
const lineOver = (t, fit) =>
  t.map((at) => (at >= fit.from_s && at <= fit.to_s ? fit.intercept_db + fit.slope_db_per_s * at : null));

/* Of a stretch of a line only its ends have dots. */
const ends = (u, index) => {
  const there = u.data[index].map((value, i) => (value === null || value === undefined ? -1 : i)).filter((i) => i >= 0);
  return there.length > 0 ? [there[0], there[there.length - 1]] : [];
};

/* The fit that is drawn of an octave: the longest that is there. */
function chosenFit(decay) {
  for (const figure of ['t30', 't20', 'edt']) {
    const fit = (decay.fits || []).find((one) => one.figure === figure);
    if (fit) return fit;
  }
  return null;
}

/* Decays of a response: abscissae of all octaves joined, a curve and its fit for each octave. */
function decayData(response) {
  const decays = (response.decay || []).map((decay, b) => ({ decay, b, centre: response.octaves_hz[b] }))
    .filter(({ decay }) => decay && decay.t_s && decay.t_s.length > 1);
  const fits = decays.map(({ decay }) => chosenFit(decay));
  const times = [...new Set([...decays.flatMap(({ decay }) => decay.t_s),
    ...fits.flatMap((fit) => (fit ? [fit.from_s, fit.to_s] : []))])].sort((a, b) => a - b);
  const data = [times];
  const series = [abscissa('s', 3)];
  decays.forEach(({ decay, centre, b }, i) => {
    const level = new Map(decay.t_s.map((t, k) => [t, decay.level_db[k]]));
    const stroke = COLOURS[b % COLOURS.length];
    const format = shown((value) => `${value.toFixed(1)} dB`);
    data.push(times.map((t) => (level.has(t) ? level.get(t) : undefined)));
    series.push({ label: octaveName(centre), stroke, dash: DASHES[b % DASHES.length], width: 2, value: format, spanGaps: true, points: { show: false } });
    const fit = fits[i];
    if (fit) {
      const time = response[`${fit.figure}_s`]?.[b];
      data.push(lineOver(times, fit));
      series.push({ label: `${octaveName(centre)} ${fit.figure.toUpperCase()}${Number.isFinite(time) ? ` ${printed(time.toFixed(2))} s` : ''}, ${T('{0} to {1} s', printed(fit.from_s.toPrecision(3)), printed(fit.to_s.toPrecision(3)))}`,
        stroke: '#1b1f24', width: 1.2, value: format, spanGaps: true, points: { show: true, filter: ends, size: 8, width: 1.5, stroke: '#1b1f24', fill: stroke } });
    }
  });
  return { data, series };
}

function spectrumData(response) {
  const spectrum = response.spectrum || { f_hz: [], level_db: [] };
  const top = extreme(spectrum.level_db, Math.max);
  const label = top < 0 ? 'dB' : T('dB, highest {0} at {1} Hz', printed(spectrum.level_db[top].toFixed(1)), printed(spectrum.f_hz[top].toPrecision(3)));
  return { data: [spectrum.f_hz, spectrum.level_db], series: [abscissa('Hz', 1), curve(label, 1.5, decimals(1))] };
}

/* The middles of stretches, as many as there are `values`. */
const middles = (from, step, values) => values.map((_, i) => from + (i + 0.5) * step);

function levelData(response) {
  const levels = Array.from(int16(response.envelope), (value) => (value <= -32768 ? null : value / 100));
  return { data: [middles(response.t0_s, response.dt_s, levels), levels], series: [abscissa('s', 3), curve('dB', 1, decimals(1))] };
}

/* The lowest and the highest pressure of every stretch, and all between them filled: no crest is lost. */
function pressureData(response, name) {
  const { t0_s: from = 0, dt_s: step = 1, low, high } = response[name] ?? {};
  const sides = [Array.from(float32(low)), Array.from(float32(high))];
  const times = middles(from, step, sides[0]);
  const side = (label, values, of) => {
    const at = extreme(values, of);
    const most = at < 0 ? '' : T(', {0} at {1} s', printed(values[at].toPrecision(3)), printed(times[at].toFixed(4)));
    return curve(label + most, 1, shown((value) => value.toPrecision(3)));
  };
  return {
    data: [times, ...sides],
    series: [abscissa('s', 4), side(T('lowest pressure'), sides[0], Math.min), side(T('highest pressure'), sides[1], Math.max)],
    bands: [{ series: [2, 1], fill: COLOURS[0] }],
  };
}

const waveformData = (response) => pressureData(response, 'waveform');
const wholeData = (response) => pressureData(response, 'whole');

/* What a range needs to hold all responses of all runs, so that two runs stand on one scale. */
function rangeOf(all, column) {
  let low = Infinity, high = -Infinity;
  for (const { data } of all)
    for (const values of column === 0 ? [data[0]] : data.slice(1))
      for (const value of values)
        if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
  return Number.isFinite(low) ? [low, high] : [0, 1];
}

/* As much below as above rest. */
const evenly = ([low, high]) => [-1.05 * Math.max(high, -low), 1.05 * Math.max(high, -low)];
const PRESSURE = T('pressure [click at 1 m]');
const EMITTED = T('time after the emission [s]'), LEVEL = T('level [dB]');

const KINDS = {
  decay: { make: decayData, y: () => [-65, 3], across: T('time after the direct sound [s]'), up: LEVEL },
  spectrum: { make: spectrumData, logarithmic: true, across: T('frequency [Hz]'), up: LEVEL },
  waveform: { make: waveformData, y: evenly, across: EMITTED, up: PRESSURE },
  whole: { make: wholeData, y: evenly, across: EMITTED, up: PRESSURE },
  level: { make: levelData, y: ([, high]) => [high - 70, high + 3], across: EMITTED, up: LEVEL },
};

function plot(place, kind, made, ranges, height) {
  const options = {
    width: Math.max(280, place.clientWidth || 600), height,
    scales: { x: { time: false, distr: kind.logarithmic ? 3 : 1, range: ranges.x }, y: { range: ranges.y } },
    axes: [{ ...AXIS, values: marks, label: kind.across,
      ...(kind.logarithmic ? { filter: (u, splits) => splits.map((f) => (/^[125]/.test(String(f)) ? f : null)) } : {}) },
    { ...AXIS, values: marks, label: kind.up, size: 64 }],
    series: made.series,
    ...(made.bands ? { bands: made.bands } : {}),
    cursor: { drag: { x: true, y: false } },
    legend: { live: true },
  };
  const drawn = new uPlot(options, made.data, place);
  showDashes(drawn);
  switchByKeyboard(drawn);
  return drawn;
}

/* The legend shows pieces of the lines, which differ by more than colour. */
function showDashes(plot) {
  plot.root.querySelectorAll('.u-legend .u-series').forEach((row, i) => {
    const marker = row.querySelector('.u-marker');
    if (i === 0 || marker === null) return;
    const { stroke, dash = [], width } = plot.series[i];
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    for (const [name, value] of Object.entries({ width: 36, height: 8, 'aria-hidden': true, style: 'margin-right: .4em; vertical-align: middle' })) line.setAttribute(name, value);
    const path = line.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'path'));
    const attributes = { d: 'M0 4h36', stroke: stroke(plot, i), 'stroke-width': width, 'stroke-dasharray': (dash ?? []).join(' ') };
    for (const [name, value] of Object.entries(attributes)) path.setAttribute(name, value);
    marker.replaceWith(line);
  });
}

/* Curves are switched by their names in the legend; by keyboard too. */
function switchByKeyboard(plot) {
  plot.root.querySelectorAll('.u-legend .u-series').forEach((row, i) => {
    const name = row.querySelector('th');
    if (i === 0 || name === null) return; // the abscissa
    name.tabIndex = 0;
    name.setAttribute('role', 'button');
    const announce = () => name.setAttribute('aria-pressed', String(plot.series[i].show));
    name.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      plot.setSeries(i, { show: !plot.series[i].show });
      announce();
    });
    name.addEventListener('click', () => setTimeout(announce));
    announce();
  });
}

/** Plots of `name` in every run's part of `figure`, with a choice of the response. Returns the plots by run. */
export function showCurves(figure, runs, name, height = 320) {
  const kind = KINDS[name];
  const all = runs.flatMap((run) => run.responses.map(kind.make)).filter(({ data }) => data[0].length > 1);
  if (all.length === 0) return [];
  const drawable = (response) => kind.make(response).data[0].length > 1;
  /* Of two runs the first response that both have is drawn, and a choice in one is followed by the other. */
  const named = (run, name) => run.responses.findIndex((one) => responseName(one) === name && drawable(one));
  const shared = runs[0].responses.map(responseName).find((name) => runs.every((run) => named(run, name) >= 0));
  const followers = [];
  const x = rangeOf(all, 0);
  const y = kind.y ? kind.y(rangeOf(all, 1)) : rangeOf(all, 1);
  return runs.map((run, r) => {
    const container = figure.querySelector(`.run-${r}`) || (runs.length === 1 ? figure : figure.appendChild(make('div', { class: `run-${r}` })));
    const place = besideDrawing(container);
    const usable = run.responses.map((response, i) => ({ response, i })).filter(({ response }) => drawable(response));
    const choice = make('select', { 'aria-label': T('Which response is drawn') },
      ...usable.map(({ response, i }) => make('option', { value: String(i) }, responseName(response))));
    const stage = make('div', { class: 'plot' });
    if (runs.length > 1) place.append(make('p', { class: 'run-name' }, make('b', { class: `run-mark of-${r}` }, 'AB'[r]), ` ${run.name}`));
    if (usable.length > 1) place.append(make('label', {}, T('Response: '), choice));
    place.append(stage);
    const shown = { plot: null, response: -1 };
    function show(i) {
      if (shown.plot) shown.plot.destroy();
      shown.response = i;
      shown.plot = plot(stage, kind, kind.make(run.responses[i]), { x, y }, height);
    }
    function follow(name) {
      const i = named(run, name);
      if (i < 0) return;
      choice.value = String(i);
      show(i);
    }
    followers.push(follow);
    choice.addEventListener('change', () => {
      show(Number(choice.value));
      for (const other of followers) if (other !== follow) other(responseName(run.responses[shown.response]));
    });
    if (usable.length > 0) show(usable[0].i);
    if (shared !== undefined) follow(shared);
    new ResizeObserver(() => {
      if (shown.plot && stage.clientWidth > 0 && stage.clientWidth !== shown.plot.width)
        shown.plot.setSize({ width: stage.clientWidth, height });
    }).observe(stage);
    return shown;
  });
}

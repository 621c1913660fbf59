/* The curves of a page in a real browser, on four rooms from a church's crossing to one that absorbs nearly all: is every
 * drawing the curve of the response's file, distinct in grey, and explained; and is no
 * word of a program on a page?
 * Arguments and status: trial.mjs. */
import { join } from 'node:path';
import { dataOf, samplesOf, trial, unfold, unpack } from './trial.mjs';

const { folder, claim, transept, open, run } = trial('curves');

/* ---- pages ---- */

const PLACES = ['--source', '0.7,0.8,1.5,voice', '--receiver', '2,2,1.2,far'];
const ROOMS = {
  cube: ['cube.obj', '--fmax', '355', ...PLACES, '--receiver', '1,2.2,1.2,near'],
  cross: ['cross.obj', '--fmax', '355', '--source', '4.5,2,1.5', '--receiver', '4.5,7,1.2', '--receiver-grid', 'floor=stone_floor'],
  below_octaves: ['cube.obj', '--fmax', '70', ...PLACES],
  dry: ['cube.obj', '--fmax', '355', '--absorption', 'plaster_wall=0.95', '--absorption', 'stone_floor=0.95',
    '--absorption', 'plaster_ceiling=0.95', ...PLACES],
};

function makePages() {
  transept('room', 'cube', '--force', '-o', 'cube.obj');
  transept('room', 'cross', '--force', '-o', 'cross.obj');
  for (const [name, words] of Object.entries(ROOMS)) {
    transept('simulate', ...words, '-o', name, '--force', '--quiet');
    transept('report', name, '--force');
  }
}

/* ---- data against the file ---- */

const RATE = 48000;

function checkPressure(name, response, samples) {
  for (const [which, whole] of [['waveform', false], ['whole', true]]) {
    const { t0_s: from, dt_s: step, low, high } = response[which];
    const [lows, highs] = [unpack(low, Float32Array), unpack(high, Float32Array)];
    const first = Math.round(from * RATE), width = Math.round(step * RATE);
    const end = whole ? samples.length : Math.min(samples.length, first + 0.1 * RATE);
    claim(lows.length === highs.length && lows.length === Math.ceil((end - first) / width) && lows.length > 300,
      `${name}: ${which} has ${lows.length} stretches of ${width} samples`);
    let wrong = 0;
    lows.forEach((least, i) => {
      const stretch = samples.subarray(first + i * width, Math.min(end, first + (i + 1) * width));
      wrong += least !== Math.min(...stretch) || highs[i] !== Math.max(...stretch);
    });
    claim(wrong === 0, `${name}: ${which} has other extremes than the file in ${wrong} stretches`);
  }
}

/* ---- drawings without script ---- */

/* What the drawings of a figure hold, in units of their axes: lines as points, dots; from the marks on the axes. */
const drawings = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('figure[id]')].map((figure) => {
  const svg = figure.querySelector('svg.plot');
  if (svg === null) return [figure.id, null];
  const marks = [...svg.querySelectorAll('path.grid')].map((path) => {
    const [, x, y, way] = /M([\d.]+) ([\d.]+)([VH])/.exec(path.getAttribute('d'));
    return { way, at: Number(way === 'V' ? x : y), value: Number(path.nextElementSibling.textContent) };
  });
  const scale = (way, logarithmic) => {
    const [a, b] = [marks.find((one) => one.way === way), marks.filter((one) => one.way === way).pop()];
    const f = logarithmic ? Math.log : (v) => v, g = logarithmic ? Math.exp : (v) => v;
    return { unit: Math.abs((f(b.value) - f(a.value)) / (b.at - a.at)), of: (at) => g(f(a.value) + (at - a.at) * (f(b.value) - f(a.value)) / (b.at - a.at)) };
  };
  const x = scale('V', figure.id === 'spectrum-figure'), y = scale('H', false);
  const lines = [...svg.querySelectorAll('path.line')].map((path) => ({
    dashes: path.getAttribute('stroke-dasharray'), colour: path.getAttribute('stroke'),
    points: [...path.getAttribute('d').matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)].map(([, px, py]) => [x.of(Number(px)), y.of(Number(py))]),
  }));
  const dots = [...svg.querySelectorAll('circle.end')].map((dot) => [x.of(Number(dot.getAttribute('cx'))), y.of(Number(dot.getAttribute('cy')))]);
  const labels = [...svg.querySelectorAll('text')].map((one) => one.textContent);
  return [figure.id, { lines, dots, labels, unit: [x.unit, y.unit], seen: svg.checkVisibility(), caption: figure.querySelector('figcaption')?.textContent ?? '',
    which: figure.querySelector('p.caption')?.textContent ?? '', key: [...figure.querySelectorAll('.key li')].map((one) => one.textContent.trim().replaceAll('\u00a0', ' ')) }];
})));

/* Does a line hold the points of a curve, as far as its axes go? Coordinates have one decimal. */
function holds(line, points, unit, low, logarithmic) {
  const there = points.filter(([, y]) => Number.isFinite(y) && y >= low + unit[1]);
  let at = 0;
  return there.length > 0 && there.every(([x, y]) => {
    while (at < line.points.length) {
      const [px, py] = line.points[at++];
      if (Math.abs(logarithmic ? Math.log(px / x) : px - x) <= 0.2 * unit[0] && Math.abs(py - y) <= 0.2 * unit[1]) return true;
    }
    return false;
  });
}

function checkOverTime(name, response, drawn) {
  for (const which of ['waveform', 'whole']) {
    const { t0_s: from, dt_s: step, low, high } = response[which], figure = drawn[`${which}-figure`];
    const ends = [unpack(low, Float32Array), unpack(high, Float32Array)];
    const points = ends[0].flatMap((_, i) => [0, 1].map((end) => [from + (i + 0.5) * step, ends[(i + end) % 2][i]]));
    claim(holds(figure.lines[0], points, figure.unit, -Infinity), `${name}: the drawing of ${which} is not its pressure`);
    claim(figure.labels.some((one) => one.startsWith('pressure [')) && figure.labels.some((one) => one.endsWith('[s]')), `${name}: ${which} names no unit`);
  }
  const levels = unpack(response.envelope, Int16Array).map((one, i) => [response.t0_s + (i + 0.5) * response.dt_s, one <= -32768 ? NaN : one / 100]);
  claim(holds(drawn['level-figure'].lines[0], levels, drawn['level-figure'].unit, -70), `${name}: the drawing of the level is not the response's`);
  const spectrum = drawn['spectrum-figure'], bands = response.spectrum.f_hz.map((f, i) => [f, response.spectrum.level_db[i]]);
  const floor = Math.max(...response.spectrum.level_db) - 70;
  claim(holds(spectrum.lines[0], bands, spectrum.unit, floor, true), `${name}: the drawing of the spectrum is not the response's`);
}

/* The words of the key: "500 Hz: T30 1.23 s, read from 0.05 to 0.64 s". */
function checkKey(name, response, key, fit, b) {
  const words = /^(\d+) Hz: (EDT|T20|T30) ([\d.]+) s, read from ([\d.]+) to ([\d.]+) s$/.exec(key ?? '');
  claim(words !== null && words[2].toLowerCase() === fit.figure, `${name}: the key of octave ${b} says "${key}"`);
  if (words === null) return;
  const near = (text, value) => Math.abs(Number(text) - value) <= Math.max(0.0051, 0.006 * value);
  claim(near(words[3], response[`${fit.figure}_s`][b]) && near(words[4], fit.from_s) && near(words[5], fit.to_s), `${name}: the key of octave ${b} says "${key}"`);
}

function checkDecays(name, response, figure) {
  const curves = response.decay.map((decay, b) => ({ ...decay, b, fit: (decay.fits ?? []).at(-1) })).filter(({ t_s: t }) => t?.length > 1);
  if (figure === null || figure === undefined) {
    claim(curves.length === 0, `${name}: the decays are not drawn`);
    return;
  }
  let line = 0, dot = 0;
  const dashes = new Set();
  for (const { t_s: t, level_db: level, fit, b } of curves) {
    claim(holds(figure.lines[line], t.map((at, i) => [at, level[i]]).filter(([at]) => at <= Math.max(...figure.lines.flatMap(({ points }) => points.map(([x]) => x)))), figure.unit, -70),
      `${name}: the drawing of the decay of octave ${b} is not its curve`);
    dashes.add(figure.lines[line++].dashes);
    if (!fit) { claim(/no straight stretch/.test(figure.key[b]), `${name}: octave ${b} has no line and its key says "${figure.key[b]}"`); continue; }
    const ends = [fit.from_s, fit.to_s].map((at) => [at, fit.intercept_db + fit.slope_db_per_s * at]);
    const straight = figure.lines[line++];
    claim(holds(straight, ends, figure.unit, -70) && straight.dashes === null, `${name}: the line of octave ${b} is not the one that was fitted, or has dashes`);
    claim(holds({ points: figure.dots.slice(dot, dot + 2) }, ends, figure.unit, -70), `${name}: the ends of the line of octave ${b} have no dots`);
    dot += 2;
    checkKey(name, response, figure.key[b], fit, b);
  }
  claim(dashes.size === curves.length, `${name}: ${curves.length} decays have ${dashes.size} kinds of dashes`);
}

/* Words that a program writes by mistake, in all that can be read, folded parts included. */
async function checkWords(name, page) {
  const text = await page.evaluate(() => {
    return document.body.innerText;
  });
  for (const word of [/undefined/, /NaN/i, /\bnull\b/, /\[object/, /\binf(inity)?\b/i]) {
    const at = text.search(word);
    claim(at < 0, `${name}: "${text.slice(Math.max(0, at - 50), at + 40)}" is on the page`);
  }
  claim(text.split('How loud the room makes each pitch').length === 2, `${name}: how loud the room makes each pitch is explained more than once, or not`);
}

const FIGURES = ['waveform-figure', 'whole-figure', 'level-figure', 'spectrum-figure'];

async function checkPage(browser, name) {
  const file = join(folder, name, 'report.html');
  const without = await open(browser, file, 1100, false);
  await unfold(without.page);
  const bare = await drawings(without.page);
  await without.close();
  const { page, close } = await open(browser, file, 1100);
  const { responses } = (await dataOf(page)).runs[0];
  for (const response of responses) checkPressure(name, response, samplesOf(join(folder, name, response.file)));
  await unfold(page);
  await checkWords(name, page);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.emulateMediaType('print');
  const drawn = await drawings(page);
  for (const id of FIGURES) claim(drawn[id]?.seen && drawn[id].which.includes(responses[0].receiver), `${name}: ${id} is not printed, or not whose it is`);
  for (const [id, figure] of Object.entries(drawn))
    if (figure !== null && (FIGURES.includes(id) || id === 'decay-figure')) claim(/^.{60,}\.$/s.test(figure.caption), `${name}: ${id} is not explained`);
  claim(JSON.stringify(bare) === JSON.stringify(drawn), `${name}: without script other drawings are seen than printed`);
  checkOverTime(name, responses[0], drawn);
  checkDecays(name, responses[0], drawn['decay-figure']);
  await close();
}

await run(makePages, async (browser) => {
  for (const name of Object.keys(ROOMS)) await checkPage(browser, name);
});

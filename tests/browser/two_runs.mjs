/* The page of two or more runs in a real browser: the decision on the first screen; one scale on both sides, with script and without; every difference that
 * `transept compare` gives; sounds at one gain; and a blind comparison that gives nothing away.
 * Arguments and status: trial.mjs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataOf, samplesOf, shownAs, trial, unfold } from './trial.mjs';

const { folder, claim, transept, open, run } = trial('two_runs');
/* The page keeps numbers and their units on one line. */
const plain = (text) => text.replaceAll('\u00a0', ' ');
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/* ---- pages ---- */

/* Two runs that share two of three places; a run to a higher pitch; and one that shares no name. */
function makePages() {
  transept('room', 'cross', '--force', '-o', 'cross.obj');
  const room = (name, ...rest) => transept('simulate', 'cross.obj', '-o', name, '--receiver', '4.83,4.71,1.2,crossing',
    '--grid-spacing', '1.5', '--force', '--quiet', ...rest);
  const floor = ['--receiver-grid', 'floor=stone_floor'];
  const shared = ['--source', '4.5,2,1.5,voice', '--receiver', '7.8,4.32,1.2,east'];
  room('plain', '--fmax', '177', '--receiver', '4.29,7.86,1.2,north', ...shared, ...floor);
  room('absorber', '--fmax', '177', '--absorption', 'plaster_wall=0.25', '--receiver', '1.2,4.2,1.2,west', ...shared, ...floor,
    '--receiver-grid', 'arm=0.5,3.5,0;2.5,3.5,0;2.5,5.5,0;0.5,5.5,0');
  room('finer', '--fmax', '355', '--absorption', 'plaster_wall=0.25', '--duration', '0.8', ...shared, ...floor);
  room('stranger', '--fmax', '177', '--duration', '0.5', '--source', '4.5,2,1.5,organ');
  for (const [a, b] of PAGES) transept('report', a, b, '--force', '-o', `${b}.html`);
  /* What auralise left, each run at a gain of its own. */
  for (const run of ['plain', 'finer']) transept('auralise', run, '--dry', 'clap', '--force', '--quiet');
  transept('report', 'plain', 'finer', '--force', '-o', 'heard.html');
  transept('report', 'plain', 'absorber', 'finer', '--force', '-o', 'variants.html');
}
const PAGES = [['plain', 'absorber'], ['plain', 'finer'], ['plain', 'stranger']];

const pageOf = async (browser, name, script) => {
  const opened = await open(browser, join(folder, `${name}.html`), 1440, script);
  await unfold(opened.page);
  return opened;
};
const wordsOf = async (page, selector) => plain(await page.$eval(selector, (one) => one.innerText.replaceAll('\u00a0', ' ')));

/* ---- one scale ---- */

async function checkScalesOfRooms(name, page) {
  const rooms = await page.evaluate(() => window.transept.rooms.map((room) => [...room.maps].map(([map, { range }]) => [map, range])));
  const shared = rooms[0].filter(([map]) => rooms[1].some(([other]) => other === map));
  claim(shared.length >= 8, `${name}: only ${shared.length} maps of the room are in both runs`);
  for (const [map, range] of shared)
    claim(same(range, rooms[1].find(([other]) => other === map)[1]), `${name}: the map ${map} of the room has two scales`);
}

/* Drawings without script. A map: title, key (colours and ranges), cells (colour and value). */
const drawings = (page) => page.evaluate(() => {
  const numbers = (svg) => [...svg.querySelectorAll('text')].map((one) => one.textContent);
  const maps = [...document.querySelectorAll('#maps .run')].map((run) => [...run.querySelectorAll('figure.map')].map((figure) => ({
    title: figure.querySelector('svg title').textContent, name: figure.querySelector('.caption').textContent,
    key: [...figure.querySelectorAll('.key li')].map((one) => [one.querySelector('rect').getAttribute('fill'), one.textContent]).filter(([fill]) => !fill.startsWith('url')),
    cells: [...figure.querySelectorAll('rect.cell')].map((cell) => [cell.getAttribute('fill'), cell.querySelector('title').textContent]) })));
  return {
    maps,
    decays: [...document.querySelectorAll('#decay-figure svg.plot')].map(numbers),
    captions: [...document.querySelectorAll('#decay-figure p.caption')].map((one) => one.textContent),
    spectrum: [...document.querySelectorAll('#spectrum-figure svg polyline, #spectrum-figure svg path')].map((one) => [one.getAttribute('stroke'), one.getAttribute('stroke-dasharray')]),
  };
});

/* "−3 to −1 dB", "below −3 dB", "above 5 dB". */
function rangeOf(words) {
  const ends = words.replaceAll('\u2212', '-').match(/-?[\d.]+/g)?.map(Number) ?? [NaN];
  return words.startsWith('below') ? [-Infinity, ends[0]] : words.startsWith('above') ? [ends[0], Infinity] : ends;
}

async function checkDrawings(name, page, data) {
  const { maps, decays, captions, spectrum } = await drawings(page);
  claim(maps.length === 2 && maps[0].length > 0, `${name}: no maps are drawn`);
  for (const map of maps[0]) {
    const other = maps[1].find((one) => one.name === map.name);
    claim(other !== undefined, `${name}: ${map.name} is drawn of A alone`);
    if (other === undefined) continue;
    claim(map.key.length > 0 && same(map.key, other.key), `${name}: the map ${map.title} has two keys: ${JSON.stringify([map.key, other.key])}`);
    /* Every cell has the colour of the class in which its value lies, on both sides. */
    for (const [colour, words] of [...map.cells, ...other.cells]) {
      const value = Number(words.split(': ')[1].split(' ')[0]);
      const at = map.key.findIndex(([one]) => one === colour);
      if (colour.startsWith('url')) continue;
      const [low, high] = rangeOf(map.key[at]?.[1] ?? '');
      claim(at >= 0 && !(value < low - 1e-2 * Math.abs(low)) && !(value > high + 1e-2 * Math.abs(high)), `${name}: ${map.title}: ${words} has the colour of ${low} to ${high}`);
    }
  }
  claim(decays.length === 2 && same(decays[0].filter((one) => /^[-−]?[\d.]+$/.test(one)), decays[1].filter((one) => /^[-−]?[\d.]+$/.test(one))),
    `${name}: the drawn decays have two scales: ${JSON.stringify(decays)}`);
  const place = ({ source, receiver }) => `${source} heard at ${receiver}`;
  const shared = place(data.runs[0].responses.find((one) => data.runs[1].responses.some((other) => place(other) === place(one))));
  const last = Math.max(...data.runs.flatMap(({ responses }) => responses
    .flatMap(({ decay }) => decay.flatMap((one) => (one?.t_s ?? []).filter((_, i) => one.level_db[i] >= -70)))));
  const ticks = decays[0].filter((one) => /^[\d.]+$/.test(one)).map(Number);
  claim(Math.max(...ticks) <= last && Math.max(...ticks) > 0.75 * last, `${name}: the drawn decays end at ${last} s and their scale at ${Math.max(...ticks)}`);
  claim(captions.length === 2 && captions.every((one) => one.includes(shared)) && captions[0].includes('A ') && captions[1].includes('B '), `${name}: the decays are of ${captions}`);
  const lines = spectrum.filter(([stroke]) => stroke !== null && stroke !== '#ccc');
  claim(new Set(lines.map(([, dashes]) => dashes)).size >= 2, `${name}: in grey the spectra of A and B look alike`);
}

/* ---- differences ---- */

/* Every finite number under `at` of a comparison is on the page under its key. */
function checkShown(name, shown, at, given) {
  if (Array.isArray(given) || (given !== null && typeof given === 'object'))
    for (const [key, value] of Object.entries(given)) checkShown(name, shown, `${at}.${key}`, value);
  else if (typeof given === 'number') {
    claim(shown.has(at), `${name}: ${at} (${given}) is not on the page`);
    claim(!shown.has(at) || Number(shown.get(at)) === given, `${name}: ${at} is ${shown.get(at)} and compare gives ${given}`);
  }
}

async function checkDifferences(name, page, data, compared) {
  claim(same(data.differences, compared), `${name}: the page's differences are not those of compare`);
  const shown = new Map(await page.evaluate(() => [...document.querySelectorAll('[data-key^="differences."]')]
    .map((one) => [one.dataset.key, one.getAttribute('value') ?? one.textContent.replaceAll('\u00a0', ' ')])));
  const parts = ({ first, second, difference, jnds }) => ({ first, second, difference, jnds });
  compared.figures.forEach((figure, f) => checkShown(name, shown, `differences.figures.${f}`, parts(figure)));
  compared.single_numbers.forEach((figure, f) => checkShown(name, shown, `differences.single_numbers.${f}`, parts(figure)));
  for (const [formula, values] of Object.entries(compared.expected)) checkShown(name, shown, `differences.expected.${formula}`, parts(values));
  compared.pairs.forEach(({ octaves }, p) => {
    for (const [figure, values] of Object.entries(octaves)) checkShown(name, shown, `differences.pairs.${p}.octaves.${figure}`, parts(values));
  });
  compared.grids.forEach(({ figures }, g) => figures.forEach((figure, f) => checkShown(name, shown, `differences.grids.${g}.figures.${f}`, parts(figure))));
  const cautions = data.decision.variants[1].cautions ?? [];
  compared.changes.forEach(({ words, caution }, i) => claim(caution ? cautions[i] === words : shown.get(`differences.changes.${i}.words`) === shownAs(words),
    `${name}: "${words}" is not on the page`));
  compared.pairs.forEach(({ source, receiver }, p) => claim(shown.get(`differences.pairs.${p}.source`) === shownAs(source) &&
    shown.get(`differences.pairs.${p}.receiver`) === shownAs(receiver), `${name}: ${source} to ${receiver} is not named`));
  /* The asterisks are those of the JNDs. */
  const marks = await page.$$eval('#differences table.figures td', (cells) => cells.map((cell) => [
    cell.querySelector('[data-key*=".jnds."]')?.getAttribute('value') ?? null, cell.querySelector('b')?.textContent ?? '']));
  for (const [jnds, mark] of marks)
    claim(mark.replace('?', '').trim() === (jnds === null || Math.abs(jnds) < 1 ? '' : Math.abs(jnds) < 3 ? '*' : '**'), `${name}: ${jnds} JND has the mark "${mark}"`);
}

/* ---- the first screen ---- */

async function checkHead(name, page, [a, b], compared) {
  const head = await page.evaluate(() => {
    const box = document.querySelector('#summary .two-runs'), run = document.querySelector('#summary .run');
    return { words: box.innerText.replaceAll('\u00a0', ' '),
      before: (box.compareDocumentPosition(run) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
      findings: document.body.innerText.split(box.querySelector('[data-key="differences.finding"]')?.textContent ?? '\u0000').length - 1 };
  });
  head.words = plain(head.words);
  claim(head.before && head.words.includes(`A, ${a}`) && head.words.includes(`B, ${b}`), `${name}: the page does not begin with which runs they are`);
  claim(head.words.includes(compared.finding) && head.findings === 1, `${name}: what a listener would notice is not there once`);
}

async function checkNarrow(name, page) {
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await new Promise((done) => setTimeout(done, 300));
  const narrow = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    beside: [...document.querySelectorAll('.runs')].filter((runs) => runs.children.length === 2 &&
      runs.children[1].getBoundingClientRect().top < runs.children[0].getBoundingClientRect().bottom).length,
    doubled: [...document.querySelectorAll('table.decision, table.targets')].length,
    dragged: [...document.querySelectorAll('table.points, #differences table, #decision table')].filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.innerText.slice(0, 60)),
  }));
  claim(narrow.width <= 390 && narrow.beside === 0, `${name}: on a telephone runs are beside each other, or the page is ${narrow.width} wide`);
  claim(narrow.doubled === 1, `${name}: the targets, which are the same, are there ${narrow.doubled} times`);
  claim(narrow.dragged.length === 0, `${name}: on a telephone these have to be dragged: ${narrow.dragged}`);
  await page.screenshot({ path: join(folder, `${name}_narrow.png`), fullPage: true });
  await page.setViewport({ width: 1440, height: 900 });
}

/* ---- sounds ---- */

function magnitude(samples, f) {
  let re = 0, im = 0;
  for (let n = 0; n < samples.length; n++) {
    const phase = 2 * Math.PI * f * n / 48000;
    re += samples[n] * Math.cos(phase);
    im -= samples[n] * Math.sin(phase);
  }
  return Math.hypot(re, im);
}

const decoded = (page, id) => page.evaluate(async (which) => {
  const bytes = Uint8Array.from(atob(document.getElementById(which).src.split(',')[1]), (c) => c.charCodeAt(0));
  const sound = await new OfflineAudioContext(1, 1, 48000).decodeAudioData(bytes.buffer);
  return Array.from(sound.getChannelData(0));
}, id);

/* In the band of both runs |wet| = |dry| |response| r, where the dry sound is heard at r metres: of every sound. */
async function checkGain(name, page, data, folders, counts) {
  const sounds = data.runs.flatMap((run) => run.sounds);
  const kinds = (kind) => sounds.filter((sound) => sound.kind === kind);
  claim(kinds('dry').length === 1 && kinds('dry_lowpassed').length === 1, `${name}: the dry sounds are not there once`);
  const wet = kinds('wet'), places = (r) => wet.filter(({ run }) => run === r).map(({ source, receiver }) => `${source} ${receiver}`);
  claim(same([0, 1].map((r) => places(r).length), counts), `${name}: heard are ${places(0)} of A and ${places(1)} of B`);
  claim(counts[0] !== counts[1] || same(places(0), places(1)), `${name}: heard are ${places(0)} of A and ${places(1)} of B`);
  const heard = data.runs.flatMap((run) => run.responses.filter(({ source, receiver }) => places(0).includes(`${source} ${receiver}`)));
  const nearest = Math.min(...heard.map(({ distance_m: distance }) => distance));
  const band = Math.min(...data.runs.map(({ run }) => run.fmax_hz));
  /* Over many pitches, since at a node of the room there is little but the rounding to 16 bits. */
  const pitches = Array.from({ length: 12 }, (_, i) => Math.round((0.4 + 0.04 * i) * band));
  const together = (of) => Math.hypot(...pitches.map(of));
  const dry = await decoded(page, kinds('dry')[0].audio_id), low = await decoded(page, kinds('dry_lowpassed')[0].audio_id);
  const level = (ratio) => 20 * Math.log10(ratio);
  const louder = level(together((f) => magnitude(low, f)) / together((f) => magnitude(dry, f)));
  claim(Math.abs(louder) < 0.1, `${name}: the low-passed dry sound is ${louder} dB louder than the dry one`);
  const above = level(magnitude(low, 1.3 * band) / magnitude(dry, 1.3 * band));
  claim(above < -40, `${name}: above ${band} Hz the low-passed dry sound is only ${above} dB lower`);
  for (const sound of wet) {
    const response = data.runs[sound.run].responses.find(({ source, receiver }) => source === sound.source && receiver === sound.receiver);
    const samples = await decoded(page, sound.audio_id), impulse = samplesOf(join(folder, folders[sound.run], response.file));
    const off = level(together((f) => magnitude(samples, f)) / together((f) => magnitude(dry, f) * magnitude(impulse, f) * nearest));
    claim(Math.abs(off) < 0.1, `${name}: ${sound.label} of ${folders[sound.run]} is ${off} dB off the gain of the dry sound`);
    const higher = level(magnitude(samples, 1.3 * band) * Math.sqrt(pitches.length) / together((f) => magnitude(samples, f)));
    claim(higher < -35, `${name}: ${sound.label} of ${folders[sound.run]} holds more than ${band} Hz (${higher} dB)`);
  }
}

/* ---- blind listening ---- */

async function checkBlind(name, page) {
  const press = (text) => page.evaluate((which) => [...document.querySelectorAll('.blind button')].find((one) => one.textContent === which).click(), text);
  const status = () => page.$eval('.blind [role=status]', (one) => one.textContent);
  const seen = new Map();
  for (let trial = 0; trial < 16; trial++) {
    await press('Shuffle and play');
    await page.waitForFunction(() => /Playing|cannot/.test(document.querySelector('.blind [role=status]').textContent), { timeout: 20000 });
    const { swapped, page: looks, right } = await page.evaluate(() => {
      const { blind } = window.transept, { pair, playing, buffers } = blind;
      const is = (node, sound) => {
        const [got, want] = [node.buffer.getChannelData(0), buffers.get(sound.audio_id).getChannelData(0)];
        return want.every((value, i) => value === got[i]);
      };
      return { swapped: blind.swapped, page: document.querySelector('main').innerHTML,
        right: is(playing.X.node, pair[blind.swapped ? 1 : 0]) && is(playing.Y.node, pair[blind.swapped ? 0 : 1]) &&
          playing.X.node.buffer.length === playing.Y.node.buffer.length };
    });
    claim(right, `${name}: X and Y are not the two sounds, of one length`);
    seen.set(swapped, (seen.get(swapped) ?? new Set()).add(looks));
    if (trial % 3 === 0) {
      await press('Reveal');
      const pair = await page.evaluate(() => window.transept.blind.pair.map(({ label }) => label));
      claim((await status()) === `X was “${pair[swapped ? 1 : 0]}”, Y was “${pair[swapped ? 0 : 1]}”.`, `${name}: what is revealed is not so: ${await status()}`);
    } else {
      await press('X is the first');
      claim((await status()).startsWith(swapped ? 'Wrong' : 'Right'), `${name}: a guess is answered wrongly`);
    }
  }
  claim(seen.size === 2, `${name}: in 16 trials the order was always the same`);
  const looks = new Set([...seen.values()].flatMap((one) => [...one]));
  claim(looks.size === 1, `${name}: the page looks in ${looks.size} ways before a guess, and gives away which is which`);
  /* By keys alone. */
  await page.evaluate(() => [...document.querySelectorAll('.blind button')].find((one) => one.textContent === 'Shuffle and play').focus());
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /Playing/.test(document.querySelector('.blind [role=status]').textContent), { timeout: 20000 });
  await page.keyboard.press('y');
  claim(await page.evaluate(() => window.transept.blind.current === 'Y' && document.querySelector('.blind [aria-pressed=true]').textContent === 'Y'), `${name}: the key Y does not switch to Y`);
  for (let i = 0; i < 5; i++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  claim(/^(Right|Wrong): X was/.test(await status()), `${name}: by keys alone there is no guess, but "${await status()}"`);
  claim(await page.evaluate(() => document.activeElement.textContent === 'Shuffle and play'), `${name}: after a guess the focus is lost`);
}

/* ---- all ---- */

async function checkPair(browser, [a, b]) {
  const { page, close } = await pageOf(browser, b);
  const data = await dataOf(page);
  const [compared] = JSON.parse(transept('compare', a, b, '--json')).comparisons;
  await page.screenshot({ path: join(folder, `${b}_wide.png`), fullPage: true });
  await checkHead(b, page, [a, b], compared);
  await checkScalesOfRooms(b, page);
  await checkDifferences(b, page, data, compared);
  await checkGain(b, page, data, [a, b], [2, 2]);
  if (b === PAGES[0][1]) await checkBlind(b, page);
  await checkNarrow(b, page);
  await close();
  const bare = await pageOf(browser, b, false);
  await checkDrawings(b, bare.page, data);
  await bare.close();
}

async function checkStranger(browser) {
  const { page, close } = await pageOf(browser, 'stranger');
  const head = await wordsOf(page, '#summary .two-runs');
  claim((head.match(/nothing in them can be compared/g) ?? []).length === 1, `stranger: the page has "${head}"`);
  claim((await page.$$('#differences table')).length === 0, 'stranger: there are tables of differences of nothing');
  claim(!(await wordsOf(page, '#differences')).includes('octave'), 'stranger: octaves are blamed');
  await close();
}

/* Three runs: all in the decision, which fits one screen and the width of a telephone; two of them below. */
async function checkVariants(browser) {
  const { page, close } = await pageOf(browser, 'variants');
  const { decision, runs } = await dataOf(page);
  const seen = () => page.evaluate(() => ({
    names: [...document.querySelectorAll('table.decision tbody th [data-key]')].map((one) => one.textContent),
    answer: document.querySelector('#decision .answer').innerText,
    bottom: document.querySelector('table.decision').getBoundingClientRect().bottom,
    width: document.documentElement.scrollWidth }));
  const wide = await seen();
  claim(same(wide.names, decision.variants.map(({ name }) => shownAs(name))) && wide.names.length === 3, `variants: the rows are ${wide.names}`);
  claim(shownAs(wide.answer) === shownAs(decision.answer) && wide.bottom <= 900, `variants: "${wide.answer}" and its table end at ${wide.bottom}`);
  claim(same(runs.map(({ name }) => shownAs(name)), wide.names.slice(0, 2)), `variants: shown in full are ${runs.map(({ name }) => name)}`);
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  const narrow = await seen();
  claim(narrow.width <= 390, `variants: on a telephone the page is ${narrow.width} wide`);
  await close();
}

async function checkHeard(browser) {
  const { page, close } = await pageOf(browser, 'heard');
  await checkGain('heard', page, await dataOf(page), ['plain', 'finer'], [3, 2]);
  await close();
}

async function checkPartly(browser) {
  const { page, close } = await pageOf(browser, 'absorber');
  const words = await wordsOf(page, 'main');
  for (const sentence of ['only in plain: voice to north', 'only in absorber: voice to west', 'Only B has: the map arm from voice'])
    claim(words.split(sentence).length === 2, `absorber: "${sentence}" is not there once`);
  await close();
  const finer = await pageOf(browser, 'finer');
  const other = await wordsOf(finer.page, 'main');
  for (const sentence of ['Only B has: the octave of 250 Hz', 'both are heard up to 177 Hz'])
    claim(other.split(sentence).length === 2, `finer: "${sentence}" is not there once`);
  await finer.close();
}

await run(makePages,
  (browser) => checkPair(browser, PAGES[0]),
  (browser) => checkPair(browser, PAGES[1]),
  (browser) => checkStranger(browser),
  (browser) => checkHeard(browser),
  (browser) => checkVariants(browser),
  (browser) => checkPartly(browser));

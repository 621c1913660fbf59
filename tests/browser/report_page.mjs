/* The pages that `transept report` writes, in a real browser: does all of it load, draw and answer, and is every
 * number and curve that it shows the one of run.json and of `transept analyse`?
 * Arguments and status: trial.mjs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataOf, pictureOf, settle, shownAs, trial, unfold } from './trial.mjs';

const { folder, claim, transept, open, run } = trial('report_page');

/* ---- pages ---- */

function makePages() {
  transept('room', 'cube', '--force', '-o', 'cube.obj');
  const common = ['--fmax', '355', '--source', '0.7,0.8,1.5,voice', '--receiver', '2,2,1.2,far', '--receiver',
    '1,2.2,1.2,near', '--receiver-grid', 'floor=stone_floor', '--grid-spacing', '0.6', '--force', '--quiet'];
  transept('simulate', 'cube.obj', '-o', 'before', ...common);
  transept('simulate', 'cube.obj', '-o', 'after', '--absorption', 'plaster_wall=0.3', ...common);
  transept('report', 'before', '--force');
  transept('report', 'before', 'after', '--force', '-o', 'both.html');
}

/* ---- the numbers of a page ---- */

/* Every element with data-key: its path, what it shows, and the value behind it. */
const shownNumbers = (page) => page.evaluate(() =>
  [...document.querySelectorAll('[data-key]')].map((element) => ({
    key: element.dataset.key,
    value: element.getAttribute('value'),
    text: element.textContent.trim(),
    absent: element.classList.contains('absent'),
  })));

const follow = (data, key) => key.split('.').reduce((at, step) => (at === null || at === undefined ? at : at[step]), data);

/* Is `text` what is left of `value` when it is rounded as the text is? Percent and thousands included. */
function isRounded(text, value) {
  const plain = text.replaceAll('−', '-').replaceAll(/[\s\u00a0\u202f,]/g, '');
  const match = /-?\d+(\.\d+)?(e[+-]?\d+)?/.exec(plain);
  if (match === null) return false;
  const shown = Number(match[0]);
  const decimals = (match[1] ?? '.').length - 1;
  const unit = 10 ** ((match[2] ? Number(match[2].slice(1)) : 0) - decimals);
  return [1, 100, 1e-3, 1e3, 1e-6, 1e-9].some((scale) => Math.abs(value * scale - shown) <= 0.5001 * unit) ||
    Math.abs(value - shown) <= 0.05 * Math.abs(value) && decimals === 0 && /0$/.test(match[0]);
}

function checkNumbers(name, data, numbers) {
  claim(numbers.length > 50, `${name}: only ${numbers.length} numbers are marked`);
  for (const { key, value, text, absent } of numbers) {
    const stored = follow(data, key);
    if (absent || stored === null) claim(stored === null && !/\d/.test(text), `${name}: ${key} is shown as "${text}" and is ${stored}`);
    else if (stored === undefined) claim(false, `${name}: ${key} is shown as "${text}" and is not in the data`);
    else if (typeof stored === 'number') {
      claim(value === null || Number(value) === stored, `${name}: ${key} has the value ${value} and is ${stored}`);
      claim(isRounded(text, stored), `${name}: ${key} is shown as "${text}" and is ${stored}`);
    } else claim(shownAs(text) === shownAs(stored), `${name}: ${key} is shown as "${text}" and is "${stored}"`);
  }
}

/* ---- the page against the run ---- */

/* All of `run` in the page's copy must be equal; paths may have lost their folders. */
function sameRecord(name, inPage, onDisk, path = '') {
  if (onDisk !== null && typeof onDisk === 'object') {
    for (const key of new Set([...Object.keys(onDisk), ...Object.keys(inPage ?? {})]))
      sameRecord(name, inPage?.[key], onDisk[key], `${path}.${key}`);
  } else if (typeof onDisk === 'string' && typeof inPage === 'string') {
    claim(onDisk === inPage || onDisk.endsWith(inPage.split('/').pop()), `${name}: run${path} is "${inPage}" and was "${onDisk}"`);
  } else claim(inPage === onDisk, `${name}: run${path} is ${inPage} and was ${onDisk}`);
}

const FIGURES = ['edt_s', 't20_s', 't30_s', 'c50_db', 'c80_db', 'd50', 'ts_s', 'g_db', 'mti'];

/* Figures and fitted slopes against what `analyse` makes of the files. */
function checkAgainstAnalyse(name, run, analysed) {
  for (const response of run.responses) {
    const other = analysed.responses.find((one) => one.source === response.source && one.receiver === response.receiver);
    claim(other !== undefined, `${name}: analyse has no ${response.source} at ${response.receiver}`);
    if (other === undefined) continue;
    response.octaves_hz.forEach((octave, b) => {
      for (const figure of FIGURES) {
        const [ours, theirs] = [response[figure]?.[b] ?? null, other[figure]?.[b] ?? null];
        claim(ours === theirs || (ours !== null && theirs !== null && Math.abs(ours - theirs) <= 1e-6 * Math.abs(theirs)),
          `${name}: ${figure} at ${octave} Hz is ${ours} and analyse has ${theirs}`);
      }
      for (const fit of response.decay[b]?.fits ?? []) {
        const time = other[`${fit.figure}_s`][b];
        claim(time !== null && Math.abs(-60 / fit.slope_db_per_s / time - 1) < 1e-3,
          `${name}: the line of ${fit.figure} at ${octave} Hz falls by 60 dB in ${-60 / fit.slope_db_per_s} s and analyse has ${time}`);
        const { t_s: t, level_db: level } = response.decay[b];
        const within = t.map((at, i) => [at, level[i]]).filter(([at]) => at >= fit.from_s && at <= fit.to_s);
        const off = within.map(([at, l]) => l - (fit.intercept_db + fit.slope_db_per_s * at));
        claim(within.length > 3 && Math.abs(off.reduce((sum, one) => sum + one, 0) / off.length) < 0.5,
          `${name}: the line of ${fit.figure} at ${octave} Hz is not that of its curve`);
      }
    });
  }
}

/* ---- what moves ---- */

async function checkRooms(name, page, runs) {
  const rooms = await page.evaluate(() => window.transept.rooms.length);
  claim(rooms === runs, `${name}: ${rooms} of ${runs} rooms are drawn`);
  for (let r = 0; r < rooms; r++) {
    const first = await pictureOf(page, r);
    claim(first.colours > 12 && first.most < 0.95, `${name}: the room ${r} has ${first.colours} colours, one of them on ${first.most} of it`);
    const box = (await page.$$('input[data-layer="stored blocks"]'))[r];
    const before = await page.evaluate((which) => window.transept.rooms[which].layers['stored blocks'].visible, r);
    await box.click();
    await settle(page);
    const after = await page.evaluate((which) => window.transept.rooms[which].layers['stored blocks'].visible, r);
    claim(!before && after, `${name}: a click does not turn the layer of blocks on`);
    const second = await pictureOf(page, r);
    claim(second.sum !== first.sum, `${name}: the layer of blocks changes nothing in the picture`);
    await page.evaluate((which) => window.transept.rooms[which].canvas.focus(), r);
    await page.keyboard.press('ArrowLeft');
    await settle(page);
    claim((await pictureOf(page, r)).sum !== second.sum, `${name}: the left arrow does not turn the room`);
    const maps = await page.evaluate((which) => [...window.transept.rooms[which].maps.keys()], r);
    claim(maps.length > 0, `${name}: there is no map for the room`);
    const bare = await pictureOf(page, r);
    await (await page.$$('select[data-choice=map]'))[r].select(maps[0]);
    await settle(page);
    claim((await pictureOf(page, r)).sum !== bare.sum, `${name}: the map "${maps[0]}" is not seen in the room`);
    const ticks = await page.evaluate((which) => [...document.querySelectorAll('.room-view')[which].querySelectorAll('.ticks span')].map((one) => parseFloat(one.textContent)), r);
    claim(ticks.length === 5 && ticks.every((one, i) => i === 0 || one >= ticks[i - 1]), `${name}: the colours of a map have the values ${ticks}`);
  }
  const scales = await page.evaluate(() => window.transept.rooms.map((room) => [...room.maps].map(([name, { range }]) => [name, range])));
  claim(scales.every((one) => JSON.stringify(one) === JSON.stringify(scales[0])), `${name}: the maps of two runs have two scales`);
}

async function checkBlind(name, page) {
  const find = async (text) => {
    for (const button of await page.$$('.blind button')) if ((await button.evaluate((one) => one.textContent)) === text) return button;
    throw new Error(`no button "${text}"`);
  };
  await (await find('Shuffle and play')).click();
  await page.waitForFunction(() => /Playing|cannot/.test(document.querySelector('.blind [role=status]').textContent), { timeout: 20000 });
  const status = await page.$eval('.blind [role=status]', (one) => one.textContent);
  claim(status.startsWith('Playing'), `${name}: blind listening has the status "${status}"`);
  if (!status.startsWith('Playing')) return;
  await (await find('Y')).click();
  claim(await page.evaluate(() => window.transept.blind.current === 'Y'), `${name}: Y is not heard after its button`);
  await (await find('X is the first')).click();
  claim(/^(Right|Wrong): X was/.test(await page.$eval('.blind [role=status]', (one) => one.textContent)), `${name}: a guess is not answered`);
}

/* ---- one page ---- */

async function checkPage(browser, name, file, folders) {
  const { page, close } = await open(browser, file);
  await page.screenshot({ path: join(folder, `${name}_wide.png`), fullPage: true });
  const data = await dataOf(page);
  claim(data.runs.length === folders.length, `${name}: ${data.runs.length} runs`);
  checkNumbers(name, data, await shownNumbers(page));
  data.runs.forEach((run, r) => {
    sameRecord(name, run.run, JSON.parse(readFileSync(join(folder, folders[r], 'run.json'), 'utf8')));
    checkAgainstAnalyse(name, run, JSON.parse(transept('analyse', folders[r], '--json')));
  });
  await checkRooms(name, page, folders.length);
  await checkBlind(name, page);

  const hidden = await page.evaluate(() => [...document.querySelectorAll('table.surfaces')].map((table) => table.scrollWidth - table.clientWidth));
  claim(folders.length > 1 || hidden.every((width) => width <= 0), `${name}: of the table of surfaces ${hidden} pixels are out of sight`);

  const folded = await page.evaluate(() => [...document.querySelectorAll('#engineers > section')].filter((one) => one.checkVisibility()).length);
  claim(folded === 0, `${name}: what engineers need is not folded`);
  await page.evaluate(() => { location.hash = '#surfaces'; });
  await settle(page);
  claim(await page.evaluate(() => document.getElementById('surfaces').checkVisibility()), `${name}: a link does not open what is folded`);

  /* A4 within the margins of page.pdf(). */
  await unfold(page);
  await page.setViewport({ width: 718, height: 1000 });
  await page.emulateMediaType('print');
  await settle(page);
  const lost = await page.evaluate(() => ({
    unseen: [...document.querySelectorAll('main [data-key], main figcaption, main caption')]
      .filter((one) => !one.checkVisibility()).map((one) => one.dataset.key ?? one.textContent.slice(0, 40)),
    cut: [...document.querySelectorAll('table, pre, svg, img, p, ul, dl')]
      .filter((one) => one.checkVisibility() && (one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth + 1))
      .filter((one) => one.closest('svg') === one || one.closest('svg') === null)
      .map((one) => `${one.nodeName} ${one.className?.baseVal ?? one.className} in ${one.closest('section')?.id}`),
  }));
  claim(lost.unseen.length === 0, `${name}: printed, ${lost.unseen.length} things are not there: ${lost.unseen.slice(0, 5)}`);
  claim(lost.cut.length === 0, `${name}: printed, these are cut: ${lost.cut.slice(0, 8)}`);
  const printed = await page.evaluate(() => ({
    canvas: [...document.querySelectorAll('canvas')].some((one) => one.getClientRects().length > 0),
    drawings: [...document.querySelectorAll('svg.plan, svg.plot')].filter((one) => one.getClientRects().length > 0).length,
  }));
  claim(printed.canvas && printed.drawings >= 2 * folders.length, `${name}: printed it has ${printed.drawings} drawings${printed.canvas ? '' : ' and no room'}`);
  await page.pdf({ path: join(folder, `${name}.pdf`), format: 'A4' });
  await close();
}

await run(makePages, async (browser) => {
  await checkPage(browser, 'one', join(folder, 'before', 'report.html'), ['before']);
  await checkPage(browser, 'two', join(folder, 'both.html'), ['before', 'after']);
});

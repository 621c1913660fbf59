/* Results of the studio: are differences those of `compare`, is what one hears A, B and X of one gain at one place, does
 * a measured response reach its receiver, is a walk drawn and played, and can everything be taken away? Arguments and
 * status: trial.mjs. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pictureOf, settle, trial } from './trial.mjs';

const { folder, keep, claim, transept, run } = trial('studio_results');
const [program] = process.argv.slice(2);
const HEAD = '/usr/share/libmysofa/default.sofa'; // of libmysofa
const FAR = 'before/ir_voice_far.wav', NEAR = 'before/ir_voice_near.wav';

function makeRuns() {
  transept('room', 'cube', '--force', '-o', 'cube.obj');
  for (const [name, absorption] of [['before', '0.2'], ['after', '0.5']])
    transept('simulate', 'cube.obj', '-o', name, '--force', '--quiet', '--fmax', '90', '--absorption', `plaster_wall=${absorption}`, '--source', '1,1,1.5,voice',
      '--receiver', '2,2.2,1.2,far', '--receiver', '2,1,1.2,near', '--receiver-grid', 'audience', '--grid-spacing', '1', '--ambisonics');
}

async function serve() {
  const server = spawn(program, ['studio', folder, '--no-browser'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    server.stdout.once('data', (bytes) => resolve(String(bytes).trim()));
    server.on('exit', (status) => reject(new Error(`the studio ended with ${status}`)));
  });
  return { address, stop: () => server.kill('SIGINT') };
}

/* With the graph of sounds in a context that is rendered offline, and pictures kept that are saved. */
async function openResults(browser, address) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120000);
  page.on('pageerror', (error) => claim(false, `an error in the page: ${error.stack ?? error}`));
  page.on('console', (message) => { if (message.type() === 'error' && !/status of 404/.test(message.text())) claim(false, `the page says ${message.text()}`); });
  await page.setViewport({ width: 1280, height: 720 });
  await page.evaluateOnNewDocument(() => {
    window.AudioContext = function offline() {
      window.graph = new OfflineAudioContext(2, 4 * 48000, 48000);
      window.graph.resume = async () => {};
      return window.graph;
    };
    window.saved = [];
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => { window.saved.push(blob); return createObjectURL(blob); };
  });
  await page.goto(`${address}#screen=results`, { waitUntil: 'load' });
  await page.waitForSelector('.octave-table');
  await page.evaluate(() => { window.transept = { get rooms() { return [document.querySelector('.room canvas').roomView]; } }; });
  await settle(page);
  return page;
}

const press = (page, text) => page.locator(`::-p-xpath(//button[normalize-space()="${text}" and not(@disabled)])`).click();
const choose = (page, label, match) => page.evaluate(([text, wanted]) => {
  const select = [...document.querySelectorAll('label')].find((one) => one.firstChild.textContent.trim() === text).querySelector('select');
  select.value = [...select.options].find((option) => option.textContent.startsWith(wanted)).value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
}, [label, match]);
const shot = (page, name) => keep && page.screenshot({ path: join(folder, `${name}.png`) });
const compared = (...words) => JSON.parse(transept('compare', ...words, '--json')).comparisons[0];

/* The table has the JNDs of the command. */
async function claimDifferences(page, what, section, ...words) {
  await page.waitForFunction((title) => document.querySelector(`[aria-label="${title}"] .jnds`) !== null, {}, section);
  const { figures, finding } = compared(...words), wanted = figures.filter(({ jnds }) => jnds[0] !== null);
  const rows = await page.$$eval(`[aria-label="${section}"] .jnds tbody tr`, (all) => all.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
  claim(wanted.length > 5 && JSON.stringify(rows.map(([word]) => word)) === JSON.stringify(wanted.map(({ word }) => word)) &&
    wanted.every(({ jnds, certain }, i) => rows[i][1].replace('−', '-').replace('~', '').replace('+', '') === Math.abs(jnds[0]).toFixed(1).replace(/^/, jnds[0] < 0 ? '-' : '') && rows[i][1].startsWith('~') === (certain[0] === false)),
  `${what}: JNDs are shown as ${JSON.stringify(rows)}, and are ${JSON.stringify(wanted.map(({ word, jnds }) => [word, jnds]))}`);
  claim((await page.$eval(`[aria-label="${section}"] p`, (one) => one.textContent)) === `${finding[0].toUpperCase()}${finding.slice(1)}.`, `${what}: the finding is not ${finding}`);
}

async function checkDifferences(page) {
  await choose(page, 'Results of', 'before');
  await page.waitForFunction(() => document.querySelector('[data-of=place]')?.selectedOptions[0].value.startsWith('before'));
  await choose(page, 'Place', 'far');
  await choose(page, 'with', 'near');
  await press(page, 'Compare A and B');
  await claimDifferences(page, 'two places', 'B beside A', FAR, NEAR);
  claim((await page.$$('.differences polyline')).length === 2, 'the decays of both are not drawn');
  await choose(page, 'with', 'audience-2');
  await press(page, 'Compare A and B');
  await claimDifferences(page, 'a seat', 'B beside A', FAR, 'before/ir_voice_audience.wav@2');
  await choose(page, 'beside', 'after');
  await press(page, 'Compare the runs');
  await claimDifferences(page, 'two runs', 'after beside before', 'before', 'after');
  await shot(page, 'differences');
  await choose(page, 'beside', 'none');
}

/* A switch mixes A and B at one place of the loop with gains that add up to one, and A and B are the responses times one
 * gain, up to the tail that goes on after them. X is one of them. */
async function checkListening(page) {
  await choose(page, 'with', 'near');
  await press(page, 'Play');
  await page.waitForSelector('::-p-xpath(//button[normalize-space()="Stop"])');
  const found = await page.evaluate(async (paths) => {
    const { graph } = window, click = (text) => [...document.querySelectorAll('.listening button')].find((one) => one.textContent === text).click();
    const switched = 576 * 128, drawn = 960 * 128; // a context stops between blocks of 128
    const at = (time, text) => graph.suspend(time).then(() => { click(text); OfflineAudioContext.prototype.resume.call(graph); });
    at(switched / 48000, 'B');
    at(drawn / 48000, 'X');
    const heard = (await graph.startRendering()).getChannelData(0), from = Math.round(0.05 * 48000);
    const [a, b, A, B] = await Promise.all(paths.map(async (path) => (await graph.decodeAudioData(await (await fetch(`files/${path}`)).arrayBuffer())).getChannelData(0)));
    const length = Math.max(a.length, b.length), peakOf = (list) => list.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const play = (list, n) => list[(n - from) % length] ?? 0;
    let wrong = 0;
    const x = [0, 0];
    for (let n = 0.3 * 48000; n < drawn; n++) {
      const share = n < switched ? 1 : Math.exp(-(n - switched) / 48000 / 0.008);
      wrong = Math.max(wrong, Math.abs(heard[n] - share * play(a, n) - (1 - share) * play(b, n)));
    }
    for (let n = drawn + 0.3 * 48000; n < heard.length; n++) [a, b].forEach((list, i) => { x[i] = Math.max(x[i], Math.abs(heard[n] - play(list, n))); });
    const gain = peakOf(a) / peakOf(A);
    const { files } = await (await fetch('files/listening/listen.json')).json();
    const tails = paths.slice(0, 2).map((path) => (files.find(({ file }) => path.endsWith(`/${file}`)).tail_from_s ?? Infinity) * 48000);
    const unlike = [[a, A], [b, B]].map(([sound, response], i) => response.reduce((most, value, n) => (n < tails[i] ? Math.max(most, Math.abs(gain * value - sound[n])) : most), 0));
    return { wrong, x, unlike, peak: peakOf(a), wraps: heard.length - from > length };
  }, ['listening/listen_voice_far.wav', 'listening/listen_voice_near.wav', FAR, NEAR]);
  const { wrong, x, unlike, peak, wraps } = found;
  claim(wraps && peak > 0.1 && wrong < 1e-4 * peak, `the switch from A to B differs from a mixture in step by ${wrong} of ${peak}`);
  claim(Math.max(...unlike) < 1e-4 * peak, `A and B differ from the responses with one gain by ${unlike} of ${peak}`);
  claim(Math.min(...x) < 1e-4 * peak && Math.max(...x) > 0.01 * peak, `X is neither or both: ${x}`);
  await press(page, x[0] < x[1] ? 'X is A' : 'X is B');
  await page.waitForFunction(() => /^Right: .* 1 right of 1/.test(document.querySelector('.listening [role=status]').textContent));
  await press(page, 'Stop');
  // An own recording goes into the folder, and `auralise` plays it.
  const input = await page.waitForSelector('.listening input[type=file]');
  await input.uploadFile(join(folder, NEAR));
  await page.waitForFunction(() => [...document.querySelectorAll('.listening select')].some((one) => one.value === 'ir_voice_near.wav'));
  await press(page, 'Play');
  await page.waitForSelector('::-p-xpath(//button[normalize-space()="Stop"])');
  claim(JSON.parse(readFileSync(join(folder, 'listening/listen.json'), 'utf8')).dry.file.endsWith('ir_voice_near.wav'), 'the own recording is not what is played');
  await press(page, 'Stop');
}

/* With a measured head, each ear has its own response. */
async function checkBinaural(page) {
  if (!existsSync(HEAD)) { console.log(`studio_results: no head at ${HEAD}: listening through it is not tried`); return; }
  rmSync(join(folder, 'default.sofa'), { force: true });
  await (await page.$$('.listening input[type=file]'))[1].uploadFile(HEAD);
  await page.waitForFunction(() => [...document.querySelectorAll('.listening select')].some((one) => one.value === 'default.sofa'));
  await press(page, 'Play');
  await page.waitForSelector('::-p-xpath(//button[normalize-space()="Stop"])');
  const unlike = await page.evaluate(async () => {
    const bytes = await (await fetch('files/listening/listen_voice_near_headphones.wav')).arrayBuffer(), sound = await new OfflineAudioContext(2, 1, 48000).decodeAudioData(bytes);
    const [left, right] = [0, sound.numberOfChannels - 1].map((c) => sound.getChannelData(c)), most = (of) => left.reduce((peak, value, n) => Math.max(peak, Math.abs(of(value, right[n]))), 0);
    return most((a, b) => a - b) / most((a) => a);
  });
  claim(unlike > 0.01, `both ears hear the same: they differ by ${unlike}`);
  await press(page, 'Stop');
}

/* Dropped on a receiver in the room, it is compared with that one. */
async function checkMeasured(page) {
  const file = readFileSync(join(folder, FAR)).toString('base64');
  await page.evaluate((bytes) => {
    const canvas = document.querySelector('.room canvas'), frame = canvas.getBoundingClientRect(), [x, y] = canvas.roomView.project([2, 1, 1.2]);
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], 'hall.wav'));
    canvas.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer, clientX: frame.left + (x + 1) / 2 * frame.width, clientY: frame.top + (1 - y) / 2 * frame.height }));
  }, file);
  await page.waitForFunction(() => document.querySelector('[data-of=place]').selectedOptions[0].textContent.startsWith('near'));
  claim(readFileSync(join(folder, 'before/measured_ir_voice_near.wav')).equals(readFileSync(join(folder, FAR))), 'the measured response is not in the folder of the run');
  await press(page, 'Compare A and B');
  await claimDifferences(page, 'a measured response', 'B beside A', NEAR, 'before/measured_ir_voice_near.wav');
  await page.waitForFunction(() => document.querySelectorAll('.octave-chart rect').length > 0);
  await shot(page, 'measured');
}

async function checkWalk(page) {
  await settle(page);
  const before = (await pictureOf(page)).sum;
  await page.locator('.walk input.search').fill('0.5,0.5,1.5;2.5,2.5,1.5');
  await page.keyboard.press('Tab');
  await press(page, 'Make the sound of the walk');
  await page.waitForSelector('.walk audio');
  await settle(page);
  const drawn = (await pictureOf(page)).sum;
  claim(drawn !== before, 'the walk is not drawn');
  const seen = new Set([drawn]);
  for (const time of [1, 3]) {
    await page.$eval('.walk audio', (audio, at) => new Promise((done) => { audio.addEventListener('timeupdate', done, { once: true }); audio.currentTime = at; }), time);
    await settle(page);
    seen.add((await pictureOf(page)).sum);
  }
  claim(seen.size === 3, 'the walker is not seen where the sound is');
  claim(JSON.parse(readFileSync(join(folder, 'before/walk.json'), 'utf8')).path_m.length === 2, 'the walk is another');
}

async function checkTakeAway(page) {
  await press(page, 'Make the report');
  await page.waitForSelector('.report-findings li');
  const { findings } = JSON.parse(transept('report', 'before', '-o', 'own.html', '--force', '--json')).data.runs[0];
  const shown = await page.$$eval('.report-findings strong', (all) => all.map((one) => one.textContent));
  claim(findings.length > 0 && JSON.stringify(shown) === JSON.stringify(findings.map(({ plain }) => plain)), `findings are ${shown}`);
  await press(page, 'Make the SOFA file');
  await page.waitForSelector('a[download="before.sofa"]');
  claim(existsSync(join(folder, 'before/before.sofa')), '`export` made no SOFA');
  await page.waitForSelector('a[download="report.html"]');
  const links = await page.$$eval('.take-away a', (all) => Promise.all(all.map(async (one) => [one.download, (await fetch(one.href)).status])));
  claim(['report.html', 'before.sofa', 'ir_voice_near.wav', 'map_voice_audience.csv', 'run.json', 'tables.csv'].every((name) => links.some(([one, status]) => one === name && status === 200)) && links.every(([, status]) => status === 200), `what can be taken away: ${links}`);
  const paper = await page.browser().newPage();
  await paper.goto(await page.$eval('.report a', (one) => one.href), { waitUntil: 'load', timeout: 0 });
  const pdf = Buffer.from(await paper.pdf({ timeout: 0 })).toString('latin1');
  claim((pdf.match(/\/Type ?\/Page\b/g) ?? []).length > 1, 'the report cannot be printed');
  await paper.close();
  await press(page, 'Picture of the room');
  await press(page, 'Picture of the figures');
  await page.waitForFunction(() => window.saved.length === 2);
  const pictures = await page.evaluate(() => Promise.all(window.saved.map(async (blob) => {
    const image = await createImageBitmap(blob), canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return { type: blob.type, width: image.width, colours: new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size };
  })));
  claim(pictures.every(({ type, width, colours }) => type === 'image/png' && width > 600 && colours > 10), `pictures are ${JSON.stringify(pictures)}`);
  await shot(page, 'take_away');
}

await run(makeRuns, async (browser) => {
  const { address, stop } = await serve();
  try {
    const page = await openResults(browser, address);
    for (const check of [checkDifferences, checkListening, checkBinaural, checkMeasured, checkWalk, checkTakeAway]) await check(page);
    await page.close();
  } finally {
    stop();
  }
});

/* How large is the page of a large church, and how long does a picture of it take? The built-in church with every
 * triangle cut into sixteen (159,872) and a hundred and four receivers, in a browser that draws without any GPU.
 *
 *   node large_page.mjs TRANSEPT CHROMIUM [FOLDER]      FOLDER keeps model, run and page; else they go
 *
 * A measurement more than a test (the page must have less than 20 MB): prints bytes, the time of a picture from asking
 * for it to its last pixel, and pictures a second while it is turned. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trial } from './trial.mjs';

const PICTURES = 9;
const BYTES_MOST = 20e6;
const { folder, claim, transept, run } = trial('large_page');

/* Every triangle of an OBJ into four, by the middles of its edges. Positions alone are kept. */
function refine(text) {
  const vertices = [];
  const middles = new Map();
  const lines = [];
  const middle = (a, b) => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    if (!middles.has(key)) {
      vertices.push(vertices[a - 1].map((value, axis) => (value + vertices[b - 1][axis]) / 2));
      middles.set(key, vertices.length);
    }
    return middles.get(key);
  };
  for (const line of text.split('\n')) if (line.startsWith('v ')) vertices.push(line.split(/\s+/).slice(1, 4).map(Number));
  for (const line of text.split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'f') {
      const corner = rest.map((one) => Number(one.split('/')[0]));
      for (let i = 2; i < corner.length; i += 1) {
        const [a, b, c] = [corner[0], corner[i - 1], corner[i]];
        const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        lines.push(`f ${a} ${ab} ${ca}`, `f ${ab} ${b} ${bc}`, `f ${ca} ${bc} ${c}`, `f ${ab} ${bc} ${ca}`);
      }
    } else if (['usemtl', 'mtllib', 'o', 'g'].includes(word)) lines.push(line);
  }
  return [...vertices.map((at) => `v ${at.join(' ')}`), ...lines].join('\n');
}

function makePage() {
  transept('room', 'church', '--force', '-o', 'church.obj');
  const model = join(folder, 'church.obj');
  writeFileSync(model, refine(refine(readFileSync(model, 'utf8'))));
  const receivers = [];
  for (let i = 0; i < 26; i += 1)
    for (let k = 0; k < 4; k += 1) receivers.push('--receiver', `${3 + i},${-2.4 + 1.5 * k},1.7,seat_${i}_${k}`);
  transept('simulate', 'church.obj', '-o', 'run', '--fmax', '125', '--duration', '1', '--source', '28.4,-3.2,1.5,pulpit',
    ...receivers, '--force', '--quiet');
  transept('report', 'run', '--force', '--quiet');
  return join(folder, 'run', 'report.html');
}

/* Turns for `seconds` as fast as pictures come; how many came in the last half of that, a second. */
const turning = (page, seconds) => page.evaluate((length) => new Promise((done) => {
  const [room] = window.transept.rooms;
  const from = performance.now();
  let half = null;
  function step() {
    const passed = (performance.now() - from) / 1000;
    if (passed >= length / 2 && half === null) half = { passed, frames: room.frames };
    if (passed >= length) done((room.frames - half.frames) / (passed - half.passed));
    else {
      room.turn(3, 0, 1);
      requestAnimationFrame(step);
    }
  }
  step();
}), seconds);

/* How long a whole picture takes, from asking for it to its last pixel [ms]. */
const whole = (page) => page.evaluate(() => new Promise((done) => {
  const [room] = window.transept.rooms;
  const gl = room.canvas.getContext('webgl2');
  const from = performance.now(), { frames } = room;
  room.turn(3, 0, 1);
  function look() {
    if (room.frames === frames) { requestAnimationFrame(look); return; }
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); /* waits for the picture */
    done(performance.now() - from);
  }
  requestAnimationFrame(look);
}));
const pause = (time) => new Promise((done) => setTimeout(done, time));

await run(makePage, async (browser, file) => {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const from = Date.now();
  await page.goto(`file://${file}`);
  await page.waitForFunction(() => window.transept?.rooms?.[0]?.canvas, { timeout: 60000 });
  const loaded = Date.now() - from;
  const times = [];
  for (let i = 0; i < PICTURES; i += 1) {
    await pause(1500);
    times.push(await whole(page));
  }
  times.sort((a, b) => a - b);
  const { triangles, wide, tall } = await page.evaluate(() => {
    const [room] = window.transept.rooms;
    return { triangles: room.triangles(), wide: room.canvas.width, tall: room.canvas.height };
  });
  const rate = await turning(page, 6);
  const bytes = statSync(file).size;
  claim(bytes < BYTES_MOST, `the page has ${bytes} bytes`);
  console.log(`page: ${(bytes / 1e6).toFixed(1)} MB; loaded in ${(loaded / 1000).toFixed(1)} s`);
  console.log(`a whole picture, ${triangles} triangles on ${wide} x ${tall} pixels: ${times[0].toFixed(0)} ms at best, ` +
    `${times[(PICTURES - 1) / 2].toFixed(0)} in the middle of ${PICTURES}`);
  console.log(`turned: ${rate.toFixed(1)} pictures a second`);
});

/* What every test of a page in a real browser needs: its arguments, a folder, claims that are counted, the program, a
 * browser, and an end that says how it went. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

const PRINTED = 40; // broken claims

/* After the next picture. */
export const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/* All that is folded is opened. */
export const unfold = (page) => page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));

/* A text as the page shows it. */
export const shownAs = (text) => String(text).replaceAll('\u00a0', ' ').replaceAll('_', ' ');

/* The data that a page carries. */
export const dataOf = (page) => page.evaluate(() => JSON.parse(document.getElementById('transept-data').textContent));

/* Base64 as numbers of a typed array's kind. */
export const unpack = (text, Kind) => {
  const raw = Buffer.from(text, 'base64');
  return [...new Kind(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length))];
};

/* Samples of a WAV file of 32-bit floats, one channel. */
export function samplesOf(path) {
  const file = readFileSync(path);
  for (let at = 12; at + 8 <= file.length;) {
    const size = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) === 'data') {
      const raw = file.subarray(at + 8, at + 8 + size);
      return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
    }
    at += 8 + size + (size % 2);
  }
  throw new Error(`${path}: no samples`);
}

/* The picture of a room: how many colours it has, the share of the one that has most, and a sum that changes with it. */
export const pictureOf = (page, r = 0) => page.evaluate((which) => {
  const { canvas } = window.transept.rooms[which];
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [200, 120];
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0, 200, 120);
  const pixels = context.getImageData(0, 0, 200, 120).data;
  const colours = new Map();
  let sum = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const colour = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
    colours.set(colour, (colours.get(colour) ?? 0) + 1);
    sum = (sum * 31 + colour) % 2147483647;
  }
  return { colours: colours.size, most: Math.max(...colours.values()) / (pixels.length / 4), sum };
}, r);

/* Begins the test `name` of
 *
 *   node NAME.mjs TRANSEPT CHROMIUM [FOLDER]      FOLDER keeps pages and screenshots; else they go
 *
 * Returns folder, keep (undefined unless FOLDER was given), claim(holds, what), transept(...words), which returns what
 * the program prints, open(browser, file, width, script), and run(make, ...checks). */
export function trial(name) {
  const [program, chromium, keep] = process.argv.slice(2);
  if (!program || !chromium) {
    console.error(`usage: ${name}.mjs TRANSEPT CHROMIUM [FOLDER]`);
    process.exit(2);
  }
  const folder = keep ?? mkdtempSync(join(tmpdir(), `transept-${name}-`));
  mkdirSync(folder, { recursive: true });
  const broken = [];
  let claims = 0;
  const claim = (holds, what) => {
    claims += 1;
    if (!holds) broken.push(what);
  };
  const waves = (command, words) => (command === 'simulate' && !words.includes('--rays') ? ['--rays', 'off'] : []);
  const transept = (command, ...words) =>
    execFileSync(program, [command, ...waves(command, words), ...words], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

  /* A page of that file, whose script has run to its end unless it may not run; close() claims that nothing went wrong
   * in it and that it asked for nothing else. */
  async function open(browser, file, width = 1280, script = true) {
    const page = await browser.newPage();
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('console', (message) => { if (['error', 'warn'].includes(message.type())) wrong.push(message.text()); });
    page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) wrong.push(`asks for ${request.url()}`); });
    await page.setJavaScriptEnabled(script);
    await page.setViewport({ width, height: 900 });
    await page.goto(`file://${file}`, { waitUntil: 'load', timeout: 0 });
    if (script) {
      await page.waitForFunction(() => document.documentElement.dataset.script !== undefined, { timeout: 20000 });
      await settle(page);
      const [state, failed] = await page.evaluate(() => [document.documentElement.dataset.script, JSON.stringify(window.transept?.failed)]);
      claim(state === 'ready', `${file}: the script failed: ${failed}`);
    }
    const close = async () => {
      claim(wrong.length === 0, `${file}: ${wrong.join('; ')}`);
      await page.close();
    };
    return { page, close };
  }

  /* Makes the pages, then tries every check(browser, what make() returned), and ends the process. Status: 0 all held,
   * 1 something did not (each is printed), 2 it could not be tried. A check that throws does not hold. */
  async function run(make, ...checks) {
    let browser;
    let made;
    try {
      made = make();
      browser = await puppeteer.launch({ executablePath: chromium, protocolTimeout: 0,
        args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--mute-audio'] });
    } catch (error) {
      console.error(`${name}: ${error.message}`);
      process.exit(2);
    }
    for (const check of checks) {
      try {
        await check(browser, made);
      } catch (error) {
        broken.push(error.stack);
      }
    }
    await browser.close();
    if (keep === undefined) rmSync(folder, { recursive: true });
    for (const one of broken.slice(0, PRINTED)) console.error(`does not hold: ${one}`);
    console.log(`${name}: Synthesis: Tested: ${claims}, of which ${broken.length} do not hold`);
    process.exit(broken.length === 0 ? 0 : 1);
  }
  return { folder, keep, claim, transept, open, run };
}

/* Who can use the studio: with keys alone, with a screen reader, by dark and by light, in German, for the first time?
 * Arguments and status: trial.mjs. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { trial } from './trial.mjs';

const { folder, keep, claim, transept, run } = trial('studio_access');
const room = join(folder, 'room'), project = join(room, 'church.yaml');
const SCREENS = 8, STEPS = 7;
const SIZES = [[1280, 720], [768, 1024]];

/* A project that is called as the built-in church is, and a run with a map. */
function makeFolder() {
  rmSync(room, { recursive: true, force: true });
  mkdirSync(room);
  transept('room', 'cube', '-o', 'room/cube.obj');
  transept('new', 'room/cube.obj', '-o', 'room/church.yaml');
  transept('simulate', 'room/church.yaml', '-o', 'room/church', '--fmax', '90', '--duration', '0.3', '--grid-spacing', '1', '--quiet');
}

async function serve() {
  const server = spawn(process.argv[2], ['studio', project, '--no-browser'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(String(data).trim()));
    server.once('exit', () => reject(new Error('the studio ended')));
  });
  return { address, stop: () => server.kill('SIGINT') };
}

async function visit(browser, address) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120000);
  page.on('pageerror', (error) => claim(false, `an error in the page: ${error.stack ?? error}`));
  await page.setViewport({ width: 1280, height: 720 });
  await page.goto(address, { waitUntil: 'load' });
  await page.waitForSelector('nav button[aria-current]');
  return page;
}

const title = (page) => page.$eval('nav button[aria-current]', (one) => one.textContent);

/* Screen `n`, from 1, by its keys; until no command runs and the room is there. */
async function openScreen(page, n) {
  await page.keyboard.down('Alt');
  await page.keyboard.press(`Digit${n}`);
  await page.keyboard.up('Alt');
  await page.waitForFunction((i) => document.querySelector(`nav li:nth-child(${i}) button`).ariaCurrent === 'page' && document.querySelector('main h1') !== null &&
    document.querySelector('.room-wait') === null && document.querySelector('footer progress') === null, {}, n);
}

/* ---- the tour ---- */

async function tour(browser, address) {
  const page = await visit(browser, address);
  for (let step = 0; step < STEPS; step++) {
    await page.waitForFunction((wanted) => document.querySelector('.tour small')?.textContent.startsWith(wanted) && !document.querySelector('.tour-ring').hidden, {}, String(step + 1));
    const seen = await page.evaluate(() => [document.activeElement.closest('.tour') !== null, document.querySelector('#tour-text').textContent.split(' ').length]);
    claim(seen[0] && seen[1] <= 25, `step ${step} of the tour has ${seen[1]} words, or its button has no focus`);
    await page.keyboard.press('Enter');
  }
  const ended = () => page.waitForFunction(() => document.querySelector('.tour') === null && document.activeElement.id === 'tour');
  await ended();
  await page.reload({ waitUntil: 'load' });
  await page.waitForSelector('#tour');
  claim(await page.$('.tour') === null, 'the tour is shown again');
  await page.focus('#tour');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.tour');
  await page.keyboard.press('Escape');
  await ended();
  await page.close();
}

/* ---- keys ---- */

async function keys(browser, address) {
  const page = await visit(browser, address);
  await page.keyboard.press('Tab');
  claim(await page.evaluate(() => document.activeElement.getBoundingClientRect().left >= 0), 'the first thing that Tab reaches is not seen');
  await page.keyboard.press('Enter');
  claim(await page.evaluate(() => document.activeElement.tagName === 'MAIN'), 'the first button does not lead to the content');
  await openScreen(page, 6);
  for (const _ of ['what comes next', 'a name']) await page.keyboard.press('Tab');
  await page.keyboard.type('full');
  await page.keyboard.press('Enter');
  const has = (wanted) => page.waitForFunction(async (is) => /^variants:/m.test(await (await fetch('files/church.yaml', { cache: 'no-store' })).text()) === is, { polling: 200 }, wanted);
  await has(true);
  await openScreen(page, 4);
  claim(await page.evaluate(() => document.activeElement.tagName === 'MAIN'), 'what had the focus is gone, and nothing has it');
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  await has(false);
  await page.close();
}

/* ---- axe ---- */

async function screens(browser, address) {
  const page = await visit(browser, address);
  await page.evaluate(axe.source);
  for (const theme of ['light', 'dark']) for (let n = 1; n <= SCREENS; n++) {
    await page.setViewport({ width: SIZES[n % 2][0], height: SIZES[n % 2][1] });
    if ((await page.evaluate(() => document.documentElement.dataset.theme)) !== theme)
      await page.locator('header > button:last-child').click();
    await openScreen(page, n);
    const { violations } = await page.evaluate(() => window.axe.run());
    const grave = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
    claim(grave.length === 0, `${await title(page)}, ${theme}: ${grave.map(({ id, nodes }) => `${id} ${nodes.map((one) => one.target).slice(0, 4).join(' ')}`).join('; ')}`);
    const wide = await page.evaluate(() => document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth);
    claim(wide <= 0, `${await title(page)} is ${wide} pixels too wide for ${SIZES[n % 2]}`);
    if (keep) await page.screenshot({ path: join(folder, `${n}-${theme}.png`) });
  }
  await page.close();
}

/* ---- German ---- */

async function german(browser, address) {
  const page = await visit(browser, address);
  await page.locator('header button[lang=de]').click();
  await page.waitForFunction(() => document.documentElement.lang === 'de');
  await page.reload({ waitUntil: 'load' });
  await page.waitForSelector('nav button[aria-current]');
  const names = await page.$$eval('nav button', (all) => all.map((one) => one.textContent));
  claim(names.includes('Öffnen') && names.includes('Ergebnisse'), `the screens are called ${names} after the switch to German`);
  claim(/^Öffnen|^Materialien|^Modell/.test(await page.title()), `the page is called ${await page.title()}`);
  await page.close();
}

let server;
await run(makeFolder, async () => { server = await serve(); }, ...[tour, keys, screens, german].map((check) => (browser) => check(browser, server.address)), () => {
  claim(/guessed: true/.test(readFileSync(project, 'utf8')), 'undo took more back than was done');
  server.stop();
});

/* `transept studio` in a real browser, as a user has it: from a folder with a model over project, material, place and
 * plan to a run, found again after a reload. Does every change stand in the project's file, with its comments?
 * Arguments and status: trial.mjs. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trial } from './trial.mjs';

const { folder, keep, claim, transept, run } = trial('studio_page');
const room = join(folder, 'room');
const project = join(room, 'cube.yaml');
const LONG = 180000; // ms, on a busy machine

/* A folder with a small model. */
function makeFolder() {
  rmSync(room, { recursive: true, force: true });
  mkdirSync(room);
  transept('room', 'cube', '-o', 'room/cube.obj');
}

/* The server of that folder: {address, end, kill, memory() [bytes]}. */
async function serve(name) {
  const server = spawn(process.argv[2], ['studio', name, '--no-browser'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  server.stderr.on('data', (data) => { said += data; });
  const address = await new Promise((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(String(data).trim()));
    server.once('exit', () => reject(new Error(`the studio ended: ${said}`)));
  });
  const end = () => new Promise((resolve) => { server.once('exit', (status) => resolve({ status, said })); server.kill('SIGINT'); });
  const kill = () => new Promise((resolve) => { server.once('exit', resolve); server.kill('SIGKILL'); });
  const memory = () => 1024 * Number(readFileSync(`/proc/${server.pid}/status`, 'utf8').match(/VmRSS:\s*(\d+)/)[1]);
  return { address, end, kill, memory };
}

/* A page at that address; close() claims that nothing went wrong in it and that it asked nobody else. */
async function visit(browser, address) {
  const page = await browser.newPage();
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => { if (['error', 'warn'].includes(message.type()) && !/412|404|400/.test(message.text())) wrong.push(message.text()); });
  page.on('request', (request) => { if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).host !== new URL(address).host) wrong.push(`asks for ${request.url()}`); });
  page.setDefaultTimeout(LONG);
  await page.bringToFront(); // a page behind another gets no pictures, which waits count
  await page.setViewport({ width: 1280, height: 720 });
  await page.goto(address, { waitUntil: 'load' });
  const close = async () => {
    claim(wrong.length === 0, wrong.join('; '));
    await page.close();
  };
  return { page, close };
}

/* Asked from here, again and again: puppeteer's own waits were seen to miss a page that had what they waited for. */
async function until(page, holds, ...args) {
  for (const end = Date.now() + LONG; Date.now() < end; await new Promise((done) => { setTimeout(done, 200); }))
    if (await page.evaluate(holds, ...args)) return;
  throw new Error(`not within ${LONG} ms: ${holds} of ${args}, in "${await page.evaluate(() => document.body.innerText)}"`);
}

const press = (page, text) => until(page, (wanted) => {
  const button = [...document.querySelectorAll('button')].find((one) => one.innerText.trim() === wanted && !one.disabled);
  button?.click();
  return button !== undefined;
}, text);
const has = (page, text) => until(page, (wanted) => document.querySelector('main')?.innerText.includes(wanted), text);
const hasFile = (page, path, test) => until(page, async (at, source) => {
  const answer = await fetch(`files/${at}`, { cache: 'no-store' });
  return answer.ok && new RegExp(source, 'm').test(await answer.text());
}, path, test.source);
const shot = (page, name) => keep && page.screenshot({ path: join(folder, `${name}.png`) });

/* No command runs or waits any more: a plan may be under way. */
const rests = (page) => until(page, async () => !(await (await fetch('jobs')).json()).some(({ state }) => state === 'runs' || state === 'waits'));

async function fill(page, label, text) {
  const field = await page.waitForSelector(`[aria-label="${label}"]`);
  await field.click({ count: 3 });
  await page.keyboard.type(text);
  await page.keyboard.press('Tab');
}

/* ---- a room that is refused ---- */

/* In the words of the command. */
async function sayWhy(browser) {
  writeFileSync(join(room, 'leaky.obj'), readFileSync(join(room, 'cube.obj'), 'utf8').replace(/^f .*\n/m, ''));
  const { address, end } = await serve('room');
  const { page, close } = await visit(browser, address);
  await press(page, 'leaky.obj');
  await press(page, 'Make a project of it');
  await press(page, 'Make the project');
  await has(page, 'the room is not closed');
  await close();
  await end();
  rmSync(join(room, 'leaky.obj'));
}

/* ---- from a model to a run ---- */

async function modelToRun(browser) {
  const { address, end } = await serve('room');
  const { page, close } = await visit(browser, address);
  await press(page, 'cube.obj');
  await press(page, 'Make a project of it');
  await press(page, 'Make the project');
  await has(page, 'are guesses');
  claim(existsSync(project), '`new` made no project');
  await shot(page, 'project');

  // A material of the library, found by a word.
  await press(page, 'plaster_wall');
  await fill(page, 'Search the library', 'velour');
  await page.locator('.library button').click();
  await hasFile(page, 'cube.yaml', /^ {2}plaster_wall:\n? +library: .*velour/);
  claim(/^# Check every guess/m.test(readFileSync(project, 'utf8')), 'a comment of the project is gone');
  await shot(page, 'materials');

  // Undo and redo are in the file too.
  await press(page, 'Undo');
  await hasFile(page, 'cube.yaml', /library: plaster on masonry/);
  await press(page, 'Redo');
  await hasFile(page, 'cube.yaml', /velour/);

  // How well it is known is entered and shown.
  await fill(page, 'Known within ±', '0.15');
  await hasFile(page, 'cube.yaml', /library: .*velour.* \+- 0\.15/);
  await has(page, 'known within ±0.15');
  await press(page, 'Undo');
  await hasFile(page, 'cube.yaml', /library: [^+]*velour[^+]*$/);
  await press(page, 'All guesses are right');
  await until(page, () => !document.querySelector('main')?.innerText.includes('are guesses'));
  claim(!/guessed:/.test(readFileSync(project, 'utf8')), 'a guess is left');

  // A variant stands beside the base.
  await press(page, 'Variants');
  await fill(page, 'Name of a new variant', 'full');
  await press(page, 'Add');
  await hasFile(page, 'cube.yaml', /^variants:\n +full:\n +audience: 0$/);
  await fill(page, 'audience of full', '0.8');
  await hasFile(page, 'cube.yaml', /^variants:\n +full:\n +audience: 0.8/);
  await shot(page, 'variants');

  // A surface in three materials is three clicks; three more take them away.
  await page.select('main p select', 'plaster_wall');
  const three = async (pressed) => {
    for (const n of [1, 2, 3]) {
      await (await page.$$('.columns button'))[n].click();
      await until(page, (count) => document.querySelectorAll('.columns [aria-pressed=true]').length === count, pressed ? n : 3 - n);
    }
  };
  await three(true);
  await hasFile(page, 'cube.yaml', /^variants:(\n +.*)*(\n +materials:\n +plaster_wall: (?!plaster).+(\n +.*)?){3}/);
  await three(false);

  // A source outside is refused with the program's sentence, and its fix is a button.
  await press(page, 'Places');
  const source = await page.waitForSelector('.places input.number');
  const first = await source.evaluate((input) => input.getAttribute('aria-label'));
  await fill(page, first, '50');
  await has(page, 'is outside the room');
  await shot(page, 'places');
  await press(page, 'Move it there');
  await until(page, () => !document.querySelector('main')?.innerText.includes('is outside the room'));

  // Without the area, the run is short.
  await page.locator('[aria-label="Remove audience"]').click();
  await until(page, async () => !/receiver_grids/.test(await (await fetch('files/cube.yaml')).text()));

  await press(page, 'Plan and run');
  await fill(page, 'Highest frequency', '90');
  await hasFile(page, 'cube.yaml', /^fmax_hz: 90/);
  await page.select('.fields select', 'on');
  await hasFile(page, 'cube.yaml', /^ +rays: (on|"on")/);
  await has(page, 'rays, to 16 kHz');
  // With what an editor writes beside the page the run is short.
  writeFileSync(project, readFileSync(project, 'utf8').replace(/^( +)rays: .*/m, '$&\n$1ray_noise_percent: 20'));
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await shot(page, 'plan');
  await press(page, 'Run');
  await page.waitForSelector('[data-state=waits], [data-state=runs], [data-state=ended]');

  // Loaded again in the middle, it is found again; so is what it made.
  await page.reload({ waitUntil: 'load' });
  await page.waitForSelector('tr[data-state=ended]');
  await has(page, 'done');
  const figures = JSON.parse(readFileSync(join(room, 'cube', 'run.json'), 'utf8'));
  claim(figures.fmax_hz === 90 && figures.responses.length > 0, 'the run is not the one that was planned');
  await shot(page, 'run');
  await rests(page);
  await close();
  const { status, said } = await end();
  claim(status === 0, `the studio ends with ${status}`);
  claim(!/still run/.test(said), `nothing runs, but it says: ${said}`);
}

/* ---- a file of the user's ---- */

async function upload(browser) {
  const { address, end } = await serve('room');
  const { page, close } = await visit(browser, address);
  const give = async () => {
    await press(page, 'Open');
    const [chooser] = await Promise.all([page.waitForFileChooser(), press(page, 'Choose files')]);
    await chooser.accept([join(folder, 'sent.obj')]);
  };
  transept('room', 'cross', '--force', '-o', 'sent.obj');
  await give();
  await has(page, 'Make a project of it');
  claim(readFileSync(join(room, 'sent.obj'), 'utf8') === readFileSync(join(folder, 'sent.obj'), 'utf8'), 'the file is not what was sent');
  // The second time it would replace another file, so it is asked.
  transept('room', 'cube', '--force', '-o', 'sent.obj');
  await give();
  await has(page, 'is already in the folder');
  claim(readFileSync(join(room, 'sent.obj'), 'utf8') !== readFileSync(join(folder, 'sent.obj'), 'utf8'), 'a file is replaced without a question');
  await press(page, 'Replace it');
  await until(page, async (wanted) => (await (await fetch('files/sent.obj')).text()) === wanted,
    readFileSync(join(folder, 'sent.obj'), 'utf8'));
  await close();
  await end();
}

/* ---- two windows ---- */

async function twoWindows(browser) {
  const { address, end } = await serve('room/cube.yaml');
  const { page, close } = await visit(browser, address);
  await has(page, 'Materials');
  await press(page, 'Plan and run');
  await page.waitForSelector('[aria-label="Highest frequency"]');
  const text = readFileSync(project, 'utf8');
  writeFileSync(project, `${text}# of an editor\n`);
  await fill(page, 'Highest frequency', '100');
  await has(page, 'was changed elsewhere');
  claim(readFileSync(project, 'utf8') === `${text}# of an editor\n`, 'the other change is lost');
  await press(page, 'Take the other version');
  await until(page, () => document.querySelector('[aria-label="Highest frequency"]')?.value === '90');
  await fill(page, 'Highest frequency', '100');
  await hasFile(page, 'cube.yaml', /^fmax_hz: 100[^]*# of an editor/);
  await close();
  await end();
}

/* ---- a run that outlives its server, pauses, resumes and is cancelled ---- */

/* In the row of a command: pictures of the wave move it, so that a click would wait for it to stand still. */
const pressIn = (page, state, text) => until(page, (of, said) => {
  const button = [...document.querySelectorAll(`tr[data-state=${of}] button`)].find((one) => one.innerText.includes(said) && !one.disabled);
  button?.click();
  return button !== undefined;
}, state, text);

async function runsGoOn(browser) {
  writeFileSync(project, readFileSync(project, 'utf8').replace(/^duration_s: .*/m, 'duration_s: 60').replace(/^fmax_hz: .*/m, 'fmax_hz: 1400'));
  const first = await serve('room/cube.yaml');
  const { page, close } = await visit(browser, first.address);
  await has(page, 'Materials');
  await press(page, 'Plan and run');
  await has(page, 'Waves judge: bass, reverberation and clarity');
  await press(page, 'Run');
  await until(page, () => document.querySelector('.wave img')?.naturalWidth > 0);
  await has(page, 'level ');
  await press(page, 'Run'); // the second waits, and can be taken out
  await pressIn(page, 'waits', 'Cancel');
  await has(page, 'cancelled');
  await shot(page, 'wave');
  claim(first.memory() < 50e6, `the server takes ${first.memory()} bytes`);
  await close();
  await first.kill();
  const second = await serve('room/cube.yaml');
  const again = await visit(browser, second.address);
  await has(again.page, 'Materials');
  await press(again.page, 'Plan and run');
  await pressIn(again.page, 'runs', 'Pause');
  await pressIn(again.page, 'paused', 'Resume');
  await until(again.page, () => document.querySelector('tr[data-state=runs] .wave img')?.naturalWidth > 0);
  await pressIn(again.page, 'runs', 'Cancel');
  await until(again.page, () => [...document.querySelectorAll('.runs tr')].filter((one) => one.innerText.includes('cancelled')).length === 2);
  await until(again.page, async () => !(await fetch('files/cube_2/checkpoint.command')).ok);
  claim(!existsSync(join(room, 'cube_2', 'checkpoint.command')), 'a checkpoint is left');
  await rests(again.page);
  await again.close();
  const { said } = await second.end();
  claim(!/still run/.test(said), `something goes on: ${said}`);
}

run(makeFolder, sayWhy, modelToRun, upload, twoWindows, runsGoOn);

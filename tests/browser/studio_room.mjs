/* The studio's room and what stands beside it: is what `check` finds where it says, does its button mend the room, is a
 * surface or a floor under the pointer the right one, and are figures those of run.json?
 * Arguments and status: trial.mjs. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictureOf, settle, trial } from './trial.mjs';

const { folder, keep, claim, transept, run } = trial('studio_room');
const [program] = process.argv.slice(2);
const SIZE = [8, 6, 3.5];

/* ---- rooms ---- */

/* A box of SIZE with a material for each pair of walls; `slots` by face as [[low], [high]] in its plane. */
function box(slots) {
  const lines = [];
  let vertices = 0;
  for (let face = 0; face < 6; face++) {
    const axis = face >> 1, [u, v] = [0, 1, 2].filter((other) => other !== axis);
    const [low, high] = slots[face] ?? [[1, 1], [2, 2]];
    lines.push(`usemtl ${['plaster_wall', 'plaster_wall', 'brick_wall', 'brick_wall', 'wood_floor', 'plaster_ceiling'][face]}`);
    for (const b of [0, low[1], high[1], SIZE[v]]) for (const a of [0, low[0], high[0], SIZE[u]]) {
      const corner = [0, 0, 0];
      [corner[axis], corner[u], corner[v]] = [face % 2 ? SIZE[axis] : 0, a, b];
      lines.push(`v ${corner.join(' ')}`);
    }
    for (let j = 0; j < 3; j++) for (let i = 0; i < 3; i++) {
      const at = vertices + 4 * j + i + 1;
      const corners = [at, at + 1, at + 5, at + 4]; // the far wall has its back inside
      if (!slots[face] || i !== 1 || j !== 1) lines.push(`f ${(face === 3 ? corners.reverse() : corners).join(' ')}`);
    }
    vertices += 16;
  }
  return `${lines.join('\n')}\n`;
}

function makeRooms() {
  writeFileSync(join(folder, 'leaky.obj'), box({ 1: [[1, 0.5], [2.5, 0.535]], 3: [[2, 2.2], [3, 2.22]] }));
  writeFileSync(join(folder, 'closed.obj'), box({}));
  for (const name of ['leaky.yaml', 'wide.obj', 'wide.closed.glb', 'wide.yaml', 'screened.split.glb']) rmSync(join(folder, name), { force: true });
  writeFileSync(join(folder, 'screened.obj'), `${box({})}usemtl screen\nv 4 0 0\nv 4 5 0\nv 4 5 2\nv 4 0 2\nf -4 -3 -2 -1\n`);
  writeFileSync(join(folder, 'screened.yaml'), `# mine\nroom: screened.obj\nfmax_hz: 60\nother_surfaces: 0.3\nsources:\n- name: voice\n  position: [2, 2, 1.5]
  directivity: voice\nreceivers:\n- name: far\n  position: [6, 4, 1.2]\n`);
  writeFileSync(join(folder, 'lab.csv'), 'material;100;125;160;1000\nslotted panel;0,1;0,3;0,5;0,9\n');
  const common = ['--fmax', '177', '--duration', '1.2', '--source', '2,2,1.5,voice', '--receiver', '6,4,1.2,far', '--receiver-grid',
    'seats=wood_floor', '--grid-spacing', '2', '--absorption', '0.3', '--force', '--quiet'];
  transept('simulate', 'closed.obj', '-o', 'before', ...common);
  transept('simulate', 'closed.obj', '-o', 'after', '--absorption', 'brick_wall=0.5', ...common);
}

/* ---- the studio ---- */

async function serve() {
  const server = spawn(program, ['studio', folder, '--no-browser'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (bytes) => {
      said += bytes;
      const found = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+\//.exec(said);
      if (found) resolve(found[0]);
    });
    server.on('exit', () => reject(new Error(`the studio ended: ${said}`)));
  });
  return { address, stop: () => server.kill('SIGINT') };
}

async function openScreen(browser, address, fields) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120000);
  page.on('pageerror', (error) => claim(false, `an error in the page: ${error.stack ?? error}`));
  // 400: a command that was to be interrupted had ended
  page.on('console', (message) => { if (message.type() === 'error' && !/status of 40[04]/.test(message.text())) claim(false, `the page says ${message.text()}`); });
  await page.setViewport({ width: 1280, height: 720 });
  await page.goto(`${address}#${new URLSearchParams(fields)}`, { waitUntil: 'load' });
  await page.waitForSelector('.room-tools');
  await page.evaluate(() => { window.transept = { get rooms() { return [document.querySelector('.room canvas').roomView]; } }; });
  await settle(page);
  return page;
}

/* Where a position of the room is in the window. */
const spotOf = (page, position) => page.evaluate((at) => {
  const { canvas, project } = document.querySelector('.room canvas').roomView, frame = canvas.getBoundingClientRect();
  const [x, y] = project(at);
  return [frame.left + (x + 1) / 2 * frame.width, frame.top + (1 - y) / 2 * frame.height];
}, position);

/* Does the picture get such a sum within the next pictures? */
async function becomes(page, holds) {
  for (let pictures = 0; pictures < 60; pictures++) {
    if (holds((await pictureOf(page)).sum)) return true;
    await settle(page);
  }
  return false;
}

const textOf = (page, selector) => page.$eval(selector, (one) => one.textContent);

async function press(page, text) {
  for (const button of await page.$$('button')) if ((await button.evaluate((one) => one.textContent.trim())) === text) return button.click();
  throw new Error(`there is no button "${text}"`);
}

/* ---- Model ---- */

/* The exit status is 1 for a room that is not closed, and its JSON is there all the same. */
function check(...words) {
  try { return JSON.parse(transept('check', ...words, '--json')); } catch (error) { return JSON.parse(error.stdout); }
}

async function checkLeaky(browser, address) {
  const page = await openScreen(browser, address, { file: 'leaky.obj', screen: 'model' });
  await page.waitForSelector('.verdict');
  const found = check('leaky.obj');
  const openings = found.findings.find(({ kind }) => kind === 'openings');
  claim(openings.places.length === 2, `check finds ${openings.places.length} openings`);
  const pins = await page.$$eval('.room-over .pin', (all) => all.map((one) => { const { left, top, width, height } = one.getBoundingClientRect(); return [left + width / 2, top + height / 2]; }));
  for (const { position_m: at } of openings.places) {
    const [x, y] = await spotOf(page, at);
    claim(pins.some((pin) => Math.hypot(pin[0] - x, pin[1] - y) < 1.5), `no pin is at the opening ${at}: ${JSON.stringify(pins)}`);
  }
  await press(page, 'Close cracks up to 4.2 cm');
  await page.waitForFunction(() => document.querySelector('.file')?.textContent === 'leaky.yaml');
  await page.waitForFunction(() => document.querySelector('.verdict') && !document.querySelector('.verdict.of-unfit') && document.querySelectorAll('.pin.of-unfit').length === 0);
  claim(/^seal_m: 0\.042\b/m.test(readFileSync(join(folder, 'leaky.yaml'), 'utf8')), 'the project has no seal_m: 0.042');
  if (keep !== undefined) await page.screenshot({ path: join(folder, 'model.png') });
  await page.close();
}

/* A door without a leaf, and a crack. */
const WIDE = box({ 1: [[2, 0], [3.5, 2.2]], 3: [[2, 2.2], [3, 2.22]] });
const isFit = (page, fit) => page.waitForFunction((wanted) => { const said = document.querySelector('.verdict'); return said !== null && said.classList.contains('of-unfit') !== wanted; }, { polling: 100 }, fit);

/* Dropped, closed by faces; or left open; and exported again. */
async function checkWide(browser, address) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120000);
  page.on('pageerror', (error) => claim(false, `an error in the page: ${error.stack ?? error}`));
  await page.goto(address, { waitUntil: 'load' });
  await page.waitForSelector('.drop');
  await page.$eval('.drop', (drop, text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'wide.obj'));
    drop.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
  }, WIDE);
  await isFit(page, false);
  claim(readFileSync(join(folder, 'wide.obj'), 'utf8') === WIDE, 'what was dropped is not in the folder');
  claim(await page.$$eval('.openings li', (all) => all.length) === 2, 'not every opening has its row');
  claim(await page.$('.title .first') === null, 'a project of an unfit room is proposed');
  const buttons = await page.$$eval('.finding button', (all) => all.map((one) => one.textContent.trim()));
  claim(!buttons.some((text) => /^Close cracks/.test(text)), `cracks are closed while a door is open: ${buttons}`);
  await press(page, 'Close 2 of them with faces of plaster_wall, brick_wall');
  await page.waitForFunction(() => document.querySelector('.file').textContent === 'wide.closed.glb');
  await isFit(page, true);
  const { air_volume_m3: volume } = check('wide.closed.glb');
  claim(Math.abs(volume - SIZE[0] * SIZE[1] * SIZE[2]) < 1e-3 * volume, `closed by faces, the room has ${volume} m3`);
  claim(await page.$('.title .first') !== null && readFileSync(join(folder, 'wide.obj'), 'utf8') === WIDE, 'nothing leads on, or the model of the user is changed');
  await page.goto(`${address}#file=wide.obj&screen=model`);
  await page.reload({ waitUntil: 'load' });
  await isFit(page, false);
  await press(page, 'Keep it open');
  await page.waitForFunction(() => document.querySelector('.file').textContent === 'wide.yaml');
  await isFit(page, true);
  claim(/^open: true/m.test(readFileSync(join(folder, 'wide.yaml'), 'utf8')), 'the project has no open: true');
  writeFileSync(join(folder, 'wide.obj'), box({}));
  await page.waitForFunction(() => document.querySelector('.room-list').innerText.includes('108 triangles'));
  await page.close();
}

async function checkView(browser, address) {
  const page = await openScreen(browser, address, { file: 'closed.obj', screen: 'model' });
  await page.waitForSelector('.verdict');
  /* The second is seen through glass. */
  for (const [at, material] of [[[5, 3, 0], 'wood_floor'], [[4, 1.9, 0], 'wood_floor'], [[4, 6, 0.5], 'brick_wall'], [[0, 3, 0.5], 'plaster_wall']]) {
    await page.mouse.click(...await spotOf(page, at));
    await page.waitForFunction((name) => document.querySelector('.picked strong')?.textContent === name, { timeout: 5000 }, material)
      .catch(async () => claim(false, `at ${at} it picks ${await page.$('.picked strong') && await textOf(page, '.picked strong')}`));
  }
  const floor = [3, 4, 0], spot = await spotOf(page, floor);
  const picked = await page.evaluate(([clientX, clientY]) => document.querySelector('.room canvas').roomView.pickFloor({ clientX, clientY }), spot);
  claim(picked !== null && picked.every((value, axis) => Math.abs(value - floor[axis]) < 0.03), `the floor at ${floor} is picked at ${picked}`);
  const wall = await page.evaluate(([clientX, clientY]) => document.querySelector('.room canvas').roomView.pickFloor({ clientX, clientY }), await spotOf(page, [4, 6, 0.8]));
  claim(wall !== null && Math.abs(wall[2]) < 1e-3 && Math.abs(wall[1] - 6) < 0.1, `below a wall the floor is at ${wall}`);
  const changes = async (what, act, back) => {
    let before;
    do {
      before = (await pictureOf(page)).sum;
      await settle(page);
    } while ((await pictureOf(page)).sum !== before); // still changing
    await act();
    claim(await becomes(page, (sum) => sum !== before), `${what} changes nothing`);
    await back();
    claim(await becomes(page, (sum) => sum === before), `${what} is not undone`);
  };
  const tick = async (n) => (await page.$$('.room-tools input[type=checkbox]'))[n].click();
  await changes('glass', () => tick(0), () => tick(0));
  await changes('painting backs', () => tick(1), () => tick(1));
  await changes('the person', () => tick(2), () => tick(2));
  await changes('absorption', () => page.select('.room-tools select', '500'), () => page.select('.room-tools select', ''));
  const slide = (axis, value) => page.$$eval('.cut input', (all, [a, v]) => { all[a].value = v; all[a].dispatchEvent(new Event('input', { bubbles: true })); }, [axis, String(value)]);
  for (const axis of [0, 1]) await changes(`a cut across ${'xy'[axis]}`, () => slide(axis, 100), () => slide(axis, 200));
  await press(page, 'Walk');
  const eye = () => page.evaluate(() => document.querySelector('.room canvas').roomView.eye());
  const from = await eye();
  claim(Math.abs(from[2] - 1.6) < 0.01, `eyes are ${from[2]} m above the floor`);
  await page.keyboard.press('ArrowUp');
  const to = await eye();
  claim(Math.abs(Math.hypot(to[0] - from[0], to[1] - from[1]) - 0.5) < 0.01 && Math.abs(to[2] - 1.6) < 0.01, `a step goes from ${from} to ${to}`);
  await page.close();
}

/* ---- Places ---- */

const projectText = () => readFileSync(join(folder, 'screened.yaml'), 'utf8');
const saved = (page, test) => page.waitForFunction(async (source) => new RegExp(source).test(await (await fetch('files/screened.yaml', { cache: 'no-store' })).text()), { polling: 100 }, test.source);
const numbersAfter = (name) => new RegExp(`${name}: \\[([^\\]]*)\\]`).exec(projectText().slice(projectText().indexOf('far'))) ?? [];

async function pull(page, from, to) {
  await page.mouse.move(...from);
  await page.mouse.down();
  for (const share of [0.3, 0.7, 1]) await page.mouse.move(...from.map((value, i) => value + share * (to[i] - value)));
  await page.mouse.up();
}

async function checkPlaces(browser, address) {
  const page = await openScreen(browser, address, { file: 'screened.yaml', screen: 'places' });
  await page.waitForFunction(() => document.querySelector('.paths')?.textContent.includes('behind screen'));
  const near = (text, wanted, within) => text !== undefined && text.split(',').every((value, axis) => Math.abs(Number(value) - wanted[axis]) < within);

  // The foot of a place follows the pointer; the place stays as high above the floor.
  const [foot, to, mark] = [await spotOf(page, [6, 4, 0]), await spotOf(page, [5.5, 2, 0]), await spotOf(page, [6, 4, 1.2])];
  await pull(page, mark, [0, 1].map((i) => mark[i] + to[i] - foot[i]));
  await saved(page, /far\n +position: \[5\.\d/);
  const [, moved] = numbersAfter('position');
  claim(near(moved, [5.5, 2, 1.2], 0.04), `a receiver that is pulled to 5.5, 2 is at ${moved}`);
  claim(projectText().startsWith('# mine'), 'a comment is gone');

  // The tip of an arrow turns a source; on a receiver it is aimed at it.
  const tip = (azimuth, elevation) => { const [a, e] = [azimuth, elevation].map((one) => one * Math.PI / 180); return [2 + Math.cos(e) * Math.cos(a), 2 + Math.cos(e) * Math.sin(a), 1.5 + Math.sin(e)]; };
  const [x, y, z] = moved.split(',').map((value, axis) => Number(value) - [2, 2, 1.5][axis]);
  await settle(page);
  await pull(page, await spotOf(page, tip(Math.atan2(y, x) * 180 / Math.PI, Math.atan2(z, Math.hypot(x, y)) * 180 / Math.PI)), await spotOf(page, [2, 4, 1.5]));
  await saved(page, /aim: \[/);
  const [azimuth, elevation] = /aim: \[(.*)\]/.exec(projectText())[1].split(',').map(Number);
  claim(Math.abs(azimuth - 90) < 1, `an arrow that is pulled to 90 degrees is at ${azimuth}`);
  await settle(page);
  await pull(page, await spotOf(page, tip(azimuth, elevation)), await spotOf(page, moved.split(',').map(Number)));
  await saved(page, /aim: far/);

  // A click on the floor places a receiver, and corners of an area; `check` says what is between.
  await press(page, 'Place a receiver');
  await page.mouse.click(...await spotOf(page, [3, 5, 0]));
  await saved(page, /R1\n +position: \[/);
  claim(near(/R1\n +position: \[(.*)\]/.exec(projectText())?.[1], [3, 5, 1.2], 0.04), `a click at 3, 5 places ${projectText()}`);
  await press(page, 'Draw an area');
  for (const corner of [[5, 3, 0], [7, 3, 0], [7, 5, 0]]) await page.mouse.click(...await spotOf(page, corner));
  await press(page, 'Close the area');
  await saved(page, /corners: \[/);
  await page.waitForFunction(() => /points, .* apart/.test(document.querySelector('.room-list').textContent) && document.querySelector('.paths')?.textContent.includes('R1'));
  const paths = await page.$$eval('.paths li', (all) => all.map((one) => one.textContent.trim()));
  claim(paths.length === 1 && /voice → R1, .*: clear/.test(paths[0]), `of R1 the paths are ${paths}`);
  if (keep !== undefined) await page.screenshot({ path: join(folder, 'places.png') });
  await page.close();
}

/* ---- Materials ---- */

async function checkMaterials(browser, address) {
  const page = await openScreen(browser, address, { file: 'screened.yaml', screen: 'materials' });
  const model = readFileSync(join(folder, 'screened.obj'), 'utf8');
  await page.mouse.click(...await spotOf(page, [6, 6, 0.3]));
  await page.waitForFunction(() => document.querySelector('aside h2')?.textContent === 'brick_wall');

  // A table of the user's is a choice like the library; what is most like a curve comes first.
  const [chooser] = await Promise.all([page.waitForFileChooser(), page.locator('label.button input').click()]);
  await chooser.accept([join(folder, 'lab.csv')]);
  await page.locator('::-p-xpath(//li/button[contains(., "slotted panel")])').click();
  await saved(page, /brick_wall:\n +octaves: \[0\.3, 0\.3, 0\.3, 0\.9,/);
  await page.waitForFunction(() => document.querySelector('aside p').textContent.includes('own octaves'));
  await page.locator('aside input[type=checkbox]').click();
  await page.waitForFunction(() => document.querySelector('.library li').textContent.includes('slotted panel'));

  // One of its two walls becomes a surface of its own, in a second model.
  await press(page, 'Split it: click its faces in the room');
  await page.mouse.click(...await spotOf(page, [6, 6, 0.3]));
  await page.waitForFunction(() => document.querySelector('aside form').textContent.includes('18 triangles'));
  await press(page, 'Split');
  await saved(page, /room: screened\.split\.glb/);
  await page.waitForFunction(() => /brick_wall_part.*28 m²/.test([...document.querySelectorAll('.surfaces tr')].map((one) => one.textContent).join('|')));
  const areas = check('screened.yaml').materials.map(({ name, area_m2: area }) => [name, area]);
  claim(areas.filter(([name]) => /^brick/.test(name)).every(([, area]) => Math.abs(area - 28) < 1e-3), `the areas are ${areas}`);
  for (const [at, name] of [[[6, 3, 0], 'wood_floor'], [[6, 6, 0.3], 'brick_wall_part']]) {
    await page.mouse.click(...await spotOf(page, at));
    await page.waitForFunction((wanted) => document.querySelector('aside h2')?.textContent === wanted, {}, name);
  }
  claim(readFileSync(join(folder, 'screened.obj'), 'utf8') === model, 'the model of the user is changed');
  if (keep !== undefined) await page.screenshot({ path: join(folder, 'materials.png') });
  await page.close();
}

/* ---- Results ---- */

const shown = (page) => page.$$eval('.octave-table tbody tr', (rows) => rows.map((row) => [...row.children].slice(1).map((cell) => cell.textContent)));
const printed = (value) => (value === null ? '–' : value.toPrecision(3));
const choose = (page, label, value) => page.evaluate(([text, v]) => {
  const select = [...document.querySelectorAll('label')].find((one) => one.firstChild.textContent.trim() === text).querySelector('select');
  select.value = v;
  select.dispatchEvent(new Event('change', { bubbles: true }));
}, [label, value]);

async function checkResults(browser, address) {
  const page = await openScreen(browser, address, { screen: 'results' });
  await page.waitForSelector('.octave-table');
  await choose(page, 'Results of', 'before');
  await choose(page, 'beside', 'after');
  await page.waitForFunction(() => document.querySelectorAll('.octave-table thead th').length === 4);
  await choose(page, 'Figure', 'edt_s');
  await settle(page);
  const records = ['before', 'after'].map((name) => JSON.parse(readFileSync(join(folder, name, 'run.json'), 'utf8')));
  const rows = await shown(page), [one, other] = records.map(({ responses }) => responses[0]);
  one.nominal_hz.forEach((octave, i) => claim(rows[i][0].startsWith(printed(one.edt_s[i])) && rows[i][1].startsWith(printed(other.edt_s[i])),
    `EDT at ${octave} Hz is shown as ${rows[i]}, and is ${one.edt_s[i]} and ${other.edt_s[i]}`));
  claim(await page.$$eval('.octave-chart circle', (all) => all.length) === one.edt_s.filter((value) => value !== null).length, 'not every value is drawn');
  /* A seat: its figures are those of its row. */
  const [head, ...lines] = readFileSync(join(folder, 'before', records[0].grids[0].maps[0].table), 'utf8').trim().split('\n').map((line) => line.split(','));
  const seat = Object.fromEntries(head.map((name, i) => [name, lines[2][i]]));
  const before = (await pictureOf(page)).sum;
  await choose(page, 'Map', '125');
  claim(await becomes(page, (sum) => sum !== before), 'a map is not seen');
  await page.mouse.click(...await spotOf(page, [Number(seat.x), Number(seat.y), 0]));
  await page.waitForFunction((name) => document.querySelector('.room-list select[data-of="place"]')?.selectedOptions[0].textContent.startsWith(name), { timeout: 5000 }, seat.name)
    .catch(() => claim(false, `a click on ${seat.name} chooses another place`));
  const row = (await shown(page))[one.nominal_hz.indexOf(125)];
  claim(row[0].startsWith(printed(Number(seat.edt_s_125))), `EDT of ${seat.name} at 125 Hz is ${seat.edt_s_125}, and shown as ${row[0]}`);
  await press(page, 'Make the report');
  await page.waitForSelector('.targets');
  const { targets } = JSON.parse(transept('report', 'before', '-o', 'own.html', '--force', '--json')).data.runs[0];
  const verdicts = await page.$$eval('.targets tbody tr', (rows) => rows.map((row) => row.lastElementChild.textContent));
  claim(targets.length > 0 && JSON.stringify(verdicts) === JSON.stringify(targets.map(({ verdict }) => verdict)), `targets are ${verdicts}, and should be ${targets.map(({ verdict }) => verdict)}`);
  if (keep !== undefined) await page.screenshot({ path: join(folder, 'results.png') });
  await page.close();
}

await run(makeRooms, async (browser) => {
  const { address, stop } = await serve();
  try {
    for (const act of [checkLeaky, checkWide, checkView, checkPlaces, checkMaterials, checkResults]) await act(browser, address);
  } finally {
    stop();
  }
});

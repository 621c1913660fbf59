/* The leak paths of a room that was simulated open, as its page draws them: do the layer of the picture and the flat
 * drawing hold the points of run.json, and does the switch work?
 * Arguments and status: trial.mjs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictureOf, settle, trial } from './trial.mjs';

const { folder, claim, transept, open, run } = trial('leak_paths');

/* ---- a room with holes ---- */

/* A box from 0 to `size` as OBJ; `holes` by face (0 to 5: -x +x -y +y -z +z) as [[low], [high]] in its plane. */
function boxWithHoles(size, holes) {
  const lines = ['o room', 'usemtl wall'];
  let vertices = 0;
  for (let face = 0; face < 6; face++) {
    const axis = face >> 1;
    const [u, v] = [0, 1, 2].filter((other) => other !== axis);
    const [low, high] = holes[face] ?? [[size[u] / 3, size[v] / 3], [size[u] / 2, size[v] / 2]];
    const cuts = [[0, low[0], high[0], size[u]], [0, low[1], high[1], size[v]]];
    for (const b of cuts[1]) for (const a of cuts[0]) {
      const corner = [0, 0, 0];
      corner[axis] = face % 2 ? size[axis] : 0;
      corner[u] = a;
      corner[v] = b;
      lines.push(`v ${corner.join(' ')}`);
    }
    for (let j = 0; j < 3; j++) for (let i = 0; i < 3; i++) {
      const at = vertices + 4 * j + i + 1;
      if (!holes[face] || i !== 1 || j !== 1) lines.push(`f ${at} ${at + 1} ${at + 5} ${at + 4}`);
    }
    vertices += 16;
  }
  return `${lines.join('\n')}\n`;
}

function makePages() {
  const window_ = [[1, 1], [1.8, 1.6]], hatch = [[0.5, 0.5], [1, 1]], crack = [[1, 1.3], [1.8, 1.31]];
  writeFileSync(join(folder, 'holes.obj'), boxWithHoles([4, 3, 3], { 1: window_, 3: hatch }));
  writeFileSync(join(folder, 'crack.obj'), boxWithHoles([4, 3, 3], { 1: crack }));
  const common = ['--fmax', '355', '--absorption', '0.1', '--duration', '0.1', '--source', '1,1,1.2,S1', '--receiver',
    '3,2,1.2', '--force', '--quiet'];
  transept('simulate', 'holes.obj', '-o', 'open', '--open', ...common);
  transept('simulate', 'crack.obj', '-o', 'sealed', '--seal', '2cm', '--grid-origin', '0,0,1.305', ...common);
  transept('report', 'open', '--force');
  transept('report', 'sealed', '--force');
  transept('report', 'open', 'sealed', '--force', '-o', 'both.html');
}

/* ---- what is drawn ---- */


/* Of a layer: whether it is shown, and of each leak path its line and the place and width of its mark. */
const layerOf = (page, name) => page.evaluate((layer) => {
  const group = window.transept.rooms[0].layers[layer];
  if (!group) return null;
  return { visible: group.visible, paths: group.children.map((path) => {
    const line = path.children.find((one) => one.name === 'path'), mark = path.children.find((one) => one.name === 'mark');
    const points = line ? [...line.geometry.getAttribute('position').array] : [];
    mark.geometry.computeBoundingBox();
    return { points, place: mark.position.toArray(), reach: mark.geometry.boundingBox.max.x,
      tube: mark.geometry.parameters.tube };
  }) };
}, name);

const near = (a, b, within) => a.length === b.length && a.every((value, i) => Math.abs(value - b[i]) <= within);

function checkLayer(name, layer, leaks) {
  claim(layer !== null && layer.visible && layer.paths.length === leaks.length,
    `${name}: ${layer === null ? 'no' : layer.paths.length} leak paths are drawn of ${leaks.length}`);
  if (layer === null) return;
  leaks.forEach((leak, i) => {
    const path = layer.paths[i];
    claim(near(path.points, (leak.path_m ?? []).flat(), 1e-6), `${name}: the leak path ${i} has the points ${path.points}`);
    claim(near(path.place, leak.position_m, 1e-9), `${name}: the mark ${i} is at ${path.place}`);
    const across = leak.gap_m ?? 2 * Math.sqrt(leak.area_m2 / Math.PI);
    claim(path.reach - path.tube >= across / 2 - 1e-6 && (across < 0.2 || path.reach - path.tube < across / 2 + 1e-6),
      `${name}: the ring ${i} is ${2 * (path.reach - path.tube)} m wide of ${across}`);
  });
}

/* The flat drawing: its scale from source and receiver, which are known, and the leak paths on it. */
async function checkPlan(name, page, run) {
  const plan = await page.evaluate(() => {
    const svg = document.querySelector('svg.plan');
    const numbers = (text) => text.match(/-?[\d.]+/g).map(Number);
    return { source: numbers(svg.querySelector('path[fill="#D55E00"]').getAttribute('d')).slice(0, 2),
      receiver: ['cx', 'cy'].map((a) => Number(svg.querySelector('circle[fill="#0072B2"]').getAttribute(a))),
      box: svg.getAttribute('viewBox').split(' ').map(Number),
      paths: [...svg.querySelectorAll('g.leak')].map((group) => ({
        leak: Number(group.dataset.leak),
        path: group.querySelector('path') ? numbers(group.querySelector('path').getAttribute('d')) : [],
        ring: ['cx', 'cy', 'r'].map((a) => Number(group.querySelector('circle').getAttribute(a))) })) };
  });
  const [s, r] = [run.sources[0].position_m, run.receivers[0].position_m];
  const source = [plan.source[0], plan.source[1] + 8];
  const pixels = (plan.receiver[0] - source[0]) / (r[0] - s[0]);
  const at = ([x, y]) => [source[0] + (x - s[0]) * pixels, source[1] - (y - s[1]) * pixels];
  claim(plan.paths.length === run.leaks.length, `${name}: the plan has ${plan.paths.length} leak paths of ${run.leaks.length}`);
  for (const path of plan.paths) {
    const leak = run.leaks[path.leak];
    claim(near(path.path, (leak.path_m ?? []).flatMap(at), 0.5), `${name}: in the plan the leak path ${path.leak} is ${path.path}`);
    claim(near(path.ring.slice(0, 2), at(leak.position_m), 0.5), `${name}: in the plan the ring ${path.leak} is at ${path.ring}`);
    claim(path.path.every((value, i) => value >= 0 && value <= plan.box[2 + (i % 2)]), `${name}: the leak path ${path.leak} leaves the plan`);
  }
}

async function checkSwitch(name, page, layer) {
  const box = await page.$(`input[data-layer="${layer}"]`);
  claim(box !== null, `${name}: there is no switch for ${layer}`);
  if (box === null) return;
  const shown = (await pictureOf(page)).sum;
  await box.focus();
  await page.keyboard.press('Space');
  await settle(page);
  claim(!(await layerOf(page, layer)).visible && (await pictureOf(page)).sum !== shown, `${name}: the switch does not take ${layer} away`);
  await page.keyboard.press('Space');
  await settle(page);
  claim((await layerOf(page, layer)).visible && (await pictureOf(page)).sum === shown, `${name}: the switch does not bring ${layer} back`);
}

/* ---- pages ---- */

async function checkPage(browser, name, layer, sealed) {
  const run = JSON.parse(readFileSync(join(folder, name, 'run.json'), 'utf8'));
  const { page, close } = await open(browser, join(folder, name, 'report.html'), 1200);
  claim(run.leaks.length === (sealed ? 1 : 2), `${name}: run.json has ${run.leaks.length} leaks`);
  claim(run.leaks.every((leak) => leak.sealed === sealed), `${name}: run.json takes closed for open`);
  checkLayer(name, await layerOf(page, layer), run.leaks);
  await checkPlan(name, page, run);
  await checkSwitch(name, page, layer);
  const rows = await page.$$eval('table.leaks tbody tr', (all) => all.map((row) => [...row.querySelectorAll('data')].map((one) => Number(one.value))));
  claim(rows.length === run.leaks.length && rows.every((row, i) => near(row.slice(0, 3), run.leaks[i].position_m, 0)),
    `${name}: the table of leaks is not that of run.json: ${JSON.stringify(rows)}`);
  const numbers = await page.evaluate(() => {
    const data = JSON.parse(document.getElementById('transept-data').textContent);
    return [...document.querySelectorAll('p.leak data, table.leaks data')].map((one) => [one.dataset.key, Number(one.value),
      one.dataset.key.split('.').reduce((at, step) => at?.[step], data), Number(one.textContent.replace('\u2212', '-')) / Number(one.dataset.scale ?? 1)]);
  });
  for (const [key, value, stored, shown] of numbers)
    claim(value === stored && Math.abs(shown - value) <= 0.006 + 0.05 * Math.abs(value), `${name}: ${key} is shown as ${shown}, has the value ${value} and is ${stored}`);
  claim(numbers.some(([key]) => /energy\.absorbed/.test(key)) !== sealed, `${name}: how much sound had left is ${sealed ? '' : 'not '}written`);
  const words = await page.$eval('#summary', (section) => section.textContent);
  claim(!/--\w/.test(words), `${name}: an option is named in the summary`);
  claim(/is not closed/.test(words) === !sealed && /crack in the walls of the model was closed/.test(words) === sealed,
    `${name}: the summary is "${words.slice(0, 600)}"`);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await settle(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  claim(wide <= 390, `${name}: on a telephone of 390 pixels the page is ${wide} wide`);
  await page.setViewport({ width: 718, height: 1000 });
  await page.emulateMediaType('print');
  await settle(page);
  const printed = await page.evaluate(() => [...document.querySelectorAll('svg.plan g.leak, table.leaks, p.leak')]
    .map((one) => one.checkVisibility() && one.getBoundingClientRect().right <= innerWidth + 1));
  claim(printed.length > run.leaks.length + 1 && printed.every((one) => one), `${name}: printed, leaks are not to be seen: ${printed}`);
  await close();
}

async function checkBoth(browser) {
  const { page, close } = await open(browser, join(folder, 'both.html'), 1200);
  const words = await page.$eval('main', (main) => main.textContent);
  claim(/sound gets out only in open: an opening/.test(words), 'both: that one run is open is no difference');
  claim(/closed only in sealed: 1 crack/.test(words), 'both: that one run had a crack closed is no difference');
  await close();
}

await run(makePages, async (browser) => {
  await checkPage(browser, 'open', 'openings', false);
  await checkPage(browser, 'sealed', 'closed cracks', true);
  await checkBoth(browser);
});

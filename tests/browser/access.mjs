/* Who can use the pages of `transept report`: with keys alone, with a screen reader, with weak eyes, on a telephone,
 * and without movement?
 * Arguments and status: trial.mjs. */
import { join } from 'node:path';
import { settle, trial, unfold } from './trial.mjs';

const CONTRAST = 4.5; // of text, WCAG 2.2 level AA
const FINGER = 44; // pixels across of what is touched
const WIDE = 1280, NARROW = 390;

const { folder, claim, transept, open, run } = trial('access');

/* With guesses, warnings, maps, reasons and a name that is long, so that every kind of text is there. */
function makePages() {
  transept('room', 'cube', '--force', '-o', 'cube.obj');
  const common = ['--fmax', '355', '--source', '0.7,0.8,1.5,voice', '--receiver', '2,2,1.2,far', '--receiver',
    '1,2.2,1.2,beside_the_third_column_of_the_northern_aisle', '--receiver-grid', 'floor=stone_floor', '--grid-spacing', '0.6',
    '--duration', '0.4', '--force', '--quiet'];
  transept('simulate', 'cube.obj', '-o', 'before', ...common);
  transept('simulate', 'cube.obj', '-o', 'after', '--absorption', 'plaster_wall=0.3', ...common);
  transept('report', 'before', '--force');
  transept('report', 'before', 'after', '--force', '-o', 'both.html');
  return { one: join(folder, 'before', 'report.html'), two: join(folder, 'both.html') };
}

const OPERATED = 'a[href], button, select, input, textarea, summary, audio, [tabindex="0"]';

/* ---- structure ---- */

async function checkStructure(name, page) {
  const found = await page.evaluate(() => {
    const named = (one) => one.getAttribute('aria-label') || [...(one.getAttribute('aria-labelledby') ?? '').split(' ')]
      .map((id) => document.getElementById(id)?.textContent ?? '').join('');
    return {
      language: document.documentElement.lang,
      title: document.title,
      landmarks: ['header', 'main', 'footer'].filter((one) => document.querySelectorAll(`body > ${one}`).length !== 1),
      nav: [...document.querySelectorAll('nav')].every(named),
      sections: [...document.querySelectorAll('section')].filter((one) => !named(one)).map((one) => one.id),
      headings: [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((one) => one.checkVisibility()).map((one) => Number(one.nodeName[1])),
      tables: [...document.querySelectorAll('table')].filter((one) => !one.caption && one.closest('details') === null).length,
      images: [...document.querySelectorAll('img:not([alt]), svg:not([aria-hidden="true"])')].filter((one) => one.nodeName === 'IMG' || !one.querySelector('title')).length,
    };
  });
  claim(found.language === 'en' && found.title.length > 5, `${name}: language "${found.language}", title "${found.title}"`);
  claim(found.landmarks.length === 0 && found.nav, `${name}: not once: ${found.landmarks}, or the navigation has no name`);
  claim(found.sections.length === 0, `${name}: sections without a name: ${found.sections}`);
  claim(found.headings[0] === 1 && found.headings.filter((level) => level === 1).length === 1, `${name}: first headings are ${found.headings.slice(0, 3)}`);
  claim(found.headings.every((level, i) => i === 0 || level <= found.headings[i - 1] + 1), `${name}: a level is left out among the headings ${found.headings.join('')}`);
  claim(found.tables === 0, `${name}: ${found.tables} tables have no caption`);
  claim(found.images === 0, `${name}: ${found.images} pictures say nothing to who does not see them`);
}

/* Everything that can be operated has a name in the tree that screen readers get. */
async function checkNames(name, page) {
  const roles = ['button', 'link', 'checkbox', 'combobox', 'slider', 'application', 'radio', 'textbox', 'DisclosureTriangle', 'Audio'];
  const nameless = [], seen = {};
  const walk = (node) => {
    if (roles.includes(node.role)) {
      seen[node.role] = (seen[node.role] ?? 0) + 1;
      if (!node.name?.trim()) nameless.push(node.role);
    }
    (node.children ?? []).forEach(walk);
  };
  walk(await page.accessibility.snapshot({ interestingOnly: false }));
  claim(nameless.length === 0, `${name}: without a name: ${nameless}`);
  claim(seen.link > 5 && seen.button > 5 && seen.checkbox > 3 && seen.slider >= 1 && seen.application >= 1, `${name}: seen by a screen reader: ${JSON.stringify(seen)}`);
}

/* ---- keys ---- */

/* From the beginning to the end with the key Tab: what has the focus, whether it shows, and what was left out. */
async function checkKeys(name, page) {
  await unfold(page);
  const wanted = await page.evaluate((operated) => {
    const all = [...document.querySelectorAll(operated)].filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0);
    all.forEach((one, i) => { one.dataset.order = String(i); });
    window.scrollTo(0, 0);
    document.activeElement?.blur();
    return all.map((one) => `${one.nodeName} ${(one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 30)}`);
  }, OPERATED);
  const reached = [], dull = [];
  for (let presses = 0; presses < 12 * wanted.length; presses++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const one = document.activeElement;
      if (one === null || one === document.body) return null;
      const style = getComputedStyle(one), box = one.getBoundingClientRect();
      return { order: Number(one.dataset.order ?? -1), name: one.nodeName,
        shows: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && box.right > 0 && box.bottom > 0 && box.top < innerHeight };
    });
    if (at === null) break;
    if (!at.shows) dull.push(`${at.name} ${wanted[at.order] ?? ''}`);
    if (at.order >= 0 && reached.at(-1) !== at.order) reached.push(at.order);
  }
  const left = wanted.filter((_, i) => !reached.includes(i));
  claim(left.length === 0, `${name}: not reached with Tab: ${left.slice(0, 6)}`);
  claim(reached.every((order, i) => i === 0 || order > reached[i - 1]), `${name}: the focus goes to and fro: ${reached.join(' ').slice(0, 200)}`);
  claim(dull.length === 0, `${name}: the focus is not seen on ${[...new Set(dull)].slice(0, 6)}`);
}

/* What is operated with a pointer answers to keys. */
async function checkAnswers(name, page) {
  await page.focus('nav a[href="#room"]');
  await page.keyboard.press('Enter');
  claim(await page.evaluate(() => location.hash === '#room'), `${name}: Enter does not follow a link of the navigation`);
  const box = await page.$('[data-layer=sources]');
  await box.focus();
  await page.keyboard.press('Space');
  claim(!(await page.evaluate(() => window.transept.rooms[0].layers.sources.visible)), `${name}: Space does not switch a layer`);
  await page.keyboard.press('Space');
  await page.focus('.cut input');
  const before = await page.$eval('.cut output', (one) => one.textContent);
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
  claim((await page.$eval('.cut output', (one) => one.textContent)) !== before, `${name}: arrows do not move the slider`);
  const opens = await page.$('details:not([open]) > summary, details > summary');
  const open = await opens.evaluate((one) => one.parentElement.open);
  await opens.focus();
  await page.keyboard.press('Enter');
  claim((await opens.evaluate((one) => one.parentElement.open)) !== open, `${name}: Enter does not fold`);
}

/* ---- eyes ---- */

/* Texts whose colour is too near to what they stand on. */
async function checkContrast(name, page) {
  await unfold(page);
  const faint = await page.evaluate((least) => {
    const parse = (text) => {
      const part = (/rgba?\(([^)]+)\)/.exec(text)?.[1] ?? '0,0,0,0').split(/[ ,/]+/).map(Number);
      return [part[0], part[1], part[2], part[3] ?? 1];
    };
    const over = (top, below) => [0, 1, 2].map((c) => top[c] * top[3] + below[c] * (1 - top[3]));
    const light = (colour) => colour.map((value) => value / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
      .reduce((sum, v, c) => sum + v * [0.2126, 0.7152, 0.0722][c], 0);
    const background = (element) => {
      const layers = [];
      for (let one = element; one !== null; one = one.parentElement) layers.unshift(parse(getComputedStyle(one).backgroundColor));
      return layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    let texts = 0;
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.textContent.trim() || ['SCRIPT', 'STYLE', 'OPTION'].includes(element.nodeName) || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.closest('title, .value') || element.disabled) continue; // values stand on the colours of a map
      texts += 1;
      const below = background(element), style = getComputedStyle(element);
      const ink = over(parse(element.closest('svg') ? style.fill : style.color), below);
      const [a, b] = [light(ink), light(below)].sort((x, y) => y - x);
      const contrast = (a + 0.05) / (b + 0.05);
      if (!(contrast >= least)) found.push(`${contrast.toFixed(2)} "${node.textContent.trim().slice(0, 30)}" in ${element.nodeName}.${element.className.baseVal ?? element.className}`);
    }
    return { found, texts };
  }, CONTRAST);
  claim(faint.texts > 100, `${name}: only ${faint.texts} texts were found`);
  claim(faint.found.length === 0, `${name}: ${faint.found.length} texts are too faint: ${faint.found.slice(0, 5).join('; ')}`);
}

/* Colour alone carries nothing: every finding has its verdict as a word. */
async function checkWords(name, page) {
  const verdicts = await page.$$eval('.finding .verdict', (all) => all.map((one) => one.textContent.trim()));
  const cards = await page.$$eval('ol.findings > li', (all) => all.length);
  claim(cards > 0 && verdicts.length === cards && verdicts.every((word) => /^\w+$/.test(word)), `${name}: ${cards} findings have the verdicts ${verdicts}`);
}

async function checkStill(name, page) {
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  const moving = await page.evaluate(() => {
    const frames = window.transept.rooms[0].frames;
    const all = [...document.querySelectorAll('*')].filter((one) => {
      const style = getComputedStyle(one);
      return style.animationName !== 'none' || style.transitionDuration.split(',').some((time) => parseFloat(time) > 0) || style.scrollBehavior === 'smooth';
    });
    return new Promise((done) => setTimeout(() => done({ frames: window.transept.rooms[0].frames - frames,
      all: all.map((one) => one.nodeName).concat(document.getAnimations().map(() => 'animation')) }), 300));
  });
  claim(moving.all.length === 0, `${name}: it moves for who wants no movement: ${moving.all.slice(0, 5)}`);
  claim(moving.frames <= 1, `${name}: the room is drawn ${moving.frames} times while nobody touches it`);
  await page.emulateMediaFeatures([]);
}

/* ---- telephones ---- */

async function checkTelephone(name, page) {
  await unfold(page);
  await page.setViewport({ width: NARROW, height: 844, isMobile: true, hasTouch: true });
  await settle(page);
  await new Promise((done) => setTimeout(done, 300));
  const found = await page.evaluate(({ operated, finger, narrow }) => {
    const named = (one) => `${one.nodeName} "${(one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 24)}"`;
    const slides = (one) => { for (let at = one; at !== null; at = at.parentElement) if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(at).overflowX)) return true; return false; };
    const all = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility());
    const small = [...document.querySelectorAll(operated)].filter((one) => one.checkVisibility() && !one.classList.contains('skip')).map((one) => {
      const boxes = [one, ...(one.labels ?? [])].map((part) => part.getBoundingClientRect());
      return { one, wide: Math.max(...boxes.map((box) => box.width)), tall: Math.max(...boxes.map((box) => box.height)) };
    }).filter(({ wide, tall }) => wide < finger - 0.5 || tall < finger - 0.5);
    return { wide: document.documentElement.scrollWidth,
      out: all.filter((one) => one.getBoundingClientRect().right > narrow + 0.5 && !slides(one)).map(named),
      small: small.map(({ one, wide, tall }) => `${named(one)} ${Math.round(wide)}x${Math.round(tall)}`) };
  }, { operated: OPERATED, finger: FINGER, narrow: NARROW });
  claim(found.wide <= NARROW, `${name}: on a telephone the page is ${found.wide} pixels wide`);
  claim(found.out.length === 0, `${name}: on a telephone out of sight: ${found.out.slice(0, 5)}`);
  claim(found.small.length === 0, `${name}: too small for a finger: ${found.small.slice(0, 6).join('; ')}`);
  await checkContrast(`${name}, telephone`, page);
  await page.setViewport({ width: WIDE, height: 900 });
}

/* ---- paper ---- */

/* On how many sheets it is printed. */
async function checkPaper(name, page, most) {
  const pdf = await page.pdf({ format: 'A4' });
  const sheets = Buffer.from(pdf).toString('latin1').match(/\/Type\s*\/Page[^s]/g)?.length ?? 0;
  claim(sheets > 1 && sheets <= most, `${name}: printed it has ${sheets} sheets`);
}

async function checkPage(browser, name, file, sheets) {
  const { page, close } = await open(browser, file, WIDE);
  await checkStructure(name, page);
  await checkNames(name, page);
  await checkWords(name, page);
  await checkContrast(name, page);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await checkContrast(`${name}, dark`, page);
  await checkStill(name, page);
  await checkKeys(name, page);
  await checkAnswers(name, page);
  await checkTelephone(name, page);
  await checkPaper(name, page, sheets);
  await close();
}

await run(makePages, async (browser, pages) => {
  await checkPage(browser, 'one', pages.one, 9);
  await checkPage(browser, 'two', pages.two, 18);
});

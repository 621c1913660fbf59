/* The words of a report's page, in a real browser: is every abbreviation on it explained, does a number keep its unit
 * on its line, is what holds for all targets written once, and is a German page German, its script too?
 * Arguments and status: trial.mjs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trial } from './trial.mjs';

const { folder, claim, transept, open, run } = trial('words_page');

/* One that ends low and one that shows 500 and 1000 Hz, with the figures of all kinds that a page has. */
function makePages() {
  transept('room', 'cube', '--force', '-o', 'cube.obj');
  const common = ['--source', '0.7,0.8,1.5,voice', '--receiver', '2,2,1.2,far', '--receiver', '1,2.2,1.2,near',
    '--ambisonics', '--force', '--quiet'];
  transept('simulate', 'cube.obj', '-o', 'low', '--fmax', '177', '--duration', '0.4', '--receiver-grid',
    'floor=stone_floor', '--grid-spacing', '0.6', ...common);
  transept('simulate', 'cube.obj', '-o', 'high', '--fmax', '1420', '--points-per-wavelength', '6', '--absorption',
    '0.3', ...common);
  transept('report', 'low', '--force');
  transept('report', 'high', '--force');
  transept('report', 'low', 'high', '--force', '-o', 'both.html');
  transept('report', 'low', '--force', '--language', 'de', '-o', 'german.html');
}

/* Abbreviations in what a reader sees. Names are the user's own; what the program writes into the data
 * (sentences, reasons, words of figures) is not. */
const abbreviations = (page) => page.evaluate(() => {
  const written = /\.(sentence|why|word|octaves|count|verdict|finding)$|_why$|\.(why|changes)\.\d+$/;
  const form = /(?<![\w-])(?:[A-Z]{2,}[A-Z0-9]*|[A-Z]\d{2,}|[A-Z][a-z](?= (?:s\b|at \d))|k?Hz|dB|[kMG]B|G(?= dB|:))(?!\w)/g;
  const found = new Map();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const element = node.parentElement, key = element.closest('[data-key]')?.dataset.key;
    if (element.closest('script, style, pre, dl') || (key && !written.test(key))) continue;
    for (const [word] of node.textContent.matchAll(form))
      found.set(word, `"${node.textContent.trim().slice(0, 60)}" in ${element.closest('section')?.id}`);
  }
  for (const element of document.querySelectorAll('abbr')) found.set(element.textContent, `<abbr> in ${element.closest('section')?.id}`);
  return [...found];
});
const explained = (page) => page.evaluate(() =>
  [...document.querySelectorAll('#words dt')].flatMap((one) => one.textContent.split(', ')));

/* Numbers whose unit could fall onto the next line, in the page as it was written. */
const torn = (page, source) => page.evaluate((text) => {
  const source = new DOMParser().parseFromString(text, 'text/html');
  return [...source.querySelectorAll('p, li, caption, td, dd, dt, figcaption, summary, h1, h2, h3, h4')]
    .filter((one) => one.closest('svg') === null)
    .map((one) => /(?:^|[^\w.])[\d.]+ (?:%|m?s|dB|k?Hz|m?m|m[²³]|[kMG]B)(?!\w)/.exec(one.textContent)?.[0])
    .filter((one) => one !== undefined);
}, source);

async function checkPage(browser, name, file) {
  const { page, close } = await open(browser, file);
  const words = new Set(await explained(page)), used = await abbreviations(page);
  claim(used.length >= 10, `${name}: only ${used.length} abbreviations were found`);
  for (const [word, where] of used) claim(words.has(word), `${name}: ${word} is explained nowhere: ${where}`);
  const parted = await torn(page, readFileSync(file, 'utf8'));
  claim(parted.length === 0, `${name}: ${parted.length} numbers can lose their unit: ${parted.slice(0, 5)}`);
  const text = await page.$eval('#summary', (one) => one.innerText.replaceAll('\u00a0', ' '));
  await close();
  return text;
}

/* What the page and its script say in headings, tables, legends and to whoever operates it. */
const said = (page) => page.evaluate(() =>
  [...document.querySelectorAll('h2, h3, caption, summary, figcaption, th[scope=col], dt, dd, legend, label, button, option, nav a, section > p')]
    .map((one) => one.textContent.replaceAll('\u00a0', ' ').trim()));

/* Whether it is a sentence or a phrase, and not a name, a figure or a unit. */
const isWording = (text) => (text.match(/(?<![\w-])[A-Za-z]{3,}(?![\w-])/g) ?? []).length >= 2;

async function checkGerman(browser) {
  const { page, close } = await open(browser, join(folder, 'german.html'));
  const german = await said(page), points = await page.$$eval('data[value]', (all) => all.map((one) => one.textContent).filter((text) => /\d\.\d/.test(text)));
  const marks = await page.$$eval('svg.plot text', (all) => all.map((one) => one.textContent).filter((text) => /\d\.\d/.test(text)));
  claim(await page.evaluate(() => document.documentElement.lang) === 'de', 'a German page is not marked as one');
  await close();
  const english = await open(browser, join(folder, 'low', 'report.html'));
  const shared = new Set((await said(english.page)).filter(isWording));
  await english.close();
  const left = german.filter((text) => shared.has(text) && !/Sabine, Eyring|DIN, IEC/.test(text));
  claim(left.length === 0, `a German page says ${left.length} things in English: ${left.slice(0, 5).join(' | ')}`);
  claim(points.length === 0 && marks.length === 0, `a German page has numbers with a point: ${[...points, ...marks].slice(0, 5)}`);
}

const count = (text, words) => text.split(words).length - 1;

await run(makePages, async (browser) => {
  const low = await checkPage(browser, 'low', join(folder, 'low', 'report.html'));
  const high = await checkPage(browser, 'high', join(folder, 'high', 'report.html'));
  await checkPage(browser, 'both', join(folder, 'both.html'));
  await checkGerman(browser);
  claim(count(low, 'A run up to 1420 Hz reaches them') === 1, 'a low run does not name once which run would do');
  claim(count(low, 'not met') === count(low, 'provisionally not met') && count(low, 'met?') === 0, 'a low run judges a target');
  claim(count(low, 'provisionally') >= 3 && count(high, 'provisionally') === 0, 'statistics judge where they should not, or not where they should');
  claim(count(high, 'would tell') === 0 && count(high, '1 place') + count(high, 'mean of 2 places') >= 4,
    'a high run does not give of how many places its values are');
});

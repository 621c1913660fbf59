/* The page of tools/abx in a real browser: levels are matched, X is what was drawn, and the result is the binomial
 * probability of the answers.
 * Arguments and status: trial.mjs; the tool is beside the sources, in the folder ABX_TOOLS. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trial } from './trial.mjs';

const { folder, claim, run } = trial('abx');
const TRIALS = 16;

/* A sine of 16-bit samples. */
function writeSound(name, frequency, amplitude) {
  const frames = 24000, file = Buffer.alloc(44 + 2 * frames);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + 2 * frames, 4);
  file.write('WAVEfmt ', 8);
  [[16, 16, 4], [20, 1, 2], [22, 1, 2], [24, 48000, 4], [28, 96000, 4], [32, 2, 2], [34, 16, 2], [40, 2 * frames, 4]].forEach(([at, value, bytes]) => file.writeUIntLE(value, at, bytes));
  file.write('data', 36);
  for (let n = 0; n < frames; n += 1) file.writeInt16LE(Math.round(32767 * amplitude * Math.sin((2 * Math.PI * frequency * n) / 48000)), 44 + 2 * n);
  writeFileSync(join(folder, name), file);
}

function makePage() {
  writeSound('loud.wav', 500, 0.8);
  writeSound('soft.wav', 600, 0.2);
  execFileSync(join(process.env.ABX_TOOLS, 'abx'), ['loud.wav', 'soft.wav', '--trials', String(TRIALS)], { cwd: folder, stdio: 'ignore' });
  for (const words of [['loud.wav', 'soft.wav'], ['loud.wav', 'none.wav', '-o', 'two.html'], ['abx.html', 'soft.wav', '-o', 'two.html'], ['loud.wav', 'soft.wav', '--trials', '0', '-o', 'two.html']]) {
    let status = 0;
    try {
      execFileSync(join(process.env.ABX_TOOLS, 'abx'), words, { cwd: folder, stdio: 'ignore' });
    } catch (error) {
      status = error.status;
    }
    claim(status === 2, `${words.join(' ')}: status ${status}`);
  }
}

/* What is audible: the page's gains in the order in which they were made, once they have settled. */
const heard = (page) => page.evaluate(() => new Promise((done) => {
  setTimeout(() => done(window.made.map((one) => one.gain.value)), 150);
}));

/* Answers all trials, `wrong` of them wrongly, and returns the page's result. X is drawn as in `order`. */
async function listen(browser, wrong) {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(() => {
    let drawn = 0;
    crypto.getRandomValues = (into) => { into[0] = (drawn * drawn + drawn) / 2; drawn += 1; return into; };
    window.made = [];
    const { createGain } = AudioContext.prototype;
    AudioContext.prototype.createGain = function make() { const node = createGain.call(this); window.made.push(node); return node; };
  });
  await page.goto(`file://${join(folder, 'abx.html')}`);
  for (let n = 0; n < TRIALS; n += 1) {
    const x = ((n * n + n) / 2) & 1;
    if (n < 4) {
      for (const [which, on] of [['a', 0], ['b', 1], ['x', x]]) {
        await page.click(`[data-play=${which}]`);
        await page.waitForFunction(() => window.made.length === 2);
        const levels = await heard(page);
        claim(levels[on] > 0.2 && levels[1 - on] < 1e-3, `trial ${n}: ${which} has gains of ${levels}`);
      }
    }
    await page.click(`[data-answer=${'ab'[n < wrong ? 1 - x : x]}]`);
  }
  await page.waitForFunction(() => !document.getElementById('end').hidden);
  const result = await page.evaluate(async () => (await fetch(document.getElementById('result').href)).json());
  await page.close();
  return result;
}

async function checkResults(browser) {
  const sure = await listen(browser, 0), often = await listen(browser, 4);
  claim(sure.right === 16 && Math.abs(sure.probability_by_guessing * 2 ** 16 - 1) < 1e-9, `all right: ${JSON.stringify(sure)}`);
  /* (1820 + 560 + 120 + 16 + 1) / 2^16 */
  claim(often.right === 12 && Math.abs(often.probability_by_guessing * 2 ** 16 - 2517) < 1e-6, `12 right: ${often.probability_by_guessing}`);
  claim(Math.abs(sure.gain_a_db + 20 * Math.log10(4)) < 0.01 && sure.gain_b_db === 0, `gains of ${sure.gain_a_db} and ${sure.gain_b_db} dB`);
}

run(makePage, checkResults);

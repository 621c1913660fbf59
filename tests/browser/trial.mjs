/* What every test of a page in a real browser needs: its arguments, a folder, claims that are counted, the program, a
 * browser, and an end that says how it went. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

const TOLD = 40; // broken claims that are printed

/* Begins the test `name` of
 *
 *   node NAME.mjs TRANSEPT CHROMIUM [FOLDER]      FOLDER keeps pages and screenshots; else they go
 *
 * Returns folder, keep (undefined unless FOLDER was given), claim(holds, what), transept(...words), which returns what
 * the program prints, and run(make, ...checks). */
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
  const transept = (...words) =>
    execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

  /* Makes the pages, then tries every check(browser, what make() returned), and ends the process. Status: 0 all held,
   * 1 something did not (each is told), 2 it could not be tried. A check that throws does not hold. */
  async function run(make, ...checks) {
    let browser;
    let made;
    try {
      made = make();
      browser = await puppeteer.launch({ executablePath: chromium,
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
    for (const one of broken.slice(0, TOLD)) console.error(`does not hold: ${one}`);
    console.log(`${name}: Synthesis: Tested: ${claims}, of which ${broken.length} do not hold`);
    process.exit(broken.length === 0 ? 0 : 1);
  }
  return { folder, keep, claim, transept, run };
}

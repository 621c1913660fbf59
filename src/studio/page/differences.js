/** What `compare` says of two runs or of two responses: a finding, differences in JNDs, decays. */
import { useState } from 'preact/hooks';
import { T, printed } from '../../present/report/script/words.js';
import { Curves } from './chart.js';
import { Command, Progress, html, octaveText } from './parts.js';
import { attempt, run } from './state.js';

const known = new Map(); // what was compared: the comparison; a run that is made again has another time

/** {words, found, job, compare()} of two paths, of which the second may be null. `time`: of what is in them. */
export function useDifferences(paths, time) {
  const [, draw] = useState(0), [job, setJob] = useState(null);
  const language = document.documentElement.lang === 'de' ? ['--language', 'de'] : [];
  const words = ['compare', ...paths, ...language], key = JSON.stringify([words, time]);
  const compare = () => attempt(async () => {
    const { json } = await run([...words, '--progress', 'json'], setJob);
    known.set(key, json.comparisons[0]);
  }).then(() => { setJob(null); draw((count) => count + 1); });
  return { words, found: paths[1] === null ? null : known.get(key) ?? null, job, compare };
}

const signed = (value) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${printed(Math.abs(value).toFixed(1))}`;

/* Less than its uncertainty is not known; 1 JND or more is noticed. */
function Cell({ figure, i }) {
  const jnds = figure.jnds[i];
  if (jnds === null) return html`<td class="number">–</td>`;
  const within = figure.certain[i] === false, digits = (value) => printed(value?.toPrecision(3) ?? '–');
  return html`<td class=${`number ${Math.abs(jnds) >= 1 && !within ? 'noticed' : ''}`} title=${`${digits(figure.first[i])} → ${digits(figure.second[i])} ${figure.unit}`}>
    ${within ? '~' : ''}${signed(jnds)}</td>`;
}

/** The button, and what it has found. `of` is of useDifferences(). */
export function Differences({ title, label, of, studio }) {
  const { words, found, job, compare } = of;
  const [octave, setOctave] = useState(0);
  const figures = found?.figures.filter(({ jnds }) => jnds.some((value) => value !== null)) ?? [];
  const decays = [found?.decays_first, found?.decays_second].map((list) => list?.[octave]).filter(Boolean);
  return html`<section class="differences" aria-label=${title}><h2>${title}</h2>
    ${found === null && html`<div class="buttons"><button disabled=${job !== null} onClick=${compare}>${label}</button>
      ${job !== null && html`<${Progress} of=${studio.jobs[job - 1]?.progress} />`}</div><${Command} words=${words} />`}
    ${found && html`<p>${found.finding[0].toUpperCase()}${found.finding.slice(1)}.</p>
      ${figures.length > 0 && html`<table class="jnds"><caption>${T('B less A, in just noticeable differences')}</caption>
        <thead><tr><th>${T('Figure')}</th>${found.octaves_hz.map((hertz) => html`<th class="number">${octaveText(hertz)}</th>`)}</tr></thead>
        <tbody>${figures.map((figure) => html`<tr><th scope="row">${figure.word}</th>${found.octaves_hz.map((_, i) => html`<${Cell} figure=${figure} i=${i} />`)}</tr>`)}</tbody></table>
        <p><small>${T('Bold: 1 JND or more, which a listener notices. ~: within the uncertainty.')}</small></p>`}
      ${found.changes.length > 0 && html`<details><summary>${T('{0} differences of the set-up', String(found.changes.length))}</summary>
        <ul>${found.changes.map((one) => html`<li>${one.words}</li>`)}</ul></details>`}
      ${decays.length > 0 && html`<label>${T('Decay at')} <select value=${octave} onChange=${(event) => setOctave(Number(event.target.value))}>
          ${found.decays_first.map(({ octave_hz: hertz }, i) => html`<option value=${i}>${octaveText(hertz)} Hz</option>`)}</select></label>
        <${Curves} label=${T('Level after the direct sound in dB, over seconds')} curves=${decays.map((one) => ({ step: one.step_s, values: one.level_db }))} />`}`}
  </section>`;
}

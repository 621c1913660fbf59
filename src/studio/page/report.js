/** What `report` finds in a run: findings, and recommendations for a use of the room; its page is in the run's folder. */
import { useEffect, useState } from 'preact/hooks';
import { T, printed } from '../../present/report/script/words.js';
import { fileAddress, jobOutput } from './api.js';
import { Progress, html } from './parts.js';
import { attempt, run } from './state.js';

const uses = () => Object.entries({ church: T('church'), worship: T('worship'), concerts: T('concerts'), organ: T('organ'), choir: T('choir'), music: T('music'), speech: T('speech'), teaching: T('teaching'), inclusive: T('inclusive'), sport: T('sport') });

const number = (value) => printed(Number(value.toPrecision(3)));
const wanted = ({ low, high }) => (low === high ? T('about {0}', String(number(low))) : low === null ? T('at most {0}', String(number(high)))
  : high === null ? T('at least {0}', String(number(low))) : T('{0} to {1}', String(number(low)), String(number(high))));
const here = ({ value, error, why }) => (value === null ? why : `${number(value)}${error ? ` ± ${printed(Number(error.toPrecision(2)))}` : ''}`);

/* The report that was made last of a run, if that was not made again since. */
const lastReport = ({ jobs }, path) => {
  const last = jobs.findLast(({ arguments: words, status }) => status === 0 && ((words[0] === 'report' && words[1] === path && words.includes('--json')) || (words[0] === 'simulate' && words.includes(path))));
  return last?.arguments[0] === 'report' ? last : null;
};

/** `then()` is called when a page was made. */
export function Report({ path, studio, then }) {
  const last = lastReport(studio, path), [use, setUse] = useState(null), [found, setFound] = useState(null), [job, setJob] = useState(null);
  const madeFor = last?.arguments[last.arguments.indexOf('--use') + 1];
  useEffect(() => {
    setFound(null);
    if (last) attempt(async () => setFound(JSON.parse(await jobOutput(last.number)).data.runs[0]));
  }, [path, last?.number]);
  const language = document.documentElement.lang === 'de' ? ['--language', 'de'] : [];
  const words = ['report', path, '--use', use ?? 'church', ...language, '--tables', `${path}/tables`, '--force', '--progress', 'json'];
  const make = () => attempt(async () => { await run(words, setJob); await then(); }).then(() => setJob(null));
  return html`<section class="report" aria-label=${T('Report')}>
    <div class="buttons"><label>${T('Use')} <select value=${use ?? madeFor ?? 'church'} onChange=${(event) => setUse(event.target.value)}>${uses().map(([one, text]) => html`<option value=${one}>${text}</option>`)}</select></label>
      <button class=${found ? '' : 'first'} disabled=${job !== null} onClick=${make}>${found ? T('Make the report again') : T('Make the report')}</button>${found && html`<a class="button first" href=${fileAddress(`${path}/report.html`)} target="_blank">${T('Read the report')}</a>`}${job !== null && html`<${Progress} of=${studio.jobs[job - 1]?.progress} />`}</div>
    ${found && html`<p><small>${T('Its print makes a PDF.')}</small></p>
      <ul class="report-findings">${found.findings.map(({ plain, sentence, verdict }) => html`<li class=${`of-${verdict}`} title=${sentence}><strong>${plain}</strong> <small>${sentence}</small></li>`)}</ul>
      ${found.targets_why && html`<p>${found.targets_why}</p>`}
      ${found.targets?.length > 0 && html`<table class="targets"><caption>${T('Recommendations for the use {0}', T(madeFor))}</caption><thead><tr><th>${T('Figure')}</th><th>${T('Should be')}</th><th>${T('Is')}</th><th>${T('Met?')}</th></tr></thead>
      <tbody>${found.targets.map((target) => html`<tr><td>${target.word}<br /><small title=${target.title}>${[target.words, target.octaves].filter(Boolean).join('; ')}</small></td>
        <td>${wanted(target)}</td><td>${here(target)}</td><td>${T(target.verdict)}</td></tr>`)}</tbody></table>`}`}
  </section>`;
}

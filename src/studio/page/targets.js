/** A run beside recommendations for a use of the room, as `report` has them. */
import { useState } from 'preact/hooks';
import { T, T_LATER } from '../../present/report/script/words.js';
import { Progress, html } from './parts.js';
import { attempt, run } from './state.js';

const USES = [T_LATER('church'), T_LATER('worship'), T_LATER('concerts'), T_LATER('music'), T_LATER('speech'), T_LATER('teaching'), T_LATER('inclusive'), T_LATER('sport')];

const number = (value) => Number(value.toPrecision(3));
const wanted = ({ low, high }) => (low === high ? T('about {0}', String(number(low))) : low === null ? T('at most {0}', String(number(high)))
  : high === null ? T('at least {0}', String(number(low))) : T('{0} to {1}', String(number(low)), String(number(high))));
const here = ({ value, error, why }) => (value === null ? why : `${number(value)}${error ? ` ± ${Number(error.toPrecision(2))}` : ''}`);

export function Targets({ path, studio }) {
  const [use, setUse] = useState('church'), [found, setFound] = useState(null), [job, setJob] = useState(null);
  const compare = () => attempt(async () => {
    const { json } = await run(['report', path, '--use', use, '--force', '--progress', 'json'], setJob);
    setFound({ path, targets: json.data.runs[0].targets, why: json.data.runs[0].targets_why });
  }).then(() => setJob(null));
  const current = found !== null && found.path === path ? found : null;
  return html`<section aria-label=${T('Targets')}><h2>${T('Targets')}</h2>
    <div class="buttons"><label>${T('Use')} <select value=${use} onChange=${(event) => { setUse(event.target.value); setFound(null); }}>${USES.map((one) => html`<option value=${one}>${T(one)}</option>`)}</select></label>
      <button disabled=${job !== null} onClick=${compare}>${T('Compare')}</button>${job !== null && html`<${Progress} of=${studio.jobs[job - 1]?.progress} />`}</div>
    ${current?.why && html`<p>${current.why}</p>`}
    ${current?.targets?.length > 0 && html`<table class="targets"><thead><tr><th>${T('Figure')}</th><th>${T('Should be')}</th><th>${T('Is')}</th><th>${T('Met?')}</th></tr></thead>
      <tbody>${current.targets.map((target) => html`<tr><td>${target.word}<br /><small title=${target.title}>${target.words}; ${target.octaves}</small></td>
        <td>${wanted(target)}</td><td>${here(target)}</td><td>${T(target.verdict)}</td></tr>`)}</tbody></table>`}
  </section>`;
}

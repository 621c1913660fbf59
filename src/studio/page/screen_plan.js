/** Plan and run: what each highest frequency costs and reaches, as `plan` predicts it, and the runs of the project. */
import { useEffect, useState } from 'preact/hooks';
import { T, T_LATER } from '../../present/report/script/words.js';
import { listFolder } from './api.js';
import { Command, NumberField, Progress, html, octaveText, size, time } from './parts.js';
import { attempt, cancel, folderOf, isOpen, run, setValue, start } from './state.js';
import { planRun } from './facts.js';

const SETTLES = 600; // ms without a change, before a plan is made
const RAYS = { auto: T_LATER('by rays where they can be joined'), on: T_LATER('by rays'), off: T_LATER('not at all') };

/* Names of octaves, from the first to the last. */
const range = (octaves) => (octaves.length === 0 ? T('no whole octave')
  : octaves.length === 1 ? `${octaveText(octaves[0])} Hz` : T('{0} to {1} Hz', octaveText(octaves[0]), octaveText(octaves[octaves.length - 1])));

/* The plan of the project as it is; `plan` may be that of an earlier state, then `fresh` is false. */
function usePlan(project) {
  const [made, setMade] = useState({ plan: null, hash: null });
  useEffect(() => {
    let stale = false;
    const timer = setTimeout(() => attempt(async () => {
      const plan = await planRun(project);
      if (!stale) setMade({ plan, hash: project.hash });
    }), made.plan ? SETTLES : 0);
    return () => { stale = true; clearTimeout(timer); };
  }, [project.hash]);
  return { plan: made.plan, fresh: made.hash === project.hash };
}

/* A folder for results that is not there: that of the project, or one with a number behind it. */
async function freeFolder(project) {
  const base = folderOf(project.path);
  const outputs = project.plain.outputs;
  const wanted = (typeof outputs === 'string' ? outputs : outputs?.folder) ?? project.path.slice(base.length).replace(/\.[^.]*$/, '');
  const taken = new Set((await listFolder(base)).map(({ name }) => name));
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`;
  return base + name;
}

const Cost = ({ cost, rays }) => html`<dl class="cost">
  <div><dt>${T('Time')}</dt><dd>${time(cost.seconds_predicted)}</dd></div>
  <div><dt>${T('Memory')}</dt><dd>${size(cost.bytes_peak)}</dd></div>
  ${cost.bytes_disk !== undefined && html`<div><dt>${T('Disk')}</dt><dd>${size(cost.bytes_disk)}</dd></div>
    <div><dt>${T('On')}</dt><dd>${cost.backend === 'cuda' ? T('the GPU') : T('the processor')}</dd></div>
    <div><dt>${T('Waves reach')}</dt><dd>${range(cost.nominal_hz)}</dd></div>
    <div><dt>${T('Above them')}</dt><dd>${rays ? T('rays, to 16 kHz') : T('nothing')}</dd></div>`}</dl>`;

function Runs({ studio }) {
  const runs = studio.jobs.filter(({ arguments: words }) => words[0] === 'simulate' && words[1] === studio.project.path).reverse();
  if (runs.length === 0) return null;
  const said = { waits: T('waits'), lost: T('ended with the machine') };
  return html`<h2>${T('Runs')}</h2><table class="runs"><tbody>${runs.map((job) => {
    const words = job.arguments;
    const folder = words[words.indexOf('-o') + 1];
    const error = job.messages.find(({ kind }) => kind === 'error');
    return html`<tr key=${job.number} data-state=${job.state}><td>${folder}</td>
      <td>${job.state === 'runs' ? html`<${Progress} of=${job.progress} />`
        : said[job.state] ?? (job.status === 0 ? T('done') : job.status === 130 ? T('cancelled') : error?.message ?? T('failed, status {0}', String(job.status)))}</td>
      <td class="number">${isOpen(job) ? html`<button onClick=${() => cancel(job.number)}>${T('Cancel')}</button>`
        : job.status === 0 && html`<${Report} folder=${folder} />`}</td></tr>`;
  })}</tbody></table>`;
}

/* `report`, then a link to its page. */
function Report({ folder }) {
  const [state, setState] = useState('none');
  const page = `files/${folder.split('/').map(encodeURIComponent).join('/')}/report.html`;
  useEffect(() => { attempt(async () => setState((await listFolder(folder)).some(({ name }) => name === 'report.html') ? 'made' : 'none')); }, [folder]);
  const make = () => attempt(async () => {
    setState('makes');
    try {
      await run(['report', folder, '--progress', 'json']);
      setState('made');
    } catch (error) {
      setState('none');
      throw error;
    }
  });
  return state === 'made' ? html`<a href=${page} target="_blank">${T('Read the report')}</a>`
    : html`<button disabled=${state === 'makes'} onClick=${make}>${T('Make the report')}</button>`;
}

export function Plan({ studio }) {
  const { project } = studio;
  const { plan, fresh } = usePlan(project);
  const [at, setAt] = useState(null); // of the slider while it is dragged
  const [folder, setFolder] = useState(null);
  const [variant, setVariant] = useState(''); // to run; '': the project itself
  const choices = plan?.choices ?? [];
  const fmax = project.plain.fmax_hz ?? 'auto';
  const nearest = choices.findLastIndex?.(({ fmax_hz: one }) => one <= (fmax === 'auto' ? plan.fmax_hz : fmax));
  const choice = at !== null ? choices[at] : choices.find(({ fmax_hz: one }) => one === fmax);
  const cost = fresh && (at === null || choice?.fmax_hz === plan.fmax_hz) ? plan : choice;
  const outputs = project.plain.outputs;
  const rays = (typeof outputs === 'object' ? outputs?.rays : undefined) ?? 'auto';
  const raysWord = rays === true ? 'on' : rays === false ? 'off' : rays;
  const ended = studio.jobs.filter(({ state }) => state === 'ended').length;
  useEffect(() => { attempt(async () => setFolder(await freeFolder(project))); }, [project.path, ended, studio.jobs.length]);
  const variants = Object.keys(project.plain.variants ?? {});
  const words = ['simulate', project.path, ...(variant === '' ? [] : ['--variant', variant]), '-o', folder ?? '', '--progress', 'json'];
  const begin = () => attempt(async () => { await start([...words, '--json']); });
  const setFmax = (value) => value > 0 && value !== fmax && setValue(['fmax_hz'], value);
  const takesFolder = studio.jobs.some((job) => isOpen(job) && job.arguments[0] === 'simulate' && job.arguments.includes(folder));
  return html`<h1>${T('Plan and run')}</h1>
    <div class="fields buttons">
      <label class="slider">${T('Highest frequency that is simulated as waves')}
        <input type="range" min="0" max=${Math.max(0, choices.length - 1)} step="1" disabled=${choices.length === 0} value=${at ?? Math.max(0, nearest ?? 0)}
          aria-valuetext=${`${choice?.fmax_hz ?? fmax} Hz`} onInput=${(event) => setAt(Number(event.target.value))}
          onChange=${(event) => { setFmax(choices[Number(event.target.value)].fmax_hz); setAt(null); }} /></label>
      <label><${NumberField} class="fmax" min="20" max="20000" aria-label=${T('Highest frequency')} value=${choice && at !== null ? choice.fmax_hz : fmax}
        commit=${(text) => setFmax(Number(text))} /> Hz</label>
      <label>${T('Above it')} <select value=${raysWord} onChange=${(event) => setValue(typeof outputs === 'string' ? ['outputs'] : ['outputs', 'rays'],
          typeof outputs === 'string' ? { folder: outputs, rays: event.target.value } : event.target.value)}>
        ${Object.entries(RAYS).map(([word, text]) => html`<option value=${word}>${T(text)}</option>`)}</select></label>
    </div>
    ${cost ? html`<${Cost} cost=${cost} rays=${cost.bytes_rays > 0} />` : html`<p class="faint">${T('`plan` looks at the room.')}</p>`}
    ${cost && !cost.fits && html`<p class="warning">${T('This does not fit into the memory of this machine.')}</p>`}
    ${choices.length > 0 && html`<p class="faint wide">${choices.map(({ fmax_hz: hertz, seconds_predicted: seconds, fits }) => `${hertz} Hz: ${fits ? time(seconds) : T('too large')}`).join(' · ')}</p>`}
    ${fresh && plan.warnings.map((one) => html`<p class="warning">${one}</p>`)}
    <p><${Command} words=${words} /></p>
    ${variants.length > 0 && html`<p><label>${T('Variant')} <select value=${variant} onChange=${(event) => setVariant(event.target.value)}>
      <option value="">${T('the project itself')}</option>${variants.map((one) => html`<option value=${one.replaceAll(' ', '_')}>${one}</option>`)}<option value="all">${T('all, one after the other')}</option></select></label></p>`}
    <p><button class="first" disabled=${folder === null || takesFolder || cost?.fits === false} onClick=${begin}>${T('Run')}</button></p>
    <${Runs} studio=${studio} />`;
}

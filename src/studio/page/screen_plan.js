/** Plan and run: what each highest frequency costs and reaches, as `plan` predicts it, and the runs of the project. */
import { useEffect, useState } from 'preact/hooks';
import { T, T_LATER, printed, shown } from '../../present/report/script/words.js';
import { earlierJob, encoded, listFolder } from './api.js';
import { Command, NumberField, Progress, html, octaveText, size, time } from './parts.js';
import { attempt, cancel, change, endJob, folderOf, go, isOpen, refreshJobs, setValue, start } from './state.js';
import { planRun } from './facts.js';
import { resumeWords } from './runs.js';

const isOnGpu = ({ backend }) => backend === 'cuda' || backend === 'opencl';

const SETTLES = 600; // ms without a change, before a plan is made
const RAYS = { auto: T_LATER('by rays where they can be joined'), on: T_LATER('by rays'), off: T_LATER('not at all') };

/* Names of octaves, from the first to the last. */
const range = (octaves) => (octaves.length === 0 ? T('no whole octave')
  : octaves.length === 1 ? `${octaveText(octaves[0])} Hz` : T('{0} to {1} Hz', octaveText(octaves[0]), octaveText(octaves[octaves.length - 1])));

/* The plan of the project as it is, where there is a GPU also that of the processor; they may be those of an earlier
 * state, then `fresh` is false. */
function usePlans(project) {
  const [made, setMade] = useState({ plans: [], hash: null });
  useEffect(() => {
    let stale = false;
    const timer = setTimeout(() => attempt(async () => {
      const plans = [await planRun(project)];
      if (!stale) setMade({ plans, hash: project.hash });
      if (isOnGpu(plans[0])) plans.push(await planRun(project, '--backend', 'cpu'));
      if (!stale) setMade({ plans: [...plans], hash: project.hash });
    }), made.plans.length > 0 ? SETTLES : 0);
    return () => { stale = true; clearTimeout(timer); };
  }, [project.hash]);
  return { plans: made.plans, fresh: made.hash === project.hash };
}

/* A folder for results that is not there, nor will be made: that of the project, or one with a number behind it. */
async function freeFolder({ project, jobs }) {
  const base = folderOf(project.path);
  const outputs = project.plain.outputs;
  const wanted = (typeof outputs === 'string' ? outputs : outputs?.folder) ?? project.path.slice(base.length).replace(/\.[^.]*$/, '');
  const taken = new Set((await listFolder(base)).map(({ name }) => name));
  for (const job of jobs) if (isOpen(job) && job.arguments[0] === 'simulate') taken.add(runFolder(job.arguments).slice(base.length));
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`;
  return base + name;
}

/* What can be judged: by the octaves of waves, and by rays above them. */
const JUDGED = { bass: T_LATER('bass'), middle: T_LATER('reverberation and clarity'), speech: T_LATER('speech') };
const judged = (words) => words.map((word) => T(JUDGED[word])).join(', ') || T('nothing');

function Judged({ choice, rays }) {
  const others = Object.keys(JUDGED).filter((word) => !choice.judges.includes(word));
  return html`<p>${T('Waves judge: {0}.', judged(choice.judges))} ${others.length > 0 && (rays
    ? T('Rays judge: {0}.', judged(others)) : T('Nothing judges: {0}.', judged(others)))}</p>`;
}

/* The choice on each back end: `plan` has one, `other` may have another. */
function Cost({ cost, of, rays }) {
  const row = (name, value) => html`<tr><th>${name}</th>${cost.map((one) => html`<td class="number">${value(one)}</td>`)}</tr>`;
  return html`<div class="plan"><table class="cost"><thead><tr><th></th>${cost.map((plan) => html`<th class="number">${isOnGpu(plan) ? T('On the GPU') : T('On the processor')}</th>`)}</tr></thead>
    <tbody>${row(T('Time'), (one) => (one.fits ? time(one.seconds_predicted) : T('too large')))}
      ${row(T('Memory'), (one) => size(one.bytes_peak))}${row(T('Disk'), (one) => size(one.bytes_disk))}</tbody></table>
    <div><p>${T('Waves reach')}: ${range(of.nominal_hz)}. ${T('Above them')}: ${rays ? T('rays, to 16 kHz') : T('nothing')}.</p>
      <${Judged} choice=${of} rays=${rays} /></div></div>`;
}

const runFolder = (words) => words[(words.indexOf('--resume') + 1) || (words.indexOf('-o') + 1)];

/* The newest command of each folder of results of the project: first those that run, then those that wait, in their
 * order, then the rest, newest first. */
function runsOf({ jobs, project }) {
  const runs = new Map();
  for (const job of jobs.filter(({ arguments: words }) => words?.[0] === 'simulate')) {
    const folder = runFolder(job.arguments);
    if (job.arguments[1] === project.path || runs.has(folder)) runs.set(folder, job);
  }
  const rank = { runs: 0, waits: 1 };
  return [...runs].map(([folder, job]) => ({ folder, job })).sort(({ job: a }, { job: b }) =>
    (rank[a.state] ?? 2) - (rank[b.state] ?? 2) || (a.state === 'waits' ? a.place - b.place : b.number - a.number));
}

/* The field of a source as it is stepped. */
function Wave({ folder, progress }) {
  const { level_db: level, fallen_db: fallen, pictured_s: pictured } = progress ?? {};
  return html`${level !== undefined && html`<p class="faint">${T('level {0} dB', printed(level.toFixed(1)))}${fallen !== undefined && `, ${T('decayed by {0} dB', printed(fallen.toFixed(1)))}`}</p>`}
    ${pictured !== undefined && html`<figure class="wave"><img src=${`files/${encoded(folder)}/wave.png?${pictured}`} alt=${T('the wave')} onError=${(event) => { event.target.hidden = true; }}
      onLoad=${(event) => { event.target.hidden = false; }} /><figcaption class="faint">${T('{0} ms after the emission, in a plan at the height of {1}', Math.round(1000 * pictured), shown(progress.source))}</figcaption></figure>`}`;
}

const stateOf = (job) => {
  if (job.resumable) return T('paused');
  if (job.state === 'lost') return T('ended with the machine');
  if (job.status === 0) return T('done');
  return job.status === 130 ? T('cancelled') : job.messages.find(({ kind }) => kind === 'error')?.message ?? T('failed, status {0}', String(job.status));
};

function Runs({ studio }) {
  const runs = runsOf(studio);
  if (runs.length === 0) return null;
  const waiting = runs.filter(({ job }) => job.state === 'waits');
  const move = (number) => attempt(async () => { await earlierJob(number); await refreshJobs(); });
  const buttons = (folder, job) => {
    const place = waiting.findIndex((run) => run.job === job);
    if (job.state === 'runs') return html`<button disabled=${Boolean(job.ending)} onClick=${() => cancel(job.number, 'pauses')}>${T('Pause')}</button>
      <button disabled=${job.ending === 'cancelled'} onClick=${() => endJob(job.number)}>${T('Cancel')}</button>`;
    if (job.state === 'waits') return html`<button disabled=${place === 0} onClick=${() => move(job.number)}>${T('Earlier')}</button>
      <button disabled=${place === waiting.length - 1} onClick=${() => move(waiting[place + 1].job.number)}>${T('Later')}</button>
      <button onClick=${() => cancel(job.number)}>${T('Cancel')}</button>`;
    if (job.resumable) return html`<button onClick=${() => attempt(() => start(resumeWords(folder)))}>${T('Resume')}</button>
      <button onClick=${() => cancel(job.number)}>${T('Cancel')}</button>`;
    return job.status === 0 && html`<button class=${folder === runs[0].folder ? 'first' : ''} onClick=${() => { change({ run: folder }); go('results'); }}>${T('Show the results')}</button>`;
  };
  return html`<h2>${T('Runs')}</h2><table class="runs"><tbody>${runs.map(({ folder, job }) => html`
    <tr key=${folder} data-state=${job.resumable ? 'paused' : job.state}><td>${folder}</td>
      <td>${job.state === 'runs' ? html`<${Progress} of=${job.progress} ending=${job.ending} /><${Wave} folder=${folder} progress=${job.progress} />` : job.state === 'waits' ? T('waits') : stateOf(job)}</td>
      <td><span class="buttons">${buttons(folder, job)}</span></td></tr>`)}</tbody></table>`;
}

export function Plan({ studio }) {
  const { project } = studio;
  const { plans, fresh } = usePlans(project);
  const [plan] = plans;
  const [at, setAt] = useState(null); // of the slider while it is dragged
  const [folder, setFolder] = useState(null);
  const [variant, setVariant] = useState(''); // to run; '': the project itself
  const choices = plan?.choices ?? [];
  const fmax = project.plain.fmax_hz ?? 'auto';
  const nearest = choices.findLastIndex?.(({ fmax_hz: one }) => one <= (fmax === 'auto' ? plan.fmax_hz : fmax));
  const choice = at !== null ? choices[at] : choices.find(({ fmax_hz: one }) => one === fmax);
  const atPlan = fresh && (at === null || choice?.fmax_hz === plan.fmax_hz);
  const costs = atPlan ? plans : choice ? plans.map(({ backend, choices: all }) => ({ backend, ...all.find(({ fmax_hz: one }) => one === choice.fmax_hz) })) : [];
  const of = atPlan ? plan : choice; // what it gives
  const joined = plan?.bytes_rays > 0;
  const outputs = project.plain.outputs;
  const rays = (typeof outputs === 'object' ? outputs?.rays : undefined) ?? 'auto';
  const raysWord = rays === true ? 'on' : rays === false ? 'off' : rays;
  const ended = studio.jobs.filter(({ state }) => state === 'ended').length;
  useEffect(() => { attempt(async () => setFolder(await freeFolder(studio))); }, [project.path, ended, studio.jobs.length]);
  const variants = Object.keys(project.plain.variants ?? {});
  const words = ['simulate', project.path, ...(variant === '' ? [] : ['--variant', variant]), '-o', folder ?? '', '--watch', '--progress', 'json'];
  const begin = () => attempt(async () => {
    setFolder(null); // so that it is taken once
    try { await start([...words, '--json']); } finally { setFolder(await freeFolder(studio)); }
  });
  const setFmax = (value) => value > 0 && value !== fmax && setValue(['fmax_hz'], value);
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
    ${of && costs.length > 0 ? html`<${Cost} cost=${costs} of=${of} rays=${joined} />` : html`<p class="faint">${T('Time and memory are being worked out.')}</p>`}
    ${costs[0]?.fits === false && html`<p class="warning">${T('This does not fit into the memory of this machine.')}</p>`}
    ${choices.length > 0 && html`<p class="faint wide">${choices.map(({ fmax_hz: hertz, seconds_predicted: seconds, fits }) => `${hertz} Hz: ${fits ? time(seconds) : T('too large')}`).join(' · ')}</p>`}
    ${fresh && plan.warnings.map((one) => html`<p class="warning">${one}</p>`)}
    <p class="buttons">${variants.length > 0 && html`<label>${T('Variant')} <select value=${variant} onChange=${(event) => setVariant(event.target.value)}>
      <option value="">${T('the project itself')}</option>${variants.map((one) => html`<option value=${one.replaceAll(' ', '_')}>${one}</option>`)}<option value="all">${T('all, one after the other')}</option></select></label>`}
      <button class="first" disabled=${folder === null || costs[0]?.fits === false} onClick=${begin}>${T('Run')}</button> <${Command} words=${words} /></p>
    <${Runs} studio=${studio} />`;
}

/** What is around every screen: the bar, the list of screens, what went wrong, and the command that ran last. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { T } from '../../present/report/script/words.js';
import { mend, mendText } from './mend.js';
import { Command, Progress, html, phaseText } from './parts.js';
import { prefer, preference } from './preferences.js';
import { screens } from './screens.js';
import { attempt, change, endJob, go, isOpen, lookAgain, lookAtModel, redo, refreshJobs, speak, undo, useStudio } from './state.js';
import { Tour, show as showTour } from './tour.js';

const LANGUAGES = { en: 'English', de: 'Deutsch' };

const isThere = ({ needs }, { file, project }) =>
  needs === '' || (needs === 'model' ? file !== '' : project !== null);

function useTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const [theme, setTheme] = useState(preference('theme') ?? dark);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    prefer('theme', theme);
  }, [theme]);
  return [theme, () => setTheme(theme === 'dark' ? 'light' : 'dark')];
}

/* Alt and a digit: a screen. Ctrl+Z and Ctrl+Shift+Z or Ctrl+Y: undo and redo, but in a field its own while its text is not
 * taken. */
function useKeys(studio) {
  const typing = useRef(null);
  useEffect(() => {
    const onInput = ({ target }) => { typing.current = target; }, onTaken = () => { typing.current = null; };
    addEventListener('input', onInput, true);
    addEventListener('change', onTaken, true);
    return () => { removeEventListener('input', onInput, true); removeEventListener('change', onTaken, true); };
  }, []);
  useEffect(() => {
    const onKey = (event) => {
      const digit = event.altKey && /^Digit[1-9]$/.test(event.code) ? Number(event.code.slice(5)) : 0;
      const key = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : '';
      const inField = event.target === typing.current;
      let act = null;
      if (digit > 0 && screens[digit - 1] && isThere(screens[digit - 1], studio)) act = () => go(screens[digit - 1].id);
      else if (key === 'z' && !inField) act = event.shiftKey ? redo : undo;
      else if (key === 'y' && !inField) act = redo;
      if (act === null) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

const Trouble = ({ trouble }) => trouble && html`<div class="trouble" role="alert">
  <p><strong>${trouble.message}</strong> ${trouble.mend ? null : trouble.fix}</p>
  ${trouble.mend && html`<button onClick=${() => { change({ trouble: null }); mend(trouble.mend); }}>${mendText(trouble.mend)}</button>`}
  ${trouble.choices.map(({ label, act }) => html`<button onClick=${() => { change({ trouble: null }); act(); }}>${label}</button>`)}
  <button aria-label=${T('Close')} onClick=${() => change({ trouble: null })}>×</button>
</div>`;

const SHOWN_MOST = 3; // commands
const LOOKS = 4000; // ms between two looks whether the model was exported again

/* Those that run or wait, runs first; if there are none, the one that was started last. */
function Commands({ studio }) {
  const last = studio.jobs[studio.command - 1], runs = ({ arguments: words }) => words[0] === 'simulate';
  const open = studio.jobs.filter(isOpen).sort((a, b) => runs(b) - runs(a) || (a.state === 'waits') - (b.state === 'waits'));
  const ends = { 0: T('done'), 1: T('done, with a negative result'), 130: T('cancelled') };
  const endOf = ({ state, status, number }) => (state === 'lost' ? T('ended with the machine') : ends[status] ?? (number === studio.told ? '' : T('failed, status {0}', String(status))));
  const shown = open.length > 0 ? open.slice(0, SHOWN_MOST) : [last].filter(Boolean), [first, ...further] = shown;
  const row = (job) => html`<div class="running" key=${job.number}><${Command} words=${job.arguments} />
    ${job.state === 'runs' ? html`<${Progress} of=${job.progress} ending=${job.ending} />` : html`<span class="state">${job.state === 'waits' ? T('waits') : endOf(job)}</span>`}
    ${isOpen(job) && html`<button class="small" disabled=${job.ending === 'cancelled'} onClick=${() => endJob(job.number)}>${T('Cancel')}</button>`}</div>`;
  return html`<footer aria-label=${T('the commands that run, or ran last')}>
    <span class="unseen" role="status">${first && `${first.arguments[0]}: ${first.state === 'runs' ? first.progress && phaseText(first.progress) : first.state === 'waits' ? T('waits') : endOf(first)}`}</span>
    ${first && row(first)}
    ${further.length > 0 && html`<div class="further">${further.map(row)}${open.length > SHOWN_MOST && html`<small>${T('{0} further commands', String(open.length - SHOWN_MOST))}</small>`}</div>`}
  </footer>`;
}

export function Shell() {
  const studio = useStudio();
  const [theme, turnTheme] = useTheme();
  useKeys(studio);
  useEffect(() => {
    attempt(refreshJobs);
    const onFocus = () => attempt(async () => { await lookAgain(); await refreshJobs(); });
    addEventListener('focus', onFocus);
    const looks = setInterval(() => { if (!document.hidden) lookAtModel().catch(() => {}); }, LOOKS);
    return () => { removeEventListener('focus', onFocus); clearInterval(looks); };
  }, []);
  const other = document.documentElement.lang === 'de' ? 'en' : 'de';
  const wanted = screens.find(({ id }) => id === studio.screen);
  const current = wanted && isThere(wanted, studio) ? wanted : screens[0];
  const main = useRef(null), { Screen } = current;
  document.title = `${T(current.title)} – transept studio`;
  const before = useRef(current);
  useLayoutEffect(() => {
    if (current !== before.current && document.activeElement === document.body) main.current.focus(); // what had the focus is gone
    before.current = current;
  }, [current]);
  return html`
    <header>
      <button class="skip" onClick=${() => main.current.focus()}>${T('To the content')}</button>
      <span class="brand">transept studio</span>
      <span class="file">${studio.file}</span>
      ${studio.project && html`<span class="buttons">
        <button onClick=${undo} disabled=${studio.project.past.length === 0} title=${T('Ctrl+Z')}>${T('Undo')}</button>
        <button onClick=${redo} disabled=${studio.project.future.length === 0} title=${T('Ctrl+Shift+Z')}>${T('Redo')}</button></span>`}
      ${studio.project && html`<button id="tour" onClick=${() => showTour(0)}>${T('Tour')}</button>`}
      <button lang=${other} onClick=${() => { prefer('language', other); attempt(() => speak(other)); }}>${LANGUAGES[other]}</button>
      <button onClick=${turnTheme}>${theme === 'dark' ? T('Light') : T('Dark')}</button>
    </header>
    <nav aria-label=${T('Screens')}><ol>${screens.map((screen, i) => html`<li>
      <button onClick=${() => go(screen.id)} disabled=${!isThere(screen, studio)} title=${`Alt+${i + 1}`}
        aria-current=${screen === current ? 'page' : undefined}>${T(screen.title)}</button></li>`)}</ol></nav>
    <main tabindex="-1" ref=${main} aria-label=${T(current.title)}><${Trouble} trouble=${studio.trouble} /><${Screen} studio=${studio} /></main>
    <${Commands} studio=${studio} />
    ${studio.tour !== null && studio.project && html`<${Tour} step=${studio.tour} />`}`;
}

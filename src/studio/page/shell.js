/** What is around every screen: the bar, the list of screens, what went wrong, and the command that ran last. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { T } from '../../present/report/script/words.js';
import { Command, Progress, html } from './parts.js';
import { prefer, preference } from './preferences.js';
import { screens } from './screens.js';
import { attempt, cancel, change, go, isOpen, lookAgain, redo, refreshJobs, speak, undo, useStudio } from './state.js';
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

/* Alt and a digit: a screen. Ctrl+Z and Ctrl+Shift+Z or Ctrl+Y: undo and redo, but in a field its own. */
function useKeys(studio) {
  useEffect(() => {
    const onKey = (event) => {
      const digit = event.altKey && /^Digit[1-9]$/.test(event.code) ? Number(event.code.slice(5)) : 0;
      const key = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : '';
      const inField = /^(INPUT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'range' && event.target.type !== 'checkbox';
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
  <p><strong>${trouble.message}</strong> ${trouble.fix}</p>
  ${trouble.choices.map(({ label, act }) => html`<button onClick=${() => { change({ trouble: null }); act(); }}>${label}</button>`)}
  <button aria-label=${T('Close')} onClick=${() => change({ trouble: null })}>×</button>
</div>`;

function Last({ studio }) {
  const job = studio.jobs[studio.command - 1];
  if (job === undefined) return html`<footer aria-label=${T('the command that ran last')} />`;
  const statuses = { 0: T('done'), 1: T('done, with a negative result'), 130: T('cancelled') };
  const ends = { waits: T('waits'), lost: T('ended with the machine'), ended: statuses[job.status] ?? T('failed, status {0}', String(job.status)) };
  return html`<footer aria-label=${T('the command that ran last')}><${Command} words=${job.arguments} />
    ${job.state === 'runs' ? html`<${Progress} of=${job.progress} />` : html`<span class="state">${ends[job.state]}</span>`}
    <span class="unseen" role="status">${job.arguments[0]}: ${job.state === 'runs' ? job.progress?.phase : ends[job.state]}</span>
    ${isOpen(job) && html`<button class="small" onClick=${() => cancel(job.number)}>${T('Cancel')}</button>`}
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
    return () => removeEventListener('focus', onFocus);
  }, []);
  const other = document.documentElement.lang === 'de' ? 'en' : 'de';
  const wanted = screens.find(({ id }) => id === studio.screen);
  const current = wanted && isThere(wanted, studio) ? wanted : screens[0];
  const main = useRef(null), { Screen } = current;
  document.title = `${T(current.title)} – transept studio`;
  const before = useRef(current);
  useEffect(() => {
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
    <${Last} studio=${studio} />
    ${studio.tour !== null && studio.project && html`<${Tour} step=${studio.tour} />`}`;
}

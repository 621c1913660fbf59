/** The studio: opens what the address names, and draws. */
import { render } from 'preact';
import { html } from './parts.js';
import { preference } from './preferences.js';
import { Shell } from './shell.js';
import { screens } from './screens.js';
import { beginTour } from './tour.js';
import { askedFor, attempt, go, isProject, openModel, openProject, speak } from './state.js';

async function begin() {
  const { file, screen } = askedFor();
  if (isProject(file)) await openProject(file);
  else if (file !== '') await openModel(file);
  if (screen !== null) go(screen);
  else if (file !== '') go((screens.find(({ needs }) => needs === (isProject(file) ? 'project' : 'model')) ?? screens[0]).id);
  beginTour(file);
}

attempt(() => speak(preference('language') ?? (navigator.language.startsWith('de') ? 'de' : 'en')))
  .then(() => attempt(begin))
  .then(() => render(html`<${Shell} />`, document.body));

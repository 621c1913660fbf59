/** What moves in a report. The page is complete without it; each part is independent, so that where one cannot
 * work (no WebGL, no audio) the drawing without script stays. */
import './licences.js'; // of the packages; written when the script is bundled
import uPlotStyle from 'uplot/dist/uPlot.min.css';
import { besideDrawing, make, pageData } from './data.js';
import { showCurves } from './curves.js';
import { blindListening } from './listen.js';
import { mapRanges, showRoom } from './room.js';

const page = { rooms: [], curves: {}, blind: null, failed: [] };
window.transept = page; // for tests

function attempt(what, act) {
  try {
    return act();
  } catch (error) {
    page.failed.push(`${what}: ${error.message}`);
    return null;
  }
}

/* Paper cannot be opened: all that is folded is printed too (older browsers; others have it from page.css). */
const opened = [];
window.addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details:not([open])')) {
    details.open = true;
    opened.push(details);
  }
});
window.addEventListener('afterprint', () => { for (const details of opened.splice(0)) details.open = false; });

const data = attempt('data', pageData);
if (data !== null) {
  document.head.append(make('style', {}, uPlotStyle));
  const { runs } = data;
  const ranges = mapRanges(runs);
  runs.forEach((run, r) => {
    const container = document.querySelector(`.room-view[data-run="${r}"]`);
    if (container === null) return;
    const place = make('div', { class: 'screen-only' });
    container.prepend(place);
    const view = attempt('room', () => showRoom(place, run, ranges));
    if (view === null) { place.remove(); return; }
    besideDrawing(container).remove();
    page.rooms.push(view);
  });
  for (const [id, name, height] of [['decay-figure', 'decay', 320], ['spectrum-figure', 'spectrum', 320], ['waveform-figure', 'waveform', 280],
    ['whole-figure', 'whole', 280], ['level-figure', 'level', 280]]) {
    const figure = document.getElementById(id);
    if (figure !== null) page.curves[name] = attempt(name, () => showCurves(figure, runs, name, height));
  }
  const listen = document.getElementById('listen');
  if (listen !== null) page.blind = attempt('listening', () => blindListening(listen, data));
}
document.documentElement.dataset.script = page.failed.length === 0 ? 'ready' : 'failed';

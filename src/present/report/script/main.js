/** The room in 3-D and blind listening. The page is complete without them. Each is independent: where one cannot
 * work (no WebGL, no audio), the page keeps its plan and its players. */
import { make, pageData } from './data.js';
import { blindListening } from './listen.js';
import { mapRanges, showRoom } from './room.js';

const page = { rooms: [], blind: null, failed: [] };
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

/* The plan with its caption and key is printed in place of the room. */
function keepForPrint(container) {
  const kept = make('div', { class: 'print-only' });
  kept.append(...container.querySelectorAll(':scope > svg, :scope > .caption, :scope > .key'));
  container.prepend(kept);
}

const data = attempt('data', pageData);
if (data !== null) {
  const { runs } = data;
  const ranges = mapRanges(runs);
  runs.forEach((run, r) => {
    const container = document.querySelector(`.room-view[data-run="${r}"]`);
    if (container === null) return;
    const place = make('div', { class: 'screen-only' });
    container.prepend(place);
    const view = attempt('room', () => showRoom(place, run, ranges));
    if (view === null) { place.remove(); return; }
    keepForPrint(container);
    page.rooms.push(view);
  });
  const listen = document.getElementById('listen');
  if (listen !== null) page.blind = attempt('listening', () => blindListening(listen, data));
}
document.documentElement.dataset.script = page.failed.length === 0 ? 'ready' : 'failed';

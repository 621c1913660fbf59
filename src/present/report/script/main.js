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

/* A link into what is folded opens it. */
function unfold() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target; at !== null; at = at.parentElement) if (at.nodeName === 'DETAILS') at.open = true;
  target?.scrollIntoView();
}
window.addEventListener('hashchange', unfold);
unfold();

const data = attempt('data', pageData);
if (data !== null) {
  const { runs } = data;
  const ranges = mapRanges(runs);
  runs.forEach((run, r) => {
    const container = document.querySelector(`.room-view[data-run="${r}"]`);
    if (container === null) return;
    const place = make('div');
    container.prepend(place);
    const view = attempt('room', () => showRoom(place, run, ranges));
    if (view === null) { place.remove(); return; }
    page.rooms.push(view);
  });
  const listen = document.getElementById('listen');
  if (listen !== null) page.blind = attempt('listening', () => blindListening(listen, data));
}
document.documentElement.dataset.script = page.failed.length === 0 ? 'ready' : 'failed';

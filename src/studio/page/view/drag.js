/** Pulling what is under a pointer about. */
const CLICK = 4; // pixels that a pointer may move between down and up

/** Is it a click that began at `down` [x, y] and ends with this event? */
export const isClick = (down, event) => down !== null && Math.hypot(event.clientX - down[0], event.clientY - down[1]) <= CLICK;

/** grab(event) returns pull(event, done) for what can be pulled, or null; hold(true) while it is. Escape puts it back:
 * pull(null, true). */
export function listenToDrags(canvas, grab, hold) {
  let pull = null, down = null;
  function end(event) {
    if (pull === null) return;
    const last = pull;
    pull = null;
    hold(false);
    if (event === null || !isClick(down, event)) last(event, true);
  }
  canvas.addEventListener('pointerdown', (event) => { // before it turns the room
    pull = event.button === 0 && event.isPrimary ? grab(event) : null;
    if (pull === null) return;
    down = [event.clientX, event.clientY];
    hold(true);
    canvas.setPointerCapture(event.pointerId);
  }, true);
  canvas.addEventListener('pointermove', (event) => { if (pull !== null && !isClick(down, event)) pull(event, false); });
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', () => end(null));
  canvas.addEventListener('keydown', (event) => { if (event.key === 'Escape') end(null); });
}

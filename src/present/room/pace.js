/** Pictures of a large room, which must not pile up: none is begun before the one before is done, and while the room is
 * turned on a machine that is slow to draw, what takes longest is left out, and put back as soon as the room is still. */
const SLOW = 60; // from asking for a picture to beginning it [ms]
const STILL = 250; // without a picture: the room is still [ms]

/** `gl` draws. Calls simplify(true) where two pictures in a row had to wait, and simplify(false) and again() once the
 * room is still. Returns ready(): may a picture be begun? and done(waited), to be called after each [ms]. */
export function pacer(gl, simplify, again) {
  let fence = null, waits = 0, simple = false, timer = 0;
  function ready() {
    clearTimeout(timer); // a picture is asked for
    const drawing = fence !== null && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED;
    if (drawing && !gl.isContextLost()) return false;
    gl.deleteSync(fence);
    fence = null;
    return true;
  }
  function done(waited) {
    fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    waits = waited > SLOW ? waits + 1 : 0;
    if (waits === 2 && !simple) { simple = true; simplify(true); }
    if (simple) timer = setTimeout(() => { simple = false; waits = 0; simplify(false); again(); }, STILL);
  }
  return { ready, done };
}

/** Walking through a room at the height of one's eyes: arrows or W, A, S, D go and turn, a drag looks around. */
import { Vector3 } from 'three';

const EYES = 1.6, STEP = 0.5, CLIMB = 1; // [m]
const TURN = 10; // [degrees]
const OPENING = 68; // vertical angle of view [degrees]
const AHEAD = 0.05; // to the point that OrbitControls turns about [m]

/** On a stage (stage.js). fall(position) is the floor below it or null. Returns on, set(on, at, low, high), listen(canvas). */
export function makeWalk({ camera, controls, redraw }, fall) {
  const walk = { on: false };
  let before = null;

  function stand(at, direction) {
    const floor = fall([at[0], at[1], at[2]]);
    const eye = floor !== null && Math.abs(floor[2] + EYES - at[2]) <= CLIMB + EYES ? [at[0], at[1], floor[2] + EYES] : at;
    camera.position.set(...eye);
    controls.target.copy(camera.position).addScaledVector(direction, AHEAD);
    controls.update();
    redraw();
  }
  function ahead() {
    return controls.target.clone().sub(camera.position).normalize();
  }
  function go(forward, aside) {
    const direction = ahead();
    const level = new Vector3(direction.x, direction.y, 0).normalize();
    const { x, y, z } = camera.position;
    stand([x + STEP * (forward * level.x + aside * level.y), y + STEP * (forward * level.y - aside * level.x), z], direction);
  }
  function look(angle) {
    const direction = ahead().applyAxisAngle(new Vector3(0, 0, 1), angle * Math.PI / 180);
    stand(camera.position.toArray(), direction);
  }
  walk.set = (on, at, low, high) => {
    if (on === walk.on) return;
    walk.on = on;
    if (on) {
      before = { fov: camera.fov, near: camera.near, speed: controls.rotateSpeed };
      Object.assign(camera, { fov: OPENING, near: 0.02 });
      Object.assign(controls, { enableZoom: false, enablePan: false, rotateSpeed: -0.4 });
      camera.updateProjectionMatrix();
      const longer = high[0] - low[0] >= high[1] - low[1] ? 0 : 1, middle = (low[longer] + high[longer]) / 2;
      stand([at[0], at[1], at[2] + 0.3], new Vector3().setComponent(longer, at[longer] < middle ? 1 : -1));
    } else {
      Object.assign(camera, { fov: before.fov, near: before.near });
      Object.assign(controls, { enableZoom: true, enablePan: true, rotateSpeed: before.speed });
      camera.updateProjectionMatrix();
    }
  };
  walk.listen = (canvas) => canvas.addEventListener('keydown', (event) => {
    if (!walk.on || event.ctrlKey || event.altKey || event.metaKey) return;
    const acts = { ArrowUp: () => go(1, 0), ArrowDown: () => go(-1, 0), ArrowLeft: () => look(TURN), ArrowRight: () => look(-TURN),
      w: () => go(1, 0), s: () => go(-1, 0), a: () => go(0, -1), d: () => go(0, 1) };
    const act = acts[event.key];
    if (act === undefined) return;
    act();
    event.preventDefault();
  });
  return walk;
}

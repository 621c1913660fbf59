/** The room in three dimensions, as all screens show it (src/present/room has what it shares with reports). */
import { BufferGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, Raycaster, SphereGeometry, Vector2, Vector3 } from 'three';
import { make } from '../../../present/room/element.js';
import { nameLabels } from '../../../present/room/labels.js';
import { leakMarks } from '../../../present/room/room_leaks.js';
import { mapCells, points, rampColour } from '../../../present/room/room_things.js';
import { walls } from '../../../present/room/room_walls.js';
import { firstSide, solidHeight } from '../../../present/room/sight.js';
import { listenToKeys, makeStage } from '../../../present/room/stage.js';
import { readGlb } from './glb.js';
import { person } from './scale_marks.js';
import { makeWalk } from './walk.js';

const CLICK = 4; // pixels that a pointer may move between down and up
const UP = 0.5; // vertical part of a floor's normal, at least

/** In `canvas`, which fills its parent. onPick({kind, ...}) is called for a click: `surface` {material, at, normal}, `pin`
 * or `place` {index}. Positions in metres, z up. Returns
 *
 *   setMesh(arrayBuffer)   of a GLB (glb.js); returns {materials, places, low, high, triangles}
 *   setPlaces(list)        of {name, kind: source, receiver or person, at}
 *   setPins(list)          of {at, text, kind}, and of a leak path and width {path, across}
 *   colourBy(values)       {material: 0..1} on the scale, null for the materials' own colours; what it lacks is grey
 *   setCut(axis, value)    walls are solid up to there and glass beyond; null: solid
 *   setGlass(shown), setBacks(painted), setMap(map, range), chosen(material or null)
 *   setWalk(points, at)    a line from place to place, and who is on it (null: nobody)
 *   pickFloor(event)       the floor under a pointer: [x, y, z] or null
 *   hold(held)             the room does not turn while something is dragged
 *   lookAt(position)       from the same side, nearer
 *   reset(), above(), nudge(azimuth, elevation, factor), walk(on), dispose() */
export function makeRoomView(canvas, { onPick = () => {} } = {}) {
  const frame = canvas.parentElement, over = make('div', { class: 'room-over' });
  canvas.after(over);
  let surfaces = null, labels = null, low = [0, 0, 0], high = [1, 1, 1], size = 0.12, glass = true, places = [], pins = [];
  let limits = [Infinity, Infinity, Infinity];
  const view = { canvas, frames: 0 };
  const layers = { places: new Group(), pins: new Group(), map: new Group(), walk: new Group() };
  const spot = new Vector3(), caster = new Raycaster();

  function after(camera, width, height) {
    view.frames += 1;
    labels?.place(camera, width, height, { source: true, receiver: true, person: true });
    for (const { at, button } of pins) {
      spot.set(...at).project(camera);
      button.hidden = Math.abs(spot.z) >= 1 || Math.abs(spot.x) > 1 || Math.abs(spot.y) > 1;
      button.style.transform = `translate(${Math.round((spot.x + 1) / 2 * width)}px, ${Math.round((1 - spot.y) / 2 * height)}px) translate(-50%, -50%)`;
    }
  }
  const stage = makeStage(canvas, { after });
  const { scene, camera, controls, redraw } = stage;
  scene.add(...Object.values(layers));
  const walking = makeWalk(stage, (from) => fall(from));
  const reset = () => { if (surfaces) stage.viewFrom(firstSide(low, high)); };
  walking.listen(canvas);
  listenToKeys(canvas, stage.nudge, reset);

  /* ---- what is seen ---- */

  const cut = () => surfaces?.cut(walking.on ? [Infinity, Infinity, Infinity] : limits);
  function setMesh(buffer) {
    const mesh = readGlb(buffer), first = surfaces === null;
    if (!first) { scene.remove(...surfaces.groups); surfaces.dispose(); }
    surfaces = walls(mesh);
    scene.add(...surfaces.groups);
    let radius;
    ({ low, high, radius } = stage.enter(mesh.positions));
    size = Math.max(0.12, radius / 60);
    if (first) limits = [Infinity, Infinity, solidHeight(mesh.places.map(({ at }) => ({ position_m: at })), low, high)];
    if (surfaces.large) stage.spare((simple) => surfaces.glass(glass && !simple));
    surfaces.glass(glass);
    cut();
    setPlaces(places);
    fill();
    if (first || !walking.on) reset();
    return { materials: mesh.materials, places: mesh.places, low, high, solid: limits[2], triangles: mesh.indices.length / 3 };
  }
  function setPlaces(list) {
    places = list;
    const marks = list.map(({ name, kind, at }) => ({ name, kind, position_m: at }));
    refill(layers.places, [points(marks, 'source', size), points(marks, 'receiver', size), ...list.filter(({ kind }) => kind === 'person').map(({ at }) => person(at))]);
    labels?.element.remove();
    labels = nameLabels(marks.map((mark) => (mark.kind === 'person' ? { ...mark, position_m: along(mark.position_m, 1.9 - 1.6 * size) } : mark)), 1.6 * size);
    over.append(labels.element);
    redraw();
  }
  function setPins(list) {
    for (const { button } of pins) button.remove();
    pins = list.map(({ at, text, kind }, index) => {
      const button = make('button', { type: 'button', class: `pin of-${kind}`, 'aria-label': text, title: text }, String(index + 1));
      button.addEventListener('click', () => onPick({ kind: 'pin', index }));
      over.append(button);
      return { at, button };
    });
    const leaks = list.filter(({ path }) => path).map(({ at, path, across }) =>
      ({ position_m: at, path_m: path, gap_m: across ?? null, area_m2: null, sealed: false }));
    refill(layers.pins, leaks.length > 0 ? [leakMarks(leaks, size)] : []);
    redraw();
  }
  function setMap(map, range) {
    refill(layers.map, map === null ? [] : [mapCells(map, range)]);
    redraw();
  }
  function setWalk(places, at) {
    const line = (...all) => new Line(new BufferGeometry().setFromPoints(all.map((one) => new Vector3(...one))), new LineBasicMaterial({ color: '#d5006d', depthTest: false }));
    const marks = [...places, ...(at === null ? [] : [at])].map((place, i) => {
      const ball = new Mesh(new SphereGeometry(i < places.length ? 0.4 * size : size, 12, 8), new MeshBasicMaterial({ color: '#d5006d', depthTest: false }));
      ball.position.set(...place);
      return ball;
    });
    refill(layers.walk, places.length === 0 ? [] : [line(...places), ...marks]);
    redraw();
  }
  let values = null, chosen = null;
  function colour() {
    surfaces?.colour((name) => {
      if (name === chosen) return [1, 0.55, 0.1];
      if (values === null) return null;
      return Number.isFinite(values[name]) ? rampColour(values[name]).map((part) => part / 255) : [0.8, 0.8, 0.8];
    });
    redraw();
  }

  /* ---- pointing ---- */

  function ray(event) {
    const box = canvas.getBoundingClientRect();
    caster.setFromCamera(new Vector2(2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height), camera);
    return surfaces === null ? null : surfaces.first(caster);
  }
  /* The floor below a position: [x, y, z] or null. */
  function fall(from) {
    caster.set(new Vector3(...from), new Vector3(0, 0, -1));
    const hit = surfaces === null ? null : surfaces.first(caster);
    return hit === null ? null : hit.at;
  }
  function pickFloor(event) {
    const hit = ray(event);
    if (hit === null) return null;
    if (Math.abs(hit.normal[2]) >= UP) return hit.at;
    const back = caster.ray.direction.clone().multiplyScalar(-0.05);
    return fall(hit.at.map((value, axis) => value + back.getComponent(axis)));
  }
  function nearestPlace(event) {
    const box = canvas.getBoundingClientRect();
    const away = ({ at, kind }) => {
      spot.set(...at).project(camera);
      if (kind === 'person' || Math.abs(spot.z) >= 1) return Infinity;
      return Math.hypot((spot.x + 1) / 2 * box.width - (event.clientX - box.left), (1 - spot.y) / 2 * box.height - (event.clientY - box.top));
    };
    const all = places.map(away), best = all.indexOf(Math.min(...all));
    return best >= 0 && all[best] < 14 ? best : -1;
  }
  let down = null;
  canvas.addEventListener('pointerdown', (event) => { down = event.button === 0 ? [event.clientX, event.clientY] : null; });
  canvas.addEventListener('pointerup', (event) => {
    if (down === null || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > CLICK) return;
    const index = nearestPlace(event), hit = index < 0 ? ray(event) : null;
    if (index >= 0) onPick({ kind: 'place', index });
    else if (hit !== null) onPick({ kind: 'surface', ...hit });
  });

  /* ---- its frame ---- */

  function fill() {
    if (frame.clientWidth > 0 && frame.clientHeight > 0) stage.fit(frame.clientWidth, frame.clientHeight);
  }
  const sizes = new ResizeObserver(fill);
  sizes.observe(frame);

  function walk(on) {
    walking.set(on, places.find(({ kind }) => kind === 'receiver')?.at ?? low.map((value, axis) => (value + high[axis]) / 2), low, high);
    cut();
    if (!on) reset();
    redraw();
  }
  function lookAt(position) {
    const [azimuth, elevation] = stage.standing();
    controls.target.set(...position);
    stage.turn(azimuth, Math.max(15, elevation), Math.max(6, Math.hypot(...high.map((value, axis) => value - low[axis]))));
  }
  function dispose() {
    sizes.disconnect();
    controls.dispose();
    surfaces?.dispose();
    stage.renderer.dispose();
    stage.renderer.forceContextLoss(); // browsers have only some
    over.remove();
  }
  return Object.assign(view, { setMesh, setPlaces, setPins, setMap, setWalk, pickFloor, reset, walk, lookAt, dispose, turn: stage.turn, nudge: stage.nudge,
    standing: stage.standing, project: stage.project, redraw,
    above: () => stage.viewFrom({ azimuth: -90, elevation: 89.9 }),
    eye: () => camera.position.toArray(),
    triangles: () => stage.renderer.info.render.triangles,
    colourBy: (of) => { values = of; colour(); },
    chosen: (name) => { chosen = name; colour(); },
    setCut: (axis, value) => { limits = limits.with(axis, value ?? Infinity); cut(); redraw(); },
    setGlass: (shown) => { glass = shown; surfaces?.glass(shown); redraw(); },
    setBacks: (painted) => { surfaces?.backs(painted); redraw(); },
    hold: (held) => { controls.enabled = !held; } });
}

const along = ([x, y, z], up) => [x, y, z + up];

function refill(group, objects) {
  group.traverse((object) => { object.geometry?.dispose(); object.material?.dispose(); });
  group.clear();
  if (objects.length > 0) group.add(...objects);
}

/** The room in three dimensions, as all screens show it (src/present/room has what it shares with reports). */
import { BufferGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, Raycaster, SphereGeometry, Vector2, Vector3 } from 'three';
import { make } from '../../../present/room/element.js';
import { nameLabels } from '../../../present/room/labels.js';
import { leakMarks } from '../../../present/room/room_leaks.js';
import { arrow, dots, mapCells, pipe, points, rampColour } from '../../../present/room/room_things.js';
import { walls } from '../../../present/room/room_walls.js';
import { firstSide, solidHeight } from '../../../present/room/sight.js';
import { listenToKeys, makeStage } from '../../../present/room/stage.js';
import { printed } from '../../../present/report/script/words.js';
import { isClick, listenToDrags } from './drag.js';
import { HEADS, readGlb } from './glb.js';
import { person } from './scale_marks.js';
import { makeWalk } from './walk.js';

const NEAR = 14; // pixels from what is meant by a pointer
const PIN = 27; // pixels from one pin to the next
const UP = 0.5; // vertical part of a floor's normal, at least

/** In `canvas`, which fills its parent. onPick({kind, ...}) is called for a click: `surface` {material, triangle, at, normal},
 * `pin` or `place` {index}; those of the canvas have `floor`, as pickFloor(), `shift` and `alone` (with Alt). onDrag({kind, index, done, ..}) is
 * called while somebody pulls a place ('place' {at}: as high above the floor as before) or its arrow ('aim' {azimuth,
 * elevation, towards: place or null}: with Shift up and down); without a position it is put back. Positions in metres, z
 * up. Returns
 *
 *   setMesh(arrayBuffer)   of a GLB (glb.js); returns {materials, places, low, high, triangles}
 *   setPlaces(list)        of {name, kind: source, receiver, corner or person, at, and direction: [azimuth, elevation],
 *                          chosen: it is drawn with the floor below}
 *   setMovable(movable)    whether places can be pulled
 *   setPins(list)          of {at, text, kind}, and of a leak path and width {path, across}
 *   setMarks(list)         of {kind: path, blocked, area, box or seats, points}: lines, of seats dots
 *   setFaces(indices)      triangles that are shown as chosen, by three corners each
 *   colourBy(values)       {material: 0..1} on the scale, null for the materials' own colours; what it lacks is grey
 *   setCut(axis, value)    walls are solid up to there and glass beyond; null: solid
 *   setGlass(shown), setBacks(painted), setMap(map, range), chosen(material or null)
 *   setWalk(points, at)    a line from place to place, and who is on it (null: nobody)
 *   pickFloor(event)       the floor under a pointer: [x, y, z] or null
 *   floorBelow(position)   likewise
 *   lookAt(position)       from the same side, nearer
 *   reset(), above(), nudge(azimuth, elevation, factor), walk(on), dispose() */
export function makeRoomView(canvas, { onPick = () => {}, onDrag = () => {} } = {}) {
  const frame = canvas.parentElement, over = make('div', { class: 'room-over' });
  canvas.after(over);
  let surfaces = null, labels = null, low = [0, 0, 0], high = [1, 1, 1], size = 0.12, glass = true, places = [], pins = [];
  let limits = [Infinity, Infinity, Infinity], movable = false;
  const view = { canvas, frames: 0 };
  const layers = { places: new Group(), pins: new Group(), map: new Group(), walk: new Group(), marks: new Group(), faces: new Group() };
  const spot = new Vector3(), caster = new Raycaster();

  function after(camera, width, height) {
    view.frames += 1;
    labels?.place(camera, width, height, { source: true, receiver: true, person: true, height: true });
    const taken = []; // where pins are; of those that would lie on one another the second goes aside
    for (const { at, button } of pins) {
      spot.set(...at).project(camera);
      button.hidden = Math.abs(spot.z) >= 1 || Math.abs(spot.x) > 1 || Math.abs(spot.y) > 1;
      const y = Math.round((1 - spot.y) / 2 * height);
      let x = Math.round((spot.x + 1) / 2 * width);
      for (let other; !button.hidden && (other = taken.find((one) => Math.abs(one[0] - x) < PIN && Math.abs(one[1] - y) < PIN));) x = other[0] + PIN;
      if (!button.hidden) taken.push([x, y]);
      button.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
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
    if (surfaces.large) stage.spare(surfaces.simple);
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
    const stems = list.filter((place) => place.chosen).map(({ at }) => ({ at, foot: floorBelow(at) })).filter(({ foot }) => foot !== null);
    refill(layers.places, [points(marks, 'source', size), points(marks, 'receiver', size), points(marks, 'corner', size),
      ...list.filter(({ kind }) => kind === 'person').map(({ at }) => person(at)),
      ...list.filter(({ direction }) => direction).map(({ kind, at, direction }) => arrow(kind, at, tip(at, direction), size)),
      ...stems.map(({ at, foot }) => pipe('height', [at, foot], 0.1 * size))]);
    labels?.element.remove();
    const heights = stems.map(({ at, foot }) => ({ name: `${printed((at[2] - foot[2]).toFixed(2))} m`, kind: 'height', position_m: along(foot, -1.6 * size) }));
    labels = nameLabels([...marks.filter(({ name }) => name).map((mark) => (mark.kind === 'person' ? { ...mark, position_m: along(mark.position_m, 1.9 - 1.6 * size) } : mark)), ...heights], 1.6 * size);
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
  function setMarks(list) {
    refill(layers.marks, list.filter(({ points: on }) => on.length > 0).map(({ kind, points: on }) => (kind === 'seats' ? dots(on) : pipe(kind, on, 0.12 * size))));
    redraw();
  }
  function setFaces(indices) {
    refill(layers.faces, indices.length > 0 ? [surfaces.faces(indices)] : []);
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
      if (name === chosen) return [1, 0.55, 0.1, 0.35];
      if (values === null) return null;
      return Number.isFinite(values[name]) ? rampColour(values[name]).map((part) => part / 255) : [0.8, 0.8, 0.8];
    });
    redraw();
  }

  /* ---- pointing ---- */

  function aim(event) {
    const box = canvas.getBoundingClientRect();
    caster.setFromCamera(new Vector2(2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height), camera);
    return caster.ray;
  }
  function ray(event, but) {
    aim(event);
    return surfaces === null ? null : surfaces.first(caster, but);
  }
  /* The floor below a position: [x, y, z] or null. */
  function fall(from) {
    caster.set(new Vector3(...from), new Vector3(0, 0, -1));
    const hit = surfaces === null ? null : surfaces.first(caster, HEADS);
    return hit === null ? null : hit.at;
  }
  const floorBelow = (at) => fall(along(at, 1e-3));
  function pickFloor(event) {
    const hit = ray(event, HEADS);
    if (hit === null) return null;
    if (Math.abs(hit.normal[2]) >= UP) return hit.at;
    const back = caster.ray.direction.clone().multiplyScalar(-0.05);
    return fall(hit.at.map((value, axis) => value + back.getComponent(axis)));
  }
  /* Which of the positions is under the pointer; -1: none. */
  function nearest(event, positions) {
    const box = canvas.getBoundingClientRect();
    const away = positions.map((at) => {
      if (at === null || Math.abs(spot.set(...at).project(camera).z) >= 1) return Infinity;
      return Math.hypot((spot.x + 1) / 2 * box.width - (event.clientX - box.left), (1 - spot.y) / 2 * box.height - (event.clientY - box.top));
    });
    const best = away.indexOf(Math.min(...away));
    return best >= 0 && away[best] < NEAR ? best : -1;
  }
  const nearestPlace = (event) => nearest(event, places.map(({ kind, at }) => (kind === 'person' ? null : at)));
  const nearestTip = (event) => nearest(event, places.map(({ at, direction }) => (direction ? tip(at, direction) : null)));
  function tip(at, [azimuth, elevation]) {
    const a = azimuth * Math.PI / 180, e = elevation * Math.PI / 180, long = Math.max(1, 6 * size);
    return [at[0] + long * Math.cos(e) * Math.cos(a), at[1] + long * Math.cos(e) * Math.sin(a), at[2] + long * Math.sin(e)];
  }
  function pullPlace(index, { clientX, clientY }) {
    const { at } = places[index], foot = floorBelow(at), box = canvas.getBoundingClientRect();
    spot.set(...(foot ?? at)).project(camera);
    const x = box.left + (spot.x + 1) / 2 * box.width - clientX, y = box.top + (1 - spot.y) / 2 * box.height - clientY;
    const height = at[2] - (foot ?? low)[2];
    let last = null;
    return (event, done) => {
      const floor = event && pickFloor({ clientX: event.clientX + x, clientY: event.clientY + y });
      last = event && floor ? along(floor, height) : event && last;
      onDrag({ kind: 'place', index, at: last, done });
    };
  }
  function pullArrow(index, { clientY }) {
    const { at, kind, direction } = places[index];
    return (event, done) => {
      if (event === null) { onDrag({ kind: 'aim', index, done }); return; }
      const other = nearestPlace(event), towards = other >= 0 && places[other].kind !== kind && places[other].name ? places[other] : null;
      const { origin, direction: away } = aim(event), far = Math.abs(away.z) > 1e-6 ? (at[2] - origin.z) / away.z : -1;
      const [x, y] = far > 0 ? [origin.x + far * away.x - at[0], origin.y + far * away.y - at[1]] : [away.x, away.y];
      const [azimuth, elevation] = event.shiftKey ? [direction[0], Math.max(-90, Math.min(90, direction[1] + (clientY - event.clientY) / 3))]
        : [Math.atan2(y, x) * 180 / Math.PI, direction[1]];
      onDrag({ kind: 'aim', index, azimuth, elevation, towards, done });
    };
  }
  const hold = (held) => { controls.enabled = !held; };
  listenToDrags(canvas, (event) => {
    if (!movable) return null;
    const arrowed = nearestTip(event), index = nearestPlace(event);
    return arrowed >= 0 ? pullArrow(arrowed, event) : index >= 0 ? pullPlace(index, event) : null;
  }, hold);
  let down = null;
  canvas.addEventListener('pointerdown', (event) => { down = event.button === 0 ? [event.clientX, event.clientY] : null; });
  canvas.addEventListener('pointermove', (event) => { if (movable && event.buttons === 0) canvas.classList.toggle('over', nearestTip(event) >= 0 || nearestPlace(event) >= 0); });
  canvas.addEventListener('pointerup', (event) => {
    if (!isClick(down, event)) return;
    const index = nearestPlace(event), hit = index < 0 ? ray(event) : null;
    const rest = { floor: pickFloor(event), shift: event.shiftKey, alone: event.altKey };
    if (index >= 0) onPick({ kind: 'place', index, ...rest });
    else if (hit !== null) onPick({ kind: 'surface', ...hit, ...rest });
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
  return Object.assign(view, { setMesh, setPlaces, setPins, setMap, setWalk, setMarks, setFaces, pickFloor, floorBelow, reset, walk, lookAt, dispose, turn: stage.turn, nudge: stage.nudge,
    standing: stage.standing, project: stage.project, redraw,
    above: () => stage.viewFrom({ azimuth: -90, elevation: 89.9 }),
    eye: () => camera.position.toArray(),
    triangles: () => stage.renderer.info.render.triangles,
    colourBy: (of) => { values = of; colour(); },
    chosen: (name) => { chosen = name; colour(); },
    setCut: (axis, value) => { limits = limits.with(axis, value ?? Infinity); cut(); redraw(); },
    setGlass: (shown) => { glass = shown; surfaces?.glass(shown); redraw(); },
    setBacks: (painted) => { surfaces?.backs(painted); redraw(); },
    setMovable: (on) => { movable = on; } });
}

const along = ([x, y, z], up) => [x, y, z + up];

function refill(group, objects) {
  group.traverse((object) => { object.geometry?.dispose(); object.material?.dispose(); });
  group.clear();
  if (objects.length > 0) group.add(...objects);
}

/** The room in three dimensions: walls by material, sources, receivers, stored blocks, maps, ways out. */
import {
  AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, Color, ConeGeometry, CylinderGeometry,
  DirectionalLight, DoubleSide, EdgesGeometry, Group, InstancedMesh, LineBasicMaterial, LineSegments, Line, Matrix4, Mesh,
  MeshBasicMaterial, MeshLambertMaterial, PerspectiveCamera, Plane, PlaneGeometry, Scene, SphereGeometry, Sprite,
  SpriteMaterial, TorusGeometry, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { float32, int32, make, octaveName, uint32 } from './data.js';

const BOXES_MOST = 40000; // runs of blocks that are drawn; more are thinned to what one can see

/* ---- what is shown ---- */

function walls(mesh, plane) {
  const positions = new BufferAttribute(float32(mesh.positions), 3);
  const indices = uint32(mesh.indices);
  return mesh.materials.map((material) => {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', positions);
    geometry.setIndex(new BufferAttribute(indices, 1));
    geometry.setDrawRange(3 * material.first_triangle, 3 * material.triangles);
    const colour = new Color().setRGB(...material.color, 'srgb');
    const surface = new MeshLambertMaterial({ color: colour, side: DoubleSide, flatShading: true, clippingPlanes: [plane] });
    const object = new Mesh(geometry, surface);
    object.name = material.name;
    return object;
  });
}

function label(text, size) {
  const canvas = make('canvas', { width: 512, height: 96 });
  const context = canvas.getContext('2d');
  context.font = '600 52px system-ui, sans-serif';
  const width = Math.min(500, context.measureText(text).width + 24);
  context.fillStyle = 'rgba(255,255,255,0.85)';
  context.fillRect(256 - width / 2, 8, width, 80);
  context.fillStyle = '#1b1f24';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, 256, 50, 490);
  const sprite = new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthTest: false }));
  sprite.scale.set(16 * size, 3 * size, 1);
  return sprite;
}

function points(list, kind, size) {
  const group = new Group();
  const source = kind === 'source';
  const geometry = source ? new ConeGeometry(size, 2.4 * size, 4) : new SphereGeometry(0.8 * size, 16, 12);
  const surface = new MeshBasicMaterial({ color: source ? '#d55e00' : '#0072b2' });
  for (const point of list.filter((one) => one.kind === kind)) {
    const object = new Mesh(geometry, surface);
    if (source) object.rotation.x = Math.PI / 2;
    object.position.set(...point.position_m);
    const name = label(point.name, size);
    name.position.set(point.position_m[0], point.position_m[1], point.position_m[2] + 2.8 * size);
    group.add(object, name);
  }
  return group;
}

function blockRuns(blocks) {
  const runs = int32(blocks.runs);
  const count = runs.length / 4;
  const step = Math.max(1, Math.ceil(count / BOXES_MOST));
  const corners = [];
  const e = blocks.edge_m;
  const box = new EdgesGeometry(new BoxGeometry(1, 1, 1)).getAttribute('position');
  for (let r = 0; r < count; r += step) {
    const [x, y, z, n] = runs.subarray(4 * r, 4 * r + 4);
    for (let v = 0; v < box.count; v++) {
      corners.push(blocks.origin_m[0] + e * (x + n * (box.getX(v) + 0.5)),
        blocks.origin_m[1] + e * (y + box.getY(v) + 0.5), blocks.origin_m[2] + e * (z + box.getZ(v) + 0.5));
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3));
  return new LineSegments(geometry, new LineBasicMaterial({ color: '#56b4e9', transparent: true, opacity: 0.5 }));
}

/** Dark blue to yellow, even to the eye and in grey (a few points of cividis). */
const RAMP = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];
export function rampColour(share) {
  const at = Math.min(1, Math.max(0, share)) * (RAMP.length - 1);
  const low = Math.min(RAMP.length - 2, Math.floor(at));
  return RAMP[low].map((value, c) => value + (at - low) * (RAMP[low + 1][c] - value));
}

const FIGURE_NAMES = { edt_s: 'EDT', t20_s: 'T20', t30_s: 'T30', c50_db: 'C50', c80_db: 'C80', d50: 'D50', ts_s: 'Ts', g_db: 'G' };
const figureName = (figure) => FIGURE_NAMES[figure] ?? figure;

/** What a map is called, and what maps of other runs must be called to share its scale. */
export const mapName = (map) =>
  `${figureName(map.figure)}${Number.isFinite(map.octave_hz) ? ` at ${octaveName(map.octave_hz)}` : ''}, ${map.grid}, from ${map.source}`;

/** The range of the values of all runs, by name: two runs have one scale. */
export function mapRanges(runs) {
  const ranges = new Map();
  for (const map of runs.flatMap((run) => run.maps || []))
    for (const value of map.values.filter(Number.isFinite)) {
      const [low, high] = ranges.get(mapName(map)) ?? [value, value];
      ranges.set(mapName(map), [Math.min(low, value), Math.max(high, value)]);
    }
  return ranges;
}

function mapCells(map, [low, high]) {
  const known = map.values.map((value, i) => [value, map.points[i]]).filter(([value]) => Number.isFinite(value));
  let pitch = Infinity;
  for (const [, p] of known.slice(0, 50))
    for (const [, q] of known) {
      const distance = Math.hypot(p[0] - q[0], p[1] - q[1]);
      if (distance > 1e-6) pitch = Math.min(pitch, distance);
    }
  if (!Number.isFinite(pitch)) pitch = 1;
  const cells = new InstancedMesh(new PlaneGeometry(0.92 * pitch, 0.92 * pitch),
    new MeshBasicMaterial({ side: DoubleSide }), known.length);
  known.forEach(([value, p], i) => {
    cells.setMatrixAt(i, new Matrix4().makeTranslation(p[0], p[1], p[2]));
    const [r, g, b] = rampColour(high > low ? (value - low) / (high - low) : 0.5);
    cells.setColorAt(i, new Color().setRGB(r / 255, g / 255, b / 255, 'srgb'));
  });
  return cells;
}

/* The way from a source out of the model, and a ring as wide as the opening where it is narrowest; seen through
 * walls. A crack without a way is a ball. */
function wayOut(leak, size) {
  const group = new Group();
  const colour = { color: leak.sealed ? '#cc79a7' : '#b0003a', depthTest: false };
  const across = leak.gap_m ?? (leak.area_m2 === null ? size : 2 * Math.sqrt(leak.area_m2 / Math.PI));
  const place = new Vector3(...leak.position_m);
  const path = (leak.path_m ?? []).map((p) => new Vector3(...p));
  const at = path.findIndex((p) => p.distanceTo(place) < 1e-9);
  const mark = path.length > 1
    ? new Mesh(new TorusGeometry(Math.max(across / 2, 0.3 * size), 0.12 * size, 8, 32), new MeshBasicMaterial(colour))
    : new Mesh(new SphereGeometry(0.5 * size, 16, 12), new MeshBasicMaterial(colour));
  mark.name = 'mark';
  mark.position.copy(place);
  if (path.length > 1) {
    const line = new Line(new BufferGeometry().setFromPoints(path), new LineBasicMaterial(colour));
    line.name = 'path';
    group.add(line);
    for (let i = 1; i < path.length; i++) group.add(rod(path[i - 1], path[i], 0.1 * size, colour));
    mark.lookAt(path[at + 1] ?? path[at - 1] ?? path[0]);
  }
  group.add(mark);
  return group;
}

/* Lines are one pixel thin in WebGL. */
function rod(from, to, thick, colour) {
  const object = new Mesh(new CylinderGeometry(thick, thick, from.distanceTo(to), 8), new MeshBasicMaterial(colour));
  object.position.copy(from).lerp(to, 0.5);
  object.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), to.clone().sub(from).normalize());
  return object;
}

function waysOut(leaks, size) {
  const group = new Group();
  group.add(...leaks.map((leak) => wayOut(leak, size)));
  group.traverse((object) => { object.renderOrder = 1; });
  return group;
}

/* One map at a time lies in the room, with its scale beside the choice. */
function mapChoice(maps, redraw) {
  const choice = make('select', { 'data-choice': 'map' }, make('option', { value: '' }, 'none'),
    ...[...maps.keys()].map((name) => make('option', { value: name }, name)));
  const scale = make('span', { class: 'scale', hidden: true });
  choice.addEventListener('change', () => {
    for (const [name, map] of maps) map.cells.visible = name === choice.value;
    const chosen = maps.get(choice.value);
    scale.hidden = chosen === undefined;
    if (chosen !== undefined) {
      const bar = make('span', { class: 'ramp', 'aria-hidden': 'true' });
      bar.style.background = `linear-gradient(to right, ${RAMP.map((c) => `rgb(${c.join(',')})`).join(', ')})`;
      scale.replaceChildren(chosen.range[0].toPrecision(3), bar, `${chosen.range[1].toPrecision(3)} ${chosen.unit}`);
    }
    redraw();
  });
  return make('p', { class: 'buttons' }, make('label', {}, 'Map on the audience: ', choice), scale);
}

/* ---- the view ---- */

/** Draw a run into `place`, its maps on the scales of `ranges` (mapRanges()). Returns an object for tests: layers
 * and maps by name, frames drawn, the canvas, turn(azimuth, elevation, distance) in degrees and metres. */
export function showRoom(place, run, ranges) {
  const canvas = make('canvas', { tabindex: '0', role: 'img',
    'aria-label': `The room ${run.name} in three dimensions. Arrow keys turn it, plus and minus come nearer and go away.` });
  const renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
  renderer.localClippingEnabled = true;
  const scene = new Scene();
  scene.background = new Color('#f3f5f7');
  const view = { layers: {}, frames: 0, failed: null };

  const spots = float32(run.mesh.positions);
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < spots.length; i++) {
    low[i % 3] = Math.min(low[i % 3], spots[i]);
    high[i % 3] = Math.max(high[i % 3], spots[i]);
  }
  const centre = new Vector3(...low.map((value, axis) => (value + high[axis]) / 2));
  const radius = Math.hypot(...high.map((value, axis) => value - low[axis])) / 2 || 1;
  const size = Math.max(0.12, radius / 60);

  const cut = new Plane(new Vector3(0, 0, -1), low[2] + 0.55 * (high[2] - low[2]));
  scene.add(new AmbientLight('#ffffff', 1.6));
  for (const [x, y, z, strength] of [[1, -2, 3, 1.4], [-2, 1, 1, 0.7]]) {
    const light = new DirectionalLight('#ffffff', strength);
    light.position.set(x, y, z);
    scene.add(light);
  }

  const camera = new PerspectiveCamera(40, 1, radius / 500, radius * 20);
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, canvas);
  controls.target.copy(centre);
  controls.enableDamping = false;
  controls.maxDistance = radius * 10;

  let asked = false;
  function draw() {
    asked = false;
    renderer.render(scene, camera);
    view.frames += 1;
    canvas.dataset.frames = String(view.frames);
  }
  const redraw = () => { if (!asked) { asked = true; requestAnimationFrame(draw); } };
  controls.addEventListener('change', redraw);

  function turn(azimuth, elevation, distance) {
    const a = azimuth * Math.PI / 180, e = elevation * Math.PI / 180;
    camera.position.set(centre.x + distance * Math.cos(e) * Math.cos(a), centre.y + distance * Math.cos(e) * Math.sin(a),
      centre.z + distance * Math.sin(e));
    controls.update();
    redraw();
  }
  const standing = () => {
    const offset = camera.position.clone().sub(controls.target);
    const distance = offset.length();
    return [Math.atan2(offset.y, offset.x) * 180 / Math.PI, Math.asin(offset.z / distance) * 180 / Math.PI, distance];
  };
  const nudge = (da, de, factor) => {
    const [a, e, distance] = standing();
    turn(a + da, Math.max(-85, Math.min(89.9, e + de)), distance * factor);
  };
  canvas.addEventListener('keydown', (event) => {
    const move = { ArrowLeft: [-10, 0, 1], ArrowRight: [10, 0, 1], ArrowUp: [0, 8, 1], ArrowDown: [0, -8, 1],
      '+': [0, 0, 0.85], '-': [0, 0, 1.18] }[event.key];
    if (!move) return;
    event.preventDefault();
    nudge(...move);
  });

  /* Layers and their switches. */
  const switches = make('fieldset', {}, make('legend', {}, 'Show'));
  function layer(name, object, shown, swatch) {
    object.visible = shown;
    scene.add(object);
    const box = make('input', { type: 'checkbox', checked: shown, 'data-layer': name });
    box.addEventListener('change', () => { object.visible = box.checked; redraw(); });
    const text = make('label', {}, box);
    if (swatch) {
      const mark = make('span', { class: 'swatch' });
      mark.style.background = swatch;
      text.append(mark);
    }
    text.append(name);
    switches.append(text);
    view.layers[name] = object;
  }
  layer('sources', points(run.points, 'source', size), true, '#d55e00');
  layer('receivers', points(run.points, 'receiver', size), true, '#0072b2');
  if (run.blocks) layer('stored blocks', blockRuns(run.blocks), false, '#56b4e9');
  const leaks = run.run.leaks ?? [];
  for (const [name, sealed, swatch] of [['ways out', false, '#b0003a'], ['closed cracks', true, '#cc79a7']]) {
    const of = leaks.filter((leak) => leak.sealed === sealed);
    if (of.length > 0) layer(name, waysOut(of, size), true, swatch);
  }
  const maps = new Map();
  for (const map of run.maps || []) {
    const range = ranges.get(mapName(map));
    if (range === undefined || maps.has(mapName(map))) continue;
    const cells = mapCells(map, range);
    cells.visible = false;
    scene.add(cells);
    maps.set(mapName(map), { cells, range, unit: map.unit });
  }
  view.maps = maps;
  for (const object of walls(run.mesh, cut))
    layer(`walls: ${object.name}`, object, true, `#${object.material.color.getHexString()}`);

  /* Where to look from, and the height that walls are cut at. */
  const height = make('input', { type: 'range', min: '0', max: '100', value: '55', 'aria-label': 'Height at which the walls are cut' });
  height.addEventListener('input', () => {
    cut.constant = low[2] + (Number(height.value) / 100) * (high[2] - low[2]) + (height.value === '100' ? radius : 0);
    redraw();
  });
  const buttons = make('div', { class: 'buttons' });
  const home = 2.1 * radius;
  for (const [text, act] of [['Overview', () => { controls.target.copy(centre); turn(-60, 45, home); }],
    ['From above', () => { controls.target.copy(centre); turn(-90, 89.9, home); }],
    ['Turn left', () => nudge(-15, 0, 1)], ['Turn right', () => nudge(15, 0, 1)],
    ['Nearer', () => nudge(0, 0, 0.8)], ['Farther', () => nudge(0, 0, 1.25)]]) {
    const button = make('button', { type: 'button' }, text);
    button.addEventListener('click', act);
    buttons.append(button);
  }
  buttons.append(make('label', { class: 'cut' }, 'Cut the walls at ', height));

  const stage = make('div', { class: 'stage' }, canvas);
  place.append(stage, buttons);
  if (maps.size > 0) place.append(mapChoice(maps, redraw));
  place.append(switches);

  function fit() {
    const width = stage.clientWidth || 600;
    const tall = Math.round(Math.min(width * 0.62, window.innerHeight * 0.75));
    renderer.setSize(width, Math.max(240, tall), false);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${Math.max(240, tall)}px`;
    camera.aspect = width / Math.max(240, tall);
    camera.updateProjectionMatrix();
    redraw();
  }
  new ResizeObserver(fit).observe(stage);
  fit();
  turn(-60, 45, home);
  view.turn = turn;
  view.canvas = canvas;
  view.triangles = () => renderer.info.render.triangles;
  return view;
}

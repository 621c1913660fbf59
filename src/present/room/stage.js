/** A picture of a room that is turned: light, an eye that goes round it, keys, and pictures only when something has changed. */
import { AmbientLight, DirectionalLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { pacer } from './pace.js';
import { LIGHT } from './far_walls.js';
import { bounds, framing } from './sight.js';

const OPENING = 32; // vertical angle of view [degrees]
const COARSE = 0.5; // of the pixels a side, while a large room is turned on a slow machine
const PIXELS_MOST = 6e6; // of the picture: beyond, a screen of three pixels a point is drawn a little coarser

/* Four samples a pixel take software longer than all else. */
function drawsInSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const names = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

function lit() {
  const scene = new Scene();
  scene.add(new AmbientLight('#ffffff', LIGHT.ambient));
  for (const [x, y, z, strength] of LIGHT.from) {
    const light = new DirectionalLight('#ffffff', strength);
    light.position.set(x, y, z);
    scene.add(light);
  }
  return scene;
}

/** Keys for a canvas that has the focus: arrows, plus and minus to nudge(azimuth, elevation, factor), 0 to reset(). */
export function listenToKeys(canvas, nudge, reset) {
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const move = { ArrowLeft: [-10, 0, 1], ArrowRight: [10, 0, 1], ArrowUp: [0, 8, 1], ArrowDown: [0, -8, 1],
      '+': [0, 0, 0.85], '=': [0, 0, 0.85], '-': [0, 0, 1.18] }[event.key];
    if (move) nudge(...move);
    else if (event.key === '0' || event.key === 'Home') reset();
    else return;
    event.preventDefault();
  });
}

/** On `canvas`, with after(camera, width, height) called after each picture. enter(positions) makes it the picture of
 * what has those corners; spare(simplify) leaves out what takes longest while it is turned (pace.js); fit(width, height)
 * in points of the page. Angles in degrees, metres. */
export function makeStage(canvas, { after = () => {} }) {
  const renderer = new WebGLRenderer({ canvas, antialias: !drawsInSoftware(), alpha: true, preserveDrawingBuffer: true });
  renderer.localClippingEnabled = true;
  const scene = lit();
  const camera = new PerspectiveCamera(OPENING, 1, 0.1, 1000);
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = false;
  let asked = 0, coarse = false, pace = null, spots = [], side = null, wide = 600, tall = 360;

  function draw() {
    if (pace !== null && !pace.ready()) { requestAnimationFrame(draw); return; }
    const waited = performance.now() - asked;
    asked = 0;
    if (renderer.getContext().isContextLost()) return;
    renderer.render(scene, camera);
    after(camera, wide, tall);
    pace?.done(waited);
  }
  const redraw = () => { if (asked === 0) { asked = performance.now(); requestAnimationFrame(draw); } };

  /* The side that was chosen last fits every width, until somebody turns the room. */
  function viewFrom(from) {
    const { eye, target } = framing(spots, from, OPENING, camera.aspect);
    controls.target.set(...target);
    camera.position.set(...eye);
    controls.update();
    side = from; // update() reports a change, which nobody made
    redraw();
  }
  controls.addEventListener('change', () => { side = null; redraw(); });

  function enter(positions) {
    spots = positions;
    const [low, high] = bounds(spots);
    const radius = Math.hypot(...high.map((value, axis) => value - low[axis])) / 2 || 1;
    camera.near = radius / 500;
    camera.far = radius * 30;
    controls.maxDistance = radius * 12;
    return { low, high, radius };
  }

  /* The camera goes around what it looks at. */
  function turn(azimuth, elevation, distance) {
    const a = azimuth * Math.PI / 180, e = Math.max(-85, Math.min(89.9, elevation)) * Math.PI / 180;
    const away = new Vector3(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
    camera.position.copy(controls.target).addScaledVector(away, distance);
    controls.update();
    redraw();
  }
  function standing() {
    const offset = camera.position.clone().sub(controls.target), distance = offset.length();
    return [Math.atan2(offset.y, offset.x) * 180 / Math.PI, Math.asin(offset.z / distance) * 180 / Math.PI, distance];
  }
  function nudge(da, de, factor) {
    const [azimuth, elevation, distance] = standing();
    turn(azimuth + da, elevation + de, distance * factor);
  }

  function fit(width, height) {
    [wide, tall] = [width, height];
    renderer.setPixelRatio((coarse ? COARSE : 1) * Math.min(3, window.devicePixelRatio, Math.sqrt(PIXELS_MOST / (width * height))));
    renderer.setSize(width, height, false);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    if (side !== null) viewFrom(side);
    redraw();
  }
  const spare = (simplify) => {
    pace = pacer(renderer.getContext(), (simple) => { simplify(simple); coarse = simple; fit(wide, tall); }, redraw);
  };
  const project = (position) => new Vector3(...position).project(camera).toArray();
  return { renderer, scene, camera, controls, redraw, enter, spare, viewFrom, turn, standing, nudge, fit, project };
}

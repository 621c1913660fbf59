/** Walls as they are seen while a large room is turned: one mesh of few triangles in plain colours. */
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, ShaderMaterial } from 'three';
import { bounds } from './sight.js';

const CELLS = 160; // along the longest side, at most: corners within one are one
const MOST = 12000; // triangles

/** Of backs that are painted, linear. */
export const BACK = [0.72, 0.08, 0.32];

/** From which light comes, with its strength, and how much from everywhere. */
export const LIGHT = { ambient: 1.5, from: [[1, -2, 3, 1.5], [-2, 1, 1, 0.6]] };
const lights = LIGHT.from.map(([x, y, z, strength]) => [x, y, z].map((value) => strength * value / Math.hypot(x, y, z)));

/* Of a surface with that normal, as MeshLambertMaterial has it. */
const shade = (n, sign) => lights.reduce((sum, l) => sum + Math.max(0, sign * (n[0] * l[0] + n[1] * l[1] + n[2] * l[2])), LIGHT.ambient) / Math.PI;
const coded = (linear) => 255 * Math.min(1, linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);

/* Triangles of `parts` whose corners are in three cells, with all corners of a cell in one place: {corners, part of each}. */
function merged(spots, limits, parts, [low, high], cells = CELLS) {
  const cell = Math.max(...high.map((value, axis) => value - low[axis])) / cells || 1;
  const many = high.map((value, axis) => Math.floor((value - low[axis]) / cell) + 1);
  const place = new Int32Array(many[0] * many[1] * many[2]).fill(-1), at = [0, 0, 0], ids = [0, 0, 0];
  const held = [], corners = [], of = [];
  parts.forEach(({ order, count }, p) => {
    for (let t = 0; t < count; t += 3) {
      for (let c = 0; c < 3; c++) {
        let id = 0;
        for (let axis = 2; axis >= 0; axis--) {
          at[axis] = Math.min(limits[axis], spots[3 * order[t + c] + axis]);
          id = id * many[axis] + Math.max(0, Math.floor((at[axis] - low[axis]) / cell));
        }
        if (place[id] < 0) { place[id] = held.length / 3; held.push(at[0], at[1], at[2]); }
        ids[c] = place[id];
      }
      if (ids[0] === ids[1] || ids[1] === ids[2] || ids[0] === ids[2]) continue;
      for (const id of ids) corners.push(held[3 * id], held[3 * id + 1], held[3 * id + 2]);
      of.push(p);
    }
  });
  return of.length > MOST && cells > 8 ? merged(spots, limits, parts, [low, high], Math.floor(0.95 * cells * Math.sqrt(MOST / of.length))) : { corners: new Float32Array(corners), of };
}

/** The first `count` corners of each of `parts` {order, count, color}, cut off at `limits`, as one mesh; backs may be red. */
export function farWalls(spots, limits, parts, painted) {
  const { corners, of } = merged(spots, limits, parts, bounds(spots));
  const front = new Uint8Array(4 * of.length * 3).fill(255), back = front.slice();
  of.forEach((p, t) => {
    const edge = (from) => [0, 1, 2].map((axis) => corners[9 * t + from + axis] - corners[9 * t + axis]);
    const u = edge(3), v = edge(6);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], long = Math.hypot(...n) || 1;
    const { color } = parts[p];
    for (const [side, sign, rgb] of [[front, 1 / long, [color.r, color.g, color.b]], [back, -1 / long, painted ? BACK : [color.r, color.g, color.b]]]) {
      const bright = shade(n, sign), own = rgb.map((value) => coded(bright * value));
      for (let corner = 12 * t; corner < 12 * t + 12; corner += 4) side.set(own, corner);
    }
  });
  const shape = new BufferGeometry().setAttribute('position', new BufferAttribute(corners, 3))
    .setAttribute('front', new BufferAttribute(front, 4, true)).setAttribute('back', new BufferAttribute(back, 4, true));
  return new Mesh(shape, new ShaderMaterial({ side: DoubleSide,
    vertexShader: 'attribute vec4 front, back; varying vec4 a, b; void main() { a = front; b = back; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: 'varying vec4 a, b; void main() { gl_FragColor = gl_FrontFacing ? a : b; }' }));
}

/** What is in the view of a room: walls by material, sources and receivers, stored blocks, maps. */
import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, ConeGeometry, DoubleSide, EdgesGeometry, GreaterDepth, Group,
  InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial,
  Plane, PlaneGeometry, SphereGeometry, Vector3,
} from 'three';
import { float32, int32, octaveName, uint32 } from './data.js';
import { T } from './words.js';

const BOXES_MOST = 40000; // runs of blocks that are drawn; more are decimated to what one can see
const EDGES_MOST = 30000; // triangles whose edges are drawn; finding them takes half a second there
const GLASS = 0.1; // opacity of walls above the cut

/* Triangles in the order: all below `height`, across it, all above. Returns where the second and third part begin. */
function sortByHeight(positions, from, to, height) {
  const parts = [[], [], []];
  for (let t = 0; t < from.length; t += 3) {
    const above = [0, 1, 2].filter((corner) => positions[3 * from[t + corner] + 2] > height).length;
    parts[above === 0 ? 0 : above === 3 ? 2 : 1].push(t);
  }
  let at = 0;
  for (const t of parts.flat()) for (let corner = 0; corner < 3; corner++) to[at++] = from[t + corner];
  return [3 * parts[0].length, 3 * (parts[0].length + parts[1].length)];
}

/** Walls by material, each a group that is solid up to a height and glass above: groups, cut(height), glass(shown), and
 * whether they are large: many triangles, without edges. */
export function walls(mesh) {
  const spots = float32(mesh.positions), all = uint32(mesh.indices);
  const positions = new BufferAttribute(spots, 3);
  const below = new Plane(new Vector3(0, 0, -1), 0), above = new Plane(new Vector3(0, 0, 1), 0);
  const parts = mesh.materials.map((material) => {
    const from = all.subarray(3 * material.first_triangle, 3 * (material.first_triangle + material.triangles));
    const order = new BufferAttribute(from.slice(), 1);
    const color = new Color().setRGB(...material.color, 'srgb');
    const coat = { color, side: DoubleSide, flatShading: true };
    const shapes = [0, 1].map(() => new BufferGeometry().setAttribute('position', positions).setIndex(order));
    const group = new Group();
    group.name = material.name;
    const pane = new Mesh(shapes[1], new MeshLambertMaterial({ ...coat, clippingPlanes: [above], transparent: true, opacity: GLASS,
      depthWrite: false, forceSinglePass: true }));
    pane.renderOrder = 2;
    group.add(new Mesh(shapes[0], new MeshLambertMaterial({ ...coat, clippingPlanes: [below] })), pane);
    if (all.length <= 3 * EDGES_MOST) {
      const edges = new LineSegments(new EdgesGeometry(shapes[0], 35),
        new LineBasicMaterial({ color: '#5a646e', transparent: true, opacity: 0.45 }));
      edges.renderOrder = 1;
      group.add(edges);
    }
    return { group, pane, from, order, shapes };
  });
  function cut(height) {
    below.constant = height;
    above.constant = -height;
    for (const { from, order, shapes } of parts) {
      const [second, third] = sortByHeight(spots, from, order.array, height);
      order.needsUpdate = true;
      shapes[0].setDrawRange(0, third);
      shapes[1].setDrawRange(second, from.length - second);
    }
  }
  const glass = (shown) => { for (const { pane } of parts) pane.visible = shown; };
  return { groups: parts.map(({ group }) => group), cut, glass, large: all.length > 3 * EDGES_MOST };
}

export const MARKS = { source: '#d55e00', receiver: '#0072b2' };

/** The points of a kind. Behind a wall they shine through it, paler. */
export function points(list, kind, size) {
  const group = new Group();
  const geometry = kind === 'source' ? new ConeGeometry(size, 2.4 * size, 4).rotateX(Math.PI / 2) : new SphereGeometry(0.8 * size, 12, 8);
  const own = list.filter((one) => one.kind === kind);
  const seen = new MeshBasicMaterial({ color: MARKS[kind] });
  const hidden = new MeshBasicMaterial({ color: MARKS[kind], transparent: true, opacity: 0.55, depthFunc: GreaterDepth, depthWrite: false });
  for (const surface of [seen, hidden]) {
    const marks = new InstancedMesh(geometry, surface, own.length);
    own.forEach((point, i) => marks.setMatrixAt(i, new Matrix4().makeTranslation(...point.position_m)));
    marks.renderOrder = surface === hidden ? 3 : 0;
    group.add(marks);
  }
  return group;
}

export function blockRuns(blocks) {
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
export const RAMP = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];
export function rampColour(share) {
  const at = Math.min(1, Math.max(0, share)) * (RAMP.length - 1);
  const low = Math.min(RAMP.length - 2, Math.floor(at));
  return RAMP[low].map((value, c) => value + (at - low) * (RAMP[low + 1][c] - value));
}

/** What a map is called, and what maps of other runs must be called to share its scale. */
export const mapName = (map) =>
  `${map.word}${Number.isFinite(map.octave_hz) ? T(' at {0}', octaveName(map.octave_hz)) : ''}, ${T('{0}, from {1}', map.grid, map.source)}`;

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

export function mapCells(map, [low, high]) {
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

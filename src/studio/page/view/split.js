/** Giving some faces of a model a material of their own. Meshes are those of glb.js; faces are numbers of triangles. */
import { openGlb, packGlb } from './glb.js';

const FLAT = 1e-3; // faces of one plane: their corners from it [m], and their normals' cosine below 1
const key = ([x, y, z]) => `${Math.round(x * 1e4)},${Math.round(y * 1e4)},${Math.round(z * 1e4)}`;

/** The faces of one plane and material that hang together with the triangle of these three corners; or only that one. */
export function patchAt({ positions, indices, materials }, [a, b, c], alone = false) {
  const spot = (corner) => positions.subarray(3 * corner, 3 * corner + 3);
  const cross = (p, q, r) => {
    const u = q.map((value, i) => value - p[i]), v = r.map((value, i) => value - p[i]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], long = Math.hypot(...n);
    return n.map((value) => value / long);
  };
  const dot = (n, p, q) => n[0] * (q[0] - p[0]) + n[1] * (q[1] - p[1]) + n[2] * (q[2] - p[2]);
  const corners = (t) => [0, 1, 2].map((i) => indices[3 * t + i]);
  const list = Array.from({ length: indices.length / 3 }, (_, t) => t);
  const first = list.find((t) => indices[3 * t] === a && indices[3 * t + 1] === b && indices[3 * t + 2] === c);
  if (alone) return [first];
  const { first_triangle: from, triangles } = materials.find((one) => first >= one.first_triangle && first < one.first_triangle + one.triangles);
  const at = spot(a), normal = cross(at, spot(b), spot(c));
  const flat = list.slice(from, from + triangles).filter((t) => {
    const [p, q, r] = corners(t).map(spot);
    return [p, q, r].every((one) => Math.abs(dot(normal, at, one)) < FLAT) && Math.abs(dot(normal, [0, 0, 0], cross(p, q, r))) > 1 - FLAT;
  });
  const edges = (t) => { const k = corners(t).map((corner) => key(spot(corner))); return [0, 1, 2].map((i) => [k[i], k[(i + 1) % 3]].sort().join(';')); };
  const beside = new Map();
  for (const t of flat) for (const edge of edges(t)) beside.set(edge, [...(beside.get(edge) ?? []), t]);
  const found = new Set([first]);
  for (const t of found) for (const edge of edges(t)) for (const other of beside.get(edge) ?? []) found.add(other);
  return [...found];
}

/** The bytes of the GLB with those faces, all of one material, called `name`. Materials `without` are left out. */
export function splitGlb(buffer, { materials }, faces, name, without = []) {
  const { model, chunk } = openGlb(buffer);
  const { accessors, bufferViews, meshes: [{ primitives }] } = model;
  const p = materials.findIndex((one) => faces[0] >= one.first_triangle && faces[0] < one.first_triangle + one.triangles);
  const old = accessors[primitives[p].indices], view = bufferViews[old.bufferView];
  const order = new Uint32Array(chunk.buffer, 8 + view.byteOffset, old.count), taken = new Set(faces.map((t) => t - materials[p].first_triangle));
  const rest = [], own = [];
  for (let i = 0; i < order.length; i++) (taken.has(Math.floor(i / 3)) ? own : rest).push(order[i]);
  order.set([...rest, ...own]);
  const add = (list, item) => list.push(item) - 1;
  const indices = add(accessors, { ...old, bufferView: add(bufferViews, { ...view, byteOffset: view.byteOffset + 4 * rest.length, byteLength: 4 * own.length }), count: own.length });
  Object.assign(view, { byteLength: 4 * rest.length });
  Object.assign(old, { count: rest.length });
  primitives.push({ ...primitives[p], indices, material: add(model.materials, { ...model.materials[primitives[p].material], name }) });
  model.meshes[0].primitives = primitives.filter(({ indices: of, material }) => accessors[of].count > 0 && !without.includes(model.materials[material].name));
  return packGlb(model, chunk);
}

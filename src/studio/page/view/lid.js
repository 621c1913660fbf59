/** Faces that close the holes of a mesh. A hole is a ring of edges that one triangle alone has. */
import { ShapeUtils, Triangle, Vector2, Vector3 } from 'three';
import { openGlb, packGlb } from './glb.js';

const SAME = 1e-4; // between corners that are one [m]
const ON = 1e-3; // from an end of an edge to another edge that it divides [m]
const EDGES_MOST = 4000; // a mesh with more has other faults

/* Edges {a, b, triangle} of one triangle alone between corners `at`, divided where ends of others lie on them: of two in
 * one place neither is left. */
function openEdges({ positions, indices }) {
  const numbers = new Map(), at = [];
  const numberOf = (corner) => {
    const spot = [...positions.subarray(3 * corner, 3 * corner + 3)], key = spot.map((value) => Math.round(value / SAME)).join();
    if (!numbers.has(key)) numbers.set(key, at.push(new Vector3(...spot)) - 1);
    return numbers.get(key);
  };
  const toggle = (edges, a, b, triangle) => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    if (a !== b && !edges.delete(key)) edges.set(key, { a, b, triangle });
  };
  const lone = new Map();
  for (let t = 0; t < indices.length / 3; t++) {
    const corners = [0, 1, 2].map((i) => numberOf(indices[3 * t + i]));
    corners.forEach((a, i) => toggle(lone, a, corners[(i + 1) % 3], t));
  }
  if (lone.size > EDGES_MOST) return { at, edges: [] };
  const ends = [...new Set([...lone.values()].flatMap(({ a, b }) => [a, b]))], divided = new Map(), way = new Vector3(), off = new Vector3();
  for (const { a, b, triangle } of lone.values()) {
    const long = way.subVectors(at[b], at[a]).length();
    const on = ends.map((end) => [off.subVectors(at[end], at[a]).dot(way) / long, end])
      .filter(([along, end]) => along > ON && along < long - ON && off.copy(at[a]).addScaledVector(way, along / long).distanceTo(at[end]) < ON);
    const stops = [[0, a], ...on.sort(([one], [other]) => one - other), [long, b]].map(([, end]) => end);
    for (let i = 1; i < stops.length; i++) toggle(divided, stops[i - 1], stops[i], triangle);
  }
  return { at, edges: [...divided.values()] };
}

/* Closed rings of edges. */
function ringsOf(edges) {
  const of = new Map(), rings = [], used = new Set();
  for (const edge of edges) for (const end of [edge.a, edge.b]) of.set(end, [...(of.get(end) ?? []), edge]);
  for (const first of edges) {
    const ring = [];
    let end = first.a, edge = first;
    while (edge !== undefined && !used.has(edge)) {
      used.add(edge);
      ring.push({ end, triangle: edge.triangle });
      end = edge.a === end ? edge.b : edge.a;
      edge = of.get(end).find((one) => !used.has(one));
      if (end === first.a) break;
    }
    if (end === first.a && ring.length > 2) rings.push(ring);
  }
  return rings;
}

/** Holes of a mesh (glb.js): each {corners: three positions a triangle, material: the one around most of it}. */
export function holesOf(mesh) {
  const { at, edges } = openEdges(mesh);
  return ringsOf(edges).map((ring) => {
    const spots = ring.map(({ end }) => at[end]), normal = new Vector3();
    spots.forEach((spot, i) => normal.add(new Vector3().crossVectors(spot, spots[(i + 1) % spots.length])));
    const axis = ['x', 'y', 'z'].reduce((most, one) => (Math.abs(normal[one]) > Math.abs(normal[most]) ? one : most));
    const [u, v] = { x: ['y', 'z'], y: ['z', 'x'], z: ['x', 'y'] }[axis];
    const faces = ShapeUtils.triangulateShape(spots.map((spot) => new Vector2(spot[u], spot[v])), []);
    const around = new Map();
    ring.forEach(({ triangle }, i) => {
      const { name } = mesh.materials.find((one) => triangle >= one.first_triangle && triangle < one.first_triangle + one.triangles);
      around.set(name, (around.get(name) ?? 0) + spots[i].distanceTo(spots[(i + 1) % spots.length]));
    });
    const material = [...around].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
    return { corners: faces.flat().map((i) => spots[i].toArray()), material };
  });
}

/** The hole that such an opening goes through: `at` is where its middle was seen, as exactly as `within` [m]; undefined:
 * none. */
export function holeAt(holes, at, within) {
  const spot = new Vector3(...at), near = new Vector3();
  const away = ({ corners }) => Math.min(...Array.from({ length: corners.length / 3 }, (_, i) =>
    new Triangle(...corners.slice(3 * i, 3 * i + 3).map((one) => new Vector3(...one))).closestPointToPoint(spot, near).distanceTo(spot)));
  return holes.map((hole) => [away(hole), hole]).sort(([a], [b]) => a - b).find(([distance]) => distance <= within)?.[1];
}

/** The bytes of the GLB with faces in those holes. Materials `without` are left out. */
export function closeHoles(buffer, holes, without) {
  const { model, chunk } = openGlb(buffer), { accessors, bufferViews, buffers, materials, meshes: [mesh] } = model;
  const count = holes.reduce((sum, { corners }) => sum + corners.length, 0), grown = new Uint8Array(chunk.length + 16 * count), words = new DataView(grown.buffer);
  grown.set(chunk);
  let at = chunk.length - 8;
  const put = (each, type, set, size, rest) => {
    const view = bufferViews.push({ buffer: 0, byteOffset: at, byteLength: 4 * each.length }) - 1;
    each.forEach((value, i) => set.call(words, 8 + at + 4 * i, value, true));
    at += 4 * each.length;
    return accessors.push({ bufferView: view, componentType: type, count: each.length / size, ...rest }) - 1;
  };
  mesh.primitives = mesh.primitives.filter(({ material }) => !without.includes(materials[material].name));
  for (const { corners, material } of holes) {
    const turned = corners.map(([x, y, z]) => [x, z, -y]), extreme = (of) => [0, 1, 2].map((axis) => of(...turned.map((one) => one[axis])));
    mesh.primitives.push({ attributes: { POSITION: put(turned.flat(), 5126, words.setFloat32, 3, { type: 'VEC3', min: extreme(Math.min), max: extreme(Math.max) }) },
      indices: put(corners.map((_, i) => i), 5125, words.setUint32, 1, { type: 'SCALAR' }), material: materials.findIndex(({ name }) => name === material) });
  }
  buffers[0].byteLength = at;
  words.setUint32(0, at, true);
  return packGlb(model, grown);
}

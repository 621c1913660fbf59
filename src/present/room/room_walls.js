/** Walls of a room by material: solid within three planes, glass beyond them. */
import { BACK, farWalls } from './far_walls.js';
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial, MeshLambertMaterial, Plane, Vector3,
} from 'three';

const EDGES_MOST = 30000; // triangles whose edges are drawn; finding them takes half a second there
const GLASS = 0.1; // opacity of walls beyond the planes

/* Triangles in the order: all within `limits`, across one, all beyond one. Returns where the second and third part
 * begin. */
function sortByLimits(positions, from, to, limits) {
  const axes = [0, 1, 2].filter((axis) => Number.isFinite(limits[axis]));
  const kind = new Uint8Array(from.length / 3), count = [0, 0, 0];
  for (let t = 0; t < kind.length; t++) {
    for (const axis of axes) {
      let beyond = 0;
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) beyond += positions[3 * from[corner] + axis] > limits[axis] ? 1 : 0;
      kind[t] = Math.max(kind[t], beyond === 0 ? 0 : beyond === 3 ? 2 : 1);
    }
    count[kind[t]] += 1;
  }
  const next = [0, count[0], count[0] + count[1]];
  for (let t = 0; t < kind.length; t++) to.set(from.subarray(3 * t, 3 * t + 3), 3 * next[kind[t]]++);
  return [3 * count[0], 3 * (count[0] + count[1])];
}

/* The back of a face is the side from which its corners run clockwise. */
function paintBacks(material, backs) {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.backs = backs;
    shader.fragmentShader = `uniform float backs;\n${shader.fragmentShader}`.replace('#include <color_fragment>',
      `#include <color_fragment>\nif (backs > 0.5 && !gl_FrontFacing) diffuseColor.rgb = vec3(${BACK});`);
  };
  return material;
}

/** Of `positions` (x, y, z..), `indices` and `materials` {name, color, first_triangle, triangles}: groups, one a
 * material; cut([x, y, z]), up to where they are solid, Infinity for all; glass(shown); colour(name => [r, g, b] or null, with
 * an opacity of its glass);
 * backs(painted); first(raycaster, but), where a ray meets what is solid, but one material: {material, triangle: [a, b, c], at, normal} or null;
 * faces(indices), those triangles as a surface before all others; simple(on), with what is solid as far_walls.js has it; and whether they are large: many triangles, without edges. */
export function walls({ positions: spots, indices: all, materials }) {
  const positions = new BufferAttribute(spots, 3), backs = { value: 0 };
  const within = [], beyond = [];
  let limits = [Infinity, Infinity, Infinity], far = null, simply = false, glassy = true;
  const parts = materials.map((material) => {
    const from = all.subarray(3 * material.first_triangle, 3 * (material.first_triangle + material.triangles));
    const order = new BufferAttribute(from.slice(), 1);
    const color = new Color().setRGB(...material.color, 'srgb');
    const coat = { color, side: DoubleSide, flatShading: true };
    const shapes = [0, 1].map(() => new BufferGeometry().setAttribute('position', positions).setIndex(order));
    const group = new Group();
    group.name = material.name;
    const pane = new Mesh(shapes[1], new MeshLambertMaterial({ ...coat, clipIntersection: true, transparent: true, opacity: GLASS,
      depthWrite: false, forceSinglePass: true }));
    pane.renderOrder = 2;
    const solid = new Mesh(shapes[0], paintBacks(new MeshLambertMaterial(coat), backs));
    solid.name = material.name;
    group.add(solid, pane);
    if (all.length <= 3 * EDGES_MOST) {
      const edges = new LineSegments(new EdgesGeometry(shapes[0], 35),
        new LineBasicMaterial({ color: '#5a646e', transparent: true, opacity: 0.45 }));
      edges.renderOrder = 1;
      group.add(edges);
    }
    return { group, solid, pane, order, from, shapes, own: material.color, count: from.length };
  });
  function cut(to) {
    limits = to;
    within.length = beyond.length = 0;
    limits.forEach((limit, axis) => {
      if (!Number.isFinite(limit)) return;
      const normal = new Vector3().setComponent(axis, 1);
      beyond.push(new Plane(normal, -limit));
      within.push(new Plane(normal.clone().negate(), limit));
    });
    for (const part of parts) {
      const { solid, pane, from, order, shapes } = part;
      const [second, third] = sortByLimits(spots, from, order.array, limits);
      part.count = third;
      order.needsUpdate = true;
      solid.material.clippingPlanes = within.length > 0 ? within : null;
      pane.material.clippingPlanes = beyond.length > 0 ? beyond : null;
      shapes[0].setDrawRange(0, third);
      shapes[1].setDrawRange(second, from.length - second);
    }
    forget();
  }
  function show() {
    for (const { group, pane } of parts) for (const object of group.children) object.visible = !simply && (object !== pane || glassy);
    if (far !== null) far.visible = simply;
  }
  const glass = (shown) => { glassy = shown; show(); };
  function colour(of) {
    for (const { solid, pane, own } of parts) for (const { material } of [solid, pane]) {
      const [r, g, b, opacity] = of(solid.name) ?? own;
      material.color.setRGB(r, g, b, 'srgb');
      material.opacity = opacity ?? GLASS; // of panes
    }
    forget();
  }
  function drop() {
    far?.removeFromParent();
    far?.geometry.dispose();
    far?.material.dispose();
    far = null;
  }
  function forget() {
    drop();
    if (simply) simple(true);
  }
  /* One that was hidden since is hidden there too. */
  function simple(on) {
    const seen = parts.filter(({ group }) => group.visible), key = seen.map(({ solid }) => solid.name).join();
    simply = on;
    if (on && far?.name !== key) {
      drop();
      far = farWalls(spots, limits, seen.map(({ solid, order, count }) => ({ order: order.array, count, color: solid.material.color })), backs.value === 1);
      far.name = key;
      parts[0].group.parent.add(far);
    }
    show();
  }
  function first(raycaster, but) {
    const seen = parts.filter(({ group }) => group.visible && group.name !== but).map(({ solid }) => solid);
    const hit = raycaster.intersectObjects(seen, false).find(({ point }) => limits.every((limit, axis) => point.getComponent(axis) <= limit));
    return hit === undefined ? null : { material: hit.object.name, triangle: [hit.face.a, hit.face.b, hit.face.c], at: hit.point.toArray(), normal: hit.face.normal.toArray() };
  }
  const faces = (indices) => new Mesh(new BufferGeometry().setAttribute('position', positions).setIndex(indices),
    new MeshBasicMaterial({ color: '#ff8c1a', side: DoubleSide, transparent: true, opacity: 0.8, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 }));
  const dispose = () => { drop(); for (const { group } of parts) for (const { geometry, material } of group.children) { geometry.dispose(); material.dispose(); } };
  return { groups: parts.map(({ group }) => group), cut, glass, colour, simple, backs: (painted) => { backs.value = painted ? 1 : 0; forget(); }, first, faces, dispose,
    large: all.length > 3 * EDGES_MOST };
}

/** What lies in the view of a room: sources and receivers, maps. */
import {
  BoxGeometry, CircleGeometry, Color, ConeGeometry, CylinderGeometry, DoubleSide, GreaterDepth, Group, InstancedMesh, Matrix4, Mesh,
  MeshBasicMaterial, PlaneGeometry, SphereGeometry, Vector3,
} from 'three';

export const MARKS = { source: '#d55e00', receiver: '#0072b2', corner: '#7b3294', area: '#7b3294', seats: '#0072b2', height: '#4d5763', path: '#1b6e3c',
  blocked: '#b3261e', box: '#7b3294' };

/** The points of a kind. Behind a wall they shine through it, paler. */
export function points(list, kind, size) {
  const group = new Group();
  const geometry = kind === 'source' ? new ConeGeometry(size, 2.4 * size, 4).rotateX(Math.PI / 2)
    : kind === 'corner' ? new BoxGeometry(0.8 * size, 0.8 * size, 0.8 * size) : new SphereGeometry(0.8 * size, 12, 8);
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

/** A rod, since lines are one pixel thin in WebGL. */
export function rod(from, to, thick, material, point = 1) {
  const object = new Mesh(new CylinderGeometry(point * thick, thick, from.distanceTo(to), 8), material);
  object.position.copy(from).lerp(to, 0.5);
  object.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), to.clone().sub(from).normalize());
  return object;
}

/** Rods from point to point, seen through walls. */
export function pipe(kind, spots, thick) {
  const group = new Group(), material = new MeshBasicMaterial({ color: MARKS[kind], depthTest: false });
  for (let i = 1; i < spots.length; i++) group.add(rod(new Vector3(...spots[i - 1]), new Vector3(...spots[i]), thick, material));
  group.traverse((object) => { object.renderOrder = 4; });
  return group;
}

/** An arrow whose tip can be pulled. */
export function arrow(kind, at, tip, size) {
  const group = pipe(kind, [at, tip], 0.15 * size), end = new Vector3(...tip);
  const back = new Vector3(...at).sub(end).setLength(1.2 * size).add(end);
  group.add(rod(back, end, 0.5 * size, group.children[0].material, 0));
  return group;
}

/** Discs where people sit. */
export function dots(spots) {
  const discs = new InstancedMesh(new CircleGeometry(0.25, 12), new MeshBasicMaterial({ color: MARKS.seats, side: DoubleSide, transparent: true, opacity: 0.75 }), spots.length);
  spots.forEach((at, i) => discs.setMatrixAt(i, new Matrix4().makeTranslation(...at)));
  return discs;
}

/** Dark blue to yellow, even to the eye and in grey (a few points of cividis). */
export const RAMP = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];
export function rampColour(share) {
  const at = Math.min(1, Math.max(0, share)) * (RAMP.length - 1);
  const low = Math.min(RAMP.length - 2, Math.floor(at));
  return RAMP[low].map((value, c) => value + (at - low) * (RAMP[low + 1][c] - value));
}

/** Cells of the points {values, points} of a map that have a value, coloured from `low` to `high`. */
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

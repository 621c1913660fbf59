/** Where a room that was simulated open, or sealed, lets its sound out. */
import { BufferGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, SphereGeometry, TorusGeometry, Vector3 } from 'three';
import { rod } from './room_things.js';

/* The leak path from a source out of the model, and a ring as wide as the opening where it is narrowest; seen
 * through walls. A crack without a path is a ball. */
function leakMark(leak, size) {
  const group = new Group();
  const colour = { color: leak.sealed ? '#cc79a7' : '#b0003a', depthTest: false };
  const across = leak.gap_m ?? (leak.area_m2 === null ? size : 2 * Math.sqrt(leak.area_m2 / Math.PI));
  const place = new Vector3(...leak.position_m);
  const path = (leak.path_m ?? []).map((p) => new Vector3(...p));
  const at = path.findIndex((p) => p.distanceTo(place) < 1e-9);
  const mark = path.length > 1
    ? new Mesh(new TorusGeometry(Math.max(across / 2, 0.3 * size), 0.25 * size, 8, 48), new MeshBasicMaterial(colour))
    : new Mesh(new SphereGeometry(0.5 * size, 16, 12), new MeshBasicMaterial(colour));
  mark.name = 'mark';
  mark.position.copy(place);
  if (path.length > 1) {
    const line = new Line(new BufferGeometry().setFromPoints(path), new LineBasicMaterial(colour));
    line.name = 'path';
    group.add(line);
    for (let i = 1; i < path.length; i++) group.add(rod(path[i - 1], path[i], 0.18 * size, new MeshBasicMaterial(colour)));
    mark.lookAt(path[at + 1] ?? path[at - 1] ?? path[0]);
  }
  group.add(mark);
  return group;
}

/** All of `leaks` of a run, one group. */
export function leakMarks(leaks, size) {
  const group = new Group();
  group.add(...leaks.map((leak) => leakMark(leak, size)));
  group.traverse((object) => { object.renderOrder = 1; });
  return group;
}

/** A person of 1.75 m with a stick of one metre, so that one sees whether a room has the right size. */
import { BoxGeometry, CapsuleGeometry, Group, Mesh, MeshLambertMaterial, SphereGeometry } from 'three';

/** Standing on `at`. */
export function person(at) {
  const group = new Group(), cloth = new MeshLambertMaterial({ color: '#5b6b8c' });
  const part = (shape, material, x, z) => {
    const mesh = new Mesh(shape, material);
    mesh.position.set(x, 0, z);
    group.add(mesh);
  };
  const upright = (shape) => shape.rotateX(Math.PI / 2);
  for (const x of [-0.1, 0.1]) part(upright(new CapsuleGeometry(0.08, 0.68, 4, 8)), cloth, x, 0.42);
  part(upright(new CapsuleGeometry(0.19, 0.36, 4, 12)), cloth, 0, 1.13);
  for (const x of [-0.25, 0.25]) part(upright(new CapsuleGeometry(0.055, 0.55, 4, 8)), cloth, x, 1.05);
  part(new SphereGeometry(0.125, 16, 12), new MeshLambertMaterial({ color: '#d8b08c' }), 0, 1.625);
  for (let tenth = 0; tenth < 10; tenth++)
    part(new BoxGeometry(0.05, 0.05, 0.1), new MeshLambertMaterial({ color: tenth % 2 ? '#ffffff' : '#c22' }), 0.5, 0.05 + 0.1 * tenth);
  group.position.set(...at);
  return group;
}

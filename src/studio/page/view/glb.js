/** The material of dummy heads, which the program puts into a model. */
export const HEADS = 'dummy_head';

/** The mesh of a GLB that the program wrote (gltf_write.h): positions (x, y, z.., z up, metres), indices, materials
 * {name, color (sRGB, 0 to 1), first_triangle, triangles} and places {name, kind, at}. Throws an Error for another file. */
export function readGlb(buffer) {
  const words = new DataView(buffer);
  if (buffer.byteLength < 28 || words.getUint32(0, true) !== 0x46546c67) throw new Error('not a GLB');
  const size = words.getUint32(12, true);
  const { accessors, bufferViews, meshes, materials, nodes } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, size)));
  const numbers = (Kind, accessor, each) =>
    new Kind(buffer, 28 + size + bufferViews[accessors[accessor].bufferView].byteOffset, each * accessors[accessor].count);
  const parts = meshes[0].primitives.map((part) => ({ material: materials[part.material],
    corners: numbers(Float32Array, part.attributes.POSITION, 3), order: numbers(Uint32Array, part.indices, 1) }));
  const total = (key) => parts.reduce((sum, part) => sum + part[key].length, 0);
  const positions = new Float32Array(total('corners')), indices = new Uint32Array(total('order'));
  let corner = 0, at = 0;
  const list = parts.map(({ material, corners, order }) => {
    for (let i = 0; i < corners.length; i += 3) positions.set([corners[i], -corners[i + 2], corners[i + 1]], corner + i);
    for (let i = 0; i < order.length; i++) indices[at + i] = order[i] + corner / 3;
    const one = { name: material.name, color: material.pbrMetallicRoughness.baseColorFactor.slice(0, 3).map((value) => value ** (1 / 2.2)),
      first_triangle: at / 3, triangles: order.length / 3 };
    corner += corners.length;
    at += order.length;
    return one;
  });
  const places = nodes.filter((node) => node.translation).map(({ name, translation: [x, y, z] }) =>
    ({ kind: name.slice(0, name.indexOf(':')), name: name.slice(name.indexOf(':') + 1), at: [x, -z, y] }));
  return { positions, indices, materials: list, places };
}

/** The JSON of such a GLB and the chunk behind it, from its 8 bytes of head on, as a copy. */
export function openGlb(buffer) {
  const size = new DataView(buffer).getUint32(12, true);
  return { model: JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, size))), chunk: new Uint8Array(buffer.slice(20 + size)) };
}

/** A GLB of them. */
export function packGlb(model, chunk) {
  const text = new TextEncoder().encode(JSON.stringify(model)), padded = Math.ceil(text.length / 4) * 4;
  const out = new Uint8Array(20 + padded + chunk.length).fill(0x20), head = new DataView(out.buffer);
  [0x46546c67, 2, out.length, padded, 0x4e4f534a].forEach((word, i) => head.setUint32(4 * i, word, true));
  out.set(text, 20);
  out.set(chunk, 20 + padded);
  return out;
}

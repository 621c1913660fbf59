/** What a report alone shows in its room: stored blocks, and maps by their names. */
import { BoxGeometry, BufferAttribute, BufferGeometry, EdgesGeometry, LineBasicMaterial, LineSegments } from 'three';
import { int32, octaveName } from './data.js';
import { T } from './words.js';

const BOXES_MOST = 40000; // runs of blocks that are drawn; more are decimated to what one can see

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

/** What a map is called, and what maps of other runs must be called to share its scale. */
export const mapName = (map) =>
  `${map.word}${Number.isFinite(map.octave_hz) ? T(' at {0}', octaveName(map.octave_hz)) : ''}, ${T('{0}, from {1}', map.grid === 'audience' ? T('audience') : map.grid, map.source)}`;

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

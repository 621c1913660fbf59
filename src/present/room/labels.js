/** Names over a picture that is turned: text of the page, so that it is sharp at every resolution. */
import { Vector3 } from 'three';
import { make } from './element.js';

const APART = 2; // pixels between two names

/** Names for points { name, kind, position_m }, `lift` metres over each. place(camera, width, height) puts them where
 * their points are in a picture of that size; of names that would lie on one another the first stays, sources before
 * receivers. */
export function nameLabels(points, lift) {
  const element = make('div', { class: 'labels', 'aria-hidden': 'true' });
  const first = (point) => (point.kind === 'source' ? 0 : 1);
  const labels = [...points].sort((a, b) => first(a) - first(b)).map((point) => {
    const text = make('span', { class: `of-${point.kind}` }, point.name);
    element.append(text);
    return { text, kind: point.kind, at: new Vector3(...point.position_m).add(new Vector3(0, 0, lift)), width: 0, height: 0 };
  });
  const spot = new Vector3();

  function place(camera, width, height, drawn) {
    const taken = [];
    for (const label of labels) {
      if (label.width === 0) [label.width, label.height] = [label.text.offsetWidth, label.text.offsetHeight];
      spot.copy(label.at).project(camera);
      const x = (spot.x + 1) / 2 * width - label.width / 2, y = (1 - spot.y) / 2 * height - label.height;
      const box = [x, y, x + label.width, y + label.height];
      const free = drawn[label.kind] && Math.abs(spot.z) < 1 && !taken.some((other) => box[0] < other[2] + APART &&
        other[0] < box[2] + APART && box[1] < other[3] + APART && other[1] < box[3] + APART);
      if (free) taken.push(box);
      label.text.style.visibility = free ? 'visible' : 'hidden';
      if (free) [label.text.style.left, label.text.style.top] = [`${50 * (spot.x + 1)}%`, `${50 * (1 - spot.y)}%`]; // on paper, too
    }
  }
  return { element, place };
}

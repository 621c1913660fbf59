/** Where a room is looked at from, so that all of it is seen from above at an angle, and up to where its walls are
 * solid, so that what is in it is seen. No drawing: numbers in, numbers out. Metres, z up; angles in degrees. */

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const along = (a, s, b) => a.map((value, axis) => value + s * b[axis]);

/** The smallest box around positions x, y, z, x, y, z...: [low, high]. */
export function bounds(spots) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < spots.length; i++) {
    low[i % 3] = Math.min(low[i % 3], spots[i]);
    high[i % 3] = Math.max(high[i % 3], spots[i]);
  }
  return [low, high];
}

/** From which side: across the longer one, a little from its end, and from above. */
export const firstSide = (low, high) => ({ azimuth: high[0] - low[0] >= high[1] - low[1] ? -65 : -25, elevation: 38 });

/** Right, up and back of an eye that looks from a side. */
function eyeAxes({ azimuth, elevation }) {
  const a = azimuth * Math.PI / 180, e = elevation * Math.PI / 180;
  const back = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  const right = [-Math.sin(a), Math.cos(a), 0];
  const up = [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
  return { right, up, back };
}

/** The nearest eye on a side that has every position in its picture, and what it looks at: { eye, target }.
 * `opening` is the vertical angle of view, `aspect` width over height, `margin` the share of the picture left free.
 *
 * A position with the coordinates x (right) and z (back) is within the right edge of an eye at (c, d) when
 * x - c <= t (d - z), and likewise on the left: the largest x + t z and -x + t z settle c and d. */
export function framing(spots, side, opening, aspect, margin = 0.06) {
  const { right, up, back } = eyeAxes(side);
  const tall = Math.tan(opening * Math.PI / 360) * (1 - margin), wide = tall * aspect;
  const most = [-Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < spots.length; i += 3) {
    const spot = [spots[i], spots[i + 1], spots[i + 2]];
    const x = dot(spot, right), y = dot(spot, up), z = dot(spot, back);
    most[0] = Math.max(most[0], x + wide * z);
    most[1] = Math.max(most[1], -x + wide * z);
    most[2] = Math.max(most[2], y + tall * z);
    most[3] = Math.max(most[3], -y + tall * z);
  }
  const depth = Math.max((most[0] + most[1]) / (2 * wide), (most[2] + most[3]) / (2 * tall));
  const eye = along(along(right.map((value) => value * (most[0] - most[1]) / 2), (most[2] - most[3]) / 2, up), depth, back);
  const [low, high] = bounds(spots);
  const middle = low.map((value, axis) => (value + high[axis]) / 2);
  return { eye, target: along(eye, dot(middle, back) - depth, back) };
}

/** Up to where walls are solid: a hand above the highest head, so that walls between the eye and the places hide
 * none; within the lower 60 % of the room, so that a gallery does not bring back the roof. */
export function solidHeight(points, low, high) {
  const tall = high[2] - low[2];
  const heads = points.map((point) => point.position_m[2]).filter((z) => z <= low[2] + 0.6 * tall);
  const top = heads.length > 0 ? Math.max(...heads) + Math.min(0.3, 0.05 * tall) : low[2] + 0.4 * tall;
  return Math.min(Math.max(top, low[2] + 0.1 * tall), low[2] + 0.6 * tall);
}

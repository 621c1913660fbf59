/** A walk through a run: its places are clicked in the room or typed, and `auralise --walk` makes its sound. */
import { useEffect, useState } from 'preact/hooks';
import { T } from '../../present/report/script/words.js';
import { fileAddress, readJson } from './api.js';
import { DrySound } from './listening.js';
import { NumberField, Progress, html } from './parts.js';
import { attempt, run } from './state.js';

const EARS = 1.6; // above the floor [m]

/** The place of a walker's ears above a surface that was clicked; null on a wall. */
export const earsAbove = ({ at, normal }) => (normal[2] > 0.5 ? [at[0], at[1], at[2] + EARS].map((value) => Number(value.toFixed(2))) : null);

/** The place after so many seconds. */
export function placeAt(points, seconds, speed) {
  let left = seconds * speed;
  for (let i = 1; i < points.length; i++) {
    const length = Math.hypot(...points[i].map((value, axis) => value - points[i - 1][axis]));
    if (left <= length) return points[i].map((value, axis) => points[i - 1][axis] + (value - points[i - 1][axis]) * left / (length || 1));
    left -= length;
  }
  return points.at(-1);
}

const textOf = (points) => points.map((point) => point.join(',')).join(';');
const pointsOf = (text) => text.split(';').filter((one) => one.trim() !== '').map((one) => one.split(',').map(Number));

/** `walk`: {points, drawing, at}; set(fields) changes it. */
export function Walk({ path, files, walk, set, studio }) {
  const [made, setMade] = useState(null), [job, setJob] = useState(null), [dry, setDry] = useState('clap'), [speed, setSpeed] = useState(1.2);
  useEffect(() => {
    if (files.includes('walk.json')) attempt(async () => { const found = await readJson(`${path}/walk.json`); setMade(found); set({ points: found.path_m }); });
  }, [path]);
  const words = ['auralise', path, '--walk', textOf(walk.points), '--speed', String(speed), '--dry', dry, '--force', '--progress', 'json'];
  const make = () => attempt(async () => { set({ drawing: false }); setMade((await run(words, setJob)).json); }).then(() => setJob(null));
  const good = walk.points.length > 0 && walk.points.every((point) => point.length === 3 && point.every(Number.isFinite));
  return html`<section class="walk" aria-label=${T('Walk')}><h2>${T('Walk')}</h2>
    <div class="buttons"><button aria-pressed=${walk.drawing ? 'true' : 'false'} onClick=${() => set(walk.drawing ? { drawing: false } : { drawing: true, points: [], at: null })}>${T('Draw a walk')}</button>
      <label>${T('Speed')} <${NumberField} class="fmax" min="0.1" max="10" step="0.1" aria-label=${T('Speed')} value=${speed} commit=${(text) => Number(text) > 0 && setSpeed(Number(text))} /> m/s</label></div>
    ${walk.drawing && html`<p><small>${T('Click on the floor from place to place. Responses within 2 m of the walk are needed.')}</small></p>`}
    <input class="search" aria-label=${T('Places of the walk: x,y,z;x,y,z in metres')} placeholder="x,y,z;x,y,z" value=${textOf(walk.points)} onChange=${(event) => set({ points: pointsOf(event.target.value), at: null })} />
    <${DrySound} dry=${dry} setDry=${setDry} studio=${studio} />
    <div class="buttons"><button disabled=${!good || job !== null} onClick=${make}>${T('Make the sound of the walk')}</button>
      ${job !== null && html`<${Progress} of=${studio.jobs[job - 1]?.progress} />`}</div>
    ${made?.files.filter(({ kind }) => kind !== 'ambix').map(({ file, source, kind }) => html`<p><label>${kind === 'mono' ? T('from {0}', source) : T('from {0}, for headphones', source)}<br />
      <audio controls key=${`${file} ${made.path_m} ${made.gain_db} ${job}`} src=${fileAddress(`${path}/${file}`)} onTimeUpdate=${(event) => set({ at: placeAt(made.path_m, event.target.currentTime, made.speed_m_s) })} /></label></p>`)}
  </section>`;
}

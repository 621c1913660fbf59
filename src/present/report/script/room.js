/** The view of a room that is turned: walls solid up to a height and glass above it, sources, receivers, layers. */
import { leakMarks } from '../../room/room_leaks.js';
import { MARKS, mapCells, points, RAMP } from '../../room/room_things.js';
import { walls } from '../../room/room_walls.js';
import { firstSide, solidHeight } from '../../room/sight.js';
import { listenToKeys, makeStage } from '../../room/stage.js';
import { nameLabels } from '../../room/labels.js';
import { float32, make, uint32 } from './data.js';
import { blockRuns, mapName } from './run_layers.js';
import { printed, shown, T } from './words.js';

export { mapRanges } from './run_layers.js';

/* Values under the ramp, evenly from its one end to the other. */
const rampTicks = ([low, high]) => [0, 1, 2, 3, 4].map((i) => low + (high - low) * i / 4);

/* One map at a time lies in the room, with its scale beside the choice. */
function mapChoice(maps, redraw) {
  const choice = make('select', { 'data-choice': 'map' }, make('option', { value: '' }, T('none')),
    ...[...maps].map(([name, map]) => make('option', { value: name }, map.rays ? T('{0}, from rays', shown(name)) : shown(name))));
  const scale = make('span', { class: 'scale', hidden: true });
  choice.addEventListener('change', () => {
    for (const [name, map] of maps) map.cells.visible = name === choice.value;
    const chosen = maps.get(choice.value);
    scale.hidden = chosen === undefined;
    if (chosen !== undefined) {
      const bar = make('span', { class: 'ramp', 'aria-hidden': 'true' });
      bar.style.background = `linear-gradient(to right, ${RAMP.map((c) => `rgb(${c.join(',')})`).join(', ')})`;
      scale.replaceChildren(bar, make('span', { class: 'ticks' }, ...rampTicks(chosen.range).map((value) =>
        make('span', {}, `${printed(value.toPrecision(3))} ${chosen.unit}`))));
    }
    redraw();
  });
  return make('p', { class: 'buttons' }, make('label', {}, T('Map on the audience: '), choice), scale);
}

/* ---- layers ---- */

/* A box to tick for every layer: what was placed in one group, what it is built of in another. */
function layerSwitches(view, scene, redraw) {
  const groups = new Map();
  const panel = make('div', { class: 'panel' });
  function layer(title, key, text, object, visible, swatch) {
    object.visible = visible;
    scene.add(object);
    view.layers[key] = object;
    const box = make('input', { type: 'checkbox', checked: visible, 'data-layer': key });
    box.addEventListener('change', () => { object.visible = box.checked; redraw(); });
    const mark = make('span', { class: 'swatch', 'aria-hidden': 'true' });
    mark.style.background = swatch;
    if (!groups.has(title)) {
      groups.set(title, make('fieldset', { class: 'layers' }, make('legend', {}, title)));
      panel.append(groups.get(title));
    }
    groups.get(title).append(make('label', {}, box, mark, make('span', {}, text)));
  }
  return { panel, layer };
}

/* ---- turning ---- */

/* The wheel scrolls the page until somebody has chosen the room; a finger that goes up or down scrolls it always. */
function leaveScrolling(canvas, controls) {
  canvas.style.touchAction = 'pan-y';
  controls.enableZoom = false;
  canvas.addEventListener('focus', () => { controls.enableZoom = true; });
  canvas.addEventListener('blur', () => { controls.enableZoom = false; });
  canvas.addEventListener('pointerdown', (event) => { if (event.pointerType === 'touch') controls.enableZoom = true; else canvas.focus(); }, true);
}

/* ---- the view ---- */

/* Height up to which walls are solid: a slider, and its value. */
function cutSlider(cut, low, high, redraw) {
  const tall = high[2] - low[2];
  const slider = make('input', { type: 'range', min: '0', max: '100', step: '1' });
  const output = make('output', {});
  function set(height) {
    cut(height);
    output.textContent = `${printed((height - low[2]).toFixed(1))} m`;
    slider.setAttribute('aria-valuetext', output.textContent);
    slider.value = String(Math.round(100 * (height - low[2]) / (tall || 1)));
  }
  slider.addEventListener('input', () => {
    const share = Number(slider.value) / 100;
    set(low[2] + share * tall + (share === 1 ? 0.001 * tall : 0));
    redraw();
  });
  return { set, element: make('label', { class: 'cut' }, T('Walls solid up to '), slider, output) };
}

/* Of a name in the page, whose places of the data stand there once. */
function copyOf(name) {
  const copy = name.cloneNode(true);
  copy.querySelectorAll('[data-key]').forEach((one) => one.removeAttribute('data-key'));
  return copy;
}

/* All layers of a run, into the scene and into the key beside it; `names` are those of the surfaces in the page. */
function addLayers(layer, run, surfaces, names, size) {
  layer(T('Places'), 'sources', T('sources'), points(run.points, 'source', size), true, MARKS.source);
  layer(T('Places'), 'receivers', T('receivers'), points(run.points, 'receiver', size), true, MARKS.receiver);
  for (const [name, words, sealed, swatch] of [['openings', T('openings'), false, '#b0003a'], ['closed cracks', T('closed cracks'), true, '#cc79a7']]) {
    const of = (run.run.leaks ?? []).filter((leak) => leak.sealed === sealed);
    if (of.length > 0) layer(T('Places'), name, words, leakMarks(of, size), true, swatch);
  }
  if (run.blocks) layer(T('Places'), 'stored blocks', T('grid of the simulation'), blockRuns(run.blocks), false, '#56b4e9');
  surfaces.forEach((object, i) => layer(T('Surfaces'), `walls: ${object.name}`, names[i] ? copyOf(names[i]) : shown(object.name), object, true,
    `#${object.children[0].material.color.getHexString()}`));
}

/* The maps of a run that have a scale, by name; none is seen yet. */
function addMaps(scene, run, ranges) {
  const maps = new Map();
  for (const map of run.maps || []) {
    const range = ranges.get(mapName(map));
    if (range === undefined || maps.has(mapName(map))) continue;
    const cells = mapCells(map, range);
    cells.visible = false;
    scene.add(cells);
    maps.set(mapName(map), { cells, range, unit: map.unit, rays: map.from === 'rays' });
  }
  return maps;
}

function viewButtons(acts) {
  const buttons = make('div', { class: 'buttons' });
  for (const [text, act] of Object.entries(acts)) {
    const button = make('button', { type: 'button' }, text);
    button.addEventListener('click', act);
    buttons.append(button);
  }
  return buttons;
}

/** Draw a run into `place`, its maps on the scales of `ranges` (mapRanges()). Returns an object for tests: layers
 * and maps by name, frames drawn, the canvas, turn(azimuth, elevation, distance) in degrees and metres,
 * standing(): where the eye is by the same three, project(position): where that is in the picture, -1 to 1. */
export function showRoom(place, run, ranges) {
  const mesh = { positions: float32(run.mesh.positions), indices: uint32(run.mesh.indices), materials: run.mesh.materials };
  const canvas = make('canvas', { tabindex: '0', role: 'application', 'aria-roledescription': T('room that can be turned'),
    'aria-label': T('The room {0} in three dimensions. Arrow keys turn it, plus and minus come nearer and go away, 0 resets the view.', shown(run.name)) });
  const view = { layers: {}, frames: 0, failed: null, canvas };
  let labels;
  function after(camera, width, height) {
    labels.place(camera, width, height, { source: view.layers.sources.visible, receiver: view.layers.receivers.visible });
    view.frames += 1;
    canvas.dataset.frames = String(view.frames);
  }
  const { renderer, scene, controls, redraw, enter, spare, viewFrom, turn, standing, nudge, fit, project } = makeStage(canvas, { after });
  const { low, high, radius } = enter(mesh.positions);
  const size = Math.max(0.12, radius / 60);
  labels = nameLabels(run.points.map((point) => ({ ...point, name: shown(point.name) })), 1.6 * size);
  leaveScrolling(canvas, controls);
  const stage = make('div', { class: 'stage' }, canvas, labels.element);

  const surfaces = walls(mesh);
  const cut = cutSlider((height) => surfaces.cut([Infinity, Infinity, height]), low, high, redraw);
  if (surfaces.large) spare(surfaces.simple);
  const reset = () => { cut.set(solidHeight(run.points, low, high)); viewFrom(firstSide(low, high)); };
  listenToKeys(canvas, nudge, reset);

  const { panel, layer } = layerSwitches(view, scene, redraw);
  addLayers(layer, run, surfaces.groups, place.parentElement.querySelectorAll('.key li > span'), size);
  view.maps = addMaps(scene, run, ranges);
  const buttons = viewButtons({ [T('Reset view')]: reset, [T('From above')]: () => viewFrom({ azimuth: -90, elevation: 89.9 }),
    [T('Turn left')]: () => nudge(-15, 0, 1), [T('Turn right')]: () => nudge(15, 0, 1),
    [T('Nearer')]: () => nudge(0, 0, 0.8), [T('Farther')]: () => nudge(0, 0, 1.25) });
  buttons.append(cut.element);
  place.classList.add('turned');
  place.append(make('div', { class: 'stage-and-key' }, stage, panel), buttons);
  if (view.maps.size > 0) place.append(mapChoice(view.maps, redraw));

  function fill() {
    const width = stage.clientWidth || 600;
    const tall = Math.round(Math.max(260, Math.min(width * (width < 500 ? 0.85 : 0.6), window.innerHeight * 0.75)));
    place.style.setProperty('--tall', `${tall}px`);
    fit(width, tall);
  }
  new ResizeObserver(fill).observe(stage);
  fill();
  reset();
  view.triangles = () => renderer.info.render.triangles;
  return Object.assign(view, { turn, standing, project });
}

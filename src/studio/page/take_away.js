/** What one takes away of a run: files as downloads, and pictures of what is on the screen. */
import { useEffect, useState } from 'preact/hooks';
import { T } from '../../present/report/script/words.js';
import { fileAddress, listFolder } from './api.js';
import { html } from './parts.js';
import { attempt, run } from './state.js';

const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);

function save(canvas, name) {
  canvas.toBlob((blob) => {
    const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
}

function paper(width, height, colour) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height }), context = canvas.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  return { canvas, context };
}

/* The room as it is seen, with the names on it and the scale of the map. */
function takeRoom(name) {
  const room = document.querySelector('.room'), seen = room.querySelector('canvas'), frame = seen.getBoundingClientRect(), scale = seen.width / frame.width;
  const { canvas, context } = paper(seen.width, seen.height, getComputedStyle(seen.parentElement).backgroundColor);
  context.drawImage(seen, 0, 0);
  context.scale(scale, scale);
  context.font = '600 13px system-ui, sans-serif';
  const write = (text, x, y, colour) => {
    context.fillStyle = '#ffffffeb';
    context.fillRect(x - 3, y - 13, context.measureText(text).width + 6, 17);
    context.fillStyle = colour;
    context.fillText(text, x, y);
  };
  for (const label of room.querySelectorAll('.labels span')) {
    const box = label.getBoundingClientRect(), { visibility, color } = getComputedStyle(label);
    if (visibility !== 'hidden') write(label.textContent, box.left - frame.left + 4, box.bottom - frame.top - 4, color);
  }
  const of = room.querySelector('.scale'), map = room.querySelector('[data-of=map]');
  if (of !== null && map?.value) write(`${map.selectedOptions[0].textContent}: ${[...of.querySelectorAll('span:not(.ramp)')].map(({ textContent }) => textContent).join(' – ')}`, 8, frame.height - 10, '#16191d');
  save(canvas, name);
}

/* A drawing with the colours that its rules give it. */
async function takeChart(name) {
  const seen = document.querySelector('.octave-chart'), copy = seen.cloneNode(true), { width, height } = seen.viewBox.baseVal, most = 3;
  const all = [...seen.querySelectorAll('*')], marks = ['fill', 'stroke', 'stroke-width', 'font-size', 'font-family', 'text-anchor'];
  [...copy.querySelectorAll('*')].forEach((one, i) => { for (const mark of marks) one.setAttribute(mark, getComputedStyle(all[i])[mark]); });
  Object.entries({ xmlns: 'http://www.w3.org/2000/svg', width: most * width, height: most * height }).forEach(([key, value]) => copy.setAttribute(key, value));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const { canvas, context } = paper(most * width, most * height, getComputedStyle(document.body).backgroundColor);
  context.drawImage(image, 0, 0);
  save(canvas, name);
}

/* The tables of the report, which tables.csv lists. */
function Tables({ path }) {
  const [tables, setTables] = useState([]);
  useEffect(() => { attempt(async () => setTables((await listFolder(`${path}/tables`)).filter((one) => /\.csv$/.test(one.name)).map((one) => one.name))); }, [path]);
  return html`<li><details><summary>${T('Tables of the report, CSV')}</summary><ul>${tables.map((one) => html`<li><a href=${fileAddress(`${path}/tables/${one}`)} download=${one}>${one}</a></li>`)}</ul></details></li>`;
}

/** `hearing`: the place that is chosen. */
export function TakeAway({ run: { path, files, maps, record }, hearing, studio, again }) {
  const [busy, setBusy] = useState(false), name = nameOf(path), sofa = `${name}.sofa`;
  const link = (file, text) => html`<li><a href=${fileAddress(file)} download=${nameOf(file)}>${text ?? nameOf(file)}</a></li>`;
  const own = (file, text) => files.includes(file) && link(`${path}/${file}`, text);
  const makeSofa = () => attempt(async () => {
    setBusy(true);
    await run(['export', path, '-o', `${path}/${sofa}`, '--force']);
    await again();
  }).then(() => setBusy(false));
  return html`<section class="take-away" aria-label=${T('Take away')}><h2>${T('Take away')}</h2>
    <div class="buttons"><button onClick=${() => takeRoom(`${name}_room.png`)}>${T('Picture of the room')}</button><button onClick=${() => attempt(() => takeChart(`${name}_figures.png`))}>${T('Picture of the figures')}</button>
      ${!files.includes(sofa) && record.responses.length > 0 && html`<button disabled=${busy} onClick=${makeSofa}>${T('Make the SOFA file')}</button>`}</div>
    <ul>${own('report.html', T('Report'))} ${own(sofa, T('Responses of all receivers, SOFA'))}
      ${link(`${path}/${hearing.file}`, T('Response at {0}, WAV', hearing.channel === null ? hearing.receiver : T('all points of the area')))}
      ${maps.map(({ table, grid, source }) => link(`${path}/${table}`, T('Figures of {0} from {1}, CSV', grid, source)))}
      ${files.includes('tables') && html`<${Tables} path=${path} />`}
      ${link(`${path}/run.json`, T('Everything about the run, JSON'))} ${studio.project && link(studio.project.path, T('Project {0}', studio.project.path))}</ul>
  </section>`;
}

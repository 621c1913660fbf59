/** Results: figures, maps and sounds of runs. All numbers are those of run.json and of the tables of maps. */
import { useEffect, useState } from 'preact/hooks';
import { T } from '../../present/report/script/words.js';
import { OctaveChart, OctaveTable } from './chart.js';
import { Listening } from './listening.js';
import { html, octaveText } from './parts.js';
import { figureOf, findRuns, hearingsOf, readRun } from './runs.js';
import { placesOf } from './screen_model.js';
import { attempt, folderOf } from './state.js';
import { Targets } from './targets.js';
import { RoomPane, Scale } from './view/room_pane.js';

const FIGURES = [['t30_s', 'T30', 's'], ['edt_s', 'EDT', 's'], ['t20_s', 'T20', 's'], ['c80_db', 'C80', 'dB'], ['c50_db', 'C50', 'dB'],
  ['d50', 'D50', ''], ['ts_s', 'Ts', 's'], ['g_db', 'G', 'dB']];

const Select = ({ label, value, of, choose, what }) => html`<label>${label} <select data-of=${what} value=${value} onChange=${(event) => choose(event.target.value)}>
  ${of.map(([key, text]) => html`<option value=${key}>${text}</option>`)}</select></label>`;

function useRun(path) {
  const [run, setRun] = useState(null);
  useEffect(() => {
    let current = true;
    setRun(null);
    if (path) attempt(async () => { const read = await readRun(path); if (current) setRun(read); });
    return () => { current = false; };
  }, [path]);
  return run;
}

const same = (a, b) => a.source === b.source && a.receiver === b.receiver;

/* Why figures are absent, each reason once. */
const whyOf = ({ response }) => [...new Set((response?.why ?? []).filter(Boolean))];

function Figures({ one, other, picked, setPicked, figure, setFigure }) {
  const hearings = hearingsOf(one);
  const hearing = hearings.find((each) => same(each, picked)) ?? hearings[0];
  const twin = other === null ? undefined : hearingsOf(other).find((each) => same(each, hearing));
  const octaves = one.record.responses[0]?.nominal_hz ?? one.record.grids[0].maps[0].nominal_hz;
  const series = [hearing, twin].filter(Boolean).map((each) => figureOf(each, figure, octaves));
  const [, name, unit] = FIGURES.find(([key]) => key === figure);
  const key = (each) => `${each.source}\n${each.receiver}`;
  const choices = [{ run: one, hearing }, ...(twin ? [{ run: other, hearing: twin }] : []), ...hearings.filter((each) => !each.seat && each !== hearing).map((each) => ({ run: one, hearing: each }))]
    .map((each) => ({ label: `${each.hearing.receiver} (${each.hearing.source}), ${each.run.path}`, path: each.run.path, hearing: each.hearing }));
  return html`
    <div class="buttons"><${Select} what="place" label=${T('Place')} value=${key(hearing)} of=${hearings.map((each) => [key(each), `${each.receiver}, ${T('from {0}', each.source)}`])}
        choose=${(value) => setPicked(hearings.find((each) => key(each) === value))} />
      <${Select} label=${T('Figure')} value=${figure} of=${FIGURES.map(([k, text]) => [k, text])} choose=${setFigure} /></div>
    <${OctaveChart} name=${name} unit=${unit} series=${series} octaves=${octaves} />
    <p class="legend"><small><span class="mark series-0" /> ${one.path}${twin && html` <span class="mark series-1" /> ${other.path}`}. ${T('Bars: uncertainty. Filled: from waves; hollow: from rays.')}</small></p>
    <${OctaveTable} name=${name} unit=${unit} series=${series} labels=${[one.path, ...(twin ? [other.path] : [])]} octaves=${octaves} />
    ${whyOf(hearing).map((why) => html`<p><small>${why}.</small></p>`)}
    <${Listening} key=${choices.map(({ label }) => label).join()} choices=${choices} />`;
}

function valuesOf(run, figure, octave, source) {
  const seats = run.seats.filter((seat) => seat.source === source);
  return { points: seats.map(({ at }) => at), values: seats.map(({ row }) => row[`${figure}_${octave}`]) };
}

export function Results({ studio }) {
  const [runs, setRuns] = useState(null), [path, setPath] = useState(''), [second, setSecond] = useState('');
  const [figure, setFigure] = useState('t30_s'), [octave, setOctave] = useState(''), [picked, setPicked] = useState({ source: '', receiver: '' });
  const ended = studio.jobs.filter(({ state }) => state === 'ended').length;
  useEffect(() => { attempt(async () => { const found = await findRuns(folderOf(studio.file)); setRuns(found); setPath((now) => now || (found[0] ?? '')); }); }, [studio.file, ended]);
  const one = useRun(path), other = useRun(second);
  if (runs !== null && runs.length === 0) return html`<h1>${T('Results')}</h1><p>${T('There is no run in this folder yet.')}</p>`;
  const mapped = octave !== '' && one !== null ? valuesOf(one, figure, octave, picked.source || one.seats[0]?.source) : null;
  const twins = octave !== '' && other !== null ? valuesOf(other, figure, octave, picked.source || one?.seats[0]?.source) : { values: [] };
  const finite = [...(mapped?.values ?? []), ...twins.values].filter(Number.isFinite);
  const range = finite.length > 0 ? [Math.min(...finite), Math.max(...finite)] : [0, 1];
  const map = useMap(mapped, `${path} ${figure} ${octave} ${picked.source}`);
  const onPick = (what) => {
    if (one === null) return;
    const places = placesOf(one.record), place = what.kind === 'place' ? places[what.index] : null;
    const from = picked.source || one.record.sources[0].name;
    if (place?.kind === 'receiver') setPicked({ source: from, receiver: place.name });
    else if (place?.kind === 'source') setPicked({ source: place.name, receiver: picked.receiver });
    else if (what.kind === 'surface') {
      const away = (seat) => Math.hypot(seat.at[0] - what.at[0], seat.at[1] - what.at[1]);
      const seat = one.seats.filter((each) => each.source === from).reduce((best, each) => (best === null || away(each) < away(best) ? each : best), null);
      if (seat !== null) setPicked({ source: from, receiver: seat.name });
    }
  };
  const seat = one?.seats.find(({ name, source }) => name === picked.receiver && source === (picked.source || one.record.sources[0].name));
  const places = one === null ? [] : [...placesOf(one.record), ...(seat ? [{ kind: 'receiver', name: seat.name, at: seat.at }] : [])];
  const [, name, unit] = FIGURES.find(([key]) => key === figure);
  return html`<div class="room-beside">
    <${RoomPane} key=${path} name=${path} mesh=${one?.mesh ?? null} places=${places} map=${map} range=${range} onPick=${onPick}>
      ${one !== null && one.seats.length > 0 && html`<${Select} label=${T('Map')} value=${octave} choose=${setOctave}
        of=${[['', T('none')], ...one.record.grids[0].maps[0].nominal_hz.map((hertz) => [hertz, `${name}, ${octaveText(hertz)} Hz`])]} />
        ${map !== null && html`<${Scale} low=${`${range[0].toPrecision(3)} ${unit}`} high=${`${range[1].toPrecision(3)} ${unit}`} />`}`}
    </${RoomPane}>
    <section class="room-list" aria-label=${T('Figures')}>
      <h1>${T('Results')}</h1>
      <div class="buttons">${runs !== null && html`<${Select} label=${T('Results of')} value=${path} of=${runs.map((each) => [each, each])} choose=${setPath} />
        <${Select} label=${T('beside')} value=${second} of=${[['', T('none')], ...runs.filter((each) => each !== path).map((each) => [each, each])]} choose=${setSecond} />`}</div>
      ${one === null ? html`<p>${T('The run is being read.')}</p>` : html`
        ${one.record.warnings.length > 0 && html`<details><summary>${T('{0} warnings', String(one.record.warnings.length))}</summary><ul>${one.record.warnings.map((text) => html`<li>${text}</li>`)}</ul></details>`}
        <${Figures} one=${one} other=${other} picked=${picked} setPicked=${setPicked} figure=${figure} setFigure=${setFigure} />
        <${Targets} path=${path} studio=${studio} />`}
    </section>
  </div>`;
}

/* The same object while nothing of it changes. */
function useMap(map, key) {
  const [kept, setKept] = useState({ key: '', map: null });
  const count = `${key} ${map === null ? 'none' : map.values.length}`;
  useEffect(() => { setKept({ key: count, map }); }, [count]);
  return kept.map;
}

/** Results: figures, maps and sounds of runs. All numbers are those of run.json, of the tables of maps and of commands. */
import { useEffect, useState } from 'preact/hooks';
import { T, printed } from '../../present/report/script/words.js';
import { OctaveChart, OctaveTable } from './chart.js';
import { Differences, useDifferences } from './differences.js';
import { Listening } from './listening.js';
import { Progress, html, octaveText } from './parts.js';
import { Report } from './report.js';
import { asMeasured, figureOf, findRuns, measuredFile, readRun, responsePath, resumeWords } from './runs.js';
import { placesOf } from './screen_model.js';
import { SendFile, sendFile } from './send_file.js';
import { attempt, change, folderOf, go, isOpen, start } from './state.js';
import { TakeAway } from './take_away.js';
import { RoomPane, Scale } from './view/room_pane.js';
import { Walk, earsAbove } from './walk_sound.js';

const FIGURES = [['t30_s', 'T30', 's'], ['edt_s', 'EDT', 's'], ['t20_s', 'T20', 's'], ['c80_db', 'C80', 'dB'], ['c50_db', 'C50', 'dB'],
  ['d50', 'D50', ''], ['ts_s', 'Ts', 's'], ['g_db', 'G', 'dB']];
const NEAR = 60; // pixels from a place, for a drop

const Select = ({ label, value, of, choose, what }) => html`<label>${label} <select data-of=${what} value=${value} onChange=${(event) => choose(event.target.value)}>
  ${of.map(([key, text]) => html`<option value=${key}>${text}</option>`)}</select></label>`;

/* The run at `path`, read again when again() was called. */
function useRun(path) {
  const [run, setRun] = useState(null), [times, setTimes] = useState(0);
  useEffect(() => {
    let current = true;
    if (run?.path !== path) setRun(null);
    if (path) attempt(async () => { const read = await readRun(path); if (current) setRun({ ...read, mesh: run?.path === path ? run.mesh : read.mesh }); });
    return () => { current = false; };
  }, [path, times]);
  return [run?.path === path ? run : null, () => setTimes((count) => count + 1)];
}

const same = (a, b) => a.source === b.source && a.receiver === b.receiver;
const keyOf = ({ run, source, receiver, isMeasured }) => [run, source, receiver, isMeasured ? 'measured' : ''].join('\n');
const labelOf = ({ receiver, source, isMeasured }) => (isMeasured ? T('{0}, measured', receiver) : `${receiver}, ${T('from {0}', source)}`);
const longLabel = (hearing) => `${labelOf(hearing)}, ${hearing.run}`;

/* Why figures are absent, each reason once. */
const whyOf = ({ response }) => [...new Set((response?.why ?? []).filter(Boolean))];

/* What A is compared with: what was chosen, else the same place in the other run. */
const besideOf = (hearing, all, key, other) => all.find((each) => keyOf(each) === key) ?? other?.hearings.find((each) => same(each, hearing)) ?? null;

function Figures({ one, other, hearing, setPicked, figure, setFigure, beside, setBeside, measure, ways, setWays, studio }) {
  const measured = hearing.measured ? [asMeasured(hearing)] : [];
  const others = [...measured, ...one.hearings.filter((each) => each !== hearing), ...(other?.hearings ?? [])];
  const second = besideOf(hearing, others, beside, other);
  const differences = useDifferences([hearing, second].map((each) => each && responsePath(each)), `${one.record.seconds} ${other?.record.seconds} ${second?.measured_s}`);
  const octaves = one.record.responses[0]?.nominal_hz ?? one.maps[0].octaves;
  const both = [hearing, second].filter(Boolean), series = both.map((each) => figureOf(each, figure, octaves, differences.found));
  const [, name, unit] = FIGURES.find(([key]) => key === figure);
  const choices = [...both, ...others.filter((each) => each !== second && !each.row)].map((each) => ({ label: longLabel(each), hearing: each }));
  return html`<div class="buttons figures"><${Select} what="place" label=${T('Place')} value=${keyOf(hearing)} of=${one.hearings.map((each) => [keyOf(each), labelOf(each)])}
        choose=${(value) => setPicked(one.hearings.find((each) => keyOf(each) === value))} />
      <${Select} label=${T('with')} value=${second ? keyOf(second) : ''} of=${[['', other ? T('the same place') : T('nothing')], ...others.map((each) => [keyOf(each), each.run === one.path ? labelOf(each) : longLabel(each)])]} choose=${setBeside} />
      <${SendFile} label=${T('Measured response')} pathOf=${() => `${one.path}/${measuredFile(hearing)}`} then=${() => measure(hearing)} /></div>
    <div class="buttons"><${Select} label=${T('Figure')} value=${figure} of=${FIGURES.map(([k, text]) => [k, text])} choose=${setFigure} /></div>
    <${OctaveChart} name=${name} unit=${unit} series=${series} octaves=${octaves} />
    <p class="legend"><small>${both.map((each, i) => html`<span class=${`mark series-${i}`} /> ${'AB'[i]}: ${longLabel(each)}. `)}${T('Bars: uncertainty. Filled: from waves; hollow: from rays.')}</small></p>
    <${OctaveTable} name=${name} unit=${unit} series=${series} labels=${both.map((_, i) => 'AB'[i])} octaves=${octaves} />
    ${whyOf(hearing).map((why) => html`<p><small>${why}.</small></p>`)}
    ${second && html`<${Differences} title=${T('B beside A')} label=${T('Compare A and B')} of=${differences} studio=${studio} />`}
    <${Listening} key=${choices.map(({ label }) => label).join()} choices=${choices} second=${Math.min(1, choices.length - 1)} ways=${ways} setWays=${setWays} studio=${studio} />`;
}

/* Two runs as wholes. */
function Runs({ one, other, studio }) {
  const differences = useDifferences([one.path, other.path], `${one.record.seconds} ${other.record.seconds}`);
  return html`<${Differences} title=${T('{0} beside {1}', other.path, one.path)} label=${T('Compare the runs')} of=${differences} studio=${studio} />`;
}

const valuesOf = (run, figure, octave, source) => {
  const maps = run.maps.filter((map) => map.source === source);
  return { points: maps.flatMap(({ points }) => points), values: maps.flatMap(({ rows }) => rows.map((row) => row[`${figure}_${octave}`])) };
};

/* Of two runs, where both have a point. */
function differencesOf(one, other, ...of) {
  const [a, b] = [valuesOf(one, ...of), valuesOf(other, ...of)], second = new Map(b.points.map((point, i) => [point.join(), b.values[i]]));
  return { points: a.points, values: a.points.map((point, i) => { const value = second.get(point.join()); return Number.isFinite(value) && Number.isFinite(a.values[i]) ? value - a.values[i] : NaN; }) };
}

/* The hearing whose place is nearest to a pointer on the room; null: none is near. */
function hearingAt(event, hearings) {
  const view = event.target.roomView, box = event.target.getBoundingClientRect();
  const away = ({ at }) => { const [x, y] = view.project(at); return Math.hypot(box.left + (x + 1) / 2 * box.width - event.clientX, box.top + (1 - y) / 2 * box.height - event.clientY); };
  const found = view === undefined ? [] : hearings.map((each) => [away(each), each]).sort(([a], [b]) => a - b);
  return found[0]?.[0] < NEAR ? found[0][1] : null;
}

const parts = () => [[T('Report'), '.report'], [T('Figures'), '.figures'], [T('Listening'), '.listening'], [T('Walk'), '.walk'], [T('Take away'), '.take-away']];

/* What is not there yet. */
const Under = ({ jobs }) => jobs.map((job) => html`<p class="under" key=${job.number}><span>${T('{0} is being simulated.', job.arguments[1] ?? '')}</span> ${job.state === 'waits' ? T('waits') : html`<${Progress} of=${job.progress} ending=${job.ending} />`}
  <button class="small" onClick=${() => go('plan')}>${T('Show the run')}</button></p>`);

/* Of an interrupted run. */
function Missing({ record, path, studio }) {
  const job = studio.jobs.findLast(({ arguments: words, resumable }) => resumable && words.includes(path));
  return html`<div class="warning buttons"><span>${T('This run did not come to its end, and some results are missing: {0}.', record.partial_because)}</span>
    ${job && html`<button onClick=${() => { go('plan'); attempt(() => start(resumeWords(path))); }}>${T('Resume')}</button>`}</div>`;
}

export function Results({ studio }) {
  const [runs, setRuns] = useState(null), path = studio.run, setPath = (run) => change({ run }), [secondPath, setSecondPath] = useState('');
  const [figure, setFigure] = useState('t30_s'), [octave, setOctave] = useState(''), [picked, setPicked] = useState({ source: '', receiver: '' }), [beside, setBeside] = useState('');
  const [walk, setWalk] = useState({ points: [], drawing: false, at: null }), [ways, setWays] = useState({ dry: 'click', output: 'headphones', head: '' });
  const ended = studio.jobs.filter(({ state, arguments: words }) => state === 'ended' && words[0] === 'simulate').length;
  useEffect(() => { attempt(async () => { const found = await findRuns(folderOf(studio.file)); setRuns(found); if (!found.includes(studio.run)) setPath(found[0] ?? ''); }); }, [studio.file, ended]);
  const [one, again] = useRun(path), [other] = useRun(secondPath);
  const hearing = one?.hearings.find((each) => same(each, picked)) ?? one?.hearings.find(({ source }) => source === picked.source) ?? one?.hearings[0];
  const differs = octave.startsWith('B') && other !== null, at = octave.replace('B', ''), of = [figure, at, hearing?.source];
  const mapped = octave === '' || !hearing ? null : differs ? differencesOf(one, other, ...of) : valuesOf(one, ...of);
  const twins = octave !== '' && hearing && other && !differs ? valuesOf(other, ...of) : { values: [] };
  const finite = [...(mapped?.values ?? []), ...twins.values].filter(Number.isFinite);
  const most = Math.max(...finite.map(Math.abs));
  const range = finite.length === 0 ? [0, 1] : differs ? [-most, most] : [Math.min(...finite), Math.max(...finite)];
  const map = useMap(mapped, `${path} ${differs ? secondPath : ''} ${figure} ${octave} ${hearing?.source}`);
  const under = studio.jobs.filter((job) => isOpen(job) && job.arguments[0] === 'simulate');
  if (runs !== null && runs.length === 0) return html`<h1>${T('Results')}</h1>${under.length > 0 ? html`<${Under} jobs=${under} />` : html`<p>${T('There is no run in this folder yet.')}</p>
    ${studio.project && html`<p><button class="first" onClick=${() => go('plan')}>${T('Next: {0}', T('Plan and run'))}</button></p>`}`}`;
  const places = !hearing ? [] : [...placesOf(one.record), ...(hearing.row ? [{ kind: 'receiver', name: hearing.receiver, at: hearing.at }] : [])];
  const onPick = (what) => {
    if (!hearing) return;
    const place = what.kind === 'place' ? places[what.index] : null, { source } = hearing;
    if (walk.drawing && what.kind === 'surface') {
      const ears = earsAbove(what);
      if (ears !== null) setWalk({ ...walk, points: [...walk.points, ears] });
    } else if (place?.kind === 'receiver') setPicked({ source, receiver: place.name });
    else if (place?.kind === 'source') setPicked({ source: place.name, receiver: hearing.receiver });
    else if (what.kind === 'surface') {
      const away = ({ at }) => Math.hypot(at[0] - what.at[0], at[1] - what.at[1]);
      const seats = one.hearings.filter((each) => each.row && each.source === source).sort((a, b) => away(a) - away(b));
      if (seats.length > 0) setPicked(seats[0]);
    }
  };
  const measure = async (of) => { setPicked(of); setBeside(keyOf({ ...of, isMeasured: true })); again(); };
  const drop = (event) => {
    event.preventDefault();
    const at = hearing && event.dataTransfer.files.length > 0 ? hearingAt(event, one.hearings.filter(({ source }) => source === hearing.source)) : null;
    if (at !== null) sendFile(event.dataTransfer.files[0], `${path}/${measuredFile(at)}`, () => measure(at));
  };
  const [, name, unit] = FIGURES.find(([key]) => key === figure);
  return html`<div class="room-beside">
    <div class="room-drop" onDragOver=${(event) => event.preventDefault()} onDrop=${drop}>
    <${RoomPane} key=${path} name=${path} mesh=${one?.mesh ?? null} places=${places} map=${map} range=${range} walk=${walk} onPick=${onPick}>
      ${one !== null && one.maps.length > 0 && html`<${Select} label=${T('Map')} what="map" value=${octave} choose=${setOctave}
        of=${[['', T('none')], ...['', ...(other !== null && other.maps.length > 0 ? ['B'] : [])].flatMap((kind) => one.maps[0].octaves.map((hertz) => [`${kind}${hertz}`, `${kind && `${T('B less A')}: `}${name}, ${octaveText(hertz)} Hz`]))]} />
        ${map !== null && html`<${Scale} low=${`${printed(range[0].toPrecision(3))} ${unit}`} high=${`${printed(range[1].toPrecision(3))} ${unit}`} />`}`}
    </${RoomPane}></div>
    <section class="room-list" aria-label=${T('Figures')}>
      <h1>${T('Results')}</h1><${Under} jobs=${under} />
      <div class="buttons">${runs !== null && html`<${Select} label=${T('Results of')} value=${path} of=${runs.map((each) => [each, each])} choose=${setPath} />
        <${Select} label=${T('beside')} value=${secondPath} of=${[['', T('none')], ...runs.filter((each) => each !== path).map((each) => [each, each])]} choose=${setSecondPath} />`}</div>
      ${!hearing ? html`<p>${T('The run is being read.')}</p>` : html`
        <div class="jump buttons" role="navigation" aria-label=${T('Parts of the results')}>${parts().map(([label, of]) => html`<button class="small" onClick=${() => document.querySelector(`.room-list ${of}`).scrollIntoView()}>${label}</button>`)}</div>
        ${one.record.partial && html`<${Missing} record=${one.record} path=${path} studio=${studio} />`}
        <${Report} path=${path} studio=${studio} then=${again} />
        ${one.record.warnings.length > 0 && html`<details><summary>${one.record.warnings.length === 1 ? T('1 warning') : T('{0} warnings', String(one.record.warnings.length))}</summary><ul>${one.record.warnings.map((text) => html`<li>${text}</li>`)}</ul></details>`}
        <${Figures} one=${one} other=${other} hearing=${hearing} setPicked=${setPicked} figure=${figure} setFigure=${setFigure} beside=${beside} setBeside=${setBeside} measure=${measure} ways=${ways} setWays=${(fields) => setWays((now) => ({ ...now, ...fields }))} studio=${studio} />
        ${other && html`<${Runs} one=${one} other=${other} studio=${studio} />`}
        <${Walk} path=${path} files=${one.files} walk=${walk} set=${(fields) => setWalk((now) => ({ ...now, ...fields }))} studio=${studio} />
        <${TakeAway} run=${one} hearing=${hearing} studio=${studio} again=${again} />`}
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

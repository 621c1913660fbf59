/** A file of the user's machine that is put beside the project: by dialog or drop. */
import { useState } from 'preact/hooks';
import { T } from '../../present/report/script/words.js';
import { hashOf, refusal, writeFile } from './api.js';
import { html } from './parts.js';
import { attempt, show } from './state.js';

/** Send it to `path`, then do `then(path)`. Another one there stays unless the user replaces it. */
export const sendFile = (file, path, then) => attempt(async () => {
  const put = async (before) => { await writeFile(path, file, before); await then(path); };
  try {
    await put(null);
  } catch (error) {
    if (error.status !== 412) throw error;
    show(refusal(T('{0} is already in the folder.', path), T('The file was not sent.')), [
      { label: T('Replace it'), act: () => attempt(async () => put(await hashOf(path))) }, { label: T('Use the one there'), act: () => attempt(async () => then(path)) }]);
  }
});

/** A button for a file, onto which one can be dropped too. */
export function SendFile({ label, pathOf, then }) {
  const [over, setOver] = useState(false);
  const take = (file) => { if (file) sendFile(file, pathOf(file), then); };
  return html`<label class=${`file-choice ${over ? 'over' : ''}`} onDragOver=${(event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)}
    onDrop=${(event) => { event.preventDefault(); event.stopPropagation(); setOver(false); take(event.dataTransfer.files[0]); }}>${label}
    <input type="file" accept="audio/*,.sofa" onChange=${(event) => { take(event.target.files[0]); event.target.value = ''; }} /></label>`;
}

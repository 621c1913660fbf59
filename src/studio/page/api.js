/** What the server is asked (studio_server.h). Paths are relative to the page, whose address holds the token.
 *
 * A refusal is an Error with `status` (of HTTP; 0: no answer), `message` (one sentence) and `fix` (or null). */

import { T } from '../../present/report/script/words.js';

/** A path of the folder, in an address. */
export const encoded = (path) => path.split('/').map(encodeURIComponent).join('/');

/** Of a file of the folder, for links. */
export const fileAddress = (path) => `files/${encoded(path)}`;

export function refusal(message, fix = null, status = 0) {
  return Object.assign(new Error(message), { fix, status });
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw refusal(T('The studio does not answer.'), T('Start the studio again, and open the address that it prints.'));
  }
  if (answer.ok) return answer;
  const { sentence, fix } = await answer.json().catch(() => ({}));
  throw refusal(sentence ?? T('The studio answers {0}.', String(answer.status)), fix ?? null, answer.status);
}

/** {text, hash} of a file of the folder. */
export async function readText(path) {
  const answer = await ask(`files/${encoded(path)}`);
  return { text: await answer.text(), hash: answer.headers.get('ETag') };
}

/** A catalogue for setLanguage() (words.js). */
export const readCatalogue = async (language) => (await ask(`${language}.mo`)).arrayBuffer();

export const readJson = async (path) => (await ask(`files/${encoded(path)}`)).json();

export const readBytes = async (path) => (await ask(`files/${encoded(path)}`)).arrayBuffer();

/** Of a file, or null where there is none. */
export async function hashOf(path) {
  try {
    return (await ask(`files/${encoded(path)}`, { headers: { Range: 'bytes=0-0' } })).headers.get('ETag');
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** Put a file in place of the one with the hash `before` (null: there is none). Resolves to its hash; refused with
 * status 412 if another is there. `progress(share)` is called while it is sent. */
export function writeFile(path, body, before, progress = () => {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', `files/${encoded(path)}`);
    if (before !== null) request.setRequestHeader('If-Match', before);
    request.upload.onprogress = (event) => progress(event.loaded / event.total);
    request.onerror = () => reject(refusal(T('The studio does not answer.')));
    request.onload = () => {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { /* said below */ }
      if (request.status === 200) resolve(answer.hash);
      else reject(refusal(answer.sentence ?? T('The studio answers {0}.', String(request.status)), answer.fix ?? null, request.status));
    };
    request.send(body);
  });
}

/** Entries {name, folder, size_bytes, modified_s} of a folder; '' is the opened one. */
export const listFolder = async (path) => (await ask(`list/${encoded(path)}`)).json();

/** Commands {number, state, status, place, resumable, arguments}; state: waits, runs, ended, lost; place: among those
 * that wait; resumable: it left a checkpoint. */
export const listJobs = async () => (await ask('jobs')).json();

/** Start a command, a list of words without the program's name. Resolves to its number. */
export const startJob = async (words) => (await (await ask('jobs', { method: 'POST', body: JSON.stringify(words) })).json()).number;

/** Interrupt it, take it out of the queue, or remove the checkpoint that it left. */
export const cancelJob = (number) => ask(`jobs/${number}`, { method: 'DELETE' });

/** Let it change places with the one that waits before it. */
export const earlierJob = (number) => ask(`jobs/${number}/earlier`, { method: 'POST' });

export const jobOutput = async (number) => (await ask(`jobs/${number}/out`)).text();

/** Follow a command from its first line of standard error to its end; status is null for one that was lost. A browser
 * that loses the connection begins again: `onBegin`. */
export function followJob(number, onBegin, onLine, onEnd) {
  const events = new EventSource(`jobs/${number}/events`);
  events.addEventListener('open', onBegin);
  events.addEventListener('line', (event) => onLine(event.data));
  events.addEventListener('end', (event) => {
    events.close();
    onEnd(JSON.parse(event.data).status);
  });
}

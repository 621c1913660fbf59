/** The data of a page (report_model.h), with its arrays unpacked. */

import { printed } from './words.js';

export { make } from '../../room/element.js';

/** Bytes of a base64 text. */
export function bytes(text) {
  const binary = atob(text);
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i);
  return out.buffer;
}

export const float32 = (text) => new Float32Array(bytes(text || ''));
export const uint32 = (text) => new Uint32Array(bytes(text || ''));
export const int32 = (text) => new Int32Array(bytes(text || ''));

/** What the page carries, or null where it carries none. */
export function pageData() {
  const element = document.getElementById('transept-data');
  return element ? JSON.parse(element.textContent) : null;
}

/** 62.5 is called 63 Hz, 1000 is called 1 kHz. */
export function octaveName(centre) {
  const nominal = 1000 * 2 ** Math.round(Math.log2(centre / 1000));
  const called = nominal === 62.5 ? 63 : nominal;
  return called >= 1000 ? `${printed(called / 1000)} kHz` : `${called} Hz`;
}

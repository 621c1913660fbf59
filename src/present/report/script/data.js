/** The data of a page (report_model.h), with its arrays unpacked. */

import { printed, T } from './words.js';

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
export const int16 = (text) => new Int16Array(bytes(text || ''));

/** What the page carries, or null where it carries none. */
export function pageData() {
  const element = document.getElementById('transept-data');
  return element ? JSON.parse(element.textContent) : null;
}

/** "pulpit heard at pew". */
export const responseName = (response) => T('{0} heard at {1}', response.source, response.receiver);

/** 62.5 is called 63 Hz, 1000 is called 1 kHz. */
export function octaveName(centre) {
  const nominal = 1000 * 2 ** Math.round(Math.log2(centre / 1000));
  const called = nominal === 62.5 ? 63 : nominal;
  return called >= 1000 ? `${printed(called / 1000)} kHz` : `${called} Hz`;
}

/** An element with attributes and children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in element && typeof value !== 'string') element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Colours that differ for colour-blind eyes and in grey: Okabe and Ito's, and two more. */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#1b1f24', '#8c6d1f', '#7f7f7f'];

/** Dashes, so that curves differ in grey; those of the drawings without script (src/draw/svg_plot.c). */
export const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [16, 4], [6, 2, 1, 2, 1, 2], [4, 2], [14, 3, 4, 3]];

/** Keep the drawing without script, and its caption, for printing; returns the place for what moves. */
export function besideDrawing(container) {
  const kept = make('div', { class: 'print-only' });
  for (const child of [...container.children])
    if (child.nodeName.toLowerCase() === 'svg' || child.classList.contains('caption') || child.classList.contains('key')) kept.append(child);
  const place = make('div', { class: 'screen-only' });
  container.prepend(kept, place);
  return place;
}

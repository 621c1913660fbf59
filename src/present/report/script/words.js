/** What the script says, in the language of the page: the page carries the words of other languages than English, by
 * their English (src/base/words). */

const element = document.getElementById('transept-words');
let words = element === null ? {} : JSON.parse(element.textContent);

/** A text, with {0}, {1}.. as the values that follow it. */
export const T = (english, ...values) =>
  (words[english] ?? english).replace(/\{(\d)\}/g, (_, i) => values[Number(i)]);

/** A text of a table, for T() where it is shown. */
export const T_LATER = (english) => english;

let german = document.documentElement.lang === 'de';

/** Turn the page, which is drawn again then, to another language: `catalogue` are the bytes of src/base/words/catalogue.h,
 * null for English. */
export function setLanguage(language, catalogue) {
  document.documentElement.lang = language;
  german = language === 'de';
  words = catalogue === null ? {} : textsOf(catalogue);
}

/* By their English; texts of scripts go before others. */
function textsOf(catalogue) {
  const view = new DataView(catalogue), at = (offset) => view.getUint32(offset, true), decoder = new TextDecoder();
  const text = (table, i) => decoder.decode(new Uint8Array(catalogue, at(at(table) + 8 * i + 4), at(at(table) + 8 * i)));
  const entries = Array.from({ length: at(8) }, (_, i) => [text(12, i), text(16, i)]);
  const ofScripts = entries.filter(([english]) => english.startsWith('script\u0004')).map(([english, other]) => [english.slice(7), other]);
  return Object.fromEntries([...entries, ...ofScripts]);
}

/** A number that is printed: with the decimal sign of the page. */
export const printed = (text) => (german ? String(text).replace('.', ',') : String(text));

/** A name of the model as people write it. */
export const shown = (name) => String(name).replaceAll('_', ' ');

/** What the script says, in the language of the page: the page carries the words of other languages than English, by
 * their English (src/base/words). */

const element = document.getElementById('transept-words');
const words = element === null ? {} : JSON.parse(element.textContent);

/** A text, with {0}, {1}.. as the values that follow it. */
export const T = (english, ...values) =>
  (words[english] ?? english).replace(/\{(\d)\}/g, (_, i) => values[Number(i)]);

const german = document.documentElement.lang === 'de';

/** A number that is printed: with the decimal sign of the page. */
export const printed = (text) => (german ? String(text).replace('.', ',') : String(text));

/** A name of the model as people write it. */
export const shown = (name) => String(name).replaceAll('_', ' ');

/** What a browser remembers of its user. Each studio may have another port, so these are cookies, which are the same for
 * all ports. */

/** A word, or null. */
export const preference = (name) => document.cookie.split('; ').find((one) => one.startsWith(`transept_${name}=`))?.split('=')[1] ?? null;

export const prefer = (name, word) => { document.cookie = `transept_${name}=${word}; path=/; max-age=31536000; SameSite=Strict`; };

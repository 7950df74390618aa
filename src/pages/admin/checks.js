// What a field may hold, as the service has it in its schemas: said here, so that all faults of a form are told at once.
// No page needed.

/** @typedef {(text: string) => string | undefined} Check what is wrong with a text */

/**
 * @param {string} what
 * @returns {Check}
 */
export function required(what) {
  return (text) => (text.trim() === '' ? `Enter ${what}.` : undefined);
}

/**
 * Characters as people count them, not the halves of an emoji.
 *
 * @param {number} most
 * @returns {Check}
 */
export function atMost(most) {
  return (text) => {
    const count = text.length <= most ? 0 : [...text].length;
    return count > most ? `This is ${count} characters long; ${most} are the most.` : undefined;
  };
}

/** @type {Check} */
export function imageAddress(text) {
  const isAddress = /^(https?:\/\/[^\s/?#\\][^\s\\]*|\/(?![/\\])[^\s\\]*)?$/i.test(text);
  if (isAddress) return undefined;
  return 'This must be an https address, or a path on this site that begins with one slash.';
}

/** @type {Check} */
export function webAddress(text) {
  if (/^(https?:\/\/[^\s/?#\\][^\s\\]*)?$/i.test(text)) return undefined;
  return 'This must be an address that begins with https:// or http://.';
}

/** @type {Check} */
export function phoneNumber(text) {
  if (/^([ ()+-]*\d[\d ()+-]*)?$/.test(text)) return undefined;
  return 'This must be a phone number such as +7 701 234 56 78.';
}

/** @type {Check} */
export function whatsApp(text) {
  return /^https:\/\/wa\.me\/\d+$/.test(text) ? undefined : phoneNumber(text);
}

/**
 * The first thing that is wrong.
 *
 * @param {readonly Check[]} checks
 * @returns {Check}
 */
export function firstOf(checks) {
  return (text) => {
    for (const check of checks) {
      const fault = check(text);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

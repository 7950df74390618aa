// What two people have made of one thing. No page needed.

/**
 * @typedef {object} Difference
 * @property {string} label
 * @property {string} mine
 * @property {string} theirs
 * @property {'you' | 'them' | 'both'} by who has changed the field
 */

/** @typedef {Readonly<Record<string, unknown>>} Values */

/**
 * The fields that somebody has changed, each with both versions. `mine` has the fields that were typed alone.
 *
 * @param {readonly { name: string, label: string }[]} fields
 * @param {{ base: object, mine: object, theirs: object }} versions
 * @returns {Difference[]}
 */
export function compareVersions(fields, { base, mine, theirs }) {
  return fields.flatMap(({ name, label }) => {
    const was = textOf(Reflect.get(base, name));
    const their = textOf(Reflect.get(theirs, name));
    const my = name in mine ? textOf(Reflect.get(mine, name)) : was;
    const isMine = name in mine && my !== was;
    const isTheirs = their !== was;
    if (!isMine && !isTheirs) return [];
    const by = isMine && isTheirs ? 'both' : isMine ? 'you' : 'them';
    return [{ label, mine: my, theirs: their, by }];
  });
}

/** @param {unknown} value */
function textOf(value) {
  if (Array.isArray(value)) return value.map((line) => `• ${line}`).join('\n') || '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (value === null || value === undefined || value === '') return '–';
  return String(value);
}

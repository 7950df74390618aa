// Compares two people's versions of one thing. No page needed.

import type { Words } from './words/en.ts';

export interface Difference {
  label: string;
  mine: string;
  theirs: string;
  /** who has changed the field */
  by: 'you' | 'them' | 'both';
}

/** Returns the fields that somebody has changed, each with both versions. `mine` has only the edited fields. */
export function compareVersions(
  fields: readonly { name: string; label: string }[],
  { base, mine, theirs }: { base: object; mine: object; theirs: object },
  { yes, no }: Pick<Words, 'yes' | 'no'>,
): Difference[] {
  const textOf = (value: unknown) => {
    if (Array.isArray(value)) return value.map((line) => `• ${line}`).join('\n') || '–';
    if (typeof value === 'boolean') return value ? yes : no;
    if (value === null || value === undefined || value === '') return '–';
    return String(value);
  };

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

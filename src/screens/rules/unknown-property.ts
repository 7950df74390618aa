import { type KnownProperties, knownProperties } from '#validators/screen';
import { isObject } from '../pointers.js';
import { quote } from '../printable.js';
import { didYouMean } from '../suggest.js';
import { pointer } from '../values.js';
import type { Report, Rule } from './rule.js';

function visit(value: unknown, known: KnownProperties | 1, path: string, report: Report): void {
  if (known === 1) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, known, path + pointer(index), report);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const next = Object.hasOwn(known, name) ? known[name] : known['*'];
    const at = path + pointer(name);
    if (next !== undefined) visit(inner, next, at, report);
    else report(at, unknown(name, known, value), { atKey: true });
  }
}

/** Names that the object already has are no likely meaning of another one. */
function unknown(name: string, known: KnownProperties, value: object): string {
  const free = Object.keys(known).filter((candidate) => !Object.hasOwn(value, candidate));
  const known_ = didYouMean(name, free);
  return `Unknown property ${quote(name)} is ignored.${known_}`;
}

export const unknownProperty: Rule = {
  id: 'unknown-property',
  severity: 'warning',
  summary: 'A property that the contract does not know',
  documentation:
    'Objects inside the root may carry properties of your own, and the runtime ignores them. Mostly, however, an unknown property is a slip of the pen, and what it was meant to set keeps its default.',
  examples: () => ({
    bad: { kpis: [{ value: '12', label: 'Open', hnit: 'of 40' }] },
    finds: ['/kpis/0/hnit'],
    good: { kpis: [{ value: '12', label: 'Open', hint: 'of 40' }] },
  }),
  check({ data }, report) {
    if (!isObject(data)) return;
    for (const [name, inner] of Object.entries(data)) {
      const known = Object.hasOwn(knownProperties, name) ? knownProperties[name] : undefined;
      if (known !== undefined) visit(inner, known, pointer(name), report);
    }
  },
};

import { type Fields, ScreenDefinition, type Table } from '#screen-definition';
import { isObject } from '../../json/pointers.js';
import { pointer } from '../definition/values.js';
import { quote } from '../text/quote.js';
import { didYouMean } from '../text/suggest.js';
import type { Report, Rule } from './rule.js';

/** Where a walk is, as a chain: a pointer is only written for what is reported. */
interface Place {
  readonly parent: Place | undefined;
  readonly step: string | number;
}

function pathOf(place: Place | undefined): string {
  return pointer(...stepsOf(place));
}

function stepsOf(place: Place | undefined): readonly (string | number)[] {
  return place === undefined ? [] : [...stepsOf(place.parent), place.step];
}

/** Into an object, and the objects of a list; the contract knows none in a list within a list. */
function visit(value: unknown, table: Table, place: Place, report: Report): void {
  if (typeof table === 'string' || 'words' in table) return;
  if ('items' in table) visit(value, table.items, place, report);
  else if (isObject(value)) visitObject(value, table, place, report);
  else if (Array.isArray(value)) {
    for (let step = 0; step < value.length; step++) {
      const item: unknown = value[step];
      if (isObject(item)) visitObject(item, table, { parent: place, step }, report);
    }
  }
}

function visitObject(
  value: Readonly<Record<string, unknown>>,
  table: Fields | { readonly each: Table },
  place: Place,
  report: Report,
): void {
  if ('each' in table) {
    for (const step of Object.keys(value)) {
      visit(value[step], table.each, { parent: place, step }, report);
    }
    return;
  }
  const { fields, open } = table;
  // Where any name goes, as in the rows of a table, only known names have something to look at inside.
  for (const step of Object.keys(open ? fields : value)) {
    const next = Object.hasOwn(fields, step) ? fields[step] : undefined;
    if (next === undefined) {
      report(pathOf({ parent: place, step }), () => unknown(step, fields, value), { atKey: true });
    } else if (typeof next === 'object' && Object.hasOwn(value, step)) {
      visit(value[step], next, { parent: place, step }, report);
    }
  }
}

/** Names that the object already has are no likely meaning of another one. */
function unknown(name: string, known: Fields['fields'], value: object): string {
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
    const { fields } = ScreenDefinition;
    for (const [step, inner] of Object.entries(data)) {
      const table = Object.hasOwn(fields, step) ? fields[step] : undefined;
      if (table) visit(inner, table, { parent: undefined, step }, report);
    }
  },
};

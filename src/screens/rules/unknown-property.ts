import { type Fields, ScreenDefinition, type Table } from '#screen-definition';
import { exactPointer, isObject } from '../../json/pointers.js';
import { freeNames, nameRemedies } from '../findings/remedies.js';
import { didYouMean, quote } from '../text/quote.js';
import { type Place, pathOf, type Report, type Rule, stepsOf } from './rule.js';

/** What has names inside: known properties, or any. */
type Named = Fields | { readonly each: Table };

/** What is known of the names inside a value, or inside the items of a list. */
function namesIn(table: Table | undefined): Named | undefined {
  if (table === undefined || typeof table === 'string' || 'words' in table) return undefined;
  return 'items' in table ? namesIn(table.items) : table;
}

const tables = new Map<Fields['fields'], ReadonlyMap<string, Named | undefined>>();

/**
 * The known names of an object, each with what is known of the names inside it. Made when the first such
 * object is met, and kept: every name of every definition is looked up here.
 */
function knownNames(fields: Fields['fields']): ReadonlyMap<string, Named | undefined> {
  const known =
    tables.get(fields) ??
    new Map(Object.entries(fields).map(([name, table]) => [name, namesIn(table)]));
  tables.set(fields, known);
  return known;
}

/** Into an object, and the objects of a list; the contract knows none in a list within a list. */
function visit(value: unknown, known: Named, place: Place, report: Report): void {
  if (isObject(value)) visitObject(value, known, place, report);
  else if (Array.isArray(value)) {
    for (let step = 0; step < value.length; step++) {
      const item: unknown = value[step];
      if (isObject(item)) visitObject(item, known, { parent: place, step }, report);
    }
  }
}

function visitObject(
  value: Readonly<Record<string, unknown>>,
  known: Named,
  place: Place,
  report: Report,
): void {
  if ('each' in known) {
    const inside = namesIn(known.each);
    if (inside === undefined) return;
    for (const step in value) visit(value[step], inside, { parent: place, step }, report);
    return;
  }
  const { fields, open } = known;
  if (open) {
    visitKnown(value, fields, place, report);
    return;
  }
  let names: readonly string[] | undefined;
  const unknownNames = (): readonly string[] => {
    names ??= Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
    return names;
  };
  const inside = knownNames(fields);
  // What JSON.parse makes has no enumerable properties but its own.
  for (const step in value) {
    const known = inside.get(step);
    if (known === undefined && !inside.has(step)) {
      report(
        pathOf({ parent: place, step }),
        () => unknown(step, fields, value),
        () => {
          const path = exactPointer(...stepsOf({ parent: place, step }));
          const free = freeNames(step, fields, value);
          return nameRemedies({ path, name: step, free, unknown: unknownNames() });
        },
      );
    } else if (known) visit(value[step], known, { parent: place, step }, report);
  }
}

/** Where any name goes, as in the rows of a table, only known names are looked into. */
function visitKnown(
  value: Readonly<Record<string, unknown>>,
  fields: Fields['fields'],
  place: Place,
  report: Report,
): void {
  for (const step in fields) {
    if (!Object.hasOwn(value, step)) continue;
    const inside = namesIn(fields[step]);
    if (inside) visit(value[step], inside, { parent: place, step }, report);
  }
}

/** Names that the object already has are no likely meaning of another one. */
function unknown(name: string, known: Fields['fields'], value: object): string {
  const free = Object.keys(known).filter((candidate) => !Object.hasOwn(value, candidate));
  return `Unknown property ${quote(name)} is ignored.${didYouMean(name, free)}`;
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
  check({ data }, _report, reportKey) {
    if (!isObject(data)) return;
    const { fields } = ScreenDefinition;
    for (const [step, inner] of Object.entries(data)) {
      const known = Object.hasOwn(fields, step) ? namesIn(fields[step]) : undefined;
      if (known) visit(inner, known, { parent: undefined, step }, reportKey);
    }
  },
};

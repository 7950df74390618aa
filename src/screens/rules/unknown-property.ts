import { type Fields, ScreenDefinition, type Table } from '#screen-definition';
import { exactPointer, isObject } from '../../json/pointers.js';
import { freeNames, nameRemedies } from '../findings/remedies.js';
import { didYouMean, quote } from '../text/quote.js';
import { type PathNode, pathOf, type Report, type Rule, stepsOf } from './rule.js';

/** The table of an object with known properties, or of a dictionary with arbitrary keys. */
type Named = Fields | { readonly each: Table };

/** Returns the table of an object or of the items in a list, or undefined for other values. */
function namesIn(table: Table | undefined): Named | undefined {
  if (table === undefined || typeof table === 'string' || 'words' in table) return undefined;
  return 'items' in table ? namesIn(table.items) : table;
}

/** Visits an object, or the objects in a list. The contract has no objects in nested lists. */
function visit(value: unknown, known: Named, node: PathNode, report: Report): void {
  if (isObject(value)) visitObject(value, known, node, report);
  else if (Array.isArray(value)) {
    for (let step = 0; step < value.length; step++) {
      const item: unknown = value[step];
      if (isObject(item)) visitObject(item, known, { parent: node, step }, report);
    }
  }
}

function visitObject(
  value: Readonly<Record<string, unknown>>,
  known: Named,
  parent: PathNode,
  report: Report,
): void {
  if ('each' in known) {
    const inside = namesIn(known.each);
    if (inside === undefined) return;
    for (const step in value) visit(value[step], inside, { parent, step }, report);
    return;
  }
  const { fields, open } = known;
  let names: readonly string[] | undefined;
  const unknownNames = (): readonly string[] => {
    names ??= Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
    return names;
  };
  // An open object, such as a table row, allows any property names.
  for (const step of Object.keys(open ? fields : value)) {
    if (open && !Object.hasOwn(value, step)) continue;
    const node = { parent, step };
    if (!Object.hasOwn(fields, step)) {
      report(
        pathOf(node),
        () => unknown(step, fields, value),
        () => {
          const path = exactPointer(...stepsOf(node));
          const free = freeNames(step, fields, value);
          return nameRemedies({ path, name: step, free, unknown: unknownNames() });
        },
      );
      continue;
    }
    const inside = namesIn(fields[step]);
    if (inside) visit(value[step], inside, node, report);
  }
}

function unknown(name: string, known: Fields['fields'], value: object): string {
  const free = Object.keys(known).filter((candidate) => !Object.hasOwn(value, candidate));
  return `Unknown property ${quote(name)} is ignored.${didYouMean(name, free)}`;
}

export const unknownProperty: Rule = {
  id: 'unknown-property',
  severity: 'warning',
  summary: 'A property is unknown',
  documentation:
    'Objects below the root may have additional properties, which the runtime ignores. However, an unknown property is usually a typing error, and the intended property keeps its default.',
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

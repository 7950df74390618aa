import type { ScreenDefinition } from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import type { Degrade } from './degradation.js';

/**
 * Receives the key of a row field, if the property is set, and a function that returns the JSON Pointer of the
 * property.
 */
export type VisitReference = (key: string | undefined, path: () => string) => void;

const inboxKeys = ['titleKey', 'subKey', 'timeKey', 'bodyKey'] as const;

/** Visits all references to row fields, except column keys and the chart's source. */
export function eachFieldReference(
  { table, drawer, inbox, compare }: ScreenDefinition,
  visit: VisitReference,
): void {
  table?.columns.forEach(({ sub }, index) => {
    visit(sub, () => pointer('table', 'columns', index, 'sub'));
  });
  visit(drawer?.titleKey, () => '/drawer/titleKey');
  drawer?.fields?.forEach(({ key }, index) => {
    visit(key, () => pointer('drawer', 'fields', index, 'key'));
  });
  if (inbox !== undefined) {
    for (const name of inboxKeys) visit(inbox[name], () => `/inbox/${name}`);
  }
  compare?.pairs?.forEach(({ a, b }, index) => {
    visit(a, () => pointer('compare', 'pairs', index, 'a'));
    visit(b, () => pointer('compare', 'pairs', index, 'b'));
  });
}

/** Returns a visitor that reports fields that no column or row has. Row keys are collected on first use. */
export function keyChecker({ table }: ScreenDefinition, degrade: Degrade): VisitReference {
  const columnKeys = new Set(table?.columns.map(({ key }) => key));
  let rowKeys: Set<string> | undefined;
  return (key, path) => {
    if (key === undefined || columnKeys.has(key)) return;
    if (rowKeys === undefined) {
      rowKeys = new Set();
      for (const row of table?.rows ?? []) for (const name of Object.keys(row)) rowKeys.add(name);
    }
    if (!rowKeys.has(key)) degrade('key-unknown', path(), key);
  };
}

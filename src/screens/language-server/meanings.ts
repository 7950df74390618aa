import { escapeStep } from '../../json/pointers.js';
import { archetypes } from '../normalise/archetype.js';
import { iconNames } from '../render/icons.js';
import type { Path } from './contract.js';
import { type NamedStatus, type Names, type numberedLists, rowExtras } from './names.js';

/** The meaning of a value or a property name. */
export type Meaning =
  /** A row field. With `defines`, the key of its column. */
  | { readonly kind: 'field'; readonly defines?: true }
  /** A status, limited to `among` if set. With `defines`, the definition of a status. */
  | { readonly kind: 'status'; readonly among?: readonly string[]; readonly defines?: true }
  /** The number of a list item. Numbers begin with `first`. */
  | { readonly kind: 'item'; readonly list: (typeof numberedLists)[number]; readonly first: 0 | 1 }
  /** One of the values that a column allows. */
  | { readonly kind: 'cell'; readonly values: readonly string[] }
  | { readonly kind: 'icon' | 'archetype' | 'docType' | 'suggestion' };

const field = { kind: 'field' } as const;
const status = { kind: 'status' } as const;
const icon = { kind: 'icon' } as const;

/** Meanings of values by path. `*` stands for the index of any item. */
const byPath: Readonly<Record<string, Meaning>> = {
  archetype: { kind: 'archetype' },
  layout: { kind: 'archetype' },
  'banner/actionNav': { kind: 'item', list: 'nav', first: 0 },
  'chart/dateKey': field,
  'chart/groupBy': field,
  'compare/pairs/*/a': field,
  'compare/pairs/*/b': field,
  'dashboard/series/*/kpi': { kind: 'item', list: 'kpis', first: 0 },
  'drawer/fields/*/key': field,
  'drawer/titleKey': field,
  'filterKeys/*': status,
  'inbox/bodyKey': field,
  'inbox/subKey': field,
  'inbox/timeKey': field,
  'inbox/titleKey': field,
  'map/lines/*/*': { kind: 'item', list: 'map/points', first: 0 },
  'map/points/*/status': status,
  'nav/*/docType': { kind: 'docType' },
  'nav/*/icon': icon,
  'onboarding/*/icon': icon,
  'scenario/approveTo': status,
  'scenario/rejectTo': status,
  'steps/current': { kind: 'item', list: 'steps/items', first: 1 },
  'table/columns/*/key': { kind: 'field', defines: true },
  'table/columns/*/sub': field,
  'wizard/current': { kind: 'item', list: 'wizard/steps', first: 0 },
};

/** Returns a path with `*` for indexes: `drawer/titleKey`, `nav/*`. */
function shapeOf(path: Path): string {
  return path.map((step) => (typeof step === 'number' ? '*' : escapeStep(step))).join('/');
}

/** Returns the meaning of the value at a path, if any. */
export function meaningOfValue(path: Path, { columns }: Names): Meaning | undefined {
  const shape = shapeOf(path);
  if (Object.hasOwn(byPath, shape)) return byPath[shape];
  const [root, part, index, step] = path;
  if (root !== 'table') return undefined;
  if (shape === 'table/columns/*/values/*') {
    const column = columns.find((candidate) => candidate.index === index);
    return column?.type === 'status' ? status : undefined;
  }
  if (part !== 'rows' || path.length !== 4) return undefined;
  const column = columns.find(({ key }) => key === step);
  const values = column?.values ?? [];
  if (column?.type === 'status') return values.length > 0 ? { ...status, among: values } : status;
  return values.length > 0 ? { kind: 'cell', values } : undefined;
}

/** Returns the meaning of a property name, or undefined for a name that the contract defines. */
export function meaningOfKey(path: Path): Meaning | undefined {
  const [root, part, , name] = path;
  if (path.length === 2 && root === 'statuses') return { kind: 'status', defines: true };
  if (path.length === 3 && root === 'ai' && part === 'answers') return { kind: 'suggestion' };
  const isField = path.length === 4 && root === 'table' && part === 'rows';
  return isField && typeof name === 'string' && !rowExtras.includes(name) ? field : undefined;
}

/** Returns true if a name is a definition, not a reference. */
export function isDefinition(meaning: Meaning): boolean {
  return 'defines' in meaning && meaning.defines === true;
}

/** A possible value. */
export interface Candidate {
  readonly value: string | number | boolean;
  /** A short description, such as the heading of a column. */
  readonly detail: string;
}

/** Returns the possible values for a meaning, the most likely first. */
export function candidatesFor(meaning: Meaning, names: Names): readonly Candidate[] {
  switch (meaning.kind) {
    case 'field':
      return meaning.defines ? fieldsWithoutColumn(names, 'field of the rows') : fieldsOf(names);
    case 'status':
      return names.statuses
        .filter(({ key }) => meaning.among?.includes(key) ?? true)
        .map((status) => ({ value: status.key, detail: aboutStatus(status) }));
    case 'item':
      return (names.items[meaning.list] ?? []).map((name, index) => ({
        value: index + meaning.first,
        detail: name,
      }));
    case 'cell':
      return plain(meaning.values);
    case 'icon':
      return plain(iconNames);
    case 'archetype':
      return plain(archetypes);
    case 'docType':
      return plain(names.docTypes);
    case 'suggestion':
      return plain(names.suggestions);
  }
}

/** Returns, for example, `Approved · ok · dimmed`. */
function aboutStatus({ label, tone, dim }: NamedStatus): string {
  return [label, tone, dim ? 'dimmed' : ''].filter(Boolean).join(' · ');
}

function fieldsOf(names: Names): readonly Candidate[] {
  return [
    ...names.columns.map(({ key, label, type }) => ({ value: key, detail: `${label} · ${type}` })),
    ...fieldsWithoutColumn(names, 'field without a column'),
  ];
}

function fieldsWithoutColumn({ columns, rowKeys }: Names, detail: string): readonly Candidate[] {
  const known = new Set(columns.map(({ key }) => key));
  const others = rowKeys.filter((key) => !known.has(key));
  return plain(others, detail);
}

function plain(values: readonly string[], detail = ''): readonly Candidate[] {
  return values.map((value) => ({ value, detail }));
}

import { escapeStep } from '../../json/pointers.js';
import { archetypes } from '../normalise/archetype.js';
import { iconNames } from '../render/icons.js';
import type { Path } from './contract.js';
import { type NamedStatus, type Names, type numberedLists, rowExtras } from './names.js';

/** What a value, or the name of a property, stands for. */
export type Meaning =
  /** A field of the rows; with `defines`, this is where it gets its column. */
  | { readonly kind: 'field'; readonly defines?: true }
  /** A status, of those that its column allows where it names some; with `defines`, this is where it is made. */
  | { readonly kind: 'status'; readonly among?: readonly string[]; readonly defines?: true }
  /** An item of a list, by its number; numbers begin with `first`. */
  | { readonly kind: 'item'; readonly list: (typeof numberedLists)[number]; readonly first: 0 | 1 }
  /** One of the values that a column allows. */
  | { readonly kind: 'cell'; readonly values: readonly string[] }
  | { readonly kind: 'icon' | 'archetype' | 'docType' | 'suggestion' };

const field = { kind: 'field' } as const;
const status = { kind: 'status' } as const;
const icon = { kind: 'icon' } as const;

/** What values mean, by their places; `*` stands for any item. */
const byPlace: Readonly<Record<string, Meaning>> = {
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

/** A place without the numbers of items: `drawer/titleKey`, `nav/*`. */
function shapeOf(path: Path): string {
  return path.map((step) => (typeof step === 'number' ? '*' : escapeStep(step))).join('/');
}

/** What the value at a place stands for; undefined where it stands for itself. */
export function meaningOfValue(path: Path, { columns }: Names): Meaning | undefined {
  const shape = shapeOf(path);
  if (Object.hasOwn(byPlace, shape)) return byPlace[shape];
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

/** What the name of a property stands for; undefined where it is a word of the contract. */
export function meaningOfKey(path: Path): Meaning | undefined {
  const [root, part, , name] = path;
  if (path.length === 2 && root === 'statuses') return { kind: 'status', defines: true };
  if (path.length === 3 && root === 'ai' && part === 'answers') return { kind: 'suggestion' };
  const isField = path.length === 4 && root === 'table' && part === 'rows';
  return isField && typeof name === 'string' && !rowExtras.includes(name) ? field : undefined;
}

/** Whether a name is made here: it refers to nothing that could be offered. */
export function isMade(meaning: Meaning): boolean {
  return 'defines' in meaning && meaning.defines === true;
}

/** What may stand in a place. */
export interface Candidate {
  readonly value: string | number | boolean;
  /** What it is, in a few words: of a column its heading. */
  readonly detail: string;
}

/** What a meaning leaves to choose from, the likeliest first. */
export function candidatesFor(meaning: Meaning, names: Names): readonly Candidate[] {
  switch (meaning.kind) {
    case 'field':
      return meaning.defines ? fieldsWithoutColumn(names) : fieldsOf(names);
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

/** `Approved · ok · dimmed`. */
function aboutStatus({ label, tone, dim }: NamedStatus): string {
  return [label, tone, dim ? 'dimmed' : ''].filter(Boolean).join(' · ');
}

function fieldsOf({ columns, rowKeys }: Names): readonly Candidate[] {
  const known = new Set(columns.map(({ key }) => key));
  return [
    ...columns.map(({ key, label, type }) => ({ value: key, detail: `${label} · ${type}` })),
    ...plain(
      rowKeys.filter((key) => !known.has(key)),
      'field without a column',
    ),
  ];
}

function fieldsWithoutColumn({ columns, rowKeys }: Names): readonly Candidate[] {
  const known = new Set(columns.map(({ key }) => key));
  return plain(
    rowKeys.filter((key) => !known.has(key)),
    'field of the rows',
  );
}

function plain(values: readonly string[], detail = ''): readonly Candidate[] {
  return values.map((value) => ({ value, detail }));
}

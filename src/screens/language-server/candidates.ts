import { archetypes } from '../normalise/archetype.js';
import { iconNames } from '../render/icons.js';
import type { Meaning } from './meanings.js';
import type { NamedStatus, Names } from './names.js';

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

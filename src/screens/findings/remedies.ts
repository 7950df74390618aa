import type { Fields, Table } from '#screen-definition';
import { allNear, sameLetters } from '../../base/nearest.js';
import { isObject, parsePointer, valueAt } from '../../json/pointers.js';
import { quote } from '../text/quote.js';
import { type Fix, type Remedies, suggestionsOf } from './finding.js';

/** Returns a fix that removes a property. */
export function removal(path: string, name: string): Fix {
  return { title: `Remove ${quote(name)}`, edits: [{ kind: 'remove', path }] };
}

/** Returns a function that suggests removing a property. */
export function suggestRemoval(path: string, name: string): () => Remedies {
  return () => ({ suggestions: [removal(path, name)] });
}

/** Returns a fix that renames a property. */
export function renaming(path: string, from: string, to: string): Fix {
  return {
    title: `Rename ${quote(from)} to ${quote(to)}`,
    edits: [{ kind: 'rename', path, to }],
  };
}

/** Returns a fix that replaces a value. */
export function replacement(path: string, value: unknown): Fix {
  return { title: `Replace with ${quote(value)}`, edits: [{ kind: 'replace', path, value }] };
}

/** Maximum number of suggestions for a finding. */
const maxSuggestions = 5;

/** Maximum number of unknown names in an object that are compared. */
const maxNames = 100;

/** Maximum number of letters by which a misspelt name is longer than the correct one. */
const maxExtraLetters = 2;

/** A name that the contract does not define, and its context. */
export interface UnknownName {
  readonly path: string;
  readonly name: string;
  /** Known names that the object does not use and whose type matches the value. */
  readonly free: readonly string[];
  /** All unknown names of the object. */
  readonly unknown: readonly string[];
}

/**
 * Returns the remedies for an unknown name. The fix changes it to the only similar name, or to the only one with the
 * same letters, unless this name is also similar to a different unknown name of the object.
 */
export function nameRemedies({ path, name, free, unknown }: UnknownName): Remedies {
  const near = allNear(name, free);
  const same = near.filter(({ distance }) => distance === 0);
  const [best, ...others] = same.length > 0 ? same : near;
  const isCertain =
    best !== undefined &&
    others.length === 0 &&
    name.length <= best.word.length + maxExtraLetters &&
    !mayMean(best.word, unknown, name);
  if (isCertain) return { fix: renaming(path, name, best.word) };
  return {
    suggestions: () => limitSuggestions(near.map(({ word }) => renaming(path, name, word))),
  };
}

/** Returns the known names that an object does not use and whose type matches its value of `name`. */
export function freeNames(
  name: string,
  fields: Fields['fields'],
  object: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(fields)
    .filter(([free, table]) => !Object.hasOwn(object, free) && hasType(table, object[name]))
    .map(([free]) => free);
}

/** Returns true if a value has the type of a property, even if it exceeds a limit. */
function hasType(table: Table, value: unknown): boolean {
  if (table === 'text') return typeof value === 'string';
  if (table === 'number') return typeof value === 'number';
  if (table === 'flag') return typeof value === 'boolean';
  if (table === 'quantity') return typeof value === 'string' || typeof value === 'number';
  if ('words' in table) return table.words.some((word) => word === value);
  return 'items' in table ? Array.isArray(value) : isObject(value);
}

/** Returns true if any name except `except` is similar to `word`, or if there are too many names to compare. */
function mayMean(word: string, names: readonly string[], except: string): boolean {
  return (
    names.length > maxNames ||
    allNear(word, names).some((near) => near.word !== except && near.word !== word)
  );
}

/**
 * Returns the remedies for an unknown word. The fix is the only known word with the same letters. There are no remedies
 * if the pointer does not lead to the word because it ends before a long name.
 */
export function wordRemedies(
  data: unknown,
  path: string,
  word: string,
  known: Iterable<string>,
): Remedies {
  const exists = (): boolean => valueAt(data, parsePointer(path)) === word;
  const [match, other] = sameLetters(word, known);
  if (match !== undefined && other === undefined) {
    return exists() ? { fix: replacement(path, match) } : {};
  }
  return {
    suggestions() {
      const near = exists() ? allNear(word, known) : [];
      return limitSuggestions(near.map(({ word }) => replacement(path, word)));
    },
  };
}

/** Returns the remedies for an unknown word as suggestions only, for text such as the value of a cell. */
export function wordSuggestions(...words: Parameters<typeof wordRemedies>): Remedies {
  return {
    suggestions() {
      const remedies = wordRemedies(...words);
      return remedies.fix ? [remedies.fix] : suggestionsOf(remedies);
    },
  };
}

function limitSuggestions(fixes: readonly Fix[]): readonly Fix[] {
  return fixes.slice(0, maxSuggestions);
}

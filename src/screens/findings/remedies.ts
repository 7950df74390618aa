import type { Fields, Table } from '#screen-definition';
import { allNear, sameLetters } from '../../base/nearest.js';
import { isObject, parsePointer, valueAt } from '../../json/pointers.js';
import { quote } from '../text/quote.js';
import { type Fix, type Remedies, suggestionsOf } from './finding.js';

/** Takes a property away. */
export function removal(path: string, name: string): Fix {
  return { title: `Remove ${quote(name)}`, edits: [{ kind: 'remove', path }] };
}

/** Suggests to take a property away. */
export function suggestRemoval(path: string, name: string): () => Remedies {
  return () => ({ suggestions: [removal(path, name)] });
}

/** Gives a property another name. */
export function renaming(path: string, from: string, to: string): Fix {
  return {
    title: `Rename ${quote(from)} to ${quote(to)}`,
    edits: [{ kind: 'rename', path, to }],
  };
}

/** Writes another value. */
export function replacement(path: string, value: unknown): Fix {
  return { title: `Write ${quote(value)}`, edits: [{ kind: 'replace', path, value }] };
}

/** The most remedies that a person is offered to choose from. */
const mostSuggestions = 5;

/** The most unknown names of one object that are compared with each other. */
const mostNames = 100;

/** The most letters that a misspelt name may have more than the right one; beyond, it means something else. */
const mostExtraLetters = 2;

/** A name that the contract does not know, and what surrounds it. */
export interface UnknownName {
  readonly path: string;
  readonly name: string;
  /** Known names that its object does not have, and that take its value. */
  readonly free: readonly string[];
  /** All names of its object that nobody knows. */
  readonly unknown: readonly string[];
}

/**
 * What can be done about an unknown name: the one near name is its right answer, of several the only one that
 * has the same letters, and none that another unknown name of the object may mean as well.
 */
export function nameRemedies({ path, name, free, unknown }: UnknownName): Remedies {
  const near = allNear(name, free);
  const same = near.filter(({ distance }) => distance === 0);
  const [right, ...others] = same.length > 0 ? same : near;
  const isRight =
    right !== undefined &&
    others.length === 0 &&
    name.length <= right.word.length + mostExtraLetters &&
    !mayMean(right.word, unknown, name);
  if (isRight) return { fix: renaming(path, name, right.word) };
  return { suggestions: () => first(near.map(({ word }) => renaming(path, name, word))) };
}

/** Known names that an object does not have, and that take the value which it has under another name. */
export function freeNames(
  name: string,
  fields: Fields['fields'],
  object: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(fields)
    .filter(([free, table]) => !Object.hasOwn(object, free) && takes(table, object[name]))
    .map(([free]) => free);
}

/** Whether a value is of the kind that a property holds; its bounds are not looked at. */
function takes(table: Table, value: unknown): boolean {
  if (table === 'text') return typeof value === 'string';
  if (table === 'number') return typeof value === 'number';
  if (table === 'flag') return typeof value === 'boolean';
  if (table === 'quantity') return typeof value === 'string' || typeof value === 'number';
  if ('words' in table) return table.words.some((word) => word === value);
  return 'items' in table ? Array.isArray(value) : isObject(value);
}

/** Whether another one of so many names may mean the same; of very many, one always may. */
function mayMean(word: string, names: readonly string[], except: string): boolean {
  return (
    names.length > mostNames ||
    allNear(word, names).some((near) => near.word !== except && near.word !== word)
  );
}

/**
 * What can be done about a word that is none of the known ones: the only one that has the same letters is
 * its right answer. Nothing, where the pointer does not lead to the word: it may end before a long name.
 */
export function wordRemedies(
  data: unknown,
  path: string,
  word: string,
  known: Iterable<string>,
): Remedies {
  const isThere = (): boolean => valueAt(data, parsePointer(path)) === word;
  const [right, other] = sameLetters(word, known);
  if (right !== undefined && other === undefined) {
    return isThere() ? { fix: replacement(path, right) } : {};
  }
  return {
    suggestions() {
      const near = isThere() ? allNear(word, known) : [];
      return first(near.map(({ word }) => replacement(path, word)));
    },
  };
}

/** The same of a word that stands for itself, such as what a cell says: a person has to choose. */
export function wordSuggestions(...words: Parameters<typeof wordRemedies>): Remedies {
  return {
    suggestions() {
      const remedies = wordRemedies(...words);
      return remedies.fix ? [remedies.fix] : suggestionsOf(remedies);
    },
  };
}

function first(fixes: readonly Fix[]): readonly Fix[] {
  return fixes.slice(0, mostSuggestions);
}

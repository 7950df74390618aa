import { existsSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { AppError } from '../../base/errors.js';
import { type AcceptedFindings, entryKey, type Suppression } from '../findings/accepted.js';
import type { FileReport, Finding } from '../findings/finding.js';
import { withSlashes } from '../findings/slashes.js';
import { quote } from '../text/quote.js';
import { contractRules } from './contract-rules.js';
import { findByGlob, globBounds, isGlob, isHardGlob } from './select-files.js';

/** A file that the rules have checked. */
export interface CheckedFile {
  /** Its name in the configuration. */
  readonly name: string;
  readonly findings: readonly Pick<Finding, 'rule' | 'identity'>[];
  readonly accepted: FileReport['accepted'];
}

/** Returns true if an entry names one file, as --write-baseline does. Entries for folders and globs are kept. */
export function isOfOneFile({ file }: Suppression, folder: string): boolean {
  return file !== undefined && globsAmong([file], folder).length === 0;
}

/** Rules whose findings mean that the rest of a file was not checked. */
const blindRules = new Set(['unreadable', 'unchecked', 'encoding', 'json-syntax']);

/** Returns true if the rules have checked a file. */
export function wasChecked({ findings }: FileReport): boolean {
  return !findings.some(
    ({ rule, path }) => blindRules.has(rule) || (rule === 'type' && path === ''),
  );
}

/** Returns the baseline after a run: its findings, and the entries of files that it did not check. */
export function nextBaseline(
  before: readonly Suppression[],
  run: readonly CheckedFile[],
  folder: string,
): readonly Suppression[] {
  const checked = new Set(run.map(({ name }) => name));
  const kept = before.filter(
    (entry) =>
      !isOfOneFile(entry, folder) || (entry.file !== undefined && !checked.has(entry.file)),
  );
  const ofContract = new Set(contractRules.map(({ id }) => id));
  const found = new Map<string, Suppression>();
  for (const { name: file, findings } of run) {
    for (const { rule, identity } of findings) {
      if (identity === undefined || ofContract.has(rule)) continue;
      const entry = { file, rule, ...identity };
      const key = entryKey(entry);
      const count = (found.get(key)?.count ?? 1) + 1;
      found.set(key, found.has(key) ? { ...entry, count } : entry);
    }
  }
  return inOrder([...kept, ...found.values()]);
}

/**
 * Removes entries that no longer occur in the checked files, and entries of deleted files. `stale` is the number of
 * removed findings.
 */
export function pruneBaseline(
  before: readonly Suppression[],
  run: readonly CheckedFile[],
  folder: string,
): { readonly baseline: readonly Suppression[]; readonly stale: number } {
  const used = new Map<string, number>();
  const checked = new Set(run.map(({ name }) => name));
  for (const { accepted } of run) {
    for (const [key, count] of accepted ?? []) used.set(key, (used.get(key) ?? 0) + count);
  }
  let stale = 0;
  const baseline = before.flatMap((entry) => {
    const { file, at, count = 1 } = entry;
    if (file === undefined || !isOfOneFile(entry, folder)) return [entry];
    if (!checked.has(file) && existsSync(resolve(folder, file))) return [entry];
    const key = entryKey(entry);
    const left = used.get(key) ?? 0;
    const there = Math.min(left, at === undefined ? 1 : count);
    if (at !== undefined) used.set(key, left - there);
    stale += count - there;
    if (there === 0) return [];
    const { count: _, ...one } = entry;
    return [there > 1 ? { ...one, count: there } : one];
  });
  return { baseline, stale };
}

/** Sorts by file, rule and place, so that a changed baseline has a small diff. */
function inOrder(entries: readonly Suppression[]): readonly Suppression[] {
  const keyed = entries.map((entry) => ({ entry, key: sortKey(entry) }));
  const { compare } = new Intl.Collator('en');
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ entry }) => entry);
}

function sortKey({ file = '', rule, path = '', at = '', text = '' }: Suppression): string {
  return [file, rule, path, at, text].join('\n');
}

/** The surroundings of the files that a run checks. */
export interface FileNames {
  /** The folder that names in reports are relative to. */
  readonly cwd: string;
  /** The folder of the configuration, which names in its entries are relative to. */
  readonly folder: string;
  /** Names as they are reported. */
  readonly files: readonly string[];
}

/** Returns the name of a file in the entries of a configuration. */
export function nameInConfig(file: string, { cwd, folder }: Omit<FileNames, 'files'>): string {
  return withSlashes(relative(folder, resolve(cwd, file)));
}

/**
 * Returns the names of each file in entries: its path relative to the folder of the configuration, and the matching
 * globs. Throws `configuration` for an invalid glob.
 */
export async function nameFiles(
  entries: readonly Suppression[],
  names: FileNames,
): Promise<AcceptedFindings['names']> {
  const wanted = new Set(entries.flatMap(({ file }) => file ?? []));
  if (wanted.size === 0) return new Map();
  const globs = await Promise.all(globsAmong(wanted, names.folder).map(compile));
  return new Map(
    names.files.map((file) => {
      const name = nameInConfig(file, names);
      const own = name === file ? [] : [name];
      return [file, [...own, ...globs.flatMap(({ glob, fits }) => (fits(name) ? glob : []))]];
    }),
  );
}

/** A glob as written, and the pattern that is matched. */
interface Glob {
  readonly glob: string;
  readonly pattern: string;
}

/**
 * Returns the names that can match several files: globs and folders. A name of an existing file matches only that file,
 * as on the command line.
 */
function globsAmong(names: Iterable<string>, folder: string): readonly Glob[] {
  return [...names].flatMap((glob) => {
    const found = statSync(resolve(folder, glob), { throwIfNoEntry: false });
    const pattern = glob.replace(/^\.\//, '');
    if (found?.isDirectory() || glob.endsWith('/')) {
      return { glob, pattern: pattern.replace(/\/?$/, '/**') };
    }
    return isGlob(glob) && !found ? { glob, pattern } : [];
  });
}

async function compile({ glob, pattern }: Glob) {
  const { wildcards, length, inOnePart } = globBounds;
  if (isHardGlob(pattern)) {
    const bounds = `at most ${length} characters and ${wildcards} wildcards, ${inOnePart} of them between two slashes`;
    throw unusable(glob, `it may have ${bounds}`);
  }
  if (glob.startsWith('!'))
    throw unusable(glob, 'it begins with !; name the files to match instead');
  // Matching time can double with each character of a name.
  if (/[@?!+*]\(/.test(glob)) throw unusable(glob, 'patterns in round brackets are not supported');
  const { default: picomatch } = await import('picomatch');
  try {
    return { glob, fits: picomatch(pattern, { strictBrackets: true, noextglob: true }) };
  } catch {
    throw unusable(glob, 'it has an unclosed bracket');
  }
}

function unusable(glob: string, reason: string): AppError {
  return new AppError('configuration', `The glob ${quote(glob, 200)} cannot be used: ${reason}.`, {
    hint: 'Check "file" in the entries of ignore and baseline.',
  });
}

/**
 * Returns the names in entries that match no checked file and no file on disk: they are mistyped, or the files have
 * moved.
 */
export async function namesWithoutFile(
  entries: readonly Suppression[],
  matched: AcceptedFindings['names'],
  folder: string,
): Promise<readonly string[]> {
  const known = new Set([...matched].flatMap(([file, names]) => [file, ...names]));
  const wanted = new Set(entries.flatMap(({ file }) => file ?? []));
  const unknown = [...wanted].filter((name) => !known.has(name));
  const isThere = await Promise.all(unknown.map((name) => leadsToFile(name, folder)));
  return unknown.filter((_, index) => !isThere[index]);
}

async function leadsToFile(name: string, folder: string): Promise<boolean> {
  const [glob] = globsAmong([name], folder);
  if (glob === undefined) return existsSync(resolve(folder, name));
  return (await findByGlob(glob.pattern, { cwd: folder })).length > 0;
}

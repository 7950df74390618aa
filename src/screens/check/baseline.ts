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
  /** The file's name in the configuration. */
  readonly name: string;
  readonly findings: readonly Pick<Finding, 'rule' | 'identity'>[];
  readonly accepted: FileReport['accepted'];
}

/** Returns true if an entry names a single file, like the entries that --write-baseline writes. */
export function namesOneFile({ file }: Suppression, folder: string): boolean {
  return file !== undefined && globsAmong([file], folder).length === 0;
}

/** Rules whose findings mean that the rest of a file was not checked. */
const abortingRules = new Set(['unreadable', 'unchecked', 'encoding', 'json-syntax']);

/** Returns true if the rules have checked a file. */
export function wasChecked({ findings }: FileReport): boolean {
  return !findings.some(
    ({ rule, path }) => abortingRules.has(rule) || (rule === 'type' && path === ''),
  );
}

/**
 * Returns the baseline after a run: the findings of the run, and the previous entries for folders, globs and files that
 * were not checked.
 */
export function nextBaseline(
  before: readonly Suppression[],
  run: readonly CheckedFile[],
  folder: string,
): readonly Suppression[] {
  const checked = new Set(run.map(({ name }) => name));
  const kept = before.filter(
    (entry) =>
      !namesOneFile(entry, folder) || (entry.file !== undefined && !checked.has(entry.file)),
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
 * Removes entries for findings that no longer occur in the checked files, and entries for deleted files. `stale` is the
 * number of removed findings.
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
    if (file === undefined || !namesOneFile(entry, folder)) return [entry];
    if (!checked.has(file) && existsSync(resolve(folder, file))) return [entry];
    const key = entryKey(entry);
    const left = used.get(key) ?? 0;
    const found = Math.min(left, at === undefined ? 1 : count);
    if (at !== undefined) used.set(key, left - found);
    stale += count - found;
    if (found === 0) return [];
    const { count: _, ...one } = entry;
    return [found > 1 ? { ...one, count: found } : one];
  });
  return { baseline, stale };
}

/** Sorts entries by file, rule and location, so that a change to the baseline has a small diff. */
function inOrder(entries: readonly Suppression[]): readonly Suppression[] {
  const keyed = entries.map((entry) => ({ entry, key: sortKey(entry) }));
  const { compare } = new Intl.Collator('en');
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ entry }) => entry);
}

function sortKey({ file = '', rule, path = '', at = '', text = '' }: Suppression): string {
  return [file, rule, path, at, text].join('\n');
}

/** The names of the files that a run checks, and the folders that they are relative to. */
export interface FileNames {
  /** The folder that names in reports are relative to. */
  readonly cwd: string;
  /** The folder of the configuration. Names in its entries are relative to it. */
  readonly folder: string;
  /** The file names in reports. */
  readonly files: readonly string[];
}

/** Returns the name of a file in configuration entries. */
export function nameInConfig(file: string, { cwd, folder }: Omit<FileNames, 'files'>): string {
  return withSlashes(relative(folder, resolve(cwd, file)));
}

/**
 * Returns the names that entries can have for each file: its path relative to the folder of the configuration, and the
 * matching globs. Throws `configuration` for an invalid glob.
 */
export async function nameFiles(
  entries: readonly Suppression[],
  names: FileNames,
): Promise<AcceptedFindings['names']> {
  const entryNames = new Set(entries.flatMap(({ file }) => file ?? []));
  if (entryNames.size === 0) return new Map();
  const globs = await Promise.all(globsAmong(entryNames, names.folder).map(compile));
  return new Map(
    names.files.map((file) => {
      const name = nameInConfig(file, names);
      const paths = name === file ? [] : [name];
      return [file, [...paths, ...globs.flatMap(({ glob, fits }) => (fits(name) ? glob : []))]];
    }),
  );
}

/** A glob as written, and the pattern that is matched. */
interface Glob {
  readonly glob: string;
  readonly pattern: string;
}

/**
 * Returns the names that can match several files: globs and folders. The name of an existing file matches only that
 * file, as on the command line.
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
    const limits = `at most ${length} characters and ${wildcards} wildcards, ${inOnePart} of them between two slashes`;
    throw unusable(glob, `it may have ${limits}`);
  }
  if (glob.startsWith('!'))
    throw unusable(glob, 'it begins with !, but must name the files to match');
  // The time to match such a pattern can double with each character of a name.
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
 * Returns the names in entries that match neither a checked file nor a file on disk, because they are mistyped or the
 * files have moved.
 */
export async function namesWithoutFile(
  entries: readonly Suppression[],
  matched: AcceptedFindings['names'],
  folder: string,
): Promise<readonly string[]> {
  const known = new Set([...matched].flatMap(([file, names]) => [file, ...names]));
  const entryNames = new Set(entries.flatMap(({ file }) => file ?? []));
  const unknown = [...entryNames].filter((name) => !known.has(name));
  const exist = await Promise.all(unknown.map((name) => matchesFile(name, folder)));
  return unknown.filter((_, index) => !exist[index]);
}

async function matchesFile(name: string, folder: string): Promise<boolean> {
  const [glob] = globsAmong([name], folder);
  if (glob === undefined) return existsSync(resolve(folder, name));
  return (await findByGlob(glob.pattern, { cwd: folder })).length > 0;
}

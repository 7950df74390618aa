import { existsSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { AppError } from '../../base/errors.js';
import { type AcceptedFindings, entryKey, type Suppression } from '../findings/accepted.js';
import type { FileReport, Finding } from '../findings/finding.js';
import { withSlashes } from '../findings/slashes.js';
import { quote } from '../text/quote.js';
import { contractRules } from './contract-rules.js';
import { findByGlob, globBounds, isGlob, isHardGlob } from './select-files.js';

/** What a run knows of the files that entries name. */
export interface BaselineFiles {
  /** Whether a name stands for more than one file: such an entry was written by hand, and is kept. */
  standsForMany(name: string): boolean;
  /** Whether the file of an entry is still there. */
  isThere(name: string): boolean;
}

/** A file that the rules have looked into. */
export interface LookedInto {
  /** Its name in the configuration. */
  readonly name: string;
  readonly findings: readonly Pick<Finding, 'rule' | 'identity'>[];
  readonly accepted: FileReport['accepted'];
}

/** Whether an entry is about one file, as those that are written for a baseline. */
export function isOfOneFile({ file }: Suppression, { standsForMany }: BaselineFiles): boolean {
  return file !== undefined && !standsForMany(file);
}

/** Findings without which the rest of a file was not looked at. */
const blindRules = new Set(['unreadable', 'unchecked', 'encoding', 'json-syntax']);

/** Whether the rules have looked into a file. */
export function wasLookedInto({ findings }: FileReport): boolean {
  return !findings.some(
    ({ rule, path }) => blindRules.has(rule) || (rule === 'type' && path === ''),
  );
}

/** The baseline after a run: what it found, and what was known of files that it did not look into. */
export function nextBaseline(
  before: readonly Suppression[],
  run: readonly LookedInto[],
  files: BaselineFiles,
): readonly Suppression[] {
  const checked = new Set(run.map(({ name }) => name));
  const kept = before.filter(
    (entry) => !isOfOneFile(entry, files) || (entry.file !== undefined && !checked.has(entry.file)),
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

/** Entries that a run has found again. */
export interface PrunedBaseline {
  readonly baseline: readonly Suppression[];
  /** Findings that were accepted and are not there any more. */
  readonly stale: number;
}

/**
 * Leaves out of a baseline what was not there in the files that were looked into, and what is about files
 * that are gone.
 */
export function pruneBaseline(
  before: readonly Suppression[],
  run: readonly LookedInto[],
  files: BaselineFiles,
): PrunedBaseline {
  const used = new Map<string, number>();
  const checked = new Set(run.map(({ name }) => name));
  for (const { accepted } of run) {
    for (const [key, count] of accepted ?? []) used.set(key, (used.get(key) ?? 0) + count);
  }
  let stale = 0;
  const baseline = before.flatMap((entry) => {
    const { file, at, count = 1 } = entry;
    if (file === undefined || !isOfOneFile(entry, files)) return [entry];
    if (!checked.has(file) && files.isThere(file)) return [entry];
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

/** By file, rule and place, so that a change of the baseline is a change of few lines. */
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
  /** Where the names of reports start from. */
  readonly cwd: string;
  /** The folder of the configuration, where the names of its entries start from. */
  readonly folder: string;
  /** As they are reported. */
  readonly files: readonly string[];
}

/** The name of a file in the entries of a configuration. */
export function nameInConfig(file: string, { cwd, folder }: Omit<FileNames, 'files'>): string {
  return withSlashes(relative(folder, resolve(cwd, file)));
}

/**
 * What each file is called in entries: its name from the configuration's folder on, and the globs that fit
 * it. Each file is compared with each glob once. A glob that cannot be used is a `configuration` error.
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

/** A glob, as it is written and as it is compared. */
interface Glob {
  readonly glob: string;
  readonly pattern: string;
}

/**
 * The names that stand for several files: globs, and folders for what is in them. One that names a file
 * stands for that file alone, as on the command line.
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
  if (glob.startsWith('!')) throw unusable(glob, 'it says what is not meant; say what is');
  // Their work may double with each letter of a name.
  if (/[@?!+*]\(/.test(glob)) throw unusable(glob, 'it takes no patterns in round brackets');
  const { default: picomatch } = await import('picomatch');
  try {
    return { glob, fits: picomatch(pattern, { strictBrackets: true, noextglob: true }) };
  } catch {
    throw unusable(glob, 'a bracket in it is not closed');
  }
}

function unusable(glob: string, reason: string): AppError {
  return new AppError('configuration', `The glob ${quote(glob, 200)} cannot be used: ${reason}.`, {
    hint: 'It stands in "file" of an entry of ignore or baseline.',
  });
}

/**
 * Names in entries that no checked file has, and that stand for nothing on the disk either: they are mistyped,
 * or their files have moved.
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

/** Whether a name in an entry stands for several files. */
export function standsForMany(name: string, folder: string): boolean {
  return globsAmong([name], folder).length > 0;
}

async function leadsToFile(name: string, folder: string): Promise<boolean> {
  const [glob] = globsAmong([name], folder);
  if (glob === undefined) return existsSync(resolve(folder, name));
  return (await findByGlob(glob.pattern, { cwd: folder })).length > 0;
}

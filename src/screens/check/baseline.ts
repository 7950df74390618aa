import { entryKey, type Suppression } from './accepted.js';
import { contractRules } from './contract-rules.js';
import type { FileReport, Finding } from './findings.js';

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

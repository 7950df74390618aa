import { access, constants, stat } from 'node:fs/promises';
import { AppError } from '../../base/errors.js';
import { readRegularFile, UnreadableInput, unreadable } from '../../base/files/input-file.js';
import { writeOutputFile } from '../../base/files/output-file.js';
import { withoutMark } from '../../json/strict-parse.js';
import type { FileReport, Finding, Fix } from '../findings/finding.js';
import { checkInterruptibly, type FileContent } from './check-file.js';
import type { CheckedText } from './check-text.js';
import { applyTextEdits, openEditPlan, plannedTextEdits } from './text-edits.js';

/** Maximum number of rounds of `--fix` for a file. An edit can make further edits possible. */
const maxRounds = 10;

/**
 * Maximum number of characters that `--fix` rechecks for a file. If a set of edits fails, each half is tested
 * separately. Findings beyond this limit are not fixed.
 */
const maxRechecked = 100 * 1024 * 1024;

/** A text after all fixes. */
export interface FixedText {
  readonly text: string;
  /** Number of fixed findings. */
  readonly fixed: number;
  /** Remaining findings; undefined if the check was interrupted. */
  readonly checked: CheckedText | undefined;
}

/** Checks a new text of the file, without a byte order mark. Resolves to undefined if interrupted. */
export type Recheck = (text: string) => Promise<CheckedText | undefined>;

/**
 * Applies fixes in rounds until none are left. Skips edits that add errors, and all edits if the text has duplicate
 * keys. Preserves a byte order mark.
 */
export async function fixText(whole: string, recheck: Recheck): Promise<FixedText> {
  const text = withoutMark(whole);
  const mark = whole.slice(0, whole.length - text.length);
  let current = { text, fixed: 0, checked: await recheck(text) };
  let left = maxRechecked;
  const limitedRecheck: Recheck = async (next) => {
    left -= next.length;
    return left < 0 ? undefined : recheck(next);
  };
  for (let round = 0; round < maxRounds && current.checked; round++) {
    const fixes = fixesOf(current.checked.findings);
    const next = fixes.length === 0 ? undefined : await applyAll(current, fixes, limitedRecheck);
    if (next === undefined) break;
    current = { ...next, fixed: current.fixed + next.fixed };
  }
  return { ...current, text: mark + current.text };
}

function fixesOf(findings: readonly Finding[]): readonly Fix[] {
  if (findings.some(({ rule }) => rule === 'duplicate-key')) return [];
  return findings.flatMap(({ fix }) => fix ?? []);
}

interface Current {
  readonly text: string;
  readonly checked: CheckedText | undefined;
}

/** Applies fixes together. If that adds errors, applies each half separately. */
async function applyAll(
  before: Current,
  fixes: readonly Fix[],
  recheck: Recheck,
): Promise<FixedText | undefined> {
  const plan = openEditPlan();
  const applied = fixes.filter(({ edits }) => plan.add(edits));
  const edits = plannedTextEdits(before.text, plan);
  if (edits && edits.length > 0) {
    const text = applyTextEdits(before.text, edits);
    const checked = await recheck(text);
    if (checked === undefined) return undefined;
    if (!isWorse(before.checked, checked)) return { text, fixed: applied.length, checked };
  }
  if (fixes.length === 1) return undefined;
  const half = Math.ceil(fixes.length / 2);
  // If the first half succeeds, the second follows in the next round, because paths may have changed.
  return (
    (await applyAll(before, fixes.slice(0, half), recheck)) ??
    applyAll(before, fixes.slice(half), recheck)
  );
}

function isWorse(before: CheckedText | undefined, after: CheckedText): boolean {
  return after.counts.errors > (before?.counts.errors ?? 0);
}

/** The result of fixing one file. */
export interface FixedContent {
  /** The remaining findings. */
  readonly report: FileReport;
  /** Number of fixed findings. */
  readonly fixed: number;
  readonly before: string;
  readonly after: string;
}

/** Maximum number of findings in a round of `--fix`. */
const maxPerRound = 20_000;

/** Applies all fixes to the content of a file. Resolves to undefined if interrupted. */
export async function fixContent(
  { file, bytes, lint }: FileContent,
  signal: AbortSignal,
): Promise<FixedContent | undefined> {
  const before = Buffer.from(bytes).toString('utf8');
  const options = { ...lint, max: maxPerRound };
  const recheck = (text: string): Promise<FileReport | undefined> =>
    checkInterruptibly({ file, bytes: Buffer.from(text), lint: options }, signal);
  const { text: after, fixed, checked } = await fixText(before, recheck);
  if (checked === undefined || signal.aborted) return undefined;
  return { report: { file, readable: true, ...checked }, fixed, before, after };
}

/** Returns true if `--fix` can fix a finding of the report. */
export function hasFixes({ findings }: CheckedText): boolean {
  return findings.some(({ fix }) => fix !== undefined);
}

/**
 * Writes a fixed file atomically, and preserves symbolic links. Throws `refused` if the file is not writable or has
 * changed in the meantime.
 */
export async function writeFixed(
  path: string,
  { before, after }: Pick<FixedContent, 'before' | 'after'>,
): Promise<void> {
  const { mode } = await stat(path).catch(() => {
    throw notFixed(path, 'it no longer exists');
  });
  const isWritable = await access(path, constants.W_OK).then(
    () => (mode & anyoneWrites) !== 0,
    () => false,
  );
  if (!isWritable) throw notFixed(path, 'it is not writable');
  if (contentOf(path) !== before) throw notFixed(path, 'it has changed in the meantime');
  await writeOutputFile(path, after);
}

/** Permission bits for writing. A read-only file could still be replaced through its folder, but must not be. */
const anyoneWrites = 0o222;

function contentOf(path: string): string {
  try {
    return readRegularFile(path, Number.POSITIVE_INFINITY).toString('utf8');
  } catch (error) {
    throw error instanceof UnreadableInput ? unreadable(path, error) : error;
  }
}

function notFixed(path: string, reason: string): AppError {
  return new AppError('refused', `${path} cannot be fixed: ${reason}.`);
}

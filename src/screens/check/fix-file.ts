import { access, constants, stat } from 'node:fs/promises';
import { AppError } from '../../base/errors.js';
import { readRegularFile, UnreadableInput, unreadable } from '../../base/files/input-file.js';
import { writeOutputFile } from '../../base/files/output-file.js';
import { withoutMark } from '../../json/strict-parse.js';
import type { FileReport, Finding, Fix } from '../findings/finding.js';
import { checkInterruptibly, type FileContent } from './check-file.js';
import type { CheckedText } from './check-text.js';
import { applyTextEdits, openEditPlan, plannedTextEdits } from './text-edits.js';

/** The most rounds of `--fix` over a file: an edit may make room for another one. */
const mostRounds = 10;

/**
 * Characters that `--fix` checks again for one file: if every one of thousands of edits fails, each half is tried.
 * What is left then stays a finding.
 */
const mostRechecked = 100 * 1024 * 1024;

/** A text with all edits made that have one right answer. */
export interface FixedText {
  readonly text: string;
  /** Findings that were fixed. */
  readonly fixed: number;
  /** What is found in the text now; undefined where the check was interrupted. */
  readonly checked: CheckedText | undefined;
}

/** Checks a text of the same file, without a mark; undefined when it was interrupted. */
export type Recheck = (text: string) => Promise<CheckedText | undefined>;

/**
 * Fixes what has one right answer, in rounds, until nothing is left of it. Edits after which there are more
 * errors than before are not made, nor is anything in a text in which an object names a key twice. A byte order
 * mark stays.
 */
export async function fixText(whole: string, recheck: Recheck): Promise<FixedText> {
  const text = withoutMark(whole);
  const mark = whole.slice(0, whole.length - text.length);
  let current = { text, fixed: 0, checked: await recheck(text) };
  let left = mostRechecked;
  const again: Recheck = async (next) => {
    left -= next.length;
    return left < 0 ? undefined : recheck(next);
  };
  for (let round = 0; round < mostRounds && current.checked; round++) {
    const fixes = fixesOf(current.checked.findings);
    const next = fixes.length === 0 ? undefined : await makeAll(current, fixes, again);
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

/** Makes fixes together; where that makes the text worse, each half of them, as far as they can be made. */
async function makeAll(
  before: Current,
  fixes: readonly Fix[],
  recheck: Recheck,
): Promise<FixedText | undefined> {
  const plan = openEditPlan();
  const made = fixes.filter(({ edits }) => plan.add(edits));
  const edits = plannedTextEdits(before.text, plan);
  if (edits && edits.length > 0) {
    const text = applyTextEdits(before.text, edits);
    const checked = await recheck(text);
    if (checked === undefined) return undefined;
    if (!isWorse(before.checked, checked)) return { text, fixed: made.length, checked };
  }
  if (fixes.length === 1) return undefined;
  const half = Math.ceil(fixes.length / 2);
  // The other half is made in the next round: places may have moved.
  return (
    (await makeAll(before, fixes.slice(0, half), recheck)) ??
    makeAll(before, fixes.slice(half), recheck)
  );
}

function isWorse(before: CheckedText | undefined, after: CheckedText): boolean {
  return after.counts.errors > (before?.counts.errors ?? 0);
}

/** What came of fixing the content of one file. */
export interface FixedContent {
  /** Of what is left. */
  readonly report: FileReport;
  /** Findings that were fixed. */
  readonly fixed: number;
  readonly before: string;
  readonly after: string;
}

/** The most findings that one round of `--fix` considers. */
const mostInOneRound = 20_000;

/** Fixes what has one right answer in the content of a file; undefined when it was interrupted. */
export async function fixContent(
  { file, bytes, lint }: FileContent,
  signal: AbortSignal,
): Promise<FixedContent | undefined> {
  const before = Buffer.from(bytes).toString('utf8');
  const options = { ...lint, most: mostInOneRound };
  const recheck = (text: string): Promise<FileReport | undefined> =>
    checkInterruptibly({ file, bytes: Buffer.from(text), lint: options }, signal);
  const { text: after, fixed, checked } = await fixText(before, recheck);
  if (checked === undefined || signal.aborted) return undefined;
  return { report: { file, readable: true, ...checked }, fixed, before, after };
}

/** Whether something in a file can be fixed. */
export function hasFixes({ findings }: FileReport): boolean {
  return findings.some(({ fix }) => fix !== undefined);
}

/**
 * Writes a fixed file in one step; a link to it stays one. Refuses, as `refused`, a file that may not be
 * written, or that somebody has changed meanwhile.
 */
export async function writeFixed(
  path: string,
  { before, after }: Pick<FixedContent, 'before' | 'after'>,
): Promise<void> {
  const { mode } = await stat(path).catch(gone(path));
  const isWritable = await access(path, constants.W_OK).then(
    () => (mode & anyoneWrites) !== 0,
    () => false,
  );
  if (!isWritable) throw notFixed(path, 'it may not be written');
  if (contentOf(path) !== before) throw notFixed(path, 'it has changed meanwhile');
  await writeOutputFile(path, after);
}

/** A file that its owner has made read-only can still be replaced by another one, and must not be. */
const anyoneWrites = 0o222;

function contentOf(path: string): string {
  try {
    return readRegularFile(path, Number.POSITIVE_INFINITY).toString('utf8');
  } catch (error) {
    throw error instanceof UnreadableInput ? unreadable(path, error) : error;
  }
}

function gone(path: string): () => never {
  return () => {
    throw notFixed(path, 'it is not there any more');
  };
}

function notFixed(path: string, reason: string): AppError {
  return new AppError('refused', `${path} cannot be mended: ${reason}.`);
}

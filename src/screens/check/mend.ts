import { withoutMark } from '../../json/strict-parse.js';
import type { CheckedText } from './check.js';
import { openEditPlan } from './edit-plan.js';
import type { Finding } from './findings.js';
import type { Fix } from './fixes.js';
import { applyTextEdits, plannedTextEdits } from './text-edits.js';

/** The most rounds of `--fix` over a file: an edit may make room for another one. */
const mostRounds = 10;

/**
 * Characters that `--fix` checks again for one file: if every one of thousands of edits fails, each half is tried.
 * What is left then stays a finding.
 */
const mostRechecked = 100 * 1024 * 1024;

/** A text with all edits made that have one right answer. */
export interface MendedText {
  readonly text: string;
  /** Findings that were mended. */
  readonly fixed: number;
  /** What is found in the text now; undefined where the check was interrupted. */
  readonly checked: CheckedText | undefined;
}

/** Checks a text of the same file, without a mark; undefined when it was interrupted. */
export type Recheck = (text: string) => Promise<CheckedText | undefined>;

/**
 * Mends what has one right answer, in rounds, until nothing is left of it. Edits after which there are more
 * errors than before are not made, nor is anything in a text in which an object names a key twice. A byte order
 * mark stays.
 */
export async function mendText(whole: string, recheck: Recheck): Promise<MendedText> {
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
): Promise<MendedText | undefined> {
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

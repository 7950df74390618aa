import { withoutMark } from '../../json/strict-parse.js';
import type { LintOptions } from '../rules/lint.js';
import { checkScreen } from './check.js';
import { openEditPlan } from './edit-plan.js';
import type { Finding } from './findings.js';
import type { Edit } from './fixes.js';
import { applyTextEdits, textEdits } from './text-edits.js';

/** Fixes may bring others into view, or stand in each other's way: so many times a text is checked again. */
const mostPasses = 10;

export interface Mended {
  /** As it was, but for the parts that were mended. */
  readonly text: string;
  /** Fixes that were made. */
  readonly fixes: number;
}

/**
 * Makes every fix that has one right answer, until none is left. What would have more errors than before is
 * given back as it was. `file` is what accepted findings are known by; they are left alone.
 */
export async function mendText(text: string, lint: LintOptions, file: string): Promise<Mended> {
  let mended: Mended = { text, fixes: 0 };
  let errors = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass <= mostPasses; pass += 1) {
    const { findings, counts } = await checkScreen(withoutMark(mended.text), lint, file);
    if (counts.errors > errors) return { text, fixes: 0 };
    errors = counts.errors;
    const next = pass < mostPasses ? mendOnce(mended, findings) : undefined;
    if (next === undefined) break;
    mended = next;
  }
  return mended;
}

/** The text after as many fixes as go together; undefined where there is none that can be made. */
function mendOnce({ text, fixes }: Mended, findings: readonly Finding[]): Mended | undefined {
  const plan = openEditPlan();
  const edits: Edit[] = [];
  let made = 0;
  for (const { fix } of findings) {
    // What an object names twice, or cannot be renamed there, is known only from the text.
    if (!fix || textEdits(text, fix.edits) === undefined || !plan.add(fix.edits)) continue;
    edits.push(...fix.edits);
    made += 1;
  }
  const changes = made > 0 ? textEdits(text, edits) : undefined;
  return changes && { text: applyTextEdits(text, changes), fixes: fixes + made };
}

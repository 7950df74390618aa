import type { ScreenDefinition } from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import type { DocumentedRule, Remedies, Severity } from '../findings/finding.js';
import type { DegradationCode } from '../normalise/degradation.js';
import type { Screen } from '../normalise/normalise.js';

/** What a rule looks at. Parts of the wrong kind are left out: the contract's errors name those. */
export interface RuleContext {
  readonly definition: ScreenDefinition;
  /** What the page shows; its degradations are what the renderer does. */
  readonly screen: Screen;
  /** The document as it was parsed. */
  readonly data: unknown;
  /** The document as it is written, where it is at hand: what is not in it need not be looked for. */
  readonly text: string | undefined;
  /** The degradations of one kind (and, with `under`, of one part of the document). */
  degradations(code: DegradationCode, under?: string): readonly { path: string; detail: string }[];
  /** Every key that rows have. Tables are long: what is about keys alone asks here, not the rows. */
  readonly rowFields: ReadonlyMap<string, RowField>;
}

export interface RowField {
  /** Index of the first row that has it. */
  readonly first: number;
  /** How many rows have it. */
  readonly count: number;
}

/**
 * Reports a problem. A message that takes a search (for a likely meaning, say) is handed over as a
 * function: a file may have more problems than are ever shown. So are its remedies.
 */
export type Report = (
  path: string,
  message: string | (() => string),
  remedies?: () => Remedies,
) => void;

/** Examples in the documentation are fragments; `product` is added where they have none. */
export interface RuleExamples {
  readonly good: object;
  readonly bad: object;
  /** JSON Pointers that the bad example is reported at. */
  readonly finds: readonly string[];
}

/** One lint rule. Examples are made when asked for: a run of the linter never needs them. */
export interface Rule extends DocumentedRule {
  readonly severity: Exclude<Severity, 'error'>;
  examples(): RuleExamples;
  /**
   * What a finding is about where it is reported at one item for many (the first row that has a field): it
   * stays the same finding when another item becomes the first. In place of the pointer to the item.
   */
  about?(path: string, data: unknown): string | undefined;
  /** `reportKey` points at the property's name rather than at its value. */
  check(context: RuleContext, report: Report, reportKey: Report): void;
}

/** Where a walk is, as a chain: a pointer is only written for what is reported. */
export interface Place {
  readonly parent: Place | undefined;
  readonly step: string | number;
}

export function pathOf(place: Place | undefined): string {
  return pointer(...stepsOf(place));
}

export function stepsOf(place: Place | undefined): readonly (string | number)[] {
  return place === undefined ? [] : [...stepsOf(place.parent), place.step];
}

import type { ScreenDefinition } from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import type { DocumentedRule, Remedies, Severity } from '../findings/finding.js';
import type { DegradationCode } from '../normalise/degradation.js';
import type { Screen } from '../normalise/normalise.js';

/** The input of a rule. Parts of the wrong type are left out; the contract check reports them. */
export interface RuleContext {
  readonly definition: ScreenDefinition;
  /** The normalised screen. Its degradations are those of the renderer. */
  readonly screen: Screen;
  /** The parsed document. */
  readonly data: unknown;
  /** The text of the document, if available. Lets a rule skip the data. */
  readonly text: string | undefined;
  /** Returns the degradations with a code; with `under`, only those at or below a JSON Pointer. */
  degradations(code: DegradationCode, under?: string): readonly { path: string; detail: string }[];
  /** All fields of the rows, by key. */
  readonly rowFields: ReadonlyMap<string, RowField>;
}

export interface RowField {
  /** Index of the first row that has it. */
  readonly first: number;
  /** Number of rows that have it. */
  readonly count: number;
}

/**
 * Reports a problem. Messages that need a search, and remedies, are functions: a file may have more problems than are
 * shown.
 */
export type Report = (
  path: string,
  message: string | (() => string),
  remedies?: () => Remedies,
) => void;

/** Example fragments of definitions; `product` is added if it is missing. */
export interface RuleExamples {
  readonly good: object;
  readonly bad: object;
  /** JSON Pointers of the findings in the bad example. */
  readonly finds: readonly string[];
}

/** A lint rule. Its examples are created only for documentation and tests. */
export interface Rule extends DocumentedRule {
  readonly severity: Exclude<Severity, 'error'>;
  examples(): RuleExamples;
  /**
   * Returns a place for the identity of a finding that is reported at one of many items, such as the first row with a
   * field. The identity then stays the same if another item becomes the first.
   */
  about?(path: string, data: unknown): string | undefined;
  /** `reportKey` points at the property's name rather than at its value. */
  check(context: RuleContext, report: Report, reportKey: Report): void;
}

/** A place in a document, as a chain. Pointers are built only for reported places. */
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

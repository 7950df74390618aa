import type { ScreenDefinition } from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import type { DocumentedRule, Remedies, Severity } from '../findings/finding.js';
import type { DegradationCode } from '../normalise/degradation.js';
import type { Screen } from '../normalise/normalise.js';

/** The input of a rule. Parts of the wrong type are omitted, because the contract check reports them. */
export interface RuleContext {
  readonly definition: ScreenDefinition;
  /** The normalised screen, with the same degradations as in the renderer. */
  readonly screen: Screen;
  /** The parsed document. */
  readonly data: unknown;
  /** The text of the document, if available. A rule can use it to avoid traversing the data. */
  readonly text: string | undefined;
  /** Returns the degradations with a code. If `under` is set, returns only those at or below that JSON Pointer. */
  degradations(code: DegradationCode, under?: string): readonly { path: string; detail: string }[];
  /** All row fields, by key. */
  readonly rowFields: ReadonlyMap<string, RowField>;
}

export interface RowField {
  /** Index of the first row that has the field. */
  readonly first: number;
  /** Number of rows that have the field. */
  readonly count: number;
}

/**
 * Reports a problem. Remedies, and messages that are slow to create, are functions, because a file can have more
 * problems than are shown.
 */
export type Report = (
  path: string,
  message: string | (() => string),
  remedies?: () => Remedies,
) => void;

/** Fragments of definitions. `product` is added if it is missing. */
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
   * Returns the location that identifies a finding if it is reported at one of many items, such as the first row with a
   * field. The identity then stays the same when a different row becomes the first.
   */
  about?(path: string, data: unknown): string | undefined;
  /** Checks a document. `report` marks a property's value, and `reportKey` marks its name. */
  check(context: RuleContext, report: Report, reportKey: Report): void;
}

/** A path in a document, as a linked list. JSON Pointers are created only for reported paths. */
export interface PathNode {
  readonly parent: PathNode | undefined;
  readonly step: string | number;
}

export function pathOf(node: PathNode | undefined): string {
  return pointer(...stepsOf(node));
}

export function stepsOf(node: PathNode | undefined): readonly (string | number)[] {
  return node === undefined ? [] : [...stepsOf(node.parent), node.step];
}

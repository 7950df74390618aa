import type { Range } from '../../json/find-in-text.js';
import type { Position, SourceLine } from '../../json/lines.js';
import type { Identity } from './accepted.js';

/** `error`: a violation of the contract. `warning`: valid, but does not work as written. `info`: advice. */
export type Severity = 'error' | 'warning' | 'info';

/** The documentation of a rule of the contract or the linter. */
export interface DocumentedRule {
  readonly id: string;
  readonly severity: Severity;
  /** One line, without a full stop. */
  readonly summary: string;
  /** One paragraph: the problem, its consequence, and what to do. */
  readonly documentation: string;
}

/** A problem before it is located in the text. */
export interface Problem extends Remedies {
  readonly rule: string;
  readonly severity: Severity;
  /** JSON Pointer. The root is the empty string. */
  readonly path: string;
  /** A full sentence with the limit and the actual value. */
  readonly message: string;
  /** True if the problem is the property's name, not its value. */
  readonly atKey?: boolean;
  /** The range in the text, if it is already known. */
  readonly range?: Range;
  /** Replaces the location in the identity if the problem is not specific to the item at the path. */
  readonly about?: string | undefined;
}

/** A problem, located in the text. */
export interface Finding extends Omit<Problem, 'range' | 'about' | 'suggestions'>, Position {
  /** Possible fixes for a person to choose from, the most likely first. */
  readonly suggestions?: readonly Fix[];
  /** The path in a readable form: `table.rows[3 "DG-2041"].status`. */
  readonly location: string;
  /** The line of the finding, preceded by the line before it. */
  readonly frame: readonly SourceLine[];
  /** Undefined for a finding about a whole file. */
  readonly identity?: Identity;
}

/** Returns a finding about a whole file. */
export function wholeFile(rule: string, severity: Severity, message: string): Finding {
  const position = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { rule, severity, path: '', message, location: 'the whole file', ...position, frame: [] };
}

/** All findings of one file. */
export interface FileReport {
  /** The name as specified, or relative to the working directory, with forward slashes. */
  readonly file: string;
  /**
   * At most 1,000 findings, sorted by line and column. If some are omitted, the findings are sorted by severity first.
   */
  readonly findings: readonly Finding[];
  /** Findings that are counted but not described, by rule. */
  readonly folded?: readonly FoldedCount[];
  /** Counts of all findings, including omitted ones. */
  readonly counts: Counts;
  /** Number of fixed findings. Undefined without --fix. */
  readonly fixed?: number;
  /** Number of accepted findings by entry key. Undefined if no findings are accepted. */
  readonly accepted?: ReadonlyMap<string, number>;
  /** Durations of the steps of the check. Undefined without --stats. */
  readonly timings?: Timings;
  /** False if the file could not be read. */
  readonly readable: boolean;
}

/** Durations of the steps for one file, in milliseconds. */
export interface Timings {
  /** Size of the file, in bytes. */
  bytes: number;
  reading: number;
  parsing: number;
  contract: number;
  /** Normalising the definition and running all rules. */
  rules: number;
  /** Locating and describing findings. */
  findings: number;
  readonly byRule: Record<string, number>;
}

/** The number of findings of a rule in a file that are not described. */
export interface FoldedCount {
  readonly rule: string;
  readonly severity: Severity;
  readonly count: number;
  /** Number of these findings that `--fix` can fix. */
  readonly fixable: number;
}

export interface Counts {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

export interface Summary extends Counts {
  readonly files: number;
}

/** Returns the number of findings that are counted but omitted from the report. */
export function omittedOf({
  counts,
  findings,
  folded = [],
}: Pick<FileReport, 'counts' | 'findings' | 'folded'>): number {
  const known = folded.reduce((sum, { count }) => sum + count, findings.length);
  return counts.errors + counts.warnings + counts.infos - known;
}

/** Compares by line and column. */
export function byLocation(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}

const ranks = { error: 0, warning: 1, info: 2 } as const;

/** Returns the order of a severity: errors, warnings, notes. */
export function severityRank(severity: Severity): number {
  return ranks[severity];
}

/** Compares by severity, then by line and column. */
export function bySeverity(a: Finding, b: Finding): number {
  return severityRank(a.severity) - severityRank(b.severity) || byLocation(a, b);
}

/** Returns a count with its noun, such as `1 error` or `2 errors`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns a text such as `2 errors, 1 warning and 3 notes in 4 files`, without zero counts. */
export function describeCounts(summary: Summary): string {
  return `${describeKinds(summary)} in ${plural(summary.files, 'file')}`;
}

/** Returns a text such as `2 errors, 1 warning and 3 notes`, without zero counts. */
export function describeKinds({ errors, warnings, infos }: Counts): string {
  const parts = [
    errors > 0 ? plural(errors, 'error') : '',
    warnings > 0 ? plural(warnings, 'warning') : '',
    infos > 0 ? plural(infos, 'note') : '',
  ].filter(Boolean);
  return listWords(parts, 'and') || 'no findings';
}

/** Joins words, for example to `a, b and c`. */
export function listWords(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/**
 * A change to the checked document: renames a property, removes a property or an item, or replaces a value. The rest of
 * the file, including its layout, does not change.
 */
export type Edit =
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'replace'; readonly path: string; readonly value: unknown };

/** A fix for a finding. Either all of its edits are applied, or none. */
export interface Fix {
  /** Title in an editor: `Rename "hnit" to "hint"`. */
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** The possible fixes for a finding. */
export interface Remedies {
  /** The only correct fix, which `--fix` applies. */
  readonly fix?: Fix;
  /** Possible fixes for a person to choose from, or a function that searches for them. */
  readonly suggestions?: readonly Fix[] | (() => readonly Fix[]);
}

export function suggestionsOf({ suggestions = [] }: Remedies): readonly Fix[] {
  return typeof suggestions === 'function' ? suggestions() : suggestions;
}

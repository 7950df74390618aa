import type { Range } from '../../json/find-in-text.js';
import type { Position, SourceLine } from '../../json/lines.js';
import type { Identity } from './accepted.js';

/** `error`: the contract is broken. `warning`: valid, but it will not work as written. `info`: advice. */
export type Severity = 'error' | 'warning' | 'info';

/** What is said about a rule, of the contract or of the linter. */
export interface DocumentedRule {
  readonly id: string;
  readonly severity: Severity;
  /** One line. */
  readonly summary: string;
  /** One paragraph: what is wrong, why it matters, what to do. */
  readonly documentation: string;
}

/** What a check has to say, before it is known where in the text that is. */
export interface Problem extends Remedies {
  readonly rule: string;
  readonly severity: Severity;
  /** JSON Pointer; the root is the empty string. */
  readonly path: string;
  /** A full sentence that names the limit and the actual value. */
  readonly message: string;
  /** Point at the property's name rather than at its value. */
  readonly atKey?: boolean;
  /** Where in the text it is, where that is known from the start. */
  readonly range?: Range;
  /** What it is about, where that is not the item at its path. */
  readonly about?: string | undefined;
}

/** A problem with its place. */
export interface Finding extends Omit<Problem, 'range' | 'about' | 'suggestions'>, Position {
  /** Likely answers that a person has to choose from, the likeliest first. */
  readonly suggestions?: readonly Fix[];
  /** The path for people, with rows and items named: `table.rows[3 "DG-2041"].status`. */
  readonly place: string;
  /** The line in question and the one before it. */
  readonly frame: readonly SourceLine[];
  /** By what it is known again; made where it was asked for. */
  readonly identity?: Identity;
}

/** A finding about a file as a whole. */
export function wholeFile(rule: string, severity: Severity, message: string): Finding {
  const position = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { rule, severity, path: '', message, place: 'the whole file', ...position, frame: [] };
}

/** Everything found in one file. */
export interface FileReport {
  /** As the user named it, or relative to the working directory; with forward slashes. */
  readonly file: string;
  /**
   * At most 1,000: by line and column, and where some are left out, errors before warnings before
   * notes.
   */
  readonly findings: readonly Finding[];
  /** Findings that are in `counts` alone, by rule: they would not be shown. */
  readonly folded?: readonly FoldedCount[];
  /** Of all findings, also those that are left out. */
  readonly counts: Counts;
  /** How many findings were fixed; undefined where nothing was to be fixed. */
  readonly fixed?: number;
  /** How often each accepted finding was there, by its key; undefined where nothing was compared with them. */
  readonly accepted?: ReadonlyMap<string, number>;
  /** Where the time went; undefined where nobody asked. */
  readonly timings?: Timings;
  /** False where the file could not be read at all. */
  readonly readable: boolean;
}

/** Where the time of one file went, in milliseconds; kept only where it was asked for. */
export interface Timings {
  /** Size of the file. */
  bytes: number;
  reading: number;
  parsing: number;
  contract: number;
  /** The linter: what the page would show of the definition, and all rules over it. */
  rules: number;
  /** Placing findings in the text and wording them. */
  findings: number;
  /** Of each rule. */
  readonly byRule: Record<string, number>;
}

/** How many findings of a rule a file has that nobody described. */
export interface FoldedCount {
  readonly rule: string;
  readonly severity: Severity;
  readonly count: number;
  /** How many of them `--fix` can fix. */
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

/** How many findings of a file are counted, but not kept. */
export function omittedOf({
  counts,
  findings,
  folded = [],
}: Pick<FileReport, 'counts' | 'findings' | 'folded'>): number {
  const known = folded.reduce((sum, { count }) => sum + count, findings.length);
  return counts.errors + counts.warnings + counts.infos - known;
}

/** The order of findings where all are shown. */
export function byPlace(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}

const ranks = { error: 0, warning: 1, info: 2 } as const;

/** Errors come before warnings, and those before notes. */
export function severityRank(severity: Severity): number {
  return ranks[severity];
}

/** The order where some are left out: errors first. */
export function bySeverity(a: Finding, b: Finding): number {
  return severityRank(a.severity) - severityRank(b.severity) || byPlace(a, b);
}

/** `1 error`, `2 errors`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `2 errors, 1 warning and 3 notes in 4 files`, leaving out what there is none of. */
export function describeCounts(summary: Summary): string {
  return `${describeKinds(summary)} in ${plural(summary.files, 'file')}`;
}

/** The same without the files. */
export function describeKinds({ errors, warnings, infos }: Counts): string {
  const parts = [
    errors > 0 ? plural(errors, 'error') : '',
    warnings > 0 ? plural(warnings, 'warning') : '',
    infos > 0 ? plural(infos, 'note') : '',
  ].filter(Boolean);
  return listWords(parts, 'and') || 'nothing to report';
}

/** `a, b and c`. */
export function listWords(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/**
 * A change of a definition, addressed in the document as it was checked: a property gets another name, a
 * property or an item goes, or a value is replaced. Nothing else of the file changes, its layout included.
 */
export type Edit =
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'replace'; readonly path: string; readonly value: unknown };

/** One way to fix a finding: all of its edits, or none. */
export interface Fix {
  /** What it does, as an editor offers it: `Rename "hnit" to "hint"`. */
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** What can be done about a finding. */
export interface Remedies {
  /** The one right answer, where there is one: `--fix` makes it. */
  readonly fix?: Fix;
  /** Likely answers that a person has to choose from; where they take a search, as a function. */
  readonly suggestions?: readonly Fix[] | (() => readonly Fix[]);
}

/** The answers of `suggestions`. */
export function suggestionsOf({ suggestions = [] }: Remedies): readonly Fix[] {
  return typeof suggestions === 'function' ? suggestions() : suggestions;
}

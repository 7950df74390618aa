import type { ContractRule } from '../contract-rules.js';
import type { FileReport, Summary } from '../findings.js';
import type { Rule } from '../rules/rule.js';

/** How a run ended, beside its counts. */
export interface Outcome extends Summary {
  /** Warnings allowed; undefined where any number is. */
  readonly maxWarnings: number | undefined;
  /** Files that could not be read. */
  readonly unreadable: number;
}

/**
 * Turns findings into text, file by file, so that what is in memory does not grow with the files:
 * `start`, then `file` for each report, then `end`. Each gives the next piece of the output.
 */
export interface Reporter {
  start(): string;
  file(report: FileReport): string;
  end(outcome: Outcome): string;
}

/** Whether warnings alone fail the run. */
export function tooManyWarnings({ warnings, maxWarnings }: Outcome): boolean {
  return maxWarnings !== undefined && warnings > maxWarnings;
}

/** `1 warning, and at most 0 are allowed (--max-warnings 0).` */
export function describeTooMany({ warnings, maxWarnings = 0 }: Outcome): string {
  const count = warnings === 1 ? '1 warning' : `${warnings} warnings`;
  return `${count}, and at most ${maxWarnings} are allowed (--max-warnings ${maxWarnings}).`;
}

export type DocumentedRule = Rule | ContractRule;

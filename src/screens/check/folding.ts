import type { Counts, Finding, FoldedCount, Severity } from './findings.js';

/** The most findings shown one by one if there are many files: of one rule, and of all of them. */
const most: Readonly<Record<Severity, { readonly ofRule: number; readonly inAll: number }>> = {
  error: { ofRule: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY },
  warning: { ofRule: 5, inAll: 25 },
  info: { ofRule: 1, inAll: 5 },
};

type OfRule = Pick<Finding, 'rule' | 'severity'>;

/** See `openFolding`. */
export type Folding = ReturnType<typeof openFolding>;

/**
 * Decides which findings of a run are shown one by one, and which are only counted: of advice a few of each
 * rule are enough to see what it is about. Errors are always shown.
 *
 * What is known not to be shown need not be described either, which takes most of the time of a file with
 * findings. A thread that checks some of the files, in their order, may ask its own folding for that: one
 * that has shown enough of a rule after a part of the files has so after all of them.
 */
export function openFolding(isOn = true) {
  const shown = { error: 0, warning: 0, info: 0 };
  const folded = { error: 0, warning: 0, info: 0 };
  const byRule = new Map<string, number>();
  /** Whether no further finding of a rule is shown. */
  const isFull = ({ rule, severity }: OfRule): boolean => {
    const bound = most[severity];
    return isOn && (shown[severity] >= bound.inAll || (byRule.get(rule) ?? 0) >= bound.ofRule);
  };
  return {
    isFull,
    shows(finding: OfRule): boolean {
      const { rule, severity } = finding;
      if (isFull(finding)) {
        folded[severity] += 1;
        return false;
      }
      byRule.set(rule, (byRule.get(rule) ?? 0) + 1);
      shown[severity] += 1;
      return true;
    },
    /** Takes note of findings that nobody has described. */
    add(counts: readonly FoldedCount[]): void {
      for (const { severity, count } of counts) folded[severity] += count;
    },
    /** How many are not shown. */
    counts: (): Counts => ({ errors: folded.error, warnings: folded.warning, infos: folded.info }),
  };
}

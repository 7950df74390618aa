import type { Finding, Severity } from '../check/findings.js';

/** Findings that are shown one by one where there are many files: of one rule, and of all of them. */
const most: Readonly<Record<Severity, { readonly ofRule: number; readonly inAll: number }>> = {
  error: { ofRule: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY },
  warning: { ofRule: 5, inAll: 25 },
  info: { ofRule: 1, inAll: 5 },
};

/**
 * Decides which findings of a run are shown one by one, and which are only counted: of advice a few of each
 * rule are enough to see what it is about. Errors are always shown.
 */
export function openFolding(isOn: boolean) {
  const shown = { error: 0, warning: 0, info: 0 };
  const folded = { error: 0, warning: 0, info: 0 };
  const byRule = new Map<string, number>();
  return {
    folded,
    shows({ rule, severity }: Pick<Finding, 'rule' | 'severity'>): boolean {
      const ofRule = byRule.get(rule) ?? 0;
      const bound = most[severity];
      if (isOn && (ofRule >= bound.ofRule || shown[severity] >= bound.inAll)) {
        folded[severity] += 1;
        return false;
      }
      byRule.set(rule, ofRule + 1);
      shown[severity] += 1;
      return true;
    },
  };
}

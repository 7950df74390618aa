/** Disturbances that a test asks of the sandbox server. Counts run down; latency stays. */
export interface Faults {
  /** Milliseconds before every answer. */
  readonly latencyMs: number;
  /** So many calls fail with HTTP 500, doing nothing. */
  readonly errors: number;
  /** So many calls lose their connection, doing nothing. */
  readonly drops: number;
  /** So many calls are done, but lose their connection before the answer. */
  readonly dropAnswers: number;
  /** So many calls are never answered. */
  readonly hangs: number;
  /** Paths that are disturbed, such as `qr/status`; empty = all. */
  readonly operations: readonly string[];
}

export type Disturbance = 'none' | 'error' | 'drop' | 'drop_answer' | 'hang';

export const noFaults: Faults = {
  latencyMs: 0,
  errors: 0,
  drops: 0,
  dropAnswers: 0,
  hangs: 0,
  operations: [],
};

const counted = [
  ['errors', 'error'],
  ['drops', 'drop'],
  ['dropAnswers', 'drop_answer'],
  ['hangs', 'hang'],
] as const;

/** What happens to a call to `path`, and the faults that remain after it. */
export function disturb(
  faults: Faults,
  path: string,
): { readonly disturbance: Disturbance; readonly latencyMs: number; readonly rest: Faults } {
  const { operations, latencyMs } = faults;
  if (operations.length > 0 && !operations.includes(path)) {
    return { disturbance: 'none', latencyMs: 0, rest: faults };
  }
  for (const [count, disturbance] of counted) {
    if (faults[count] > 0) {
      return { disturbance, latencyMs, rest: { ...faults, [count]: faults[count] - 1 } };
    }
  }
  return { disturbance: 'none', latencyMs, rest: faults };
}

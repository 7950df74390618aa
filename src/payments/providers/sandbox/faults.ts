import type * as protocol from '#validators/provider-protocol';

/** Disturbances that a test asks of the sandbox server. Counts run down; latency stays. */
export type Faults = Required<Omit<protocol.Faults, 'faults'>>;

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

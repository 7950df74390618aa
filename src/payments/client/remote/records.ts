import type { Clock } from '../../../base/clock.js';
import { compareNewestFirst, type PaymentState, positionOf } from '../../payment.js';
import type { Newest, PaymentId, PaymentRecords, PaymentRow } from '../gateway-client.js';
import { checks } from './answer-checks.js';
import type { Ask } from './ask.js';
import { newestOf } from './pages.js';
import { query } from './query.js';
import { watchRemote } from './watch.js';

export interface RemoteRecordsOptions {
  readonly clock: Clock;
  /** In the name of the session; `not_signed_in` without one. */
  ask(): Ask;
  /** Takes the session that is kept by now: somebody may have signed in again. */
  renew(): Promise<void>;
}

/** Milliseconds beside its own wait that a request may take which the gateway holds. */
const beyondWait = 10_000;
/** Milliseconds to find out whether a gateway is back. */
const shortPoll = 5_000;

/** What a gateway elsewhere has stored of the organization of a session. */
export function remoteRecords({ clock, ask, renew }: RemoteRecordsOptions): PaymentRecords {
  async function read(
    id: PaymentId,
    how: { readonly wait?: number; readonly signal?: AbortSignal },
  ) {
    const { wait, signal } = how;
    const held = wait === undefined ? '' : `?${query({ wait: String(wait) })}`;
    const timeout = wait ? wait * 1_000 + beyondWait : shortPoll;
    const { payment } = await ask().get({
      path: `api/payments/${nameOf(id)}${held}`,
      check: checks.payment,
      // Who waits asks again himself.
      ...(wait === undefined ? {} : { once: true, timeout }),
      ...(signal ? { signal } : {}),
    });
    return payment;
  }

  async function list(state: PaymentState | undefined, limit: number): Promise<Newest<PaymentRow>> {
    const { get } = ask();
    return newestOf(limit, async (after) => {
      const path = `api/payments?${query({ state, after })}`;
      const { payments: rows, hasMore } = await get({ path, check: checks.payments });
      return { rows, hasMore };
    });
  }

  return {
    find: (payment) => read(payment, {}),
    waitForOutcome: (payment, options) =>
      watchRemote(
        { clock, renew, read: (wait, signal) => read(payment, { wait, signal }) },
        options,
      ),
    async payments({ states, limit }) {
      const wanted = new Set(states);
      if (wanted.size === stateCount) return list(undefined, limit);
      const lists: Newest<PaymentRow>[] = [];
      for (const state of wanted) lists.push(await list(state, limit));
      const rows = sorted(lists.flatMap(({ rows }) => rows));
      const more = rows.length > limit || lists.some((each) => each.more);
      return { rows: rows.slice(0, limit), more };
    },
    async refunds({ only, paymentId, limit }) {
      const { get } = ask();
      const { rows, more } = await newestOf(limit, async (after) => {
        const path = `api/refunds?${query({ state: only, paymentId, after })}`;
        const { refunds: rows, hasMore } = await get({ path, check: checks.refunds });
        return { rows, hasMore };
      });
      return { rows: rows.map(({ cursor, ...row }) => row), more };
    },
    async intents({ state, kinds, paymentId, limit }) {
      const { get } = ask();
      const kind = kinds.length === 1 ? kinds[0] : undefined;
      const { rows, more } = await newestOf(
        limit,
        async (after) => {
          const path = `api/intents?${query({ state, kind, paymentId, after })}`;
          const { intents: rows, hasMore } = await get({ path, check: checks.intents });
          return { rows, hasMore };
        },
        (row) => kinds.includes(row.kind),
      );
      return { rows: rows.map(({ cursor, ...row }) => row), more };
    },
    report: async (day) =>
      ask().get({ path: `api/report?${query({ day })}`, check: checks.report }),
    async closeIntent(intent) {
      const path = `api/intents/${encodeURIComponent(intent)}/close`;
      return (await ask().post({ path, body: {}, check: checks.intent })).intent;
    },
    // Who answers is a `serve`.
    isWatched: async () => true,
  };
}

/** Open, ended, unknown. */
const stateCount = 3;

function nameOf({ id, type }: PaymentId): string {
  return encodeURIComponent(type === undefined ? id : `${type}:${id}`);
}

function sorted(rows: readonly PaymentRow[]): PaymentRow[] {
  const placed = rows.map((row) => ({ row, ...positionOf(row.cursor) }));
  return placed.sort(compareNewestFirst).map(({ row }) => row);
}

import type { PaymentRow } from '#validators/gateway';
import * as validators from '#validators/gateway';
import type { Clock } from '../../base/clock.js';
import { AppError, type ErrorCode } from '../../base/errors.js';
import { compareNewestFirst, type PaymentState, positionOf } from '../payment.js';
import type { Waited, WaitOptions } from '../watching/wait-for-outcome.js';
import type { Newest, PaymentId, PaymentRecords } from './gateway-client.js';
import { ConnectionFailure } from './remote-failures.js';
import { type Ask, query } from './remote-transport.js';

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
    const { payment } = await ask()({
      path: `api/payments/${nameOf(id)}${held}`,
      check: validators.PaymentRead,
      // Who waits asks again himself.
      ...(wait === undefined ? {} : { once: true, timeout }),
      ...(signal ? { signal } : {}),
    });
    return payment;
  }

  async function list(state: PaymentState | undefined, limit: number): Promise<Newest<PaymentRow>> {
    const get = ask();
    return newestOf(limit, async (after) => {
      const path = `api/payments?${query({ state, after })}`;
      const { payments: rows, hasMore } = await get({ path, check: validators.PaymentPage });
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
      const get = ask();
      const { rows, more } = await newestOf(limit, async (after) => {
        const path = `api/refunds?${query({ state: only, paymentId, after })}`;
        const { refunds: rows, hasMore } = await get({ path, check: validators.RefundPage });
        return { rows, hasMore };
      });
      return { rows: rows.map(({ cursor, ...row }) => row), more };
    },
    async intents({ state, kinds, paymentId, limit }) {
      const get = ask();
      const kind = kinds?.length === 1 ? kinds[0] : undefined;
      const { rows, more } = await newestOf(
        limit,
        async (after) => {
          const path = `api/intents?${query({ state, kind, paymentId, after })}`;
          const { intents: rows, hasMore } = await get({ path, check: validators.IntentPage });
          return { rows, hasMore };
        },
        (row) => kinds?.includes(row.kind) ?? true,
      );
      return { rows: rows.map(({ cursor, ...row }) => row), more };
    },
    report: async (day) =>
      ask()({ path: `api/report?${query({ day })}`, check: validators.DayReport }),
    async closeIntent(intent) {
      const path = `api/intents/${encodeURIComponent(intent)}/close`;
      return (await ask()({ path, body: {}, check: validators.IntentClosed })).intent;
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

/** A page of a list: its rows, each with the cursor of what is behind it. */
interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

interface Listed {
  readonly cursor?: string | undefined;
}

/** The most rows of one list from a remote gateway, far more than it keeps of a shop. */
const mostRows = 1_000_000;

/** The newest of a list that is read page by page, each from behind the last row of the one before. */
async function newestOf<Row extends Listed>(
  limit: number,
  readPage: (after: string | undefined) => Promise<Page<Row>>,
  isWanted: (row: Row) => boolean = () => true,
): Promise<Newest<Row>> {
  const rows: Row[] = [];
  let read = 0;
  for (let after: string | undefined; ; ) {
    const page = await readPage(after);
    read += page.rows.length;
    rows.push(...page.rows.filter(isWanted));
    if (rows.length > limit || !page.hasMore) {
      return { rows: rows.slice(0, limit), more: rows.length > limit };
    }
    const next = page.rows.at(-1)?.cursor;
    if (next === undefined || next === after || read >= mostRows) throw endless();
    after = next;
  }
}

function endless(): AppError {
  return new AppError('too_large', 'The gateway gives a list that does not end.', {
    hint: 'Ask for fewer rows with --limit.',
  });
}

interface RemoteWatch {
  readonly clock: Clock;
  /** The payment as soon as it has changed, after `wait` seconds at the latest. */
  read(wait: number, signal: AbortSignal): Promise<PaymentRow>;
  /** Called after the session has ended. */
  renew(): Promise<void>;
}

/** Seconds that a remote gateway is asked to hold a request for a payment; it accepts no longer ones. */
const longestWait = 25;
/** Milliseconds after a failure before a gateway is asked again; it is asked at least every 5 s. */
const pause = 2_000;

/**
 * Follows a payment at a gateway until it is no longer open or the signal aborts. A gateway that is away is asked again
 * until it is back: what it answers proves nothing before.
 */
async function watchRemote(
  { clock, read, renew }: RemoteWatch,
  { signal, onChange, onPoll }: WaitOptions<PaymentRow>,
): Promise<Waited<PaymentRow>> {
  let payment: PaymentRow | undefined;
  // Without a wait at first, and after a failure: whether it is back is seen at once.
  let wait = 0;
  while (!signal.aborted && (payment === undefined || payment.state === 'open')) {
    try {
      const seen = await read(wait, signal);
      onPoll?.(undefined);
      if (JSON.stringify(seen) !== JSON.stringify(payment)) onChange?.(seen);
      payment = seen;
      wait = longestWait;
    } catch (error) {
      if (signal.aborted) break;
      if (!(error instanceof AppError) || !passes(error)) throw error;
      onPoll?.(error);
      wait = 0;
      await clock.sleep(pause, signal);
      if (error.code === 'not_signed_in') await renew();
    }
  }
  if (!payment) throw new AppError('interrupted', 'Interrupted.');
  return { payment, endedHere: false };
}

/** Failures that say nothing of the payment and may be over the next time. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'not_signed_in',
  'rate_limited',
  'request_timeout',
]);

function passes(error: AppError): boolean {
  return error instanceof ConnectionFailure || error.status >= 500 || passing.has(error.code);
}

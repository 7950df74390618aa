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
  /** Returns the calls of the session. Throws `not_signed_in` if there is no session. */
  ask(): Ask;
  /** Loads the stored session again, because a cashier may have signed in since. */
  renew(): Promise<void>;
}

/** Additional time limit of a long-polling request beyond its wait, in milliseconds. */
const beyondWait = 10_000;
/** Time limit of a request that checks whether a gateway is available again, in milliseconds. */
const shortPoll = 5_000;

/** Returns the records of a session's organization at a remote gateway. */
export function remoteRecords({ clock, ask, renew }: RemoteRecordsOptions): PaymentRecords {
  async function read(
    id: PaymentId,
    options: { readonly wait?: number; readonly signal?: AbortSignal },
  ) {
    const { wait, signal } = options;
    const search = wait === undefined ? '' : `?${query({ wait: String(wait) })}`;
    const timeout = wait ? wait * 1_000 + beyondWait : shortPoll;
    const { payment } = await ask()({
      path: `api/payments/${nameOf(id)}${search}`,
      check: validators.PaymentRead,
      // A waiting caller retries on its own schedule.
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
      const requested = new Set(states);
      if (requested.size === stateCount) return list(undefined, limit);
      const lists: Newest<PaymentRow>[] = [];
      for (const state of requested) lists.push(await list(state, limit));
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
    // A remote gateway is a running `serve`.
    isWatched: async () => true,
  };
}

/** The states are open, ended and unknown. */
const stateCount = 3;

function nameOf({ id, type }: PaymentId): string {
  return encodeURIComponent(type === undefined ? id : `${type}:${id}`);
}

function sorted(rows: readonly PaymentRow[]): PaymentRow[] {
  const positioned = rows.map((row) => ({ row, ...positionOf(row.cursor) }));
  return positioned.sort(compareNewestFirst).map(({ row }) => row);
}

/** A page of a list. */
interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

interface Listed {
  /** The next page begins after this row. */
  readonly cursor?: string | undefined;
}

/** Maximum number of rows that are read from one list of a remote gateway, far more than a shop has. */
const maxRows = 1_000_000;

/** Reads a list page by page, up to the limit. */
async function newestOf<Row extends Listed>(
  limit: number,
  readPage: (after: string | undefined) => Promise<Page<Row>>,
  matches: (row: Row) => boolean = () => true,
): Promise<Newest<Row>> {
  const rows: Row[] = [];
  let read = 0;
  for (let after: string | undefined; ; ) {
    const page = await readPage(after);
    read += page.rows.length;
    rows.push(...page.rows.filter(matches));
    if (rows.length > limit || !page.hasMore) {
      return { rows: rows.slice(0, limit), more: rows.length > limit };
    }
    const next = page.rows.at(-1)?.cursor;
    if (next === undefined || next === after || read >= maxRows) throw endless();
    after = next;
  }
}

function endless(): AppError {
  return new AppError('too_large', 'The list from the gateway does not end.', {
    hint: 'Request fewer rows with --limit.',
  });
}

interface RemoteWatch {
  readonly clock: Clock;
  /** Returns the payment when it changes, or after `wait` seconds. */
  read(wait: number, signal: AbortSignal): Promise<PaymentRow>;
  /** Called when the session has ended. */
  renew(): Promise<void>;
}

/** Wait that is requested from a remote gateway, in seconds: the maximum that it accepts. */
const maxWait = 25;
/** Pause between a failed request for a payment and the next attempt, in milliseconds. */
const pause = 2_000;

/** Follows a payment until it is no longer open or the signal aborts. Retries while the gateway is unavailable. */
async function watchRemote(
  { clock, read, renew }: RemoteWatch,
  { signal, onChange, onPoll }: WaitOptions<PaymentRow>,
): Promise<Waited<PaymentRow>> {
  let payment: PaymentRow | undefined;
  // The first request, and every request after a failure, returns immediately.
  let wait = 0;
  while (!signal.aborted && (payment === undefined || payment.state === 'open')) {
    try {
      const seen = await read(wait, signal);
      onPoll?.(undefined);
      if (JSON.stringify(seen) !== JSON.stringify(payment)) onChange?.(seen);
      payment = seen;
      wait = maxWait;
    } catch (error) {
      if (signal.aborted) break;
      if (!(error instanceof AppError) || !isTemporary(error)) throw error;
      onPoll?.(error);
      wait = 0;
      await clock.sleep(pause, signal);
      if (error.code === 'not_signed_in') await renew();
    }
  }
  if (!payment) throw new AppError('interrupted', 'Interrupted.');
  return { payment, endedHere: false };
}

/** Codes of temporary failures that are unrelated to the payment. */
const temporary: ReadonlySet<ErrorCode> = new Set([
  'not_signed_in',
  'rate_limited',
  'request_timeout',
]);

function isTemporary(error: AppError): boolean {
  return error instanceof ConnectionFailure || error.status >= 500 || temporary.has(error.code);
}

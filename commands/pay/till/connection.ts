import { AppError } from '../../../src/base/errors.js';
import { every } from '../../../src/base/every.js';
import { lazy } from '../../../src/base/single-flight.js';
import type {
  CashierCalls,
  PaymentRecords,
  SessionPair,
} from '../../../src/payments/client/gateway-client.js';
import type { TillEvent, TillState } from '../../../src/terminal/till/till-types.js';
import type { PayContext } from '../pay-context.js';
import { tillFailure, tillPayment } from './till-rows.js';

/** Milliseconds between two questions whether the gateway answers. */
const interval = 3000;

/** The most open payments that a till adopts when it starts. */
const mostTakenIn = 50;

export interface ConnectionOptions {
  readonly pay: PayContext;
  readonly session: TillSession;
  state(): TillState;
  onEvent(event: TillEvent): void;
}

/** Who is at the till, what is open, and whether the gateway answers. */
export interface Connection {
  /** Finds out who is signed in and what is open already. Never rejects. */
  open(): Promise<void>;
  /** Asks again and again until the signal aborts: a gateway on another machine always, one here while it is away. */
  run(signal: AbortSignal): Promise<void>;
  /** Asks at once. */
  again(): void;
}

export function createConnection({ pay, session, state, onEvent }: ConnectionOptions): Connection {
  const { clock } = pay.context;
  let isOpened = false;
  let isAsking = false;

  async function open(): Promise<void> {
    try {
      const cashier = await session.cashier();
      const { orgName, phone, organizationId } = await cashier.facts();
      onEvent({ on: 'signed_in', shop: orgName, phone });
      const query = { states: ['open'] as const, limit: mostTakenIn };
      const { rows } = await session.records().payments(query);
      const own = rows.filter((row) => row.organizationId === organizationId);
      isOpened = true;
      onEvent({ on: 'opened', payments: own.map((row) => tillPayment(row, { orgName })) });
    } catch (error) {
      report(error);
    }
  }

  function report(error: unknown): void {
    const failure = tillFailure(error);
    if (failure.kind === 'away') onEvent({ on: 'connection', away: failure.text });
    else if (failure.kind !== 'signed_out') onEvent({ on: 'failed', failure });
    else if (!state().staysOut) onEvent({ on: 'signed_out' });
  }

  async function ask(): Promise<void> {
    const isAway = state().away !== undefined;
    if (isAsking || (!isAway && pay.gateway.origin === undefined)) return;
    isAsking = true;
    try {
      await session.records().payments({ states: ['open'], limit: 1 });
      onEvent({ on: 'connection', away: undefined });
      if (!isOpened && state().signingIn === undefined) await open();
    } catch (error) {
      const failure = tillFailure(error);
      // That nobody is signed in is an answer, too.
      const away = failure.kind === 'away' ? failure.text : undefined;
      onEvent({ on: 'connection', away });
    } finally {
      isAsking = false;
    }
  }

  return {
    open,
    run: (signal) => every(interval, () => void ask(), { clock, signal, sleepFirst: true }),
    again: () => void ask(),
  };
}

/** Who is signed in at the till just now. */
export interface TillSession {
  /** `not_signed_in` where nobody is, or where the session counts for nothing. */
  cashier(): Promise<CashierCalls>;
  /** What that session may see. */
  records(): PaymentRecords;
  /** Whose calls are made from now on. */
  use(pair: SessionPair): void;
}

/** The session that the till begins with; a sign-in in place replaces it. */
export function createTillSession(
  { gateway }: Pick<PayContext, 'gateway'>,
  first: SessionPair | undefined,
): TillSession {
  let pair = first;
  let calls = callsOf(first);

  function callsOf(session: SessionPair | undefined) {
    return lazy(async () => {
      if (!session) throw new AppError('not_signed_in', 'Nobody is signed in.');
      return gateway.cashier(session);
    });
  }

  return {
    cashier: () => calls.get(),
    records: () => gateway.records(pair),
    use(next) {
      pair = next;
      calls = callsOf(next);
    },
  };
}

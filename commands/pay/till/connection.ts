import { AppError } from '../../../src/base/errors.js';
import { every } from '../../../src/base/every.js';
import { lazy } from '../../../src/base/single-flight.js';
import type { SessionPair } from '../../../src/payments/client/gateway-client.js';
import type { TillEvent, TillState } from '../../../src/terminal/till/till-types.js';
import type { PayContext } from '../pay-context.js';
import { tillFailure, tillPayment } from './till-rows.js';

/** Milliseconds between two checks of the connection to the gateway. */
const interval = 3000;

/** The most open payments that a till adopts when it starts. */
const maxAdopted = 50;

export interface ConnectionOptions {
  readonly pay: PayContext;
  readonly session: TillSession;
  state(): TillState;
  onEvent(event: TillEvent): void;
}

/** Reports who is signed in, which payments are open, and whether the gateway answers. */
export function createConnection({ pay, session, state, onEvent }: ConnectionOptions) {
  const { clock } = pay.context;
  let isOpened = false;
  let isAsking = false;

  async function open(): Promise<void> {
    try {
      const cashier = await session.cashier();
      const { orgName, phone, organizationId } = await cashier.facts();
      onEvent({ on: 'signed_in', shop: orgName, phone });
      const query = { states: ['open'] as const, limit: maxAdopted };
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
      // An error such as not_signed_in is also an answer.
      const away = failure.kind === 'away' ? failure.text : undefined;
      onEvent({ on: 'connection', away });
    } finally {
      isAsking = false;
    }
  }

  return {
    /** Reports the signed-in cashier and the open payments. Never rejects. */
    open,
    /** Checks the connection until the signal aborts: always for a remote gateway, and for a local one after a failure. */
    run: (signal: AbortSignal) =>
      every(interval, () => void ask(), { clock, signal, sleepFirst: true }),
    /** Checks the connection now. */
    again: () => void ask(),
  };
}

export type TillSession = ReturnType<typeof createTillSession>;

/** Creates the till's session, which a sign-in at the till replaces. */
export function createTillSession(
  { gateway }: Pick<PayContext, 'gateway'>,
  first: SessionPair | undefined,
) {
  let pair = first;
  let calls = callsOf(first);

  function callsOf(session: SessionPair | undefined) {
    return lazy(async () => {
      if (!session) throw new AppError('not_signed_in', 'Nobody is signed in.');
      return gateway.cashier(session);
    });
  }

  return {
    /** Returns the cashier's calls; throws `not_signed_in` without a valid session. */
    cashier: () => calls.get(),
    /** Returns the records that the session may see. */
    records: () => gateway.records(pair),
    /** Replaces the session. */
    use(next: SessionPair): void {
      pair = next;
      calls = callsOf(next);
    },
  };
}

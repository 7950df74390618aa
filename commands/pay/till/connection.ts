import { AppError } from '../../../src/base/errors.js';
import { every } from '../../../src/base/every.js';
import { lazy } from '../../../src/base/single-flight.js';
import type { SessionPair } from '../../../src/payments/client/gateway-client.js';
import type { TillEvent, TillState } from '../../../src/terminal/till/till-types.js';
import type { PayContext } from '../pay-context.js';
import { tillFailure, tillPayment } from './till-rows.js';

/** Interval between two checks of the connection to the gateway, in milliseconds. */
const interval = 3000;

/** Maximum number of open payments that a till adopts at startup. */
const maxAdopted = 50;

export interface ConnectionOptions {
  readonly pay: PayContext;
  readonly session: TillSession;
  state(): TillState;
  onEvent(event: TillEvent): void;
}

/** Reports the signed-in cashier, the open payments, and whether the gateway responds. */
export function createConnection({ pay, session, state, onEvent }: ConnectionOptions) {
  const { clock } = pay.context;
  let isOpened = false;
  let isChecking = false;

  async function open(): Promise<void> {
    try {
      const cashier = await session.cashier();
      const { orgName, phone, organizationId } = await cashier.facts();
      onEvent({ on: 'signed_in', shop: orgName, phone });
      const query = { states: ['open'] as const, limit: maxAdopted };
      const { rows } = await session.records().payments(query);
      const payments = rows.filter((row) => row.organizationId === organizationId);
      isOpened = true;
      onEvent({ on: 'opened', payments: payments.map((row) => tillPayment(row, { orgName })) });
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

  async function check(): Promise<void> {
    const isAway = state().away !== undefined;
    if (isChecking || (!isAway && pay.gateway.origin === undefined)) return;
    isChecking = true;
    try {
      await session.records().payments({ states: ['open'], limit: 1 });
      onEvent({ on: 'connection', away: undefined });
      if (!isOpened && state().signingIn === undefined) await open();
    } catch (error) {
      const failure = tillFailure(error);
      // An error such as not_signed_in also shows that the gateway responds.
      const away = failure.kind === 'away' ? failure.text : undefined;
      onEvent({ on: 'connection', away });
    } finally {
      isChecking = false;
    }
  }

  return {
    /** Reports the signed-in cashier and the open payments. Never rejects. */
    open,
    /** Checks the connection to a remote gateway, and to a local one after a failure, until the signal aborts. */
    run: (signal: AbortSignal) =>
      every(interval, () => void check(), { clock, signal, sleepFirst: true }),
    /** Checks the connection immediately. */
    again: () => void check(),
  };
}

export type TillSession = ReturnType<typeof createTillSession>;

/** Creates the till's session. A sign-in at the till replaces it. */
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
    /** Returns the cashier's calls. Throws `not_signed_in` if there is no valid session. */
    cashier: () => calls.get(),
    /** Returns the records that the session may access. */
    records: () => gateway.records(pair),
    /** Replaces the session. */
    use(next: SessionPair): void {
      pair = next;
      calls = callsOf(next);
    },
  };
}

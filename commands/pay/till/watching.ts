import pLimit from 'p-limit';
import type { PaymentRow } from '#validators/gateway';
import type { Clock } from '../../../src/base/clock.js';
import type {
  GatewayClient,
  PaymentId,
  PaymentRecords,
} from '../../../src/payments/client/gateway-client.js';
import type { TillEvent } from '../../../src/terminal/till/till-types.js';
import { tillFailure, tillPayment } from './till-rows.js';

/** Maximum number of payments that a till watches concurrently. Others wait in a queue. */
const maxWatched = 50;

/** Delay before a failed wait for a payment is retried, in milliseconds. */
const pause = 3000;

export interface WatchingOptions {
  /** Returns the records that the current session may access. */
  records(): PaymentRecords;
  readonly gateway: Pick<GatewayClient, 'sendWebhooks'>;
  readonly clock: Clock;
  onEvent(event: TillEvent): void;
}

/** Waits for the outcomes of all open payments of the shift, whichever screen is shown. */
export function createWatching({ records, gateway, clock, onEvent }: WatchingOptions) {
  const limit = pLimit(maxWatched);
  const ending = new AbortController();
  const rounds = new Set<AbortController>();
  const running = new Set<Promise<void>>();
  let unsent = 0;

  async function follow(id: PaymentId): Promise<void> {
    const key = `${id.organizationId}-${id.type}-${id.id}`;
    while (!ending.signal.aborted) {
      const round = new AbortController();
      rounds.add(round);
      try {
        const { signal } = round;
        const { payment, endedHere } = await records().waitForOutcome(id, {
          signal,
          onChange: (row) => onEvent({ on: 'changed', payment: tillPayment(row) }),
          onPoll: (failure) =>
            onEvent({ on: 'polled', key, failure: failure && tillFailure(failure) }),
        });
        if (payment.state !== 'open') {
          onEvent({ on: 'changed', payment: tillPayment(payment) });
          if (endedHere) await send(payment);
          return;
        }
      } catch (error) {
        if (ending.signal.aborted) return;
        onEvent({ on: 'polled', key, failure: tillFailure(error) });
        await clock.sleep(pause, round.signal);
      } finally {
        rounds.delete(round);
      }
    }
  }

  /** Sends the webhooks of a payment whose outcome this process recorded. */
  async function send(payment: PaymentRow): Promise<void> {
    try {
      const attempts = await gateway.sendWebhooks(payment, ending.signal);
      unsent += attempts.filter(({ error }) => error !== null).length;
    } catch {
      // The deliveries are stored, so the next serve sends them.
      unsent += 1;
    }
  }

  return {
    add(payments: readonly PaymentId[]): void {
      for (const id of payments) {
        const following = limit(() => follow(id)).finally(() => running.delete(following));
        running.add(following);
      }
    },
    /** Polls all payments immediately, after a sign-in or after the machine was suspended. */
    again(): void {
      for (const round of rounds) round.abort();
    },
    /** Stops waiting. The payments stay open. */
    async close(): Promise<void> {
      ending.abort();
      limit.clearQueue();
      for (const round of rounds) round.abort();
      await Promise.race([Promise.allSettled(running), clock.sleep(300)]);
    },
    /** The number of webhooks that could not be sent; the next `serve` sends them. */
    get unsent(): number {
      return unsent;
    },
  };
}

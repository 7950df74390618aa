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

/** The most payments that a till watches at once; further ones wait their turn. */
const mostWatched = 50;

/** Milliseconds after a failure before a payment is waited for again. */
const pause = 3000;

export interface WatchingOptions {
  /** As the session of the moment sees them. */
  records(): PaymentRecords;
  readonly gateway: Pick<GatewayClient, 'sendWebhooks'>;
  readonly clock: Clock;
  onEvent(event: TillEvent): void;
}

/** Waits for the outcome of every open payment of the shift, whatever is on the screen. */
export interface Watching {
  add(payments: readonly PaymentId[]): void;
  /** Polls all of them at once: somebody has signed in, or the machine has slept. */
  again(): void;
  /** Ends the waiting, not the payments. */
  close(): Promise<void>;
  /** Webhooks that could not be sent; the next `serve` sends them. */
  readonly unsent: number;
}

export function createWatching({ records, gateway, clock, onEvent }: WatchingOptions): Watching {
  const limit = pLimit(mostWatched);
  const ending = new AbortController();
  const rounds = new Set<AbortController>();
  const running = new Set<Promise<void>>();
  let unsent = 0;

  async function follow(id: PaymentId, keyOf: (row?: PaymentRow) => string): Promise<void> {
    while (!ending.signal.aborted) {
      const round = new AbortController();
      rounds.add(round);
      try {
        const { signal } = round;
        const { payment, endedHere } = await records().waitForOutcome(id, {
          signal,
          onChange: (row) => onEvent({ on: 'changed', payment: tillPayment(row) }),
          onPoll: (failure) =>
            onEvent({ on: 'polled', key: keyOf(), failure: failure && tillFailure(failure) }),
        });
        if (payment.state !== 'open') {
          onEvent({ on: 'changed', payment: tillPayment(payment) });
          if (endedHere) await send(payment);
          return;
        }
      } catch (error) {
        if (ending.signal.aborted) return;
        onEvent({ on: 'polled', key: keyOf(), failure: tillFailure(error) });
        await clock.sleep(pause, round.signal);
      } finally {
        rounds.delete(round);
      }
    }
  }

  /** The first attempts, where no running `serve` makes them. */
  async function send(payment: PaymentRow): Promise<void> {
    try {
      const attempts = await gateway.sendWebhooks(payment, ending.signal);
      unsent += attempts.filter(({ error }) => error !== null).length;
    } catch {
      // Their deliveries are stored: the next serve sends what this one could not even begin.
      unsent += 1;
    }
  }

  return {
    add(payments) {
      for (const id of payments) {
        const key = `${id.organizationId}-${id.type}-${id.id}`;
        const following = limit(() => follow(id, () => key)).finally(() =>
          running.delete(following),
        );
        running.add(following);
      }
    },
    again() {
      for (const round of rounds) round.abort();
    },
    async close() {
      ending.abort();
      limit.clearQueue();
      for (const round of rounds) round.abort();
      await Promise.race([Promise.allSettled(running), clock.sleep(300)]);
    },
    get unsent() {
      return unsent;
    },
  };
}

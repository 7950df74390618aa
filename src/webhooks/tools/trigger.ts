import type { Clock } from '../../base/clock.js';
import type { PrivateAddresses } from '../delivering/address-guard.js';
import { buildRequest } from '../delivering/request.js';
import { createSender, type SendResult } from '../delivering/sender.js';
import { eventIdOf, type PaymentEvent } from '../event.js';
import type { Subscription } from '../subscriptions/subscription.js';

/** Where a sample is sent. */
export type SampleTarget = Pick<Subscription, 'url' | 'displayUrl' | 'keys'> &
  Partial<Pick<Subscription, 'headers'>>;

export interface SampleResult extends Omit<SendResult, 'retryAfter'> {
  readonly url: string;
  readonly signed: boolean;
  readonly ok: boolean;
}

export interface TriggerOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly privateAddresses: PrivateAddresses;
  readonly signal: AbortSignal;
}

/** Sends an event to each target once, all at the same time; nothing is stored or tried again. */
export async function sendSample(
  event: PaymentEvent,
  targets: readonly SampleTarget[],
  { clock, timeoutMs, privateAddresses, signal }: TriggerOptions,
): Promise<readonly SampleResult[]> {
  const { occurredAt: _, ...facts } = event;
  const delivery = { eventId: eventIdOf(facts), facts, attempts: [] };
  const sender = createSender({ clock, timeoutMs, privateAddresses });
  try {
    return await Promise.all(
      targets.map(async (target) => {
        const { displayUrl, keys } = target;
        const sentAt = clock.now();
        const startedAt = clock.monotonic();
        const request = buildRequest(delivery, { ...target, sentAt, replay: false });
        const { status, error, response, durationMs } = (await sender.send(request, signal)) ?? {
          ...{ status: null, error: 'interrupted', response: null },
          durationMs: Math.round(clock.monotonic() - startedAt),
        };
        const sample = { url: displayUrl, signed: keys.length > 0, ok: error === null };
        return { ...sample, status, error, response, durationMs };
      }),
    );
  } finally {
    sender.close();
  }
}

import type { Clock } from '../../base/clock.js';
import type { PrivateAddresses } from '../delivering/address-guard.js';
import { failureOf } from '../delivering/outcome.js';
import { buildRequest } from '../delivering/request.js';
import { createSender } from '../delivering/sender.js';
import { eventIdOf, type PaymentEvent } from '../event.js';
import type { SigningKey } from '../signature.js';

/** Where a sample is sent. */
export interface SampleTarget {
  readonly url: string;
  /** The address as it may be shown. */
  readonly displayUrl: string;
  readonly key: SigningKey | null;
}

export interface SampleResult {
  readonly url: string;
  readonly signed: boolean;
  readonly ok: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
  readonly durationMs: number;
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
      targets.map(async ({ url, displayUrl, key }) => {
        const told = { url: displayUrl, signed: key !== null };
        const sentAt = clock.now();
        const startedAt = clock.monotonic();
        const request = buildRequest(delivery, { url, key, sentAt, replay: false });
        const result = await sender.send(request, signal);
        if (!result) {
          const durationMs = Math.round(clock.monotonic() - startedAt);
          const nothing = { status: null, response: null, durationMs };
          return { ...told, ok: false, error: 'interrupted', ...nothing };
        }
        const error = failureOf(result);
        const { status, response, durationMs } = result;
        return { ...told, ok: error === null, status, error, response, durationMs };
      }),
    );
  } finally {
    sender.close();
  }
}

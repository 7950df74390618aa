import type { Clock } from '../../src/base/clock.js';
import { AppError, exitCodes } from '../../src/base/errors.js';
import { silentLog } from '../../src/base/log.js';
import type { Config } from '../../src/config/config.js';
import type { EventName } from '../../src/events/event.js';
import { eventIdOf, eventNames, type PaymentEvent } from '../../src/events/event.js';
import { subscribersOf } from '../../src/events/subscription.js';
import { readAmount } from '../../src/payments/amount.js';
import { oneLine } from '../../src/terminal/table.js';
import type { PrivateAddresses } from '../../src/webhooks/delivering/guarded-lookup.js';
import { buildRequest } from '../../src/webhooks/delivering/request.js';
import { createWebhookSender, type SendResult } from '../../src/webhooks/delivering/sender.js';
import {
  type Subscription,
  withoutCredentials,
} from '../../src/webhooks/subscriptions/subscription-file.js';
import { openSubscriptions } from '../../src/webhooks/subscriptions/subscription-source.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { readChoice, readText } from '../flags.js';
import { settingsOf } from '../taken-settings.js';
import { assertAddress } from './filter-flags.js';
import { readKeys, secretFlags } from './secret-flags.js';

const types = ['qr', 'invoice'] as const;

export const command: Command = {
  description:
    'Send a sample event to matching subscriptions or to --url. It is sent once and not stored.',
  arguments: [{ name: '<event>', description: eventNames.join(', '), choices: eventNames }],
  options: [
    { flags: '--url <url>', description: 'send to this address instead' },
    ...secretFlags,
    { flags: '--type <type>', description: 'payment type (default qr)', choices: types },
    { flags: '--amount <tenge>', description: 'amount (default 1500)' },
    { flags: '--payment <id>', description: 'payment ID (default: a new one each time)' },
    ...configOptions(...settingsOf('webhooks trigger')),
  ],
  examples: [
    {
      command: 'msgsite webhooks trigger payment.success',
      description: 'Test every receiver in webhooks.json',
    },
    {
      command:
        'msgsite webhooks trigger payment.failed --url http://127.0.0.1:4000/ --secret-file secret.txt',
      description: 'Test one address with a signature',
    },
  ],
  async run(context, input) {
    const config = configOf(context, input);
    const event = sampleEvent(readSample(context, input));
    const targets = await findTargets(context, input, { config, event });
    const { clock, signal, output } = context;
    const results = await sendSample(event, targets, {
      clock,
      signal,
      timeoutMs: config.webhookTimeout,
      privateAddresses: config.webhookPrivate,
    });
    const { event: name, paymentId } = event;
    output.result({ event: name, paymentId, results }, () =>
      results.map((result) => describe(context, result)).join('\n'),
    );
    if (signal.aborted) return exitCodes.interrupted;
    return results.every(({ ok }) => ok) ? exitCodes.done : exitCodes.failure;
  },
};

function readSample({ clock }: CommandContext, input: CommandInput) {
  const [name] = input.arguments;
  const event = eventNames.find((known) => known === name);
  if (!event) {
    throw new AppError('usage', `Unknown event: ${String(name)}.`, {
      hint: `Events: ${eventNames.join(', ')}.`,
    });
  }
  const amount = readAmount(readText(input, 'amount') ?? '1500');
  const now = clock.now();
  const paymentId = readText(input, 'payment') ?? `sample-${now}`;
  const type = readChoice(input, 'type', types) ?? 'qr';
  return { event, type, paymentId, amount, now } as const;
}

async function findTargets(
  context: CommandContext,
  input: CommandInput,
  { config, event }: { config: Config; event: PaymentEvent },
): Promise<readonly SampleTarget[]> {
  const url = readText(input, 'url');
  if (url !== undefined) {
    assertAddress('--url', url);
    const keys = await readKeys(context, input);
    return [{ url, displayUrl: withoutCredentials(url), keys }];
  }
  const { env: environment, clock } = context;
  const file = config.webhooks;
  const source = await openSubscriptions({ file, environment, clock, log: silentLog() });
  // A sample has no organization, so filters by organization are ignored.
  const unfiltered = source
    .current()
    .map((each) => ({ ...each, filter: { ...each.filter, organizations: undefined } }));
  const targets = subscribersOf(unfiltered, event);
  if (targets.length > 0) return targets;
  throw new AppError('refused', `No subscription in ${file} matches ${event.event}.`, {
    hint: 'Add a subscription as described in docs/payments/webhooks.md, or use --url to send the event to an address.',
  });
}

function describe({ output }: CommandContext, result: SampleResult): string {
  const { green, red, dim } = output.colors;
  const mark = result.ok ? green('✓') : red('✗');
  const signed = result.signed ? '' : dim(' unsigned');
  const outcome = oneLine(`${result.url}  ${result.error ?? `HTTP ${result.status}`}`);
  const line = `${mark} ${outcome}${signed}`;
  const response = oneLine(result.response ?? '').slice(0, 200);
  const time = dim(` (${result.durationMs} ms)`);
  return response ? `${line}${time}\n  ${dim(response)}` : `${line}${time}`;
}

/** The receiver of a sample. */
type SampleTarget = Pick<Subscription, 'url' | 'displayUrl' | 'keys'> &
  Partial<Pick<Subscription, 'headers'>>;

interface SampleResult extends Omit<SendResult, 'retryAfter'> {
  readonly url: string;
  readonly signed: boolean;
  readonly ok: boolean;
}

interface TriggerOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly privateAddresses: PrivateAddresses;
  readonly signal: AbortSignal;
}

/** Sends an event to all targets concurrently. Stores nothing and does not retry. */
async function sendSample(
  event: PaymentEvent,
  targets: readonly SampleTarget[],
  { clock, timeoutMs, privateAddresses, signal }: TriggerOptions,
): Promise<readonly SampleResult[]> {
  const { occurredAt: _, ...facts } = event;
  const delivery = { eventId: eventIdOf(facts), facts, attempts: [] };
  const sender = createWebhookSender({ clock, timeoutMs, privateAddresses });
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

interface SampleOptions {
  readonly event: EventName;
  readonly type: 'qr' | 'invoice';
  readonly paymentId: string;
  /** The amount in tenge. */
  readonly amount: number;
  /** The time of the event, in milliseconds since the epoch. */
  readonly now: number;
}

const statuses: Readonly<Record<EventName, Readonly<Record<'qr' | 'invoice', string>>>> = {
  'payment.success': { qr: 'Processed', invoice: 'Processed' },
  'payment.failed': { qr: 'Rejected', invoice: 'RemotePaymentRejected' },
  'payment.expired': { qr: 'Expired', invoice: 'Expired' },
};

const descriptions: Readonly<Record<EventName, string>> = {
  'payment.success': 'Paid (sample)',
  'payment.failed': 'Rejected (sample)',
  'payment.expired': 'Expired (sample)',
};

/** Returns a sample event that resembles the event of a real payment. `data.Sample` is true to identify samples. */
function sampleEvent({ event, type, paymentId, amount, now }: SampleOptions): PaymentEvent {
  const status = statuses[event][type];
  const link = `https://sample.invalid/${type}/${encodeURIComponent(paymentId)}`;
  const receiptUrl = event === 'payment.success' ? `${link}/receipt` : null;
  const orderNumber = type === 'invoice' ? `sample-${paymentId}` : null;
  const known = { Status: status, Amount: amount, Sample: true };
  return {
    event,
    paymentId,
    type,
    status,
    statusDesc: descriptions[event],
    amount,
    qrToken: type === 'qr' ? link : null,
    receiptUrl,
    orderNumber,
    data:
      type === 'qr'
        ? { QrOperationId: paymentId, QrToken: link, ...known }
        : { Id: paymentId, OrderNumber: orderNumber, ...known },
    occurredAt: now,
  };
}

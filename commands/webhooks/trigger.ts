import { AppError, exitCodes } from '../../src/base/errors.js';
import { silentLog } from '../../src/base/log.js';
import type { Config } from '../../src/config/config.js';
import { readAmount } from '../../src/payments/amount.js';
import { oneLine } from '../../src/terminal/table.js';
import { eventNames, type PaymentEvent } from '../../src/webhooks/event.js';
import {
  subscribersOf,
  withoutCredentials,
} from '../../src/webhooks/subscriptions/subscription.js';
import { openSubscriptions } from '../../src/webhooks/subscriptions/subscription-source.js';
import {
  type SampleResult,
  type SampleTarget,
  sampleEvent,
  sendSample,
} from '../../src/webhooks/tools/trigger.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { readChoice, readText } from '../flags.js';
import { assertAddress } from './filter-flags.js';
import { readKeys, secretFlags } from './secret-flags.js';

const types = ['qr', 'invoice'] as const;

export const command: Command = {
  description:
    'Send a sample event to the subscriptions that want it, or to --url. It is sent once and not stored.',
  arguments: [{ name: '<event>', description: eventNames.join(', '), choices: eventNames }],
  options: [
    { flags: '--url <url>', description: 'send to this address instead' },
    ...secretFlags,
    { flags: '--type <type>', description: 'kind of payment', choices: types },
    { flags: '--amount <tenge>', description: 'amount (default 1500)' },
    { flags: '--payment <id>', description: 'payment id (default: made up, new each time)' },
    ...configOptions('webhooks'),
  ],
  examples: [
    {
      command: 'msgsite webhooks trigger payment.success',
      description: 'Try every receiver of webhooks.json',
    },
    {
      command:
        'msgsite webhooks trigger payment.failed --url http://127.0.0.1:4000/ --secret-file secret.txt',
      description: 'Try one address, signed',
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
    throw new AppError('usage', `${String(name)} is not an event.`, {
      hint: `Events are ${eventNames.join(', ')}.`,
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
  // A sample is of no organization: whose payments they want is not asked.
  const anybodys = source
    .current()
    .map((each) => ({ ...each, filter: { ...each.filter, organizations: undefined } }));
  const targets = subscribersOf(anybodys, event);
  if (targets.length > 0) return targets;
  throw new AppError('refused', `No subscription in ${file} wants ${event.event}.`, {
    hint: 'Add one (docs/webhooks.md describes the file), or send to an address with --url.',
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

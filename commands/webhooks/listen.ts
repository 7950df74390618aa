import { once } from 'node:events';
import { AppError } from '../../src/base/errors.js';
import { createSigningKey } from '../../src/webhooks/signature.js';
import { type IncomingWebhook, startListener } from '../../src/webhooks/tools/listener.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { describeIncoming, viewIncoming } from './incoming-report.js';
import { readSecret, secretFlags } from './secret-flags.js';

export const command: Command = {
  description:
    'Receive webhooks here, verify their signatures and print them, until interrupted. With --json, one ' +
    'JSON object a line: first {"listening": address}, then the webhooks.',
  options: [
    { flags: '--port <port>', description: 'port to listen on (default: a free one)' },
    { flags: '--host <host>', description: 'address to listen on (default 127.0.0.1)' },
    ...secretFlags,
    { flags: '--status <code>', description: 'answer with this HTTP status (default 200)' },
    { flags: '--fail <n>', description: 'answer the first n webhooks with 500' },
    { flags: '--delay <ms>', description: 'wait this long before answering' },
    { flags: '--count <n>', description: 'stop after n webhooks' },
  ],
  examples: [
    {
      command: 'msgsite webhooks listen --port 4000 --secret-file secret.txt',
      description: 'Verify what arrives at http://127.0.0.1:4000/',
    },
    {
      command: 'msgsite webhooks listen --port 4000 --fail 2',
      description: 'Watch two attempts fail and the third succeed',
    },
  ],
  async run(context, input) {
    const { clock, output } = context;
    const { port, status, fail, delay, count } = readNumbers(input);
    const secret = await readSecret(context, input);
    const stop = new AbortController();
    const end = () => stop.abort();
    context.signal.addEventListener('abort', end, { once: true });
    let received = 0;
    const listener = await startListener({
      host: typeof input.options.host === 'string' ? input.options.host : '127.0.0.1',
      port,
      key: secret ? createSigningKey(secret) : null,
      clock,
      statusFor: (number) => (number <= fail ? 500 : status),
      delayMs: delay,
      signal: stop.signal,
      onWebhook(webhook) {
        received += 1;
        print(context, webhook);
        if (received === count) setImmediate(end);
      },
    });
    output.line({ listening: listener.url }, () => `Listening on ${listener.url}`);
    if (!secret) output.note('Nothing is verified: no secret was given.');
    output.note(output.messageColors.dim('Ctrl+C stops it.'));
    if (!stop.signal.aborted && !context.signal.aborted) await once(stop.signal, 'abort');
    await listener.close();
    return 0;
  },
};

function print({ output }: CommandContext, webhook: IncomingWebhook): void {
  output.line(viewIncoming(webhook), () => describeIncoming(webhook, output));
}

const numbers = {
  port: { initial: 0, from: 0, to: 65_535 },
  status: { initial: 200, from: 200, to: 599 },
  fail: { initial: 0, from: 0, to: 1_000_000 },
  delay: { initial: 0, from: 0, to: 600_000 },
  count: { initial: Number.POSITIVE_INFINITY, from: 1, to: 1_000_000 },
} as const;

type NumberName = keyof typeof numbers;

function readNumbers({ options }: CommandInput): Record<NumberName, number> {
  const read = (name: NumberName) => {
    const { initial, from, to } = numbers[name];
    const text = options[name];
    if (text === undefined) return initial;
    const value = typeof text === 'string' && /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw new AppError('usage', `--${name} takes a whole number from ${from} to ${to}.`);
  };
  return {
    port: read('port'),
    status: read('status'),
    fail: read('fail'),
    delay: read('delay'),
    count: read('count'),
  };
}

import { once } from 'node:events';
import { excessOf } from '../../src/json/bounds.js';
import { parseExact } from '../../src/json/exact-json.js';
import { formatTenge } from '../../src/terminal/formats.js';
import type { Output } from '../../src/terminal/output.js';
import { oneLine } from '../../src/terminal/table.js';
import type { IncomingWebhook } from '../../src/webhooks/tools/listener.js';
import { startListener } from '../../src/webhooks/tools/listener.js';
import type { Command } from '../command.js';
import { readNumber, readText } from '../flags.js';
import { readKeys, secretFlags } from './secret-flags.js';

const numbers = {
  port: { initial: 0, from: 0, to: 65_535 },
  status: { initial: 200, from: 200, to: 599 },
  fail: { initial: 0, from: 0, to: 1_000_000 },
  delay: { initial: 0, from: 0, to: 600_000 },
  count: { initial: Number.POSITIVE_INFINITY, from: 1, to: 1_000_000 },
} as const;

export const command: Command = {
  description:
    'Receive webhooks, verify their signatures and print them until interrupted. With --json, print one ' +
    'JSON object per line: first {"listening": ADDRESS}, then the webhooks.',
  options: [
    { flags: '--port <port>', description: 'port to listen on (default: a free port)' },
    { flags: '--host <host>', description: 'address to listen on (default 127.0.0.1)' },
    ...secretFlags,
    { flags: '--status <code>', description: 'respond with this HTTP status (default 200)' },
    { flags: '--fail <n>', description: 'respond to the first n webhooks with 500' },
    { flags: '--delay <ms>', description: 'wait before responding' },
    { flags: '--count <n>', description: 'stop after n webhooks' },
  ],
  examples: [
    {
      command: 'msgsite webhooks listen --port 4000 --secret-file secret.txt',
      description: 'Verify the webhooks sent to http://127.0.0.1:4000/',
    },
    {
      command: 'msgsite webhooks listen --port 4000 --fail 2',
      description: 'Let two attempts fail and the third succeed',
    },
  ],
  async run(context, input) {
    const { clock, output } = context;
    const read = (name: keyof typeof numbers) => readNumber(input, name, numbers[name]);
    const [port, status, fail] = [read('port'), read('status'), read('fail')];
    const [delay, count] = [read('delay'), read('count')];
    const keys = await readKeys(context, input);
    const done = new AbortController();
    const signal = AbortSignal.any([context.signal, done.signal]);
    let received = 0;
    const listener = await startListener({
      host: readText(input, 'host') ?? '127.0.0.1',
      port,
      keys,
      clock,
      statusFor: (number) => (number <= fail ? 500 : status),
      delayMs: delay,
      signal,
      onWebhook(webhook) {
        received += 1;
        output.line(viewIncoming(webhook), () => describeIncoming(webhook, output));
        if (received === count) setImmediate(() => done.abort());
      },
    });
    output.line({ listening: listener.url }, () => `Listening on ${listener.url}`);
    if (keys.length === 0) output.note('Signatures are not verified, because no secret was given.');
    output.note(output.messageColors.dim('Press Ctrl+C to stop.'));
    if (!signal.aborted) await once(signal, 'abort');
    await listener.close();
  },
};

/** Returns a received webhook for `--json`. */
function viewIncoming(webhook: IncomingWebhook) {
  const { number, path, headers, body, verification, answered } = webhook;
  return {
    number,
    path,
    id: headers['x-webhook-id'] ?? null,
    event: headers['x-webhook-event'] ?? null,
    attempt: Number(headers['x-webhook-attempt'] ?? 0) || null,
    replay: headers['x-webhook-replay'] === 'true',
    verified: verification?.valid ?? null,
    checks: verification?.checks ?? [],
    answered,
    headers,
    body: parseBody(body),
  };
}

/** Returns a received webhook as text: two lines about the event, and one line per signature. */
function describeIncoming(webhook: IncomingWebhook, output: Output): string {
  const { green, red, yellow, dim, bold } = output.colors;
  const { verification, answered, path } = webhook;
  const { id, event, attempt, replay, body } = viewIncoming(webhook);
  const facts = Object(body) as Record<string, unknown>;
  const response = answered < 300 ? green(`${answered}`) : red(`${answered}`);
  const amount = typeof facts.amount === 'number' ? formatTenge(facts.amount) : undefined;
  const about = [facts.type, facts.paymentId, facts.status, amount];
  const words = about.filter((word) => typeof word === 'string').join(' ');
  const lines = [
    `${bold(oneLine(event ?? 'unknown event'))} ${oneLine(words)} ${dim('→')} ${response}`,
    dim(
      oneLine(`  ${path}  id ${id ?? '-'}  attempt ${attempt ?? '-'}${replay ? '  replay' : ''}`),
    ),
  ];
  if (!verification) lines.push(yellow('  not verified: no secret was given'));
  else if (verification.checks.length === 0) lines.push(red('  ✗ no signature'));
  for (const { check, ok, reason } of verification?.checks ?? []) {
    lines.push(`  ${ok ? green('✓') : red('✗')} ${check} ${dim(reason)}`);
  }
  return lines.join('\n');
}

/** Parses the body as JSON. Returns it as text if it is not JSON or is nested too deeply to print. */
function parseBody(body: string): unknown {
  try {
    const value: unknown = parseExact(body);
    return excessOf(value) === undefined ? value : body;
  } catch {
    return body;
  }
}

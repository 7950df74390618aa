import { excessOf } from '../../src/json/bounds.js';
import { parseExact } from '../../src/json/exact-json.js';
import { formatTenge } from '../../src/terminal/formats.js';
import type { Output } from '../../src/terminal/output.js';
import { oneLine } from '../../src/terminal/table.js';
import type { IncomingWebhook } from '../../src/webhooks/tools/listener.js';

/** A received webhook for `--json`. */
export function viewIncoming(webhook: IncomingWebhook) {
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

/** A received webhook for people: one line on what it is, one on its signature. */
export function describeIncoming(webhook: IncomingWebhook, output: Output): string {
  const { green, red, yellow, dim, bold } = output.colors;
  const { verification, answered, path } = webhook;
  const { id, event, attempt, replay, body } = viewIncoming(webhook);
  const facts = Object(body) as Record<string, unknown>;
  const answer = answered < 300 ? green(`${answered}`) : red(`${answered}`);
  const amount = typeof facts.amount === 'number' ? formatTenge(facts.amount) : undefined;
  const about = [facts.type, facts.paymentId, facts.status, amount];
  const words = about.filter((word) => typeof word === 'string').join(' ');
  const lines = [
    `${bold(oneLine(event ?? 'unknown event'))} ${oneLine(words)} ${dim('→')} ${answer}`,
    dim(
      oneLine(`  ${path}  id ${id ?? '-'}  attempt ${attempt ?? '-'}${replay ? '  replay' : ''}`),
    ),
  ];
  if (!verification) lines.push(yellow('  not verified: no secret was given'));
  else if (verification.checks.length === 0) lines.push(red('  ✗ it carries no signature'));
  for (const { check, ok, reason } of verification?.checks ?? []) {
    lines.push(`  ${ok ? green('✓') : red('✗')} ${check} ${dim(reason)}`);
  }
  return lines.join('\n');
}

/** The body as JSON; as text where it is none, or too deep to be printed. */
function parseBody(body: string): unknown {
  try {
    const value: unknown = parseExact(body);
    return excessOf(value) === undefined ? value : body;
  } catch {
    return body;
  }
}

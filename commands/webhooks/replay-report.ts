import type { Output } from '../../src/terminal/output.js';
import { oneLine } from '../../src/terminal/table.js';
import type { Delivery } from '../../src/webhooks/delivery.js';
import type { ReplayOutcome } from '../../src/webhooks/webhooks.js';
import type { CommandContext } from '../command.js';

/** One delivery that was to be replayed, and what came of it. */
export interface Replayed {
  readonly planned: Delivery;
  readonly outcome: ReplayOutcome;
  readonly ok: boolean;
}

const reasons: Readonly<Record<Exclude<ReplayOutcome['kind'], 'attempted'>, string>> = {
  missing: 'it is no longer stored',
  busy: 'another process is working on it',
  interrupted: 'interrupted',
};

function failureOf({ outcome }: Replayed): string | null {
  return outcome.kind === 'attempted' ? outcome.report.attempt.error : reasons[outcome.kind];
}

/** One delivery's result for `--json`. */
export function describeReplay(replayed: Replayed) {
  const { planned, outcome, ok } = replayed;
  const report = outcome.kind === 'attempted' ? outcome.report : undefined;
  return {
    id: planned.id,
    eventId: planned.eventId,
    event: planned.facts.event,
    paymentId: planned.facts.paymentId,
    url: planned.subscription.url,
    ok,
    state: report?.delivery.state ?? planned.state,
    status: report?.attempt.status ?? null,
    error: failureOf(replayed),
    durationMs: report?.attempt.durationMs ?? null,
  };
}

interface Totals {
  readonly total: number;
  readonly delivered: number;
  readonly failed: number;
}

/** The last line for people. */
export function describeTotals({ total, delivered, failed }: Totals, { colors }: Output): string {
  if (total === 0) return 'Nothing to replay.';
  const count = `${delivered} delivered`;
  const parts = [delivered > 0 ? colors.green(count) : count];
  if (failed > 0) parts.push(colors.red(`${failed} failed`));
  return `${parts.join(', ')} of ${total}.`;
}

/** A line for each result as it comes, and on a terminal a running count below them. */
export function showProgress({ output, stderr }: CommandContext, total: number) {
  const { green, red, dim } = output.colors;
  const live = Boolean(stderr.isTTY) && !output.json && total > 1;
  let done = 0;
  const clear = () => live && stderr.write('\r\u001b[K');
  return {
    add(replayed: Replayed) {
      done += 1;
      if (output.json) return;
      const { planned, outcome, ok } = replayed;
      const { facts, subscription } = planned;
      const what = `${facts.event} ${facts.paymentId} → ${subscription.url}`;
      const attempt = outcome.kind === 'attempted' ? outcome.report.attempt : undefined;
      const result = failureOf(replayed) ?? `HTTP ${attempt?.status}`;
      const time = attempt ? dim(` (${attempt.durationMs} ms)`) : '';
      clear();
      const line = `${ok ? green('✓') : red('✗')} ${oneLine(`${what}  ${result}`)}${time}`;
      output.line(undefined, () => line);
      if (live) stderr.write(output.screenColors.stderr.dim(`${done} of ${total} …`));
    },
    end: clear,
  };
}

import type { Output } from '../../src/terminal/output.js';
import { oneLine } from '../../src/terminal/table.js';
import type { PlannedReplay, ReplayOutcome } from '../../src/webhooks/replays.js';
import type { CommandContext } from '../command.js';

const reasons: Readonly<Record<Exclude<ReplayOutcome['kind'], 'attempted'>, string>> = {
  missing: 'it is no longer stored',
  busy: 'another process is working on it',
  interrupted: 'interrupted',
};

/** What came of a delivery that was to be replayed, as `--json` prints it. */
export type Replayed = ReturnType<typeof describeReplay>;

export function describeReplay(
  { delivery: { id, eventId, facts, ...planned }, isKept }: PlannedReplay,
  outcome: ReplayOutcome,
) {
  const report = outcome.kind === 'attempted' ? outcome.report : undefined;
  const error = outcome.kind === 'attempted' ? outcome.report.attempt.error : reasons[outcome.kind];
  return {
    id: isKept ? id : null,
    eventId,
    event: facts.event,
    paymentId: facts.paymentId,
    url: planned.subscription.url,
    ok: error === null,
    state: report?.delivery.state ?? planned.state,
    status: report?.attempt.status ?? null,
    error,
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
    add({ ok, event, paymentId, url, error, status, durationMs }: Replayed) {
      done += 1;
      if (output.json) return;
      const what = oneLine(`${event} ${paymentId} → ${url}  ${error ?? `HTTP ${status}`}`);
      const time = durationMs === null ? '' : dim(` (${durationMs} ms)`);
      clear();
      output.line(undefined, () => `${ok ? green('✓') : red('✗')} ${what}${time}`);
      if (live) stderr.write(output.screenColors.stderr.dim(`${done} of ${total} …`));
    },
    end: clear,
  };
}

import pLimit from 'p-limit';
import { AppError, exitCodes } from '../../src/base/errors.js';
import { paymentOf } from '../../src/events/event.js';
import { confirm } from '../../src/terminal/ask.js';
import type { Output } from '../../src/terminal/output.js';
import { oneLine } from '../../src/terminal/table.js';
import { viewDelivery } from '../../src/webhooks/delivery-view.js';
import type { PlannedReplay, ReplayOutcome, ReplayTarget } from '../../src/webhooks/replays.js';
import type { DeliveryFilter } from '../../src/webhooks/tools/replay-filter.js';
import { parseReplayList, type ReplayList } from '../../src/webhooks/tools/replay-list.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { maxSizeOption, questioner, readMaxSize, readNumber, readText } from '../flags.js';
import { tableText } from '../list.js';
import { settingsOf } from '../taken-settings.js';
import { assertAddress, deliveryColumns, filterFlags, readFilter } from './filter-flags.js';
import { makePlan, type ReplayPlan } from './replay-plan.js';
import { readInput, readSecretFile, secretFileFlag } from './secret-flags.js';
import { withWebhooks } from './webhook-tools.js';

/** Maximum number of receivers named in a prompt. */
const namedReceivers = 3;
/** Maximum number of deliveries that `webhooks replay` sends concurrently. */
const maxConcurrency = 64;
const concurrencyFlag = { initial: 4, from: 1, to: maxConcurrency };

export const command: Command = {
  description:
    'Send stored deliveries again, or send stored events to a different address. Each is sent once, with the header X-Webhook-Replay. Deliveries must match all filters. Events of --from that are not stored here are signed like stored events. This requires confirmation, or --yes without a terminal.',
  options: [
    ...filterFlags,
    {
      flags: '--from <file>',
      description:
        'only entries of a file: IDs, payments, webhooks or the output of list --json (- = stdin)',
    },
    { flags: '--to <url>', description: 'send the events to this address instead' },
    secretFileFlag,
    maxSizeOption,
    { flags: '--all', description: 'select every stored delivery' },
    {
      flags: '-y, --yes',
      description:
        'do not ask for confirmation before signing events of --from that are not stored here',
    },
    { flags: '--dry-run', description: 'print the plan without sending anything' },
    {
      flags: '--concurrency <n>',
      description: `number of concurrent requests (default ${concurrencyFlag.initial}, at most ${maxConcurrency})`,
    },
    ...configOptions(...settingsOf('webhooks replay')),
  ],
  examples: [
    {
      command: 'msgsite webhooks replay --failed --dry-run',
      description: 'Show what would be sent again',
    },
    {
      command: 'msgsite webhooks replay --failed --since 1d',
      description: 'Send undelivered webhooks of the last day again',
    },
    {
      command: 'msgsite webhooks replay --to https://new.example/hooks --since 7d',
      description: 'Send the events of a week to a new receiver',
    },
  ],
  async run(context, input) {
    const config = configOf(context, input);
    const concurrency = readNumber(input, 'concurrency', concurrencyFlag);
    const filter = readFilter(input, context.clock.now());
    assertFilter(input, filter);
    const to = await readTarget(context, input);
    const listed = await readList(context, input);
    const isDry = input.options.dryRun === true;
    const purpose = isDry ? 'read' : 'share';
    return withWebhooks(
      context,
      { config, purpose, label: 'webhooks replay' },
      async (webhooks) => {
        const { output } = context;
        const plan = await makePlan(webhooks, {
          filter,
          ...(listed ? { listed } : {}),
          ...(to ? { to } : {}),
          onDamaged: (error) => output.warn(error.message),
          onUnknown: output.warn,
        });
        if (isDry) return printPlan(context, plan.replays);
        await confirmUnstored(context, input, plan);
        return replayAll(context, plan.replays, concurrency);
      },
    );
  },
};

function assertFilter({ options }: CommandInput, filter: DeliveryFilter): void {
  if (Object.keys(filter).length > 0 || options.from !== undefined || options.all === true) return;
  throw new AppError('usage', 'No deliveries were selected.', {
    hint: 'Use a filter such as --failed or --since 2h, or --all for every stored delivery.',
  });
}

/** Returns the address of `--to` and its keys; undefined without the flag. */
async function readTarget(
  context: CommandContext,
  input: CommandInput,
): Promise<ReplayTarget | undefined> {
  const { secretFile, from } = input.options;
  const url = readText(input, 'to');
  if (url === undefined) {
    if (secretFile === undefined) return undefined;
    throw new AppError(
      'usage',
      '--secret-file requires --to, because stored receivers have their own secrets.',
    );
  }
  assertAddress('--to', url);
  if (secretFile === '-' && from === '-') {
    throw new AppError('usage', 'Only one of --from and --secret-file can be standard input.');
  }
  const keys = await readSecretFile(context, input);
  return { url, ...(keys ? { keys } : {}) };
}

async function readList(
  context: CommandContext,
  input: CommandInput,
): Promise<ReplayList | undefined> {
  const from = readText(input, 'from');
  if (from === undefined) return undefined;
  const maxBytes = readMaxSize(input.options.maxSize);
  const bytes = await readInput(context, from, { flag: '--from', maxBytes });
  return parseReplayList(bytes.toString('utf8'), sourceOf(from), context.clock.now());
}

/** Returns the name of a list's source for messages. */
const sourceOf = (from: string) => (from === '-' ? 'standard input' : oneLine(from));

/** Asks for confirmation before events that are not stored here are signed. Anybody may have written them. */
async function confirmUnstored(
  context: CommandContext,
  input: CommandInput,
  { unstored }: ReplayPlan,
): Promise<void> {
  if (unstored.length === 0 || input.options.yes === true) return;
  const events = unstored.length === 1 ? '1 event' : `${unstored.length} events`;
  const from = readText(input, 'from') ?? '';
  const source = sourceOf(from);
  const terminal = from === '-' ? undefined : questioner(context);
  if (!terminal) {
    throw new AppError(
      'usage',
      `${events} from ${source} are not stored here but would be signed. Without a terminal, this requires --yes.`,
      { hint: 'Nothing was sent. Use --dry-run to see what would be sent.' },
    );
  }
  const receivers = [...new Set(unstored.map(({ delivery }) => delivery.subscription.url))];
  const shown = receivers.slice(0, namedReceivers).map((url) => oneLine(url));
  const more =
    receivers.length > namedReceivers ? ` and ${receivers.length - namedReceivers} more` : '';
  const question = `Send ${events} from ${source} to ${shown.join(', ')}${more}? The events are not stored here but will be signed with the receiver’s real secret.`;
  if (!(await confirm(terminal, question, false))) {
    throw new AppError('refused', 'Nothing was sent.');
  }
}

function printPlan(context: CommandContext, plan: readonly PlannedReplay[]): number {
  const { output } = context;
  const planned = plan.map(({ delivery }) => delivery);
  const views = plan.map(({ delivery, isKept }) => ({
    ...viewDelivery(delivery),
    ...(isKept ? {} : { id: null }),
  }));
  output.result({ dryRun: true, total: plan.length, deliveries: views }, () => {
    if (plan.length === 0) return 'Nothing to replay.';
    const table = tableText(context, planned, deliveryColumns(output.colors));
    const count = plan.length === 1 ? '1 delivery' : `${plan.length} deliveries`;
    return `${table}\n${count} would be sent again.`;
  });
  return exitCodes.done;
}

async function replayAll(
  context: CommandContext,
  plan: readonly PlannedReplay[],
  concurrency: number,
): Promise<number> {
  const { output, signal } = context;
  const limit = pLimit(concurrency);
  const progress = showProgress(context, plan.length);
  const results = await Promise.all(
    plan.map((planned) =>
      limit(async () => {
        const replayed = describeReplay(planned, await planned.replay(signal));
        progress.add(replayed);
        return replayed;
      }),
    ),
  );
  progress.end();
  const delivered = results.filter(({ ok }) => ok).length;
  const totals = { total: plan.length, delivered, failed: plan.length - delivered };
  output.result({ ...totals, deliveries: results }, () => describeTotals(totals, output));
  if (signal.aborted) return exitCodes.interrupted;
  return totals.failed > 0 ? exitCodes.failure : exitCodes.done;
}

const reasons: Readonly<Record<Exclude<ReplayOutcome['kind'], 'attempted'>, string>> = {
  missing: 'it is no longer stored',
  busy: 'another process is working on it',
  interrupted: 'interrupted',
};

/** The result of a replay, as `--json` prints it. */
type Replayed = ReturnType<typeof describeReplay>;

function describeReplay(
  { delivery: { id, eventId, facts, ...planned }, isKept }: PlannedReplay,
  outcome: ReplayOutcome,
) {
  const report = outcome.kind === 'attempted' ? outcome.report : undefined;
  const error = outcome.kind === 'attempted' ? outcome.report.attempt.error : reasons[outcome.kind];
  return {
    id: isKept ? id : null,
    eventId,
    event: facts.event,
    paymentId: paymentOf(facts)?.paymentId ?? null,
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

/** Returns the summary line. */
function describeTotals({ total, delivered, failed }: Totals, { colors }: Output): string {
  if (total === 0) return 'Nothing to replay.';
  const count = `${delivered} delivered`;
  const parts = [delivered > 0 ? colors.green(count) : count];
  if (failed > 0) parts.push(colors.red(`${failed} failed`));
  return `${parts.join(', ')} of ${total}.`;
}

/** Prints a line for each result and, on a terminal, a progress count below. */
function showProgress({ output, stderr }: CommandContext, total: number) {
  const { green, red, dim } = output.colors;
  const live = Boolean(stderr.isTTY) && !output.json && total > 1;
  let done = 0;
  const clear = () => live && stderr.write('\r\u001b[K');
  return {
    add({ ok, event, paymentId, url, error, status, durationMs }: Replayed) {
      done += 1;
      if (output.json) return;
      const text = oneLine(`${event} ${paymentId} → ${url}  ${error ?? `HTTP ${status}`}`);
      const time = durationMs === null ? '' : dim(` (${durationMs} ms)`);
      clear();
      output.line(undefined, () => `${ok ? green('✓') : red('✗')} ${text}${time}`);
      if (live) stderr.write(output.screenColors.stderr.dim(`${done} of ${total} …`));
    },
    end: clear,
  };
}

import pLimit from 'p-limit';
import { openWebhooks } from '../../src/app/gateway-services.js';
import { openStorage } from '../../src/app/open-storage.js';
import { AppError, exitCodes } from '../../src/base/errors.js';
import { silentLog } from '../../src/base/log.js';
import type { Config } from '../../src/config/config.js';
import type { Delivery } from '../../src/webhooks/delivery.js';
import { viewDelivery } from '../../src/webhooks/delivery-view.js';
import type { DeliveryFilter } from '../../src/webhooks/tools/replay-filter.js';
import { parseReplayList } from '../../src/webhooks/tools/replay-list.js';
import type { Webhooks } from '../../src/webhooks/webhooks.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { readNumber } from '../flags.js';
import { maxSizeOption, readMaxSize } from '../max-size.js';
import { tableText } from '../print-table.js';
import { deliveryColumns } from './delivery-columns.js';
import { filterFlags, readFilter } from './filter-flags.js';
import { describeReplay, describeTotals, showProgress } from './replay-report.js';
import { readInput } from './secret-flags.js';

const mostConcurrency = 64;
const concurrencyFlag = { initial: 4, from: 1, to: mostConcurrency };

export const command: Command = {
  description:
    'Send stored deliveries again, one attempt each, marked with X-Webhook-Replay. Filters add up.',
  options: [
    ...filterFlags,
    { flags: '--from <file>', description: 'those listed in a file: ids or webhooks (- = stdin)' },
    maxSizeOption,
    { flags: '--all', description: 'every stored delivery' },
    { flags: '--dry-run', description: 'print what would be sent, and send nothing' },
    {
      flags: '--concurrency <n>',
      description: `requests at once (default ${concurrencyFlag.initial}, at most ${mostConcurrency})`,
    },
    ...configOptions('data', 'database', 'webhooks'),
  ],
  examples: [
    {
      command: 'msgsite webhooks replay --failed --dry-run',
      description: 'See what would be sent again',
    },
    {
      command: 'msgsite webhooks replay --failed --since 1d',
      description: 'Send again what did not arrive since yesterday',
    },
  ],
  async run(context, input) {
    const config = configOf(context, input);
    const concurrency = readNumber(input, 'concurrency', concurrencyFlag);
    const filter = readFilter(input, context.clock.now());
    refuseNoFilter(input, filter);
    const isDry = input.options.dryRun === true;
    // What a list of events names is stored, to be found under its ids.
    const purpose = isDry && input.options.from === undefined ? 'read' : 'share';
    return withWebhooks(context, config, purpose, async (webhooks) => {
      const plan = await makePlan(context, input, { webhooks, filter });
      return isDry ? printPlan(context, plan) : replayAll(context, { webhooks, plan, concurrency });
    });
  },
};

/** Does `work` with the stored webhooks, and lets go of them whatever comes of it. */
async function withWebhooks(
  { env: environment, clock }: CommandContext,
  config: Config,
  purpose: 'read' | 'share',
  work: (webhooks: Webhooks) => Promise<number>,
): Promise<number> {
  // The command prints the result of every attempt itself.
  const log = silentLog();
  const options = { config, clock, log, label: 'webhooks replay' };
  const storage =
    purpose === 'read' ? await openStorage('read', options) : await openStorage('share', options);
  try {
    const webhooks = await openWebhooks({ config, storage, environment, log });
    try {
      return await work(webhooks);
    } finally {
      await webhooks.stop();
    }
  } finally {
    await storage.close();
  }
}

function refuseNoFilter({ options }: CommandInput, filter: DeliveryFilter): void {
  if (Object.keys(filter).length > 0 || options.from !== undefined || options.all === true) return;
  throw new AppError('usage', 'Nothing says which deliveries to replay.', {
    hint: 'Give a filter such as --failed or --since 2h, or --all for every stored delivery.',
  });
}

/** What is to be sent, in the order in which it arose. */
async function makePlan(
  context: CommandContext,
  input: CommandInput,
  { webhooks, filter }: { webhooks: Webhooks; filter: DeliveryFilter },
): Promise<Delivery[]> {
  const listed =
    typeof input.options.from === 'string' ? await readList(context, input, webhooks) : undefined;
  const plan: Delivery[] = [];
  const onDamaged = (error: AppError) => context.output.warn(error.message);
  for await (const delivery of webhooks.find(filter, { onDamaged })) {
    if (!listed || listed.has(delivery.id) || listed.has(delivery.eventId)) plan.push(delivery);
  }
  const named = new Set([...(listed ?? []), ...(filter.ids ?? [])]);
  if (named.size > 0) reportUnknown(context, plan, named);
  return plan.sort((a, b) => (a.occurredAt < b.occurredAt ? -1 : 1));
}

async function readList(context: CommandContext, input: CommandInput, webhooks: Webhooks) {
  const from = String(input.options.from);
  const mostBytes = readMaxSize(input.options.maxSize);
  const bytes = await readInput(context, from, { flag: '--from', mostBytes });
  const source = from === '-' ? 'standard input' : from;
  const { ids, events } = parseReplayList(bytes.toString('utf8'), source, context.clock.now());
  const adopted = await Promise.all(events.map((event) => webhooks.adopt(event)));
  return new Set([...ids, ...adopted.flat()]);
}

function reportUnknown(
  { output }: CommandContext,
  plan: readonly Delivery[],
  named: ReadonlySet<string>,
): void {
  const found = new Set(plan.flatMap(({ id, eventId }) => [id, eventId]));
  const unknown = [...named].filter((id) => !found.has(id));
  if (unknown.length === 0) return;
  const some = unknown.slice(0, 3).join(', ') + (unknown.length > 3 ? ', …' : '');
  const message = `Not stored here, or not matched by the other filters: ${some}`;
  if (plan.length === 0) throw new AppError('not_found', message);
  output.warn(message);
}

function printPlan(context: CommandContext, plan: readonly Delivery[]): number {
  const { output } = context;
  const value = { dryRun: true, total: plan.length, deliveries: plan.map(viewDelivery) };
  output.result(value, () => {
    if (plan.length === 0) return 'Nothing to replay.';
    const table = tableText(context, plan, deliveryColumns(output.colors));
    const count = plan.length === 1 ? '1 delivery' : `${plan.length} deliveries`;
    return `${table}\n${count} would be sent again.`;
  });
  return exitCodes.done;
}

interface ReplayWork {
  readonly webhooks: Webhooks;
  readonly plan: readonly Delivery[];
  readonly concurrency: number;
}

async function replayAll(
  context: CommandContext,
  { webhooks, plan, concurrency }: ReplayWork,
): Promise<number> {
  const { output, signal } = context;
  const limit = pLimit(concurrency);
  const progress = showProgress(context, plan.length);
  const results = await Promise.all(
    plan.map((planned) =>
      limit(async () => {
        const replayed = describeReplay(planned, await webhooks.replay(planned.id, signal));
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

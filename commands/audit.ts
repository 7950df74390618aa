import { recoverActs } from '../src/app/gateway-services.js';
import { openStorage } from '../src/app/open-storage.js';
import type { AuditQuery } from '../src/audit/store.js';
import { type AuditKind, type AuditLine, auditKinds } from '../src/base/audit.js';
import { AppError, exitCodes } from '../src/base/errors.js';
import { foreignJson } from '../src/base/foreign-text.js';
import type { Colors } from '../src/terminal/colors.js';
import { formatMoment, formatTenge } from '../src/terminal/formats.js';
import type { TableColumn } from '../src/terminal/table.js';
import type { Command, CommandContext, CommandInput } from './command.js';
import { configOf, configOptions } from './config-options.js';
import { limitOption, listText, readListLimit } from './list.js';
import { withTroubleLog } from './pay/trouble-log.js';
import { readTime } from './webhooks/filter-flags.js';

export const command: Command = {
  description:
    'Show the audit log: who did what with payments and accounts, when, and with which outcome. The newest entry is last. Entries are stored for 400 days.',
  options: [
    {
      flags: '--since <time>',
      description: 'from this time on: an ISO date or date-time, or an age such as 2h or 3d',
    },
    { flags: '--until <time>', description: 'up to this time (a date includes the whole day)' },
    {
      flags: '--kind <kind>',
      description: 'show only this kind (repeatable)',
      choices: auditKinds,
      repeatable: true,
    },
    limitOption('show the newest n', 'all with --json'),
    ...configOptions('data', 'database'),
  ],
  examples: [
    { command: 'msgsite audit --since 2h', description: 'Show the last two hours' },
    {
      command: 'msgsite audit --kind refund --kind cancel --since 2026-11-01 --json',
      description: 'Print refunds and cancellations since a date as JSON',
    },
  ],
  async run(context, input) {
    const config = configOf(context, input);
    const { clock } = context;
    const query = readQuery(input, clock.now());
    const limit = readListLimit(context, input, Number.POSITIVE_INFINITY);
    return withTroubleLog(context, async (log) => {
      const options = { config, clock, log, label: 'audit' };
      const storage = await openStorage('read', options);
      try {
        await recoverActs(storage, options);
        const lines = (await storage.audit()).read(query);
        await (context.output.json
          ? printJson(context, limit === Infinity ? lines : (await newest(lines, limit)).kept)
          : printTable(context, await newest(lines, limit), config.providerZone));
      } finally {
        await storage.close();
      }
      return context.signal.aborted ? exitCodes.interrupted : exitCodes.done;
    });
  },
};

function readQuery({ options }: CommandInput, now: number): AuditQuery {
  const { since, until, kind } = options;
  const from = typeof since === 'string' ? readTime('--since', since, now, 'start') : undefined;
  const to = typeof until === 'string' ? readTime('--until', until, now, 'end') : undefined;
  if (from !== undefined && to !== undefined && from > to) {
    throw new AppError('usage', '--since is later than --until.');
  }
  return {
    since: from,
    // `until` of a query is exclusive.
    until: to === undefined ? undefined : to + 1,
    // The parser has already rejected unknown kinds.
    kinds: Array.isArray(kind) ? (kind as AuditKind[]) : undefined,
  };
}

/** Returns the last entries and the total number of entries. Keeps at most `2 * limit + 100` entries in memory. */
async function newest(lines: AsyncIterable<AuditLine>, limit: number) {
  let kept: AuditLine[] = [];
  let total = 0;
  for await (const line of lines) {
    total += 1;
    kept.push(line);
    if (kept.length > 2 * limit + 100) kept = kept.slice(-limit);
  }
  return { kept: kept.length > limit ? kept.slice(-limit) : kept, total };
}

/** Prints entries as they are read, so that memory use does not grow with their number. */
async function printJson(
  { output, signal }: CommandContext,
  lines: AsyncIterable<AuditLine> | Iterable<AuditLine>,
): Promise<void> {
  let begin = '{\n  "lines": [';
  let end = ']\n}\n';
  for await (const { id: _, time, ...line } of lines) {
    if (signal.aborted) break;
    output.write(`${begin}\n    ${foreignJson({ time: new Date(time).toISOString(), ...line })}`);
    begin = ',';
    end = '\n  ]\n}\n';
  }
  output.write(begin === ',' ? end : `${begin}${end}`);
}

function printTable(
  context: CommandContext,
  { kept, total }: { readonly kept: readonly AuditLine[]; readonly total: number },
  zone: string,
): void {
  const { output } = context;
  const more = `The newest ${kept.length} of ${total} are shown; --limit 0 shows all.`;
  output.result({}, () =>
    listText(context, {
      rows: kept,
      columns: columnsOf(zone, output.colors),
      empty: 'No matching entries.',
      newest: 'last',
      below: kept.length < total ? [output.colors.dim(more)] : [],
    }),
  );
}

function columnsOf(zone: string, colors: Colors): readonly TableColumn<AuditLine>[] {
  const styles = { success: colors.green, failed: colors.red, unknown: colors.yellow };
  return [
    { title: 'TIME', text: ({ time }) => formatMoment(time, zone) },
    { title: 'KIND', text: ({ kind }) => kind },
    { title: 'WHO', optional: 1, text: ({ who }) => who },
    {
      title: 'AMOUNT',
      align: 'right',
      text: ({ amount }) => (amount === null ? '' : formatTenge(amount)),
    },
    {
      title: 'OUTCOME',
      text: ({ outcome }) => outcome,
      style: (cell, { outcome }) => styles[outcome](cell),
    },
    {
      title: 'IDS',
      shrinkTo: 16,
      text: ({ ids }) =>
        Object.entries(ids)
          .map(([name, id]) => `${name}=${id}`)
          .join(' '),
    },
  ];
}

import { AppError } from '../../src/base/errors.js';
import type { User } from '../../src/messaging/model.js';
import type { People } from '../../src/messaging/people.js';
import { formatMoment } from '../../src/terminal/formats.js';
import type { TableColumn } from '../../src/terminal/table.js';
import type { Command, CommandInput } from '../command.js';
import { configOf } from '../config-options.js';
import { readNumber, readText } from '../flags.js';
import { limitOption, listText, readListLimit } from '../list.js';
import { flagWords, nextCommand } from '../next-command.js';
import { maxEmailLength, peopleOptions, personView, withPeople } from './people-context.js';

export const command: Command = {
  description:
    'List the chat accounts by ID. If the data is in files, stop serve first, or use its admin page, which shows the same list.',
  options: [
    {
      flags: '--q <text>',
      description:
        'show only accounts whose name contains this text or whose e-mail address matches it',
    },
    { flags: '--after <id>', description: 'show only accounts with a higher ID' },
    limitOption('show at most n', 'all with --json'),
    ...peopleOptions,
  ],
  examples: [
    { command: 'msgsite users list --q dana', description: 'Find users named Dana' },
    { command: 'msgsite users list --json', description: 'Print all accounts as JSON' },
  ],
  async run(context, input) {
    const query = readQuery(input);
    const limit = readListLimit(context, input, Number.POSITIVE_INFINITY);
    const { providerZone } = configOf(context, input);
    return withPeople(context, input, {
      label: 'users list',
      async work({ people, config }) {
        // Reads one more than is shown, to determine whether there are more.
        const found = await gather(people, { ...query, limit: limit + 1 });
        const users = found.slice(0, limit);
        context.output.result({ users: users.map(personView(config)) }, () =>
          listText(context, {
            rows: users,
            columns: columnsOf(providerZone),
            empty: 'No accounts found.',
            newest: 'last',
            below: moreOf(input, users, found),
          }),
        );
      },
    });
  },
};

interface ListQuery {
  readonly q: string | undefined;
  readonly after: number;
}

function readQuery(input: CommandInput): ListQuery {
  const q = readText(input, 'q');
  if (q !== undefined && (q.trim() === '' || q.length > maxEmailLength)) {
    throw new AppError(
      'usage',
      `--q must be part of a name or a complete e-mail address, with at most ${maxEmailLength} characters.`,
    );
  }
  const allowed = 'an account ID';
  return {
    q,
    after: readNumber(input, 'after', { initial: 0, from: 0, to: 999_999_999, allowed }),
  };
}

/** Number of accounts per query. */
const pageSize = 1000;

async function gather(people: People, { limit, q, after }: ListQuery & { limit: number }) {
  const found: User[] = [];
  let last = after;
  while (found.length < limit) {
    const page = { q, after: last, limit: Math.min(pageSize, limit - found.length) };
    const users = await people.list(page);
    found.push(...users);
    if (users.length < page.limit) break;
    last = users.at(-1)?.id ?? last;
  }
  return found;
}

/** Returns a line with the command that lists the next accounts, if there are more. */
function moreOf(input: CommandInput, users: readonly User[], found: readonly User[]): string[] {
  const last = users.at(-1);
  if (!last || found.length <= users.length) return [];
  const { q, limit } = input.options;
  const words = [
    ...(typeof q === 'string' ? flagWords('q', q) : []),
    ...['--after', String(last.id)],
    ...(typeof limit === 'string' ? ['--limit', limit] : []),
  ];
  return [`For more, run: ${nextCommand(input, 'users list', words)}`];
}

function columnsOf(zone: string): readonly TableColumn<User>[] {
  return [
    { title: 'ID', align: 'right', text: ({ id }) => String(id) },
    { title: 'NAME', shrinkTo: 12, text: ({ username }) => username },
    { title: 'E-MAIL', shrinkTo: 16, text: ({ email }) => email },
    {
      title: 'SINCE',
      optional: 1,
      text: ({ createdAt }) => formatMoment(Date.parse(createdAt), zone).slice(0, 16),
    },
  ];
}

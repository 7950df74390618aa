import { allKinds as kinds } from '../../src/app/data-records.js';
import {
  type Address,
  configuredAddress,
  openSource,
  openTarget,
  readAddress,
} from '../../src/app/open-transfer.js';
import { AppError } from '../../src/base/errors.js';
import type { Config } from '../../src/config/config.js';
import { assertUnmarked } from '../../src/storage/transfer-mark.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { Source } from '../../src/transfer/place.js';
import { moveData } from '../../src/transfer/transfer.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { settingsOf } from '../taken-settings.js';
import { reportTransfer } from './transfer-report.js';

/** Other users of the machine can read flags, so an address with a password should be in this variable. */
const variable = 'MSGSITE_MOVE_TO';

export const command: Command = {
  description:
    'Copy all data from the data folder (or --database) to an empty database or folder, then read it back and compare it. No process may use either of them during the move. The source is not changed, but it can no longer be served. To resume an interrupted move, run it again.',
  options: [
    {
      flags: '--to <address>',
      description: `postgres://…, file:///… or a folder; use ${variable} if it contains a password`,
    },
    ...configOptions(...settingsOf('data move')),
  ],
  examples: [
    {
      command: 'msgsite data move --to postgres://msgsite@db.example/shop',
      description: 'Move from ./data to PostgreSQL',
    },
    {
      command: 'msgsite data move --database postgres://msgsite@db.example/shop --to ./back',
      description: 'Move from PostgreSQL to a new folder',
    },
  ],
  async run(context, input) {
    const { clock, signal, cwd } = context;
    const config = configOf(context, input);
    const from = configuredAddress(config);
    const to = readAddress(targetOf(context, input), cwd);
    assertApart(from, to);
    const open = { label: 'data move', clock, config };
    const source = await openSource(from, { ...open, alone: true });
    try {
      assertMovable(source, to, config);
      const target = await openTarget(to, { ...open, from: source.name, source: from });
      try {
        const done = await withSpinner(context, 'Opening', (onProgress) =>
          moveData(source, target, { kinds, clock, signal, onProgress }),
        );
        const words = { from: source.name, to: target.name };
        reportTransfer(context, done, words, `Moved ${source.name} to ${target.name}:`);
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
    return 0;
  },
};

function targetOf({ env }: CommandContext, { options }: CommandInput): string {
  const target = typeof options.to === 'string' ? options.to : env[variable];
  if (target) return target;
  throw new AppError('usage', `--to (or ${variable}) must name a database or a folder.`);
}

function assertApart(from: Address, to: Address): void {
  if (from.name !== to.name) return;
  throw new AppError('usage', `${from.name} cannot be moved to itself.`, {
    hint: 'The source is --database (or MSGSITE_DATABASE), or the data folder if neither is set.',
  });
}

/** Rejects a source that has been moved, unless it was moved to the same target and the move is being resumed. */
function assertMovable({ mark, name, storage }: Source, to: Address, { data }: Config): void {
  if (mark?.state !== 'moved' || mark.place === to.name) return;
  const unmark =
    storage === 'json' ? `remove transfer.json in ${data}` : 'run: delete from msgsite.transfer';
  assertUnmarked(mark, { name, unmark, discard: '' });
}

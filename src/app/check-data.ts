import type { Config } from '../config/config.js';
import { messagingChecker } from '../messaging/store-json/checker.js';
import { sandboxChecker } from '../payments/providers/sandbox/store-json/transfer.js';
import { paymentChecker } from '../payments/store-json/transfer.js';
import { siteChecker } from '../site/store-json/checker.js';
import type { Repair, Report } from '../storage/json/data-checker.js';
import { deliveryChecker } from '../webhooks/store-json/transfer.js';
import { formatOf } from './bring-over.js';
import { type Opener, openDataFolder, writtenByOlder } from './data-folder.js';
import { folderChecker } from './folder-checker.js';

export interface CheckOptions extends Opener {
  readonly config: Config;
  readonly report: Report;
  readonly signal: AbortSignal;
  /** Where the folder is to be repaired before: told of everything that is done. */
  readonly tell?: Repair['tell'] | undefined;
}

/**
 * Reads every file of the data folder, and reports what is wrong; changes nothing but where it is repaired
 * before. Gives the names of what was checked; with `signal` it ends early.
 */
export async function checkData(options: CheckOptions): Promise<readonly string[]> {
  const { config, clock, report, signal, tell } = options;
  const { data } = config;
  const { close } = await openDataFolder(data, tell ? 'repair' : 'check', options);
  const checkers = [
    folderChecker,
    siteChecker,
    messagingChecker(config.encryptionSecret),
    paymentChecker,
    sandboxChecker,
    deliveryChecker,
  ];
  try {
    for (const { repair } of tell ? checkers : []) {
      if (!signal.aborted && tell) await repair(data, { clock, tell });
      if ((await formatOf(data)) === 'older') throw writtenByOlder(data);
    }
    for (const { check } of checkers) if (!signal.aborted) await check(data, report);
  } finally {
    await close();
  }
  return checkers.map(({ name }) => name);
}

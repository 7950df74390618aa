import type { Config } from '../config/config.js';
import { messagingChecker } from '../messaging/store-json/checker.js';
import { sandboxChecker } from '../payments/providers/sandbox/store-json/transfer.js';
import { paymentChecker } from '../payments/store-json/transfer.js';
import { siteChecker } from '../site/store-json/checker.js';
import type { Report } from '../storage/json/data-checker.js';
import { deliveryChecker } from '../webhooks/store-json/transfer.js';
import { type Opener, openDataFolder } from './data-folder.js';

export interface CheckOptions extends Opener {
  readonly config: Config;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/**
 * Reads every file of the data folder, changes nothing, and reports what is wrong. Gives the names of what
 * was checked; with `signal` it ends early.
 */
export async function checkData(options: CheckOptions): Promise<readonly string[]> {
  const { config, report, signal } = options;
  const { close } = await openDataFolder(config.data, 'check', options);
  const checkers = [
    siteChecker,
    messagingChecker(config.encryptionSecret),
    paymentChecker,
    sandboxChecker,
    deliveryChecker,
  ];
  try {
    for (const { check } of checkers) if (!signal.aborted) await check(config.data, report);
  } finally {
    await close();
  }
  return checkers.map(({ name }) => name);
}

import { auditChecker } from '../audit/store-json/checker.js';
import type { Config } from '../config/config.js';
import { messagingChecker } from '../messaging/store-json/checker.js';
import { orderChecker } from '../orders/store-json/transfer.js';
import { sandboxChecker } from '../payments/providers/sandbox/store-json/transfer.js';
import { paymentChecker } from '../payments/store-json/transfer.js';
import { imageChecker } from '../site/store-json/image-transfer.js';
import { siteChecker } from '../site/store-json/transfer.js';
import type { DataChecker, Finding, Repair } from '../storage/json/check/data-checker.js';
import { stateChecker } from '../storage/json/state-transfer.js';
import { deliveryChecker } from '../webhooks/store-json/transfer.js';
import { type Opener, openDataFolder, workerOn } from './data-folder.js';
import { folderChecker } from './folder-checker.js';

export interface CheckOptions extends Opener {
  readonly config: Config;
  readonly signal: AbortSignal;
  /** Where the folder is to be repaired before: called with everything that is done. */
  readonly tell?: Repair['tell'] | undefined;
}

/**
 * Reads every file of the data folder, also beside a `serve`; changes nothing but where it is repaired before.
 * Gives what is wrong, and the names of what was checked; with `signal` it ends early.
 */
export async function checkData(
  options: CheckOptions,
): Promise<{ readonly checked: readonly string[]; readonly findings: readonly Finding[] }> {
  const { config, clock, signal, tell } = options;
  const { data } = config;
  const { close } = await openDataFolder(data, tell ? 'repair' : 'check', options);
  const checkers = [
    folderChecker,
    stateChecker,
    siteChecker,
    imageChecker,
    orderChecker,
    messagingChecker(config.encryptionSecret),
    paymentChecker,
    sandboxChecker,
    deliveryChecker,
    auditChecker,
  ];
  const findings: Finding[] = [];
  try {
    for (const { repair } of tell ? checkers : []) {
      if (!signal.aborted && tell) await repair(data, { clock, tell });
    }
    for (const checker of checkers) findings.push(...(await findingsOf(checker, options)));
  } finally {
    await close();
  }
  return { checked: checkers.map(({ name }) => name), findings };
}

/** Readings that have to find the same in a folder that is worked on, and the milliseconds between them. */
const readings = 3;
const pause = 100;

/**
 * What a checker finds. Where others work on the folder, a file that grows, moves or goes while it is read
 * looks damaged for a moment: there only counts what one reading after the other finds at the same line.
 */
async function findingsOf(
  { check }: DataChecker,
  { config: { data }, clock, signal, tell }: CheckOptions,
): Promise<readonly Finding[]> {
  const isWorkedOn = async () => !tell && (await workerOn(data, clock.now())) !== undefined;
  const read = async () => {
    const found = new Map<string, Finding>();
    if (!signal.aborted) await check(data, (each) => found.set(JSON.stringify(each), each));
    return found;
  };
  const wasWorkedOn = await isWorkedOn();
  let found = await read();
  if (found.size === 0 || !(wasWorkedOn || (await isWorkedOn()))) return [...found.values()];
  for (let reading = 2; reading <= readings && found.size > 0; reading += 1) {
    await clock.sleep(pause, signal);
    const again = await read();
    found = new Map([...found].filter(([key]) => again.has(key)));
  }
  return [...found.values()];
}

import { auditChecker } from '../audit/store-json/checker.js';
import { systemFiles } from '../base/files/file-layer.js';
import type { Config } from '../config/config.js';
import { deliveryChecker } from '../events/store-json/transfer.js';
import { imageChecker } from '../images/store-json/image-transfer.js';
import { messagingChecker } from '../messaging/store-json/checker.js';
import { orderChecker } from '../orders/store-json/transfer.js';
import { sandboxChecker } from '../payments/providers/sandbox/store-json/transfer.js';
import { paymentChecker } from '../payments/store-json/transfer.js';
import { siteChecker } from '../site/store-json/transfer.js';
import type { DataChecker, Finding, Repair } from '../storage/json/check/data-checker.js';
import { type Report, reportError, setFileAside } from '../storage/json/check/data-checker.js';
import {
  dataFormat,
  formatFile,
  hasDataFormat,
  markFile,
  readFolderMark,
  writeDataFormat,
} from '../storage/json/data-folder/data-folder.js';
import { createSecrets, readSecrets, secretsFile } from '../storage/json/data-folder/secrets.js';
import { stateChecker } from '../storage/json/state-store.js';

import { type Opener, openDataFolder, workerOn } from './data-folder.js';

export interface CheckOptions extends Opener {
  readonly config: Config;
  readonly signal: AbortSignal;
  /** Called with every repair. If present, the folder is repaired before the check. */
  readonly tell?: Repair['tell'] | undefined;
}

/**
 * Checks every file of the data folder, even while `serve` is running. Changes nothing unless it repairs the folder
 * first. Returns the findings and the names of the checks. `signal` ends the check early.
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

/** Number of consecutive readings that must report a finding in a folder that is in use. */
const readings = 3;
/** Time between two readings, in milliseconds. */
const pause = 100;

/**
 * Returns the findings of a checker. While another process uses the folder, a file that grows, moves or disappears
 * during a reading can look damaged. Only findings that all readings report are returned.
 */
async function findingsOf(
  { check }: DataChecker,
  { config: { data }, clock, signal, tell }: CheckOptions,
): Promise<readonly Finding[]> {
  const isInUse = async () => !tell && (await workerOn(data, clock.now())) !== undefined;
  const read = async () => {
    const found = new Map<string, Finding>();
    if (!signal.aborted) await check(data, (each) => found.set(JSON.stringify(each), each));
    return found;
  };
  const wasInUse = await isInUse();
  let found = await read();
  if (found.size === 0 || !(wasInUse || (await isInUse()))) return [...found.values()];
  for (let reading = 2; reading <= readings && found.size > 0; reading += 1) {
    await clock.sleep(pause, signal);
    const again = await read();
    found = new Map([...found].filter(([key]) => again.has(key)));
  }
  return [...found.values()];
}

/** A file of the data folder itself, which belongs to no feature. */
interface OwnFile {
  readonly file: string;
  /** Throws `data_damaged`. */
  read(): unknown;
  /** Replaces a damaged file that was set aside, and returns a sentence about the consequences. */
  replace(): string | Promise<string>;
}

/** Returns the files that describe the folder and the file with its secrets. */
function ownFiles(data: string): readonly OwnFile[] {
  return [
    {
      file: formatFile(data),
      read: () => hasDataFormat(data),
      async replace() {
        await writeDataFormat(data);
        return `A new file with the format ${dataFormat} was written.`;
      },
    },
    {
      file: markFile(data),
      read: () => readFolderMark(data),
      replace: () =>
        'If an import was interrupted here, repeat it into an empty folder. If the data was moved away, use its new location.',
    },
    {
      file: secretsFile(data),
      read: () => readSecrets(secretsFile(data)),
      async replace() {
        await createSecrets(data);
        return 'New secrets were generated. All tokens and cashier sessions have ended unless the settings contain their secrets.';
      },
    },
  ];
}

/** Checks and repairs the files of the folder itself. */
const folderChecker: DataChecker = {
  name: 'folder',
  async check(data, report) {
    for (const file of ownFiles(data)) await check(file, report);
  },
  async repair(data, { tell }) {
    for (const own of ownFiles(data)) {
      let message: string | undefined;
      await check(own, (finding) => {
        message = finding.message;
      });
      if (message === undefined) continue;
      const { file } = own;
      const kept = await setFileAside(systemFiles, data, file);
      tell({
        file,
        line: 1,
        message: `${message} It was set aside as ${kept}. ${await own.replace()}`,
      });
    }
  },
};

async function check({ file, read }: OwnFile, report: Report): Promise<void> {
  try {
    await read();
  } catch (error) {
    reportError(error, file, (finding) => report({ line: 1, ...finding }));
  }
}

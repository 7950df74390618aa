import { join } from 'node:path';
import type { Logger } from '../base/log.js';
import type { Config } from '../config/config.js';
import {
  openSandboxStore,
  type SandboxStore,
} from '../payments/providers/sandbox/store-json/open.js';
import { type Opener, openDataFolder } from './data-folder.js';

/** What the sandbox provider keeps: in files of the data folder, whichever storage the rest is in. */
export async function openSandbox(
  { data, database }: Pick<Config, 'data' | 'database'>,
  opener: Opener & { readonly log?: Logger },
): Promise<SandboxStore> {
  await openDataFolder(data, database === undefined ? 'share' : 'beside', opener);
  return openSandboxStore(join(data, 'sandbox'), opener.clock, undefined, (err) =>
    opener.log?.error({ err }, 'A record of the sandbox cannot be read.'),
  );
}

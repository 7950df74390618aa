import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import { createRateLimiter, unlimited } from '../../base/rate-limit.js';
import type { Config } from '../../config/config.js';
import { openJsonMessagingStore } from '../../messaging/store-json/open.js';
import { checkSiteDocument, openJsonSiteStore } from '../../site/store-json/open.js';
import { checkDataFormat } from '../../storage/json/data-format.js';
import { lockDataFolder } from '../../storage/json/data-lock.js';
import { durableJsonFile } from '../../storage/json/durable-json-file.js';
import { assertFolderOpen } from '../../storage/json/folder-mark.js';
import { prepareDataFolder } from '../../storage/json/prepare-data-folder.js';
import type { Backend } from './backend.js';

export interface BackendOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
}

/** JSON files in the data folder, once it is known to be ours. */
export async function openJsonBackend({ config, clock, log }: BackendOptions): Promise<Backend> {
  const { data } = config;
  const isNew = await prepareDataFolder(data);
  const lock = await lockDataFolder({ folder: data, command: 'msgsite serve', clock });
  try {
    await checkDataFormat(data);
    await assertFolderOpen(data);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    clock,
    rateLimiter: config.rateLimit ? createRateLimiter(clock) : unlimited,
    async openSite() {
      const path = join(data, 'site.json');
      const file = durableJsonFile({ path, check: checkSiteDocument(path) });
      return { store: await openJsonSiteStore(file), isNew };
    },
    openMessaging: () =>
      openJsonMessagingStore({
        folder: join(data, 'messaging'),
        clock,
        onBackgroundFailure: (err) => log.error({ err }, 'Tidying the message files failed.'),
      }),
    // Until then nobody else may touch the files.
    close: () => lock.release(),
  };
}

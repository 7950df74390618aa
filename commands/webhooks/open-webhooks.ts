import { openGatewayStorage } from '../../src/app/storage/gateway-storage.js';
import { openWebhookServices } from '../../src/app/webhook-services.js';
import { silentLog } from '../../src/base/log.js';
import type { Config } from '../../src/config/config.js';
import { assertFolderOpen } from '../../src/storage/json/folder-mark.js';
import { prepareDataFolder } from '../../src/storage/json/prepare-data-folder.js';
import type { Webhooks } from '../../src/webhooks/webhooks.js';
import type { CommandContext } from '../command.js';

/** Webhooks that a command has opened; `stop` lets go of their storage, too. */
export async function openWebhooks(
  { env, clock: local }: CommandContext,
  config: Config,
  label: string,
): Promise<Webhooks> {
  const { database } = config;
  if (database === undefined) await prepareFolder(config.data);
  // The command prints the result of every attempt itself.
  const log = silentLog();
  const storage = await openGatewayStorage({ database, clock: local, log, label });
  const { clock, stores } = storage;
  try {
    const webhooks = await openWebhookServices({
      config,
      environment: env,
      clock,
      log,
      label,
      stores,
    });
    return {
      ...webhooks,
      async stop() {
        await webhooks.stop();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function prepareFolder(folder: string): Promise<void> {
  await prepareDataFolder(folder);
  await assertFolderOpen(folder);
}

import { auditReplays } from '../../src/app/audited.js';
import { openWebhooks } from '../../src/app/gateway-services.js';
import { openStorage } from '../../src/app/open-storage.js';
import { silentLog } from '../../src/base/log.js';
import type { Config } from '../../src/config/config.js';
import type { Webhooks } from '../../src/webhooks/webhooks.js';
import type { CommandContext } from '../command.js';

export interface StoredWebhooks {
  readonly config: Config;
  readonly purpose: 'read' | 'share';
  /** The name of this process, as others see it. */
  readonly label: string;
}

/** Does `work` with the stored webhooks and closes them in any case. Replays are audited. */
export async function withWebhooks(
  { env: environment, clock }: CommandContext,
  { config, purpose, label }: StoredWebhooks,
  work: (webhooks: Webhooks) => Promise<number>,
): Promise<number> {
  // The command prints the result of every attempt itself.
  const log = silentLog();
  const options = { config, clock, log, label };
  const shared = purpose === 'share' ? await openStorage('share', options) : undefined;
  const storage = shared ?? (await openStorage('read', options));
  try {
    const onReplayed =
      shared && auditReplays({ audit: await shared.audit(), clock: storage.clock });
    const webhooks = await openWebhooks({ config, storage, environment, log, onReplayed });
    try {
      return await work(webhooks);
    } finally {
      await webhooks.stop();
    }
  } finally {
    await storage.close();
  }
}

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
  /** The name of this process in messages of other processes. */
  readonly label: string;
}

/** Opens the stored webhooks, calls `work` with them, and closes them. Replays are recorded in the audit log. */
export async function withWebhooks(
  { env: environment, clock }: CommandContext,
  { config, purpose, label }: StoredWebhooks,
  work: (webhooks: Webhooks) => Promise<number>,
): Promise<number> {
  // The log is silent, because the command prints the result of every attempt.
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

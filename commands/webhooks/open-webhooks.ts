import { mkdir } from 'node:fs/promises';
import type { Config } from '../../src/config.js';
import { AppError } from '../../src/errors.js';
import { silentLog } from '../../src/log.js';
import { createWebhooks, type Webhooks } from '../../src/webhooks/webhooks.js';
import type { CommandContext } from '../command.js';

/** The webhooks of a data directory, for a command that may run beside a server. */
export async function openWebhooks(
  { env, clock }: CommandContext,
  config: Config,
  label: string,
): Promise<Webhooks> {
  refuseDatabase(config);
  await mkdir(config.data, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw new AppError('unreadable_input', `The data folder ${config.data} cannot be used.`, {
      hint: 'Choose another one with --data, or let this user write there.',
      cause,
    });
  });
  return createWebhooks({
    data: config.data,
    file: config.webhooks,
    environment: env,
    delays: config.webhookDelays,
    timeoutMs: config.webhookTimeout,
    privateAddresses: config.webhookPrivate,
    retentionMs: config.webhookRetention * 1000,
    clock,
    // The command prints the result of every attempt itself.
    log: silentLog(),
    label,
  });
}

/** Deliveries are looked for in JSON files; saying nothing would look as if there were none. */
export function refuseDatabase({ database }: Config): void {
  if (database === undefined) return;
  throw new AppError('configuration', 'Deliveries are kept in JSON files only.', {
    details: [{ path: '--database', message: 'is not supported for webhooks' }],
  });
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openStorage } from '../../../src/app/open-storage.js';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { type Config, readConfig } from '../../../src/config/config.js';
import type { Payment } from '../../../src/payments/payment.js';
import { openSandboxBank, type SandboxBank } from '../../commands/pay/sandbox-bank.js';
import { createTestDatabase } from '../../helpers/test-database.js';

/** The data of a gateway and its bank. In the project `postgres`, the data has its own database. */
export interface GatewayData {
  readonly bank: SandboxBank;
  /** The environment variables of a gateway on this data. */
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Config;
  /** Adds a payment to the gateway's data. */
  put(payment: Payment): Promise<void>;
  remove(): Promise<void>;
}

/** Creates data in which requests stay in doubt until a person settles them. */
export async function createGatewayData(): Promise<GatewayData> {
  const bank = await openSandboxBank();
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-gateway-'));
  const environment = {
    ...(inject('postgres') ? { MSGSITE_DATABASE: await createTestDatabase() } : {}),
    MSGSITE_DATA: join(folder, 'data'),
    MSGSITE_WEBHOOKS: join(folder, 'webhooks.json'),
    MSGSITE_PROVIDER: bank.url,
    MSGSITE_POLL_INTERVAL: '0.05',
    MSGSITE_RESOLVE_INTERVAL: '3600',
  };
  const config = readConfig({ flags: {}, env: environment, cwd: folder });
  return {
    bank,
    environment,
    config,
    async put(payment) {
      const options = { config, environment, clock: systemClock, log: silentLog(), label: 'test' };
      const storage = await openStorage('share', options);
      try {
        const stores = await storage.payments();
        await stores.payments.add(payment);
        await stores.close();
      } finally {
        await storage.close();
      }
    },
    async remove() {
      await bank.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

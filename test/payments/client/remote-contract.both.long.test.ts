import { describe } from 'vitest';
import { startServer } from '../../../src/app/server.js';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { clientContract } from './client-contract.js';
import { clientOf } from './scripted-gateway.js';

describe('a gateway over its HTTP API', () => {
  clientContract(async ({ config, environment }) => {
    const server = await startServer({
      config: { ...config, gatewayPort: 0 },
      environment,
      clock: systemClock,
      log: silentLog(),
      only: 'gateway',
      demo: false,
    });
    const client = clientOf(server.urls.gateway ?? '');
    return {
      client,
      isServed: true,
      async close() {
        await client.close();
        await server.close();
      },
    };
  });
});

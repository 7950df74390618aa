import { describe } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { createRemoteClient } from '../../../src/payments/client/remote-client.js';
import { startTestServer } from '../../helpers/test-server.js';
import { clientContract } from './client-contract.js';

describe('a gateway on another machine', () => {
  clientContract(async ({ config: { data }, environment }) => {
    const env = { ...environment, MSGSITE_RATE_LIMIT: 'off' };
    const server = await startTestServer({ only: 'gateway', data, env });
    const { signal } = new AbortController();
    const client = createRemoteClient({ address: server.gateway, clock: systemClock, signal });
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

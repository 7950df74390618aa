import { describe } from 'vitest';
import { openGatewayClient } from '../../../src/app/open-gateway-client.js';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { clientContract } from './client-contract.js';

describe('a gateway in this process', () => {
  clientContract(async ({ config, environment }) => {
    const client = await openGatewayClient({
      config,
      environment,
      clock: systemClock,
      log: silentLog(),
    });
    return { client, isServed: false, close: client.close };
  });
});

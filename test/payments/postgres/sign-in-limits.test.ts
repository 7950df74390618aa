import { expect, it } from 'vitest';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { startTestServer } from '../../helpers/test-server.js';
import { createGatewayClient } from '../gateway-client.js';

it('two processes on one database share the number of wrong codes per phone', async () => {
  // Both servers use the same database, because they use the same folder.
  const data = await makeTempFolder();
  const servers = [
    await startTestServer({ only: 'gateway', data }),
    await startTestServer({ only: 'gateway', data }),
  ];
  try {
    const clients = await Promise.all(servers.map(({ gateway }) => createGatewayClient(gateway)));
    const [here, there] = clients;
    if (!here || !there) throw new Error('Two servers were started.');
    const begin = async () => {
      const { processId } = (await here.post('/api/auth/init')).body;
      const body = { processId, phoneNumber: '77011234567' };
      expect((await there.post('/api/auth/send-phone', body)).status).toBe(200);
      return processId as string;
    };
    const processes = await Promise.all(Array.from({ length: 6 }, begin));
    const codes = processes.flatMap((processId) =>
      [here, there, here, there, here].map(({ post }) =>
        post('/api/auth/verify-otp', { processId, otp: '000000' }),
      ),
    );
    const statuses = (await Promise.all(codes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  } finally {
    for (const server of servers) await server.close();
  }
});

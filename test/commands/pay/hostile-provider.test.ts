import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPayCli, type PayCli } from './pay-cli.js';

const message = 'Refused\u001b[2J\u001b]0;title\u0007\u009b31m\r\nError:\u202epaid';

let server: Server;
let cli: PayCli;
beforeEach(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(409, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'refused', message }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  cli = await createPayCli({ MSGSITE_PROVIDER: `http://127.0.0.1:${port}` });
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await cli.remove();
});

it.each(['', ' --verbose'])(
  'the provider’s text in `pay login%s` cannot control the terminal',
  async (flag) => {
    const { exitCode, stderr } = await cli.run(`login --phone 87011234567${flag}`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'Error: Refused\\u001b[2J\\u001b]0;title\\u0007\\u009b31m\\u000d\\u000aError:\\u202epaid',
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain them.
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  },
);

it('pay login --json prints the provider’s text unchanged', async () => {
  const { document } = await cli.json('login --phone 87011234567');
  expect(document).toMatchObject({ error: message });
});

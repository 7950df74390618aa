import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { follow } from '../docs/follow.js';
import { followed } from '../docs/pages.js';
import { startServe } from '../helpers/msgsite-process.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { caddy, freePorts, missing, nginx } from './postgres/proxies.js';
import { createShopClient } from './postgres/shop-client.js';

const page = 'docs/operate/proxy.md';

for (const kind of [nginx, caddy]) {
  const reason = missing(kind.name);
  const title = `one process serves the site and the gateway behind ${kind.name} configured as in ${page}`;
  it.skipIf(reason)(`${title}${reason ? ` (skipped: ${reason})` : ''}`, async () => {
    const reader = followed[page];
    const instead = { ...reader?.instead, 'YOUR.NAME': 'shop.example' };
    const configurations = await follow(page, { ...reader, instead });
    const folder = await makeTempFolder();
    const [http = 0, https = 0, site = 0, gateway = 0] = await freePorts(4);
    const serving = await startServe(['--demo'], {
      cwd: folder,
      env: {
        MSGSITE_PORT: String(site),
        MSGSITE_GATEWAY_PORT: String(gateway),
        MSGSITE_PUBLIC_URL: 'https://shop.example',
        MSGSITE_HOSTS: 'pay.shop.example',
        MSGSITE_TRUSTED_PROXIES: '127.0.0.1',
        MSGSITE_ADMIN_TOKEN: 'the token of the admin page',
      },
    });
    onTestFinished(async () => void (await serving.end('SIGTERM')));
    const proxy = await kind.start({
      folder: join(folder, kind.name),
      ports: { http, https },
      sites: [site],
      gateways: [gateway],
      configurations,
    });
    onTestFinished(() => proxy.stop());
    const send = createShopClient(https, proxy.certificate);
    expect((await send('shop.example', 'GET', '/')).headers['content-type']).toContain('text/html');
    expect((await send('shop.example', 'GET', '/api/products')).body.ok).toBe(true);
    const step = await send('pay.shop.example', 'POST', '/api/auth/init', { body: {} });
    expect(step.body).toMatchObject({ success: true, view: 'EnterPhoneNumber' });
  });
}

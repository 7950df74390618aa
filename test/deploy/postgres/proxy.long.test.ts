import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MsgsiteProcess, startMsgsite, startServe } from '../../helpers/msgsite-process.js';
import { createTestDatabase } from '../../helpers/test-database.js';
import { caddy, freePorts, missing, nginx, type RunningProxy } from './proxies.js';
import { createShopClient, type ShopClient } from './shop-client.js';

const shop = 'shop.example';
const pay = 'pay.shop.example';
const adminToken = 'the token of the admin page';

for (const kind of [nginx, caddy]) {
  const reason = missing(kind.name);
  const title = `two processes behind ${kind.name}${reason ? ` (skipped: ${reason})` : ''}`;
  describe.skipIf(reason)(title, () => {
    const servings: MsgsiteProcess[] = [];
    let folder = '';
    let sites: number[] = [];
    let ports = { http: 0, https: 0 };
    let sandbox: MsgsiteProcess;
    let proxy: RunningProxy;
    let send: ShopClient;
    let start: (index: number) => Promise<void>;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'msgsite-proxy-'));
      const [http = 0, https = 0, ...rest] = await freePorts(6);
      const [siteA = 0, siteB = 0, gatewayA = 0, gatewayB = 0] = rest;
      ports = { http, https };
      sites = [siteA, siteB];
      const gateways = [gatewayA, gatewayB] as const;
      const database = await createTestDatabase();
      sandbox = startMsgsite(['sandbox', '--port', '0', '--data', folder, '--json']);
      const [, provider = ''] = await sandbox.waitFor(/"url": ?"([^"]+)"/);
      start = async (index) => {
        servings[index] = await startServe([], {
          cwd: folder,
          env: {
            MSGSITE_PORT: String(sites[index]),
            MSGSITE_GATEWAY_PORT: String(gateways[index]),
            MSGSITE_DATA: join(folder, `machine-${index}`),
            MSGSITE_DATABASE: database,
            MSGSITE_PROVIDER: provider,
            MSGSITE_PUBLIC_URL: `https://${shop}`,
            MSGSITE_HOSTS: pay,
            MSGSITE_TRUSTED_PROXIES: '127.0.0.1',
            MSGSITE_JWT_SECRET: 'the same for all and long enough',
            MSGSITE_GATEWAY_KEY: 'the same for all as well and long enough',
            MSGSITE_ADMIN_TOKEN: adminToken,
          },
        });
      };
      await start(0);
      await start(1);
      proxy = await kind.start({
        folder: join(folder, kind.name),
        ports,
        sites: [siteA, siteB],
        gateways,
      });
      send = createShopClient(https, proxy.certificate);
    });

    afterAll(async () => {
      await proxy?.stop();
      await Promise.all([...servings, sandbox].map((process) => process?.end('SIGTERM')));
      await rm(folder, { recursive: true, force: true });
    });

    async function register(email: string, from = '127.0.0.1') {
      const body = { username: 'Aigerim', email, password: 'apricot and walnut' };
      return (await send(shop, 'POST', '/api/auth/register', { body, from })).body;
    }

    async function createGroup(token: string): Promise<number> {
      const body = { type: 'group', name: 'Ovens' };
      return (await send(shop, 'POST', '/api/chats', { token, body })).body.chat.id;
    }

    it('redirect HTTP requests to HTTPS', async () => {
      const response = await new Promise<{ status?: number; location?: string }>(
        (resolve, reject) => {
          const headers = { Host: shop };
          get(
            { host: '127.0.0.1', port: ports.http, path: '/admin.html?a=1', headers },
            (incoming) => {
              incoming.resume();
              const { statusCode: status, headers: received } = incoming;
              resolve({
                ...(status ? { status } : {}),
                ...(received.location ? { location: received.location } : {}),
              });
            },
          ).on('error', reject);
        },
      );
      expect(response.status).toBe(308);
      expect(response.location).toBe(`https://${shop}/admin.html?a=1`);
    });

    it('serve pages with security headers and compressed styles', async () => {
      for (const path of ['/', '/admin.html']) {
        const { status, headers } = await send(shop, 'GET', path);
        expect(status).toBe(200);
        expect(headers['content-type']).toContain('text/html');
        expect(headers['strict-transport-security']).toMatch(/^max-age=\d+; includeSubDomains$/);
        expect(headers['content-security-policy']).toContain("default-src 'none'");
      }
      const style = await send(shop, 'GET', '/style.css', {
        headers: { 'Accept-Encoding': 'gzip' },
      });
      expect(style.headers['content-encoding']).toBe('gzip');
      const etag = String(style.headers.etag);
      const again = await send(shop, 'GET', '/style.css', {
        headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': etag },
      });
      expect(again.status).toBe(304);
    });

    it('serve a product that the administrator has added from every process', async () => {
      const body = { name: 'Baursak' };
      const path = '/api/admin/products';
      expect((await send(shop, 'POST', path, { body })).status).toBe(401);
      const created = await send(shop, 'POST', path, { body, token: adminToken });
      expect(created.status).toBe(201);
      for (const site of sites) {
        await expect
          .poll(async () => (await fetch(`http://127.0.0.1:${site}/api/products`)).text())
          .toContain('Baursak');
      }
      const products = await send(shop, 'GET', '/api/products');
      const etag = String(products.headers.etag);
      const headers = { 'If-None-Match': etag };
      expect((await send(shop, 'GET', '/api/products', { headers })).status).toBe(304);
    });

    it('reject requests for an unknown host name', async () => {
      if (kind === nginx) {
        const foreign = await send('evil.example', 'GET', '/api/products');
        expect([foreign.status, foreign.body.code]).toEqual([421, 'misdirected']);
      } else {
        expect((await send('evil.example', 'GET', '/api/products')).text).toBe('');
      }
      const site = await send(shop, 'GET', '/openapi.json');
      expect(site.body.servers).toEqual([{ url: `https://${shop}` }]);
      const gateway = await send(pay, 'GET', '/openapi.json');
      expect(gateway.body.servers).toEqual([{ url: '/' }]);
    });

    it('accept a sign-in at every process and link to avatars through the proxy', async () => {
      const { token, user } = await register('sign-in@shop.kz');
      for (const site of sites) {
        const headers = { Authorization: `Bearer ${token}` };
        const response = await fetch(`http://127.0.0.1:${site}/api/auth/me`, { headers });
        expect(response.status).toBe(200);
      }
      expect(user.avatar).toMatch(new RegExp(`^https://${shop}/`));
      const avatar = await send(shop, 'GET', new URL(user.avatar).pathname);
      expect(avatar.headers['content-type']).toContain('image/svg+xml');
    });

    it('serve payments only under the host name of the gateway', async () => {
      expect((await send(pay, 'GET', '/health')).body).toEqual({ status: 'ok' });
      expect((await send(pay, 'GET', '/api/products')).status).toBe(404);
      const { processId } = (await send(pay, 'POST', '/api/auth/init')).body;
      const phone = { phoneNumber: '77011234567', processId };
      expect((await send(pay, 'POST', '/api/auth/send-phone', { body: phone })).status).toBe(200);
      const code = { otp: '123456', processId };
      const session = (await send(pay, 'POST', '/api/auth/verify-otp', { body: code })).body;
      const headers = {
        'X-Token-SN': session.tokenSN,
        'X-Vtoken-Secret': session.vtokenSecret,
        'Idempotency-Key': 'the first sale',
      };
      const sale = () => send(pay, 'POST', '/api/qr/create', { body: { amount: 1506 }, headers });
      const first = await sale();
      expect(first.status).toBe(200);
      expect((await sale()).body).toEqual(first.body);
    });

    it.runIf(kind === nginx)(
      "keep customers' phone numbers out of the proxy's access log",
      async () => {
        const path = '/api/invoice/client-info?phoneNumber=77017654321';
        expect((await send(pay, 'GET', path)).status).toBe(401);
        const readLog = () => readFile(join(folder, kind.name, 'access.log'), 'utf8');
        await expect.poll(readLog).toContain('/api/invoice/client-info');
        expect(await readLog()).not.toContain('77017654321');
      },
    );

    it.runIf(kind === nginx)(
      'reject unencrypted requests to the gateway instead of redirecting them',
      async () => {
        const status = await new Promise<number | undefined>((resolve, reject) => {
          const headers = { Host: pay };
          get({ host: '127.0.0.1', port: ports.http, path: '/health', headers }, (incoming) => {
            incoming.resume();
            resolve(incoming.statusCode);
          }).on('error', reject);
        });
        expect(status).toBe(403);
      },
    );

    it('notify a waiting client of a message that any process received', async () => {
      const { token } = await register('wait@shop.kz');
      const chat = await createGroup(token);
      const path = `/api/chats/${chat}/messages`;
      let last = 0;
      for (const site of [...sites, ...sites]) {
        const waiting = send(shop, 'GET', `${path}?after=${last}&wait=30`, { token });
        const posted = await fetch(`http://127.0.0.1:${site}${path}`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ text: 'Fresh bread' }),
        });
        const { message } = (await posted.json()) as { message: { id: number } };
        const { body } = await waiting;
        expect(body.messages.map(({ id }: { id: number }) => id)).toEqual([message.id]);
        last = message.id;
      }
    });

    it('allow a request to wait for 30 seconds', async () => {
      const { token } = await register('patience@shop.kz');
      const chat = await createGroup(token);
      const path = `/api/chats/${chat}/messages?after=0&wait=30`;
      const { status, body } = await send(shop, 'GET', path, { token });
      expect([status, body.messages]).toEqual([200, []]);
    });

    it('reject an oversized request body with a JSON error', async () => {
      const { token } = await register('large@shop.kz');
      for (const kilobytes of [110, 300]) {
        const body = { text: 'x'.repeat(kilobytes * 1024) };
        const response = await send(shop, 'POST', '/api/chats/1/messages', { token, body });
        expect([response.status, response.body?.code]).toEqual([413, 'too_large']);
      }
    });

    it('limit each client by its address and ignore a forged X-Forwarded-For header', async () => {
      const login = (from: string, headers = {}) => {
        const body = { email: 'nobody@shop.kz', password: `a guess from ${from}` };
        return send(shop, 'POST', '/api/auth/login', { body, from, headers });
      };
      let limited = await login('127.0.0.2');
      for (let n = 0; n < 100 && limited.status !== 429; n += 1) limited = await login('127.0.0.2');
      expect(limited.status).toBe(429);
      const forged = await login('127.0.0.2', { 'X-Forwarded-For': '203.0.113.9' });
      expect(forged.status).toBe(429);
      expect((await login('127.0.0.3')).status).toBe(401);
    });

    interface Writer {
      readonly token: string;
      readonly chat: number;
      readonly isKeyed: boolean;
      readonly outcomes: { readonly text: string; readonly status: number }[];
      readonly reads: number[];
    }

    async function createWriter(name: string, isKeyed: boolean): Promise<Writer> {
      const { token } = await register(`${name}@shop.kz`);
      return { token, chat: await createGroup(token), isKeyed, outcomes: [], reads: [] };
    }

    /** Alternately posts and reads until the signal is aborted. */
    async function work({ token, chat, isKeyed, outcomes, reads }: Writer, over: AbortSignal) {
      const path = `/api/chats/${chat}/messages`;
      for (let n = 0; !over.aborted; n += 1) {
        const text = `message ${n}`;
        const headers = isKeyed ? { 'Idempotency-Key': text } : {};
        const { status } = await send(shop, 'POST', path, { token, body: { text }, headers });
        outcomes.push({ text, status });
        reads.push((await send(shop, 'GET', `${path}?limit=1`, { token })).status);
        // Stays below the rate limit for a user.
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }

    async function storedTexts({ token, chat }: Writer): Promise<string[]> {
      const { body } = await send(shop, 'GET', `/api/chats/${chat}/messages`, { token });
      return body.messages.map(({ text }: { text: string }) => text);
    }

    it.each(['SIGKILL', 'SIGTERM'] as const)(
      'continue to serve after %s of a process and store no message twice',
      async (signal) => {
        const writers = await Promise.all(
          Array.from({ length: 12 }, (_, n) => createWriter(`${signal}-${n}`, n % 2 === 0)),
        );
        const sent = () => writers.reduce((sum, { outcomes }) => sum + outcomes.length, 0);
        const more = async (count: number) => {
          const from = sent();
          await expect.poll(sent, { timeout: 30_000 }).toBeGreaterThan(from + count);
        };
        const over = new AbortController();
        const working = writers.map((writer) => work(writer, over.signal));
        await more(200);
        await servings[0]?.end(signal);
        await more(200);
        await start(0);
        await more(200);
        over.abort();
        await Promise.all(working);
        for (const writer of writers) {
          const stored = await storedTexts(writer);
          const { outcomes, reads, isKeyed } = writer;
          expect(new Set(stored).size).toBe(stored.length);
          for (const { text, status } of outcomes) {
            if (status === 201) expect(stored).toContain(text);
          }
          const failed = outcomes.filter(({ status }) => status !== 201);
          const failedReads = reads.filter((status) => status !== 200);
          if (kind === nginx) {
            expect(failedReads).toEqual([]);
            // A post without a key may have been stored, so the proxy does not repeat it.
            expect(failed.filter(({ status }) => isKeyed || status !== 502)).toEqual([]);
          } else {
            expect(failed.filter(({ status }) => status !== 502 && status !== 503)).toEqual([]);
          }
        }
      },
    );
  });
}

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
  const title = `two processes behind ${kind.name}${reason ? ` (left out: ${reason})` : ''}`;
  describe.skipIf(reason)(title, () => {
    const servings: MsgsiteProcess[] = [];
    let folder = '';
    let sites: number[] = [];
    let ports = { http: 0, https: 0 };
    let sandbox: MsgsiteProcess;
    let proxy: RunningProxy;
    let ask: ShopClient;
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
      ask = createShopClient(https, proxy.certificate);
    });

    afterAll(async () => {
      await proxy?.stop();
      await Promise.all([...servings, sandbox].map((process) => process?.end('SIGTERM')));
      await rm(folder, { recursive: true, force: true });
    });

    async function register(email: string, from = '127.0.0.1') {
      const body = { username: 'Aigerim', email, password: 'apricot and walnut' };
      return (await ask(shop, 'POST', '/api/auth/register', { body, from })).body;
    }

    async function createGroup(token: string): Promise<number> {
      const body = { type: 'group', name: 'Ovens' };
      return (await ask(shop, 'POST', '/api/chats', { token, body })).body.chat.id;
    }

    it('redirect HTTP requests to HTTPS', async () => {
      const answer = await new Promise<{ status?: number; location?: string }>(
        (resolve, reject) => {
          const headers = { Host: shop };
          get(
            { host: '127.0.0.1', port: ports.http, path: '/admin.html?a=1', headers },
            (incoming) => {
              incoming.resume();
              const { statusCode: status, headers: got } = incoming;
              resolve({
                ...(status ? { status } : {}),
                ...(got.location ? { location: got.location } : {}),
              });
            },
          ).on('error', reject);
        },
      );
      expect(answer.status).toBe(308);
      expect(answer.location).toBe(`https://${shop}/admin.html?a=1`);
    });

    it('serve the pages with one set of security headers', async () => {
      for (const path of ['/', '/admin.html']) {
        const { status, headers } = await ask(shop, 'GET', path);
        expect(status).toBe(200);
        expect(headers['content-type']).toContain('text/html');
        expect(headers['strict-transport-security']).toMatch(/^max-age=\d+; includeSubDomains$/);
        expect(headers['content-security-policy']).toContain("default-src 'none'");
      }
      const style = await ask(shop, 'GET', '/style.css', {
        headers: { 'Accept-Encoding': 'gzip' },
      });
      expect(style.headers['content-encoding']).toBe('gzip');
      const etag = String(style.headers.etag);
      const again = await ask(shop, 'GET', '/style.css', {
        headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': etag },
      });
      expect(again.status).toBe(304);
    });

    it('serve a product that the administrator adds from every process', async () => {
      const body = { name: 'Baursak' };
      const path = '/api/admin/products';
      expect((await ask(shop, 'POST', path, { body })).status).toBe(401);
      const created = await ask(shop, 'POST', path, { body, token: adminToken });
      expect(created.status).toBe(201);
      for (const site of sites) {
        await expect
          .poll(async () => (await fetch(`http://127.0.0.1:${site}/api/products`)).text())
          .toContain('Baursak');
      }
      const products = await ask(shop, 'GET', '/api/products');
      const etag = String(products.headers.etag);
      const headers = { 'If-None-Match': etag };
      expect((await ask(shop, 'GET', '/api/products', { headers })).status).toBe(304);
    });

    it('refuse requests for an unknown host name', async () => {
      if (kind === nginx) {
        const foreign = await ask('evil.example', 'GET', '/api/products');
        expect([foreign.status, foreign.body.code]).toEqual([421, 'misdirected']);
      } else {
        expect((await ask('evil.example', 'GET', '/api/products')).text).toBe('');
      }
      const site = await ask(shop, 'GET', '/openapi.json');
      expect(site.body.servers).toEqual([{ url: `https://${shop}` }]);
      const gateway = await ask(pay, 'GET', '/openapi.json');
      expect(gateway.body.servers).toEqual([{ url: '/' }]);
    });

    it('accept a sign-in at every process and link to avatars through the proxy', async () => {
      const { token, user } = await register('sign-in@shop.kz');
      for (const site of sites) {
        const headers = { Authorization: `Bearer ${token}` };
        const answer = await fetch(`http://127.0.0.1:${site}/api/auth/me`, { headers });
        expect(answer.status).toBe(200);
      }
      expect(user.avatar).toMatch(new RegExp(`^https://${shop}/`));
      const avatar = await ask(shop, 'GET', new URL(user.avatar).pathname);
      expect(avatar.headers['content-type']).toContain('image/svg+xml');
    });

    it('take payments under the host name of the gateway only', async () => {
      expect((await ask(pay, 'GET', '/health')).body).toEqual({ status: 'ok' });
      expect((await ask(pay, 'GET', '/api/products')).status).toBe(404);
      const { processId } = (await ask(pay, 'POST', '/api/auth/init')).body;
      const phone = { phoneNumber: '77011234567', processId };
      expect((await ask(pay, 'POST', '/api/auth/send-phone', { body: phone })).status).toBe(200);
      const code = { otp: '123456', processId };
      const session = (await ask(pay, 'POST', '/api/auth/verify-otp', { body: code })).body;
      const headers = {
        'X-Token-SN': session.tokenSN,
        'X-Vtoken-Secret': session.vtokenSecret,
        'Idempotency-Key': 'the first sale',
      };
      const sale = () => ask(pay, 'POST', '/api/qr/create', { body: { amount: 1506 }, headers });
      const first = await sale();
      expect(first.status).toBe(200);
      expect((await sale()).body).toEqual(first.body);
    });

    it.runIf(kind === nginx)(
      "keep clients' phone numbers out of the access log of the proxy",
      async () => {
        const path = '/api/invoice/client-info?phoneNumber=77017654321';
        expect((await ask(pay, 'GET', path)).status).toBe(401);
        const readLog = () => readFile(join(folder, kind.name, 'access.log'), 'utf8');
        await expect.poll(readLog).toContain('/api/invoice/client-info');
        expect(await readLog()).not.toContain('77017654321');
      },
    );

    it.runIf(kind === nginx)(
      'refuse unencrypted requests to the gateway instead of redirecting them',
      async () => {
        const answer = await new Promise<number | undefined>((resolve, reject) => {
          const headers = { Host: pay };
          get({ host: '127.0.0.1', port: ports.http, path: '/health', headers }, (incoming) => {
            incoming.resume();
            resolve(incoming.statusCode);
          }).on('error', reject);
        });
        expect(answer).toBe(403);
      },
    );

    it('wake a client that waits for messages, whichever process received the message', async () => {
      const { token } = await register('wait@shop.kz');
      const chat = await createGroup(token);
      const path = `/api/chats/${chat}/messages`;
      let last = 0;
      for (const site of [...sites, ...sites]) {
        const waiting = ask(shop, 'GET', `${path}?after=${last}&wait=30`, { token });
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

    it('let a request wait for its full 30 seconds', async () => {
      const { token } = await register('patience@shop.kz');
      const chat = await createGroup(token);
      const path = `/api/chats/${chat}/messages?after=0&wait=30`;
      const { status, body } = await ask(shop, 'GET', path, { token });
      expect([status, body.messages]).toEqual([200, []]);
    });

    it('refuse a request body that is too large with the JSON error of the service', async () => {
      const { token } = await register('large@shop.kz');
      for (const kilobytes of [110, 300]) {
        const body = { text: 'x'.repeat(kilobytes * 1024) };
        const answer = await ask(shop, 'POST', '/api/chats/1/messages', { token, body });
        expect([answer.status, answer.body?.code]).toEqual([413, 'too_large']);
      }
    });

    it('limit each client by its own address, whatever X-Forwarded-For claims', async () => {
      const login = (from: string, headers = {}) => {
        const body = { email: 'nobody@shop.kz', password: `a guess from ${from}` };
        return ask(shop, 'POST', '/api/auth/login', { body, from, headers });
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

    /** Posts and reads in turn until the signal is aborted. */
    async function work({ token, chat, isKeyed, outcomes, reads }: Writer, over: AbortSignal) {
      const path = `/api/chats/${chat}/messages`;
      for (let n = 0; !over.aborted; n += 1) {
        const text = `message ${n}`;
        const headers = isKeyed ? { 'Idempotency-Key': text } : {};
        const { status } = await ask(shop, 'POST', path, { token, body: { text }, headers });
        outcomes.push({ text, status });
        reads.push((await ask(shop, 'GET', `${path}?limit=1`, { token })).status);
        // Stays below the rate limit of one user.
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }

    async function storedTexts({ token, chat }: Writer): Promise<string[]> {
      const { body } = await ask(shop, 'GET', `/api/chats/${chat}/messages`, { token });
      return body.messages.map(({ text }: { text: string }) => text);
    }

    it.each(['SIGKILL', 'SIGTERM'] as const)(
      'keep serving while a process ends by %s, and repeat no request that would be done twice',
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
            // The proxy cannot know whether a post without a key was stored, so it does not repeat it.
            expect(failed.filter(({ status }) => isKeyed || status !== 502)).toEqual([]);
          } else {
            expect(failed.filter(({ status }) => status !== 502 && status !== 503)).toEqual([]);
          }
        }
      },
    );
  });
}

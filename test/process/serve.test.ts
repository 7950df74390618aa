import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startMsgsite, startServe } from '../helpers/msgsite-process.js';

let data: string;

const newFolder = async () => join(await mkdtemp(join(tmpdir(), 'msgsite-serve-')), 'data');

beforeEach(async () => {
  data = await newFolder();
});

const serve = (argv: readonly string[] = [], env: Record<string, string> = {}) =>
  startServe(['--data', data, ...argv], { env });

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of many shapes.
async function getJson(url: string): Promise<any> {
  return (await fetch(url)).json();
}

const warnings = {
  'an admin page that requires no token': /shop\.example.*can use the admin page.*ADMIN_TOKEN/,
  'the sandbox': /provider is the sandbox.*shop\.example.*--provider/,
  'a short secret': /MSGSITE_JWT_SECRET has fewer than 16 characters/,
};
const linesOf = (text: string, warning: RegExp) =>
  text.split('\n').filter((line) => warning.test(line));

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

describe('a correctly configured public server', () => {
  let health: { site: unknown; gateway: unknown };
  let areTwo: boolean;
  let exitCode: number | null;
  let stderr: string;

  beforeAll(async () => {
    const folder = ['--data', await newFolder()];
    const open = ['--public-url', 'https://shop.example', '--provider', 'https://provider.invalid'];
    const serving = await startServe([...folder, ...open], {
      env: { MSGSITE_ADMIN_TOKEN: 'open-sesame-to-this', MSGSITE_JWT_SECRET: 'sixteen letters!' },
    });
    const { site, gateway } = serving;
    areTwo = site !== gateway;
    health = { site: await getJson(`${site}/health`), gateway: await getJson(`${gateway}/health`) };
    await fetch(`${site}/api/settings?phoneNumber=77011234567`, {
      headers: { Authorization: 'Bearer open-sesame-to-this' },
    });
    exitCode = await serving.end('SIGTERM');
    stderr = serving.stderr();
  });

  test('has a healthy listener for each service', () => {
    expect(areTwo).toBe(true);
    expect(health).toEqual({ site: { ok: true, status: 'ok' }, gateway: { status: 'ok' } });
    expect(exitCode).toBe(0);
  });

  test('logs no configuration warning', () => {
    for (const [name, warning] of Object.entries(warnings)) {
      expect(linesOf(stderr, warning), name).toEqual([]);
    }
  });

  test('logs requests without their secrets', () => {
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({
        method: 'GET',
        path: '/api/settings',
        status: 400,
        request: expect.any(String),
      }),
    );
    expect(stderr).not.toMatch(/open-sesame|77011234567/);
  });
});

describe('the listeners of serve', () => {
  test('are reduced to one by --only', async () => {
    const serving = await serve(['--only', 'gateway']);
    expect(serving.site).toBe('');
    expect((await fetch(`${serving.gateway}/api/products`)).status).toBe(404);
    await serving.end('SIGTERM');
  });

  test('are merged into one that serves both services if the ports are equal', async () => {
    const port = await freePort();
    const serving = await serve([], { MSGSITE_PORT: port, MSGSITE_GATEWAY_PORT: port });
    expect(serving.site).toBe(serving.gateway);
    expect((await fetch(`${serving.site}/api/products`)).status).toBe(200);
    expect((await fetch(`${serving.site}/api/auth/init`, { method: 'POST' })).status).toBe(200);
    const logout = (headers: Record<string, string>) =>
      fetch(`${serving.site}/api/auth/logout`, { method: 'POST', headers });
    expect(await (await logout({})).json()).toEqual({ success: true });
    const bearer = await logout({ Authorization: 'Bearer nobody' });
    expect(bearer.status).toBe(401);
    expect(await bearer.json()).toMatchObject({ ok: false, code: 'unauthorized' });
    await serving.end('SIGTERM');
  });
});

describe('the data folder of serve', () => {
  test('is not filled by --demo if it contains a foreign file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'msgsite-foreign-'));
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const serving = await startServe(['--data', folder, '--demo']);
    expect((await getJson(`${serving.site}/api/products`)).data).toEqual([]);
    await serving.end('SIGTERM');
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
  });

  test('is locked against a second serve, and can be used again after a kill', async () => {
    const serving = await serve();
    const second = startMsgsite(['serve', '--data', data, '--port', '0', '--gateway-port', '0']);
    expect(await second.exit()).toBe(1);
    expect(second.stderr()).toContain(`process ${serving.child.pid}`);
    await serving.end('SIGKILL');
    const third = await serve();
    expect(await third.end('SIGTERM')).toBe(0);
  });
});

describe('a data folder started twice with --demo', () => {
  let folder: string;
  const productsOf = async (site: string) => (await getJson(`${site}/api/products`)).data;
  const first: { products?: { id: number }[]; secrets?: string; mode?: number } = {};
  const second: typeof first = {};

  beforeAll(async () => {
    folder = await newFolder();
    const file = join(folder, 'secrets.json');
    for (const seen of [first, second]) {
      const serving = await startServe(['--data', folder, '--demo']);
      seen.products = await productsOf(serving.site);
      const id = seen.products?.[0]?.id;
      await fetch(`${serving.site}/api/admin/products/${id}`, { method: 'DELETE' });
      await serving.end('SIGTERM');
      seen.secrets = await readFile(file, 'utf8');
      seen.mode = (await stat(file)).mode & 0o777;
    }
  });

  test('is filled only while it is empty', () => {
    const all = first.products ?? [];
    expect(all.length).toBeGreaterThan(5);
    expect(second.products?.map(({ id }) => id)).toEqual(all.slice(1).map(({ id }) => id));
  });

  test('keeps its secrets, which only their owner can read', () => {
    expect(first.mode).toBe(0o600);
    expect(Object.keys(JSON.parse(first.secrets ?? '')).sort()).toEqual([
      'crc',
      'gatewayKey',
      'jwtSecret',
    ]);
    expect(second.secrets).toBe(first.secrets);
  });

  test('prevents startup if accounts are damaged, and the error names the file, the line and the repair', async () => {
    await cp(folder, data, { recursive: true });
    const users = join(data, 'messaging', 'users.snapshot.jsonl');
    await writeFile(users, (await readFile(users, 'utf8')).slice(0, 40));
    const broken = startMsgsite(['serve', '--data', data, '--port', '0', '--gateway-port', '0']);
    expect(await broken.exit()).toBe(2);
    expect(broken.stderr()).toMatch(/users\.snapshot\.jsonl, line 1: [\s\S]*data check .*--repair/);
    expect(await readdir(data)).not.toContain('serve.lock');
  });
});

describe('stopping serve', () => {
  test('completes a request in progress, rejects new connections and exits with 0', async () => {
    const serving = await serve();
    const { hostname, port } = new URL(serving.site);
    const body = JSON.stringify({ name: 'late' });
    const head =
      `POST /api/admin/products HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await new Promise<void>((resolve) => socket.write(head + body.slice(0, 5), () => resolve()));
    // The response on a different connection proves that the first one has been accepted.
    await fetch(`${serving.site}/health`);
    serving.child.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(serving.site).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    socket.write(body.slice(5));
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(await serving.exit()).toBe(0);
  });

  test('is immediate on a second signal', async () => {
    const serving = await serve();
    const { hostname, port } = new URL(serving.site);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write('POST /api/admin/products HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n');
    await fetch(`${serving.site}/health`);
    serving.child.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(serving.site).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    expect(await serving.end('SIGTERM')).toBe(143);
  });

  test('is not blocked by a closed log pipe', async () => {
    const serving = await serve();
    serving.child.stderr.destroy();
    expect((await fetch(`${serving.site}/health`)).status).toBe(200);
    expect(await serving.end('SIGTERM')).toBe(0);
  });

  test('is forced after a time-out if a provider does not close', async () => {
    const module = join(dirname(data), 'provider.mjs');
    const neverCloses = `export default () => new Proxy({ close: () => new Promise(() => {}) }, {
      get: (own, name) => own[name] ?? (name === 'then' ? undefined : () => Promise.reject()),
    });`;
    await writeFile(module, neverCloses);
    const serving = await serve(['--provider', module]);
    expect(await serving.end('SIGTERM')).toBe(0);
    expect(serving.stderr()).toContain('The shutdown took too long');
  });
});

test('serve warns on stderr and in the log about insecure settings of a public server', async () => {
  const serving = await serve(['--public-url', 'https://shop.example'], {
    MSGSITE_JWT_SECRET: 'short',
  });
  await serving.end('SIGTERM');
  for (const [name, warning] of Object.entries(warnings)) {
    const [sentence, line = ''] = linesOf(serving.stderr(), warning);
    expect(sentence, name).toMatch(warning);
    expect(JSON.parse(line), name).toMatchObject({ level: 40 });
  }
});

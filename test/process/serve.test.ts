import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { startMsgsite, startServe } from '../helpers/msgsite-process.js';

let data: string;

beforeEach(async () => {
  data = join(await mkdtemp(join(tmpdir(), 'msgsite-serve-')), 'data');
});

const serve = (argv: readonly string[] = [], env: Record<string, string> = {}) =>
  startServe(['--data', data, ...argv], { env });

// biome-ignore lint/suspicious/noExplicitAny: tests read into bodies of many shapes and assert on what they find.
async function getJson(url: string): Promise<any> {
  return (await fetch(url)).json();
}

describe('listeners', () => {
  test('both services get one each, and both say that they are well', async () => {
    const serving = await serve();
    expect(serving.site).not.toBe(serving.gateway);
    expect(await getJson(`${serving.site}/health`)).toEqual({
      ok: true,
      status: 'ok',
    });
    expect(await getJson(`${serving.gateway}/health`)).toEqual({ status: 'ok' });
    expect(await serving.end('SIGTERM')).toBe(0);
  });

  test('--only opens one', async () => {
    const serving = await serve(['--only', 'gateway']);
    expect(serving.site).toBe('');
    expect((await fetch(`${serving.gateway}/api/products`)).status).toBe(404);
    await serving.end('SIGTERM');
  });

  test('the same port for both is one listener that answers for both', async () => {
    const first = await serve();
    const { port } = new URL(first.site);
    await first.end('SIGTERM');
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

describe('the data folder', () => {
  test('--demo fills an empty one once and never touches one that holds anything', async () => {
    const first = await serve(['--demo']);
    const { data: products } = await getJson(`${first.site}/api/products`);
    expect(products.length).toBeGreaterThan(5);
    await fetch(`${first.site}/api/admin/products/${products[0].id}`, { method: 'DELETE' });
    await first.end('SIGTERM');
    const second = await serve(['--demo']);
    const after = await getJson(`${second.site}/api/products`);
    expect(after.data.length).toBe(products.length - 1);
    await second.end('SIGTERM');
  });

  test('--demo leaves a folder with a foreign file alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'msgsite-foreign-'));
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const serving = await startServe(['--data', folder, '--demo']);
    expect((await getJson(`${serving.site}/api/products`)).data).toEqual([]);
    await serving.end('SIGTERM');
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
  });

  test('generated secrets are readable by their owner only, and stay', async () => {
    await (await serve()).end('SIGTERM');
    const file = join(data, 'secrets.json');
    const before = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(before.split('\t', 1)[0] ?? '')).sort()).toEqual([
      'gatewayKey',
      'jwtSecret',
    ]);
    await (await serve()).end('SIGTERM');
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  test('a second serve is refused and told who has it; a killed one leaves it free', async () => {
    const serving = await serve();
    const second = startMsgsite(['serve', '--data', data, '--port', '0', '--gateway-port', '0']);
    expect(await second.exit()).toBe(1);
    expect(second.stderr()).toContain(`process ${serving.child.pid}`);
    await serving.end('SIGKILL');
    const third = await serve();
    expect(await third.end('SIGTERM')).toBe(0);
  });

  test('damaged accounts stop the start, named with file and line and with what repairs them', async () => {
    await (await serve(['--demo'])).end('SIGTERM');
    const users = join(data, 'messaging', 'users.snapshot.jsonl');
    await writeFile(users, (await readFile(users, 'utf8')).slice(0, 40));
    const broken = startMsgsite(['serve', '--data', data, '--port', '0', '--gateway-port', '0']);
    expect(await broken.exit()).toBe(2);
    expect(broken.stderr()).toMatch(/users\.snapshot\.jsonl, line 1: [\s\S]*data check .*--repair/);
    expect(await readdir(data)).not.toContain('serve.lock');
  });
});

describe('stopping', () => {
  test('a request in flight is finished, new connections are refused, the exit code is 0', async () => {
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
    // A complete request on another connection: by its answer the first one has been accepted too.
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

  test('a second signal ends it at once', async () => {
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

  test('a reader of the log that has gone holds nothing up', async () => {
    const serving = await serve();
    serving.child.stderr.destroy();
    expect((await fetch(`${serving.site}/health`)).status).toBe(200);
    expect(await serving.end('SIGTERM')).toBe(0);
  });

  test('what does not end is cut off', async () => {
    const module = join(dirname(data), 'provider.mjs');
    const neverCloses = `export default () => new Proxy({ close: () => new Promise(() => {}) }, {
      get: (own, name) => own[name] ?? (name === 'then' ? undefined : () => Promise.reject()),
    });`;
    await writeFile(module, neverCloses);
    const serving = await serve(['--provider', module]);
    expect(await serving.end('SIGTERM')).toBe(0);
    expect(serving.stderr()).toContain('Stopping took too long');
  });
});

describe('what is not as it should be where others can reach it', () => {
  const warnings = {
    'an admin page that needs no token':
      /endpoints are open to everyone.*shop\.example.*ADMIN_TOKEN/,
    'the sandbox': /provider is the sandbox.*shop\.example.*--provider/,
    'a short secret': /MSGSITE_JWT_SECRET has fewer than 16 characters/,
  };
  const linesOf = (text: string, warning: RegExp) =>
    text.split('\n').filter((line) => warning.test(line));

  test('is warned of on stderr and in the log', async () => {
    const serving = await serve(['--public-url', 'https://shop.example'], {
      MSGSITE_JWT_SECRET: 'short',
    });
    await serving.end('SIGTERM');
    for (const [what, warning] of Object.entries(warnings)) {
      const [sentence, line = ''] = linesOf(serving.stderr(), warning);
      expect(sentence, what).toMatch(warning);
      expect(JSON.parse(line), what).toMatchObject({ level: 40 });
    }
  });

  test('and nothing else is', async () => {
    const serving = await serve(
      ['--public-url', 'https://shop.example', '--provider', 'https://provider.invalid'],
      { MSGSITE_ADMIN_TOKEN: 'sixteen letters!', MSGSITE_JWT_SECRET: 'sixteen letters!' },
    );
    await serving.end('SIGTERM');
    for (const [what, warning] of Object.entries(warnings)) {
      expect(linesOf(serving.stderr(), warning), what).toEqual([]);
    }
  });
});

test('the log names requests but none of their secrets', async () => {
  const serving = await serve([], { MSGSITE_ADMIN_TOKEN: 'open-sesame-to-this' });
  await fetch(`${serving.site}/api/settings?phoneNumber=77011234567`, {
    headers: { Authorization: 'Bearer open-sesame-to-this' },
  });
  await serving.end('SIGTERM');
  const lines = serving
    .stderr()
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
  expect(serving.stderr()).not.toMatch(/open-sesame|77011234567/);
});

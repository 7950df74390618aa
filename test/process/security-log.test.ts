import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServe } from '../helpers/msgsite-process.js';

async function startLogging(level: string) {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-security-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const env = { MSGSITE_LOG_LEVEL: level, MSGSITE_ADMIN_TOKEN: 'the right admin token' };
  const serving = await startServe(['--data', join(folder, 'data')], { env, cwd: folder });
  async function lines(): Promise<Record<string, unknown>[]> {
    await serving.end('SIGTERM');
    return serving
      .stderr()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
  return { ...serving, lines };
}

function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Requests a URL with a different Host header, which fetch does not allow. */
function askForHost(url: string, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (answer) => {
      answer.resume().once('end', resolve);
    })
      .once('error', reject)
      .end();
  });
}

test('the log at level warn contains every rejected sign-in, access and request, and no secret', async () => {
  const serving = await startLogging('warn');
  const { site, gateway } = serving;
  const account = { email: 'aigerim@shop.kz', password: 'a secret of Aigerim' };
  await post(`${site}/api/auth/register`, { username: 'Aigerim', ...account });
  await post(`${site}/api/auth/login`, { ...account, password: 'a wrong guess' });
  await fetch(`${site}/api/auth/me`, { headers: { Authorization: 'Bearer a.forged.token' } });
  await post(`${site}/api/admin/products`, {}, { Authorization: 'Bearer a-guessed-token' });
  await fetch(`${gateway}/api/invoice/client-info?phoneNumber=77011234567`);
  await post(`${gateway}/api/auth/verify-otp`, { otp: '999999', processId: 'invented' });
  await post(`${site}/api/auth/login`, { email: { $ne: '' } });
  await askForHost(`${site}/health`, 'rebound.example');
  const lines = await serving.lines();
  expect(lines.map(({ path, status, code }) => [path, status, code])).toEqual([
    ['/api/auth/login', 401, 'unauthorized'],
    ['/api/auth/me', 401, 'unauthorized'],
    ['/api/admin/products', 401, 'unauthorized'],
    ['/api/invoice/client-info', 401, 'unauthorized'],
    ['/api/auth/verify-otp', 400, 'bad_request'],
    ['/api/auth/login', 400, 'validation_failed'],
    ['/health', 421, 'misdirected'],
  ]);
  for (const { time, address, request, level } of lines) {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect([address, level]).toEqual(['127.0.0.1', 40]);
    expect(request).toMatch(/./);
  }
  const secrets = [
    'secret of',
    'wrong guess',
    'forged',
    'guessed',
    '7701',
    '999999',
    'right admin',
  ];
  for (const secret of secrets) expect(serving.stderr()).not.toContain(secret);
});

test('the log at level info contains sign-ins and successful requests', async () => {
  const serving = await startLogging('info');
  const account = { email: 'aigerim@shop.kz', password: 'a secret of Aigerim' };
  await post(`${serving.site}/api/auth/register`, { username: 'Aigerim', ...account });
  await post(`${serving.site}/api/auth/login`, account);
  const requests = (await serving.lines()).filter(({ path }) => path !== undefined);
  expect(requests.map(({ path, status, level, code }) => [path, status, level, code])).toEqual([
    ['/api/auth/register', 201, 30, undefined],
    ['/api/auth/login', 200, 30, undefined],
  ]);
});

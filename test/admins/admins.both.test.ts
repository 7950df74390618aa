import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { openRecordedLog } from '../helpers/recorded-log.js';
import { runCli } from '../helpers/run-cli.js';
import { createTestDatabase } from '../helpers/test-database.js';
import { startTestServer, type TestServerOptions } from '../helpers/test-server.js';

async function serve(options: TestServerOptions = {}) {
  const storage = inject('postgres') ? { MSGSITE_DATABASE: await createTestDatabase() } : {};
  const env = { ...storage, ...options.env };
  const server = await startTestServer({ ...options, env: { MSGSITE_RATE_LIMIT: 'off', ...env } });
  onTestFinished(() => server.close());
  const api = await createApiClient(server.site);
  const run = (...words: string[]) => runCli([...words, '--data', server.data], { env });
  return {
    server,
    env,
    api,
    run,
    async add(name: string, role: string): Promise<string> {
      return JSON.parse((await run('admins', 'add', name, '--role', role, '--json')).stdout).token;
    },
    statusFor: async (token?: string) =>
      (await api('GET', '/api/admin/stock', token === undefined ? {} : { token })).status,
  };
}

describe('admin users', () => {
  it('close the admin endpoints, which stay closed until a command opens them', async () => {
    const { api, run, add, statusFor, server, env } = await serve();
    expect(await statusFor()).toBe(200);
    expect((await api('GET', '/api/admin/me')).body).toEqual({
      ...{ ok: true, name: 'admin', role: null },
    });
    expect((await api('GET', '/api/admin/admins')).status).toBe(401);

    const token = await add('Dana', 'editor');
    expect(token).toMatch(/^msa_[\w-]{43}$/);
    expect([await statusFor(), await statusFor(token), await statusFor(`${token}x`)]).toEqual([
      ...[401, 200, 401],
    ]);
    expect((await run('admins', 'open', '--yes')).stderr).toContain('There are admin users.');
    expect((await run('admins', 'revoke', 'dana')).stdout).toBe(
      'The token of Dana has been revoked.\n',
    );
    expect([await statusFor(), await statusFor(token)]).toEqual([401, 401]);

    expect((await run('admins', 'open')).exitCode).toBe(2);
    expect(await statusFor()).toBe(401);
    expect((await run('admins', 'open', '--yes')).exitCode).toBe(0);
    expect(await statusFor()).toBe(200);

    const { stdout } = await runCli(['audit', '--json', '--data', server.data], {
      env,
    });
    const lines = JSON.parse(stdout).lines.map(({ kind, who, ids }: Record<string, object>) => [
      ...[kind, who, ids],
    ]);
    expect(lines).toEqual([
      ['admin-user', 'operator', { name: 'Dana', role: 'editor', change: 'added' }],
      ['admin-user', 'operator', { name: 'Dana', role: 'editor', change: 'revoked' }],
      ['admin-user', 'operator', { change: 'opened' }],
    ]);
  });

  it('can be added, listed and revoked by an owner through the API', async () => {
    const { api, add } = await serve();
    const token = await add('Әсел', 'owner');
    const added = await api('POST', '/api/admin/admins', {
      token,
      body: { name: ' Ержан ', role: 'orders' },
    });
    expect(added).toMatchObject({
      status: 201,
      body: { ok: true, admin: { name: 'Ержан', role: 'orders' } },
    });
    const their = added.body.token;
    expect((await api('GET', '/api/admin/me', { token: their })).body).toEqual({
      ...{ ok: true, name: 'Ержан', role: 'orders' },
    });
    expect((await api('GET', '/api/admin/admins', { token })).body.admins).toEqual([
      { name: 'Әсел', role: 'owner', addedAt: expect.stringMatching(/Z$/) },
      { name: 'Ержан', role: 'orders', addedAt: expect.stringMatching(/Z$/) },
    ]);
    const path = `/api/admin/admins/${encodeURIComponent('Ержан')}`;
    expect((await api('DELETE', path, { token })).body).toEqual({ ok: true, revoked: 'Ержан' });
    expect((await api('GET', '/api/admin/me', { token: their })).status).toBe(401);
    expect((await api('DELETE', path, { token })).status).toBe(404);
  });

  it.each([
    ['Әсел', 409, 'conflict'],
    ['асел', 409, 'conflict'],
    ['Admin', 409, 'conflict'],
    ['operator', 409, 'conflict'],
    ['  ', 400, 'validation_failed'],
    ['..', 400, 'validation_failed'],
    ['a\nb', 400, 'validation_failed'],
    ['x'.repeat(65), 400, 'validation_failed'],
  ])('rejects the name %j with %i', async (name, status, code) => {
    const { api, add } = await serve();
    const token = await add('Әсел', 'owner');
    const refused = await api('POST', '/api/admin/admins', {
      token,
      body: { name, role: 'editor' },
    });
    expect(refused).toMatchObject({ status, body: { ok: false, code } });
    expect((await api('GET', '/api/admin/admins', { token })).body.admins).toHaveLength(1);
  });

  it('include the last owner, who can be revoked only if MSGSITE_ADMIN_TOKEN is set', async () => {
    const { api, run, add } = await serve();
    const token = await add('Dana', 'owner');
    await add('Asel', 'editor');
    const refused = await api('DELETE', '/api/admin/admins/Dana', { token });
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await run('admins', 'revoke', 'Dana')).stderr).toContain('Dana is the last owner.');
    await add('Boris', 'owner');
    expect((await run('admins', 'revoke', 'Dana')).exitCode).toBe(0);

    const env = { MSGSITE_ADMIN_TOKEN: 'the token of the settings' };
    const other = await serve({ env });
    await other.add('Dana', 'owner');
    expect((await other.run('admins', 'revoke', 'Dana')).exitCode).toBe(0);
    expect((await other.run('admins', 'open', '--yes')).stderr).toContain(
      'MSGSITE_ADMIN_TOKEN is set',
    );
    expect(await other.statusFor(env.MSGSITE_ADMIN_TOKEN)).toBe(200);
    expect(await other.statusFor()).toBe(401);
  });

  it('appear by name in the audit log and the server log, and their tokens in no file', async () => {
    const { log, lines: logged } = await openRecordedLog();
    const { server, env, api, add } = await serve({ log });
    const token = await add('Dana', 'editor');
    const changed = await api('PUT', '/api/admin/shop', { token, body: { name: 'Bakery' } });
    expect(changed.status).toBe(200);
    const { stdout } = await runCli(['audit', '--json', '--data', server.data], {
      env,
    });
    expect(JSON.parse(stdout).lines).toContainEqual(
      expect.objectContaining({ kind: 'settings', who: 'Dana' }),
    );
    expect(logged).toContainEqual(expect.objectContaining({ admin: 'Dana' }));
    expect(JSON.stringify(logged)).not.toContain(token);
    if (inject('postgres')) return;
    for (const name of await readdir(server.data, { recursive: true })) {
      const path = join(server.data, name);
      if ((await stat(path)).isFile()) expect(await readFile(path, 'utf8')).not.toContain(token);
    }
  });

  it('take effect immediately in every process', async () => {
    const first = await serve();
    const token = await first.add('Dana', 'owner');
    expect(await first.statusFor(token)).toBe(200);
    if (!inject('postgres')) return;
    const second = await serve({ data: first.server.data, env: first.env });
    expect(await second.statusFor(token)).toBe(200);
    await first.add('Asel', 'owner');
    expect((await first.run('admins', 'revoke', 'Dana')).exitCode).toBe(0);
    expect(await second.statusFor(token)).toBe(401);
  });

  it('with the same name are added by only one of two concurrent commands', async () => {
    const { run } = await serve();
    const codes = await Promise.all([
      run('admins', 'add', 'Dana', '--role', 'owner'),
      run('admins', 'add', 'Dana', '--role', 'editor'),
    ]);
    expect(codes.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1]);
    expect((await run('admins', 'list')).stdout.match(/Dana/g)).toHaveLength(1);
  });
});

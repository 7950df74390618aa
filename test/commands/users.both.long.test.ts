import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { createPeopleCli, type PeopleCli, password } from './people-cli.js';

async function withThree(env: Readonly<Record<string, string>> = {}) {
  const cli = await createPeopleCli(env);
  const people = await cli.served(async ({ signUp }) => ({
    dana: await signUp('Dana Omarova'),
    asel: await signUp('Әсел Қасым', 'asel'),
    dan: await signUp('Dan Brown'),
  }));
  return { cli, ...people };
}

async function audited({ env }: PeopleCli) {
  const { stdout } = await runCli(['audit', '--json'], { env });
  return (JSON.parse(stdout).lines as { kind: string; who: string; ids: { user?: string } }[])
    .filter(({ ids }) => ids.user !== undefined)
    .map(({ kind, who, ids }) => `${who} ${kind} ${ids.user}`);
}

describe('users list', () => {
  it('lists all users by ID, as a table and as JSON', async () => {
    const { cli, dana, dan, asel } = await withThree();
    const { users } = await cli.json('list', { MSGSITE_PUBLIC_URL: 'https://shop.example' });
    expect(users.map(({ id }: { id: number }) => id)).toEqual([dana.id, asel.id, dan.id]);
    expect(users[0]).toEqual({
      id: dana.id,
      username: 'Dana Omarova',
      email: dana.email,
      avatar: 'https://shop.example/avatars/user/1/DO.svg',
      bio: '',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    const { exitCode, stdout } = await cli.run('list');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/ID +NAME +E-MAIL +SINCE\n +1 +Dana Omarova +dana@shop\.example +20/);
    expect(stdout).not.toContain('more');
  });

  it('finds users by part of the name, ignoring case and diacritics, and by the complete e-mail address', async () => {
    const { cli } = await withThree();
    const names = async (q: string) =>
      (await cli.json(`list --q ${q}`)).users.map(({ username }: { username: string }) => username);
    expect(await names('DAN')).toEqual(['Dana Omarova', 'Dan Brown']);
    expect(await names('асел')).toEqual(['Әсел Қасым']);
    expect(await names('DAN@shop.example')).toEqual(['Dan Brown']);
    expect(await names('shop.example')).toEqual([]);
    expect((await cli.run('list --q nobody')).stdout).toBe('No accounts found.\n');
  });

  it('prints a page and the command for the next page with the same flags', async () => {
    const { cli, dana, asel, dan } = await withThree();
    const ids = async (words: string) =>
      (await cli.json(`list ${words}`)).users.map(({ id }: { id: number }) => id);
    expect(await ids(`--limit 1 --after ${dana.id}`)).toEqual([asel.id]);
    expect(await ids('--limit 0')).toHaveLength(3);
    const { stdout } = await cli.run('list --q an --limit 1');
    const [, next = ''] = /For more, run: msgsite users (.*)/.exec(stdout) ?? [];
    expect(next).toBe(`list --q an --after ${dana.id} --limit 1`);
    expect((await cli.run(next)).stdout).toContain('Dan Brown');
    expect(await ids(`--after ${dan.id}`)).toEqual([]);
  });
});

describe('users show', () => {
  it('shows a user by ID and by e-mail address', async () => {
    const { cli, dana } = await withThree();
    await cli.served(async ({ call }) => {
      await call('POST', '/api/chats', {
        token: dana.token,
        body: { type: 'group', name: 'Oven' },
      });
    });
    const { user } = await cli.json(`show ${dana.id}`);
    expect(user).toMatchObject({ id: dana.id, bio: '', chats: 1, resetExpiresAt: null });
    expect((await cli.json('show DANA@shop.example')).user).toEqual(user);
    const { expiresAt } = await cli.json(`reset-code ${dana.id}`);
    expect((await cli.json(`show ${dana.id}`)).user.resetExpiresAt).toBe(expiresAt);
    const { stdout } = await cli.run(`show ${dana.id}`);
    expect(stdout).toMatch(/Name +Dana Omarova\nE-mail +dana@shop\.example\n/);
    expect(stdout).toMatch(/Reset code +valid until 20/);
  });
});

describe('users reset-code', () => {
  it('prints only a code, which can set a new password once', async () => {
    const { cli, dana } = await withThree();
    const { exitCode, stdout, stderr } = await cli.run(`reset-code ${dana.id}`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^[A-Z0-9]{10,}\n$/);
    const code = stdout.trim();
    expect(stderr).toContain('Dana Omarova (dana@shop.example, ID 1)');
    expect(stderr).not.toContain(code);
    await cli.served(async ({ call }) => {
      const body = { email: dana.email, code, newPassword: 'apricot and thyme' };
      expect((await call('POST', '/api/auth/reset', { body })).status).toBe(200);
      expect((await call('POST', '/api/auth/reset', { body })).status).toBe(401);
      const signIn = { email: dana.email, password: 'apricot and thyme' };
      expect((await call('POST', '/api/auth/login', { body: signIn })).status).toBe(200);
      expect((await call('GET', '/api/auth/me', { token: dana.token })).status).toBe(401);
    });
    expect(await audited(cli)).toContain(`operator reset-code ${dana.id}`);
    expect(await textsBelow(cli.data)).not.toContain(code);
  });

  it('prints the code and its expiry as JSON, and a new code invalidates it', async () => {
    const { cli, dana } = await withThree();
    const first = await cli.json(`reset-code ${dana.email}`);
    expect(Object.keys(first)).toEqual(['code', 'expiresAt']);
    const left = Date.parse(first.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(3_000_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    const second = await cli.json(`reset-code ${dana.email}`);
    await cli.served(async ({ call }) => {
      const reset = async (code: string) => {
        const body = { email: dana.email, code, newPassword: 'apricot and thyme' };
        return (await call('POST', '/api/auth/reset', { body })).status;
      };
      expect(await reset(first.code)).toBe(401);
      expect(await reset(second.code)).toBe(200);
    });
  });
});

describe('users sign-out', () => {
  it('revokes every token but keeps the password valid', async () => {
    const { cli, dana, dan } = await withThree();
    const { user } = await cli.json(`sign-out ${dana.id}`);
    expect(user).toMatchObject({ id: dana.id, username: 'Dana Omarova' });
    await cli.served(async ({ call }) => {
      expect((await call('GET', '/api/auth/me', { token: dana.token })).status).toBe(401);
      expect((await call('GET', '/api/auth/me', { token: dan.token })).status).toBe(200);
      const body = { email: dana.email, password };
      const { body: signedIn } = await call('POST', '/api/auth/login', { body });
      expect((await call('GET', '/api/auth/me', { token: signedIn.token })).status).toBe(200);
    });
    expect(await audited(cli)).toContain(`operator sign-out ${dana.id}`);
  });
});

describe('users delete', () => {
  async function withTalk(env: Readonly<Record<string, string>> = {}) {
    const three = await withThree(env);
    const { cli, dana, dan } = three;
    const chat = await cli.served(async ({ call }) => {
      const request = { type: 'private', participantId: dan.id };
      const made = await call('POST', '/api/chats', { token: dana.token, body: request });
      const path = `/api/chats/${made.body.chat.id}/messages`;
      await call('POST', path, { token: dana.token, body: { text: 'The kiln is free.' } });
      return path;
    });
    const read = () =>
      cli.served(async ({ call }) => {
        const { body } = await call('GET', chat, { token: dan.token });
        const [{ senderName, text, error }] = body.messages;
        return { senderName, text, ...(error ? { isLost: true } : {}) };
      });
    return { ...three, read };
  }
  const gone = { senderName: 'Deleted account', text: 'The kiln is free.' };

  it('deletes the account, releases its e-mail address and keeps its messages', async () => {
    const { cli, dana, read } = await withTalk();
    const done = await cli.json(`delete ${dana.email} --yes`);
    expect(done).toMatchObject({ user: { id: dana.id, email: dana.email }, deleted: dana.id });
    expect(await read()).toEqual(gone);
    await cli.served(async ({ call, signUp }) => {
      expect((await call('GET', '/api/auth/me', { token: dana.token })).status).toBe(401);
      expect((await signUp('Dana Omarova')).id).not.toBe(dana.id);
    });
    const { users } = await cli.json('list');
    expect(users.map(({ id }: { id: number }) => id)).not.toContain(dana.id);
    for (const words of ['show', 'reset-code', 'sign-out', 'delete --yes']) {
      expect((await cli.run(`${words} ${dana.id}`)).exitCode, words).toBe(1);
    }
    expect(await audited(cli)).toContain(`operator delete-account ${dana.id}`);
  });

  it('deletes nothing without a terminal and --yes', async () => {
    const { cli, dana } = await withThree();
    const { exitCode, stderr } = await cli.run(`delete ${dana.id}`);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect((await cli.json(`show ${dana.id}`)).user.username).toBe('Dana Omarova');
  });

  const secret = { MSGSITE_ENCRYPTION_SECRET: 'a secret that is long enough for its purpose' };

  it('keeps encrypted messages readable with the operator’s secret', async () => {
    const { cli, dana, read } = await withTalk(secret);
    const { exitCode, stderr } = await cli.run(`delete ${dana.id} --yes`);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(await read()).toEqual(gone);
  });

  it('rejects a different encryption secret, which would make messages unreadable', async () => {
    const { cli, dana, read } = await withTalk(secret);
    const other = { MSGSITE_ENCRYPTION_SECRET: 'not that secret, but also long enough' };
    const { exitCode, stderr } = await cli.run(`delete ${dana.id} --yes`, other);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('MSGSITE_ENCRYPTION_SECRET')]);
    expect(await read()).toEqual({ ...gone, senderName: 'Dana Omarova' });
  });

  it('warns about unreadable messages and continues if no secret is set', async () => {
    const { cli, dana, read } = await withTalk(secret);
    const none = { MSGSITE_ENCRYPTION_SECRET: '' };
    const { exitCode, stderr } = await cli.run(`delete ${dana.id} --yes`, none);
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(/is not set.*nobody will be able to read/),
    ]);
    await cli.stop();
    expect(await read()).toEqual({ senderName: 'Deleted account', text: '', isLost: true });
  });
});

it('users commands reject unknown users and invalid arguments with an explanation', async () => {
  const { cli } = await withThree();
  const cases: readonly [string, number, RegExp][] = [
    ['show 99', 1, /no user with ID 99/],
    ['reset-code nobody@shop.example', 1, /e-mail address nobody@shop\.example/],
    ['sign-out 99', 1, /no user with ID 99/],
    ['delete 99 --yes', 1, /no user with ID 99/],
    ['show dana', 2, /not a valid account ID or e-mail address/],
    ['show 0', 2, /not a valid account ID/],
    ['show -1', 2, /not a valid account ID/],
    ['show 1e3', 2, /not a valid account ID/],
    ['show 99999999999999999999', 2, /not a valid account ID/],
    [`list --q ${'x'.repeat(255)}`, 2, /254 characters/],
    ['list --after dana', 2, /--after must be/],
    ['list --limit some', 2, /--limit must be/],
  ];
  for (const [words, code, said] of cases) {
    const { exitCode, stdout, stderr } = await cli.run(words);
    expect([words, exitCode, stdout, stderr]).toEqual([
      words,
      code,
      '',
      expect.stringMatching(said),
    ]);
  }
});

it('users commands escape control characters and line breaks in names', async () => {
  const cli = await createPeopleCli();
  await cli.served(({ signUp }) => signUp('x\u001b[2J\u202e\u009b31m\nError: nobody', 'x'));
  for (const words of ['list', 'show 1', 'reset-code 1', 'sign-out 1', 'delete 1 --yes']) {
    const { exitCode, stdout, stderr } = await cli.run(words);
    expect([words, exitCode]).toEqual([words, 0]);
    const said = stdout + stderr;
    expect(said).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
    expect(said).not.toMatch(/^Error/m);
    expect(said).toContain('Error: nobody');
  }
});

/** Returns the texts of all files in a folder; '' if the data is in a database. */
async function textsBelow(folder: string): Promise<string> {
  if (inject('postgres')) return '';
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

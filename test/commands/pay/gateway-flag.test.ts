import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatewayAddress } from '../../../src/config/readers.js';
import {
  answerJson,
  type ScriptedGateway,
  startScriptedGateway,
} from '../../payments/client/scripted-gateway.js';
import { createPayCli, type PayCli } from './pay-cli.js';

const facts = {
  orgName: 'Shop',
  phone: '77011234567',
  organizationId: 17,
  profileId: 17,
  zone: 'Asia/Almaty',
};
const pair = { tokenSN: 'token', vtokenSecret: 'secret' };

let cli: PayCli;
let gateway: ScriptedGateway;
beforeEach(async () => {
  cli = await createPayCli();
  gateway = await startScriptedGateway(({ line }, response) => {
    if (line === 'GET /api/session/check') answerJson(response, { active: true });
    else if (line === 'POST /api/auth/logout') answerJson(response, { success: true });
    else if (line === 'POST /api/auth/verify-otp') {
      const signedIn = { step: 'finished', message: 'Signed in.', organizations: [] };
      answerJson(response, { success: true, processId: 'p', ...signedIn, ...pair, ...facts });
    } else if (line.startsWith('POST /api/auth/')) {
      answerJson(response, { success: true, processId: 'p', desc: 'Sent.', view: 'EnterOtp' });
    } else answerJson(response, facts);
  });
});
afterEach(async () => {
  gateway.close();
  await cli.remove();
});

/** Returns the path of the session file for the scripted gateway. */
const remoteFile = () =>
  join(dirname(cli.sessionFile), 'sessions', `127.0.0.1-${gateway.port}.json`);

async function keep(file: string, session: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(session));
}

const signIn = () => cli.run(`login --gateway ${gateway.url} --phone 87011234567 --otp 123456`);

describe('--gateway', () => {
  it.each(['https://pay.example.kz', 'https://pay.example.kz/shop', 'http://localhost:3001'])(
    'accepts the base address %s with or without a trailing slash',
    (address) => {
      expect([gatewayAddress(address, '/'), gatewayAddress(`${address}/`, '/')]).toEqual([
        address,
        address,
      ]);
    },
  );

  it.each(['http://127.3.2.1:3001', 'http://[::1]:3001', 'https://10.0.0.1'])(
    'accepts the address %s',
    (address) => expect(gatewayAddress(address, '/')).toBe(address),
  );

  it.each([
    '',
    'pay.example.kz',
    'ftp://pay.example.kz',
    'https://cashier:secret@pay.example.kz',
    'https://cashier@pay.example.kz',
    'https://pay.example.kz/?a=1',
    'https://pay.example.kz/?',
    'https://pay.example.kz/#a',
    'file:///etc/passwd',
  ])('rejects the address "%s"', (address) => {
    expect(() => gatewayAddress(address, '/')).toThrow('must be an https address');
  });

  it.each([
    'http://pay.example.kz',
    'http://192.168.1.5:3001',
    'http://localhost.example.kz',
    'http://till.localhost',
  ])('rejects %s, because unencrypted HTTP is allowed only on this machine', async (address) => {
    const { exitCode, stdout, stderr } = await cli.run(`status --gateway ${address}`);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      '--gateway: must be an https address, because others can read a session sent over http',
    );
  });

  it.each(['data', 'database', 'provider', 'webhooks'])(
    'cannot be combined with --%s, and the error names both flags',
    async (name) => {
      const words = `status --gateway ${gateway.url} --${name} x`;
      const { exitCode, stderr } = await cli.run(words);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`--gateway and --${name} cannot be combined`);
      const env = { MSGSITE_GATEWAY: gateway.url };
      const fromVariable = await cli.run(`status --${name} x`, { env });
      expect(fromVariable.exitCode).toBe(2);
      expect(fromVariable.stderr).toContain(`MSGSITE_GATEWAY and --${name} cannot be combined`);
      expect(gateway.seen).toEqual([]);
    },
  );

  it('ignores the variables for local data and creates no data folder', async () => {
    const env = {
      MSGSITE_GATEWAY: gateway.url,
      MSGSITE_DATA: join(cli.folder, 'nowhere'),
      MSGSITE_DATABASE: 'mysql://wrong',
      MSGSITE_PROVIDER: 'gopher://wrong',
      MSGSITE_WEBHOOKS: '',
      MSGSITE_TOKEN_TTL: 'week',
      MSGSITE_TOKEN_SN: 'token',
      MSGSITE_VTOKEN_SECRET: 'secret',
    };
    expect(await cli.json('status', { env })).toEqual({
      exitCode: 0,
      document: { active: true, ...facts, zone: undefined },
    });
    expect(await readdir(cli.folder)).toEqual([]);
  });

  it('fails with exit code 1 and names the address if the gateway cannot be reached', async () => {
    await signIn();
    gateway.close();
    const { exitCode, stdout, stderr } = await cli.run(`history --json --gateway ${gateway.url}`);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ code: 'payments_unavailable' });
    expect(stderr).toContain(`The gateway at ${gateway.url} cannot be reached`);
  });

  it('is repeated in the commands that are printed to run next', async () => {
    const words = `login --phone 87011234567 --gateway ${gateway.url} --json`;
    const { stdout } = await cli.run(words);
    expect(JSON.parse(stdout).next).toBe(
      `msgsite pay login --process p --otp CODE --gateway ${gateway.url}`,
    );
    const { exitCode, stderr } = await cli.run(`qr --amount 1 --gateway ${gateway.url}`);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`msgsite pay login --gateway ${gateway.url}`);
  });
});

it('pay qr exits with code 7 and reports a payment that was created but cannot be read', async () => {
  const creating = await startScriptedGateway(({ line }, response) => {
    if (line.startsWith('POST')) {
      answerJson(response, {
        StatusCode: 0,
        Data: { QrOperationId: 1001, QrToken: 'https://b/1' },
      });
    } else response.destroy();
  });
  const env = { MSGSITE_TOKEN_SN: 'token', MSGSITE_VTOKEN_SECRET: 'secret' };
  const words = `qr --amount 1500 --no-wait --gateway ${creating.url}`;
  const { exitCode, document } = await cli.json(words, { env });
  creating.close();
  expect(exitCode).toBe(7);
  expect(document).toMatchObject({ code: 'payments_unavailable', paymentId: '1001' });
  expect(document.error).toContain('Payment 1001 was created, but it cannot be shown');
  expect(creating.seen.filter(({ line }) => line.startsWith('POST'))).toHaveLength(1);
});

describe('the session of a remote gateway', () => {
  it('is stored in a separate file with the gateway address, which pay status shows', async () => {
    expect((await signIn()).exitCode).toBe(0);
    expect(JSON.parse(await readFile(remoteFile(), 'utf8'))).toMatchObject({
      ...pair,
      gateway: gateway.url,
    });
    const { exitCode, stdout } = await cli.run(`status --gateway ${gateway.url}`);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Gateway  ${gateway.url}`);
    expect((await cli.run('status')).exitCode).toBe(4);
  });

  it('is removed by pay logout, which keeps the session for the data on this machine', async () => {
    await cli.signIn();
    await signIn();
    const { document } = await cli.json(`logout --gateway ${gateway.url}`);
    expect(document).toEqual({ success: true, signedOut: true });
    await expect(readFile(remoteFile())).rejects.toThrow('ENOENT');
    expect((await cli.run('status')).exitCode).toBe(0);
  });

  it('is rejected with exit code 4 and never sent if it belongs to a different gateway or this machine', async () => {
    const other = 'https://pay.example.kz';
    await keep(remoteFile(), { ...pair, gateway: other });
    const foreign = await cli.run(`status --gateway ${gateway.url}`);
    expect(foreign.exitCode).toBe(4);
    expect(foreign.stderr).toContain(
      `belongs to the gateway at ${other}, not to the gateway at ${gateway.url}.`,
    );
    await cli.signIn();
    const words = `--gateway ${gateway.url} --session ${cli.sessionFile}`;
    for (const command of ['status', 'logout', 'qr --amount 1', 'payments', 'wait 1']) {
      const { exitCode, stderr } = await cli.run(`${command} ${words}`);
      expect([command, exitCode]).toEqual([command, 4]);
      expect(stderr).toContain('belongs to the data on this machine, not to the gateway at');
    }
    expect((await cli.run('status')).exitCode).toBe(0);
    expect(gateway.seen).toEqual([]);
  });

  it('is rejected for the data on this machine', async () => {
    await signIn();
    const { exitCode, stderr } = await cli.run(`status --session ${remoteFile()}`);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`belongs to the gateway at ${gateway.url}, not to the data on this`);
  });

  it('can be set in the environment for any gateway', async () => {
    const env = { MSGSITE_TOKEN_SN: 'other', MSGSITE_VTOKEN_SECRET: 'pair' };
    const { exitCode } = await cli.run(`status --gateway ${gateway.url}`, { env });
    expect([exitCode, gateway.seen[0]?.headers['x-token-sn']]).toEqual([0, 'other']);
  });
});

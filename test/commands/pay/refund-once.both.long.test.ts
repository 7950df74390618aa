import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type MsgsiteProcess, startMsgsite, startServe } from '../../helpers/msgsite-process.js';
import { createPayCli, type PayCli } from './pay-cli.js';
import { openSandboxBank, type SandboxBank } from './sandbox-bank.js';

let bank: SandboxBank;
let cli: PayCli;
let serve: MsgsiteProcess | undefined;
let paid: string;

/** Prepares a shop whose cashier works with local data or over the HTTP API of a gateway. */
async function prepare(where: 'data' | 'gateway'): Promise<void> {
  if (where === 'gateway') {
    const serving = await startServe(['--only', 'gateway'], { env: cli.env, cwd: cli.folder });
    serve = serving;
    cli = withEnvironment(cli, {
      ...cli.env,
      MSGSITE_DATA: '/nowhere',
      MSGSITE_PROVIDER: 'none:',
      MSGSITE_GATEWAY: serving.gateway,
    });
  }
  await cli.signIn();
  paid = (await cli.json('qr --amount 1500')).document.paymentId;
}

/** Returns a CLI that runs its commands with a different environment. */
function withEnvironment(own: PayCli, env: Readonly<Record<string, string>>): PayCli {
  const call = <Call extends object>(given: Call & { env?: object } = {} as Call) => ({
    ...given,
    env: { ...env, ...given.env },
  });
  return {
    ...own,
    env,
    run: (words, given) => own.run(words, call(given)),
    json: (words, given) => own.json(words, call(given)),
    async signIn() {
      await own.run('login --phone 87011234567 --otp 123456', call());
    },
  };
}

beforeEach(async () => {
  bank = await openSandboxBank();
  cli = await createPayCli({ MSGSITE_PROVIDER: bank.url, MSGSITE_RESOLVE_INTERVAL: '3600' });
});
afterEach(async () => {
  await serve?.end('SIGTERM');
  serve = undefined;
  await bank.close();
  await cli.remove();
});

/** Starts `pay …` in a separate process. */
const start = (words: string) =>
  startMsgsite(['pay', ...words.split(' ')], { env: cli.env, cwd: cli.folder });

const returned = async (): Promise<number> => {
  const { document } = await cli.json('history --limit 0');
  return document.operations.find(({ id }: { id: string }) => id === paid).returned ?? 0;
};

/** Makes the bank execute the next refunds immediately but respond to them some seconds later. */
const delay = (seconds: number, count: number) =>
  bank.disturb({ faults: [`late=${seconds}@refunds x${count}`] });

/** Resolves when the bank has received all delayed refunds. */
const taken = () =>
  expect
    .poll(async () => (await (await fetch(`${bank.url}/control/faults`)).json()) as object)
    .toMatchObject({ faults: [] });

const keptKeys = async () => {
  const folder = join(cli.folder, 'config', 'msgsite', ...(serve ? ['sessions'] : []));
  const names = await readdir(join(folder, 'refund-keys')).catch(() => []);
  return Promise.all(
    names.map(async (name) => (await stat(join(folder, 'refund-keys', name))).mode & 0o777),
  );
};

const all = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const;
/** With a database, a killed process keeps its lease for 15 seconds, so only one signal is tested. */
const signals = inject('postgres') ? (['SIGKILL'] as const) : all;

describe.each(['data', 'gateway'] as const)('pay refund with --%s', (where) => {
  it.each(where === 'data' ? signals : (['SIGINT'] as const))(
    'returns the money only once if %s ends it while the bank hangs and it is then repeated',
    async (signal) => {
      await prepare(where);
      const refund = `refund ${paid} --amount 77 --yes`;
      await delay(3, 1);
      const first = start(refund);
      await taken();
      expect(await keptKeys()).toEqual([0o600]);
      await first.end(signal);
      if (signal === 'SIGINT')
        expect(first.stderr()).toContain('It is safe to repeat this command');
      const again = await cli.run(refund);
      expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('✓ Returned') });
      expect(again.stderr).toContain('--new');
      expect(await returned()).toBe(77);
      expect(await keptKeys()).toEqual([]);
    },
  );

  it('returns the money once for two concurrent runs, and again for a later run', async () => {
    await prepare(where);
    const refund = `refund ${paid} --amount 77 --yes`;
    await delay(2, 1);
    const both = [start(refund), start(refund)];
    expect(await Promise.all(both.map(({ exit }) => exit()))).toEqual([0, 0]);
    expect(await returned()).toBe(77);
    const later = await cli.run(refund);
    expect(later).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await returned()).toBe(154);
  });

  it('waits for the same refund from a different machine with a different key', async () => {
    await prepare(where);
    await delay(3, 1);
    const other = start(`refund ${paid} --amount 77 --yes --new`);
    await taken();
    // Simulates a different machine, which has no keys.
    const env = { XDG_CONFIG_HOME: join(cli.folder, 'elsewhere') };
    const { stdout: login } = await cli.run('login --phone 87011234567 --otp 123456', { env });
    expect(login).toContain('Signed in');
    const { exitCode, stderr } = await cli.run(`refund ${paid} --amount 77 --yes`, { env });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('has been in progress since')]);
    expect(await other.exit()).toBe(0);
    expect(await returned()).toBe(77);
  });

  it('makes a new refund with --new after an interrupted refund, and deletes the key of that refund', async () => {
    await prepare(where);
    const refund = `refund ${paid} --amount 77 --yes`;
    await delay(2, 1);
    const first = start(refund);
    await taken();
    await first.end('SIGKILL');
    expect((await cli.run(`${refund} --new`)).exitCode).toBe(0);
    expect(await returned()).toBe(154);
    expect(await keptKeys()).toEqual([]);
  });
});

it('pay refund sends nothing if its key cannot be written to disk', async () => {
  await prepare('data');
  const { tokenSN, vtokenSecret } = JSON.parse(await readFile(cli.sessionFile, 'utf8'));
  const env = {
    XDG_CONFIG_HOME: '/dev/null/no-folder',
    MSGSITE_TOKEN_SN: tokenSN,
    MSGSITE_VTOKEN_SECRET: vtokenSecret,
  };
  const refused = await cli.json(`refund ${paid} --amount 77 --yes`, { env });
  expect(refused).toMatchObject({
    exitCode: 1,
    document: {
      code: 'storage_unavailable',
      error: expect.stringContaining('Nothing was returned'),
    },
  });
  expect(await returned()).toBe(0);
});

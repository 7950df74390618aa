import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commands } from '../../commands/registry.js';
import { systemClock } from '../../src/base/clock.js';
import { dataFormat } from '../../src/storage/json/data-folder/data-folder.js';
import { valueLine } from '../../src/storage/json/lines/lines.js';
import { lockDataFolder } from '../../src/storage/json/ownership/lease.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

/** The arguments that each command requires before it opens the data. */
const words: Readonly<Record<string, string>> = {
  serve: '--port 0 --gateway-port 0',
  sandbox: '--port 0',
  'webhooks replay': '--all',
  'webhooks enable': 'http://127.0.0.1:9/',
  'pay login': '--phone 87011234567',
  'pay qr': '--amount 1500',
  'pay invoice': '--phone 87011234567 --amount 1500',
  'pay invoice show': '1',
  'pay invoice cancel': '1',
  'pay invoice client': '87011234567',
  'pay wait': '1',
  'pay adopt': '1',
  'pay refund': '1 --amount 1 --yes',
  'admins add': 'Dana --role owner',
  'admins revoke': 'Dana',
  'admins open': '--yes',
  'users show': '1',
  'users reset-code': '1',
  'users sign-out': '1',
  'users delete': '1 --yes',
  'site import': 'in',
  'site export': '--output out',
  'data export': '--output out',
  'data import': 'in',
  'data move': '--to other',
};

const withData: string[] = [];
for (const { path, load } of commands) {
  const { options = [] } = await load();
  // The till requires a terminal and does not support --json.
  if (path !== 'pay till' && options.some(({ flags }) => /--data\b/.test(flags))) {
    withData.push(path);
  }
}

/** Returns all files below a folder with their contents; undefined if the folder does not exist. */
async function filesIn(folder: string): Promise<Record<string, string> | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {});
  if (!entries) return undefined;
  const contents = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, entry.isFile() ? await readFile(path, 'utf8') : ''] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}

/** The first line of an export, which an import checks before it opens the data. */
const beginning = {
  kind: 'msgsite-export',
  format: 1,
  program: '0.1.0',
  at: '2026-07-28T09:00:00.000Z',
  storage: 'json',
  secrets: {},
};

async function prepare() {
  const cwd = await makeTempFolder();
  await writeFile(join(cwd, 'in'), `${JSON.stringify(beginning)}\n`);
  const data = join(cwd, 'data');
  const run = (path: string, more: readonly string[] = []) => {
    const argv = [...path.split(' '), ...(words[path]?.split(' ') ?? []), ...more];
    return runCli(argv, { cwd, env: { HOME: cwd } });
  };
  return { cwd, data, run };
}

const since = '2026-07-28T09:00:00.000Z';
const marked = (state: string) => async (data: string) => {
  await mkdir(data);
  await writeFile(join(data, 'transfer.json'), valueLine({ state, place: 'x', since }));
};
const withFormat = (text: string) => async (data: string) => {
  await mkdir(data);
  await writeFile(join(data, 'format.json'), text);
};

interface Rejected {
  readonly what: string;
  make(data: string): Promise<unknown>;
  readonly exitCode: number;
  readonly code: string;
  /** Commands that accept the folder. */
  readonly but?: readonly string[];
  /** A path below the folder, which is used instead of the folder. */
  readonly below?: string;
}

const newer = withFormat(JSON.stringify({ format: dataFormat + 1 }));

describe('every command with --data', () => {
  it.each<Rejected>([
    { what: 'a newer format', make: newer, exitCode: 2, code: 'configuration' },
    { what: 'a file', make: (data) => writeFile(data, ''), exitCode: 2, code: 'configuration' },
    {
      what: 'a folder in a file',
      make: (data) => writeFile(data, ''),
      below: 'in',
      exitCode: 2,
      code: 'configuration',
    },
    {
      what: 'an older format',
      make: withFormat('{"format":1}'),
      exitCode: 2,
      code: 'configuration',
    },
    {
      what: 'data that was moved',
      make: marked('moved'),
      exitCode: 1,
      code: 'conflict',
      but: ['data check', 'data export'],
    },
    {
      what: 'an unfinished import',
      make: marked('importing'),
      exitCode: 1,
      code: 'conflict',
      but: ['data import'],
    },
    {
      what: 'a folder that cannot be read',
      make: (data) => mkdir(join(data, 'format.json'), { recursive: true }),
      exitCode: 1,
      code: 'storage_unavailable',
    },
    {
      what: 'a folder that is being exported',
      async make(folder) {
        const command = 'msgsite data export';
        const lock = await lockDataFolder({ folder, command, clock: systemClock });
        onTestFinished(() => lock.release());
      },
      exitCode: 1,
      code: 'data_in_use',
    },
  ])(
    'rejects $what with the same error and changes nothing',
    async ({ make, exitCode, code, but = [], below = '' }) => {
      const { cwd, data, run } = await prepare();
      await make(data);
      const before = await filesIn(cwd);
      const sentences = new Set<string>();
      for (const path of withData.filter((name) => !but.includes(name))) {
        const result = await run(path, ['--json', '--data', join(data, below)]);
        const said = JSON.parse(result.stdout || '{}');
        expect([result.exitCode, said.code], `${path}: ${result.stderr}`).toEqual([exitCode, code]);
        sentences.add(said.error);
        expect(await filesIn(cwd), path).toEqual(before);
      }
      expect([...sentences]).toHaveLength(1);
    },
  );

  it('is covered by the tests of this file', () => {
    expect(withData).toEqual(expect.arrayContaining([...Object.keys(words), 'webhooks list']));
  });
});

describe('read-only commands', () => {
  const readers = [
    'admins list',
    'pay payments',
    'webhooks list',
    'webhooks replay',
    'data check',
    'data export',
  ];
  const flags = { 'webhooks replay': ['--dry-run'] } as Readonly<Record<string, string[]>>;

  it.each(readers)('%s creates no files in a missing, empty or used folder', async (path) => {
    const { data, run } = await prepare();
    const check = async () => {
      const before = await filesIn(data);
      const { exitCode, stderr } = await run(path, flags[path]);
      // Without a folder, there is nothing to check or export.
      const isRejected = path.startsWith('data ') && Object.keys(before ?? {}).length === 0;
      expect([exitCode, stderr]).toEqual([isRejected ? 2 : 0, expect.anything()]);
      expect(await filesIn(data)).toEqual(before);
    };
    await check();
    await mkdir(data);
    await check();
    const code = ['--otp', '123456'];
    expect((await run('pay login', code)).exitCode).toBe(0);
    expect((await run('pay qr', ['--no-wait'])).exitCode).toBe(0);
    await check();
  });
});

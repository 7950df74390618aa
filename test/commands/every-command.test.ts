import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../commands/command.js';
import { commands } from '../../commands/registry.js';
import { exitCodes } from '../../src/base/errors.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const loaded = await Promise.all(
  commands.map(async ({ path, load }) => ({ path, command: await load() })),
);

const nameOf = (flags: string) => /--[\w-]+/.exec(flags)?.[0] ?? flags;
const required = ({ arguments: definitions = [] }: Command) =>
  definitions.filter(({ name }) => name.startsWith('<'));

/** Runs a command in a new folder, without the environment of this machine. */
async function call(words: string, more: readonly string[] = []) {
  const cwd = await makeTempFolder();
  const env = { HOME: cwd, XDG_CONFIG_HOME: cwd };
  return runCli([...words.split(' '), ...more], { cwd, env });
}

describe.each(loaded.map((each) => [each.path, each.command] as const))('%s', (path, command) => {
  it('lists every flag and argument in --help and exits with 0', async () => {
    const { exitCode, stdout, stderr } = await call(path, ['--help']);
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const { flags } of command.options ?? []) expect(stdout).toContain(flags);
    for (const { name } of command.arguments ?? []) expect(stdout).toContain(name);
    for (const flag of ['--json', '--verbose', '--help']) expect(stdout).toContain(flag);
  });

  it('rejects an unknown flag with exit code 2 and suggests a similar flag', async () => {
    // A short flag cannot be suggested.
    const named = (command.options ?? []).map(({ flags }) => nameOf(flags));
    const flag = named.find((name) => name.length > 4) ?? '--json';
    const given = required(command).map(() => '1');
    const { exitCode, stdout, stderr } = await call(path, [...given, `${flag}x`, '--json']);
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      2,
      { code: 'usage', error: expect.stringContaining(`(Did you mean ${flag}`) },
    ]);
    expect(stderr).toContain(`See msgsite ${path} --help.`);
  });
});

/**
 * The exit code and error code of each command without data and without a session. Commands that would run until they
 * are stopped receive invalid arguments.
 */
const outcomes: Readonly<Record<string, readonly [exitCode: number, code?: string]>> = {
  'serve --port x': [2, 'configuration'],
  'sandbox --port x': [2, 'configuration'],
  'validate-screen nothere.json --max-warnings x': [2, 'usage'],
  'render-screen nothere.json': [2, 'unreadable_input'],
  'preview-screen nothere.json': [2, 'unreadable_input'],
  'webhooks list': [0],
  'webhooks replay --payment 17': [0],
  'webhooks enable https://shop.example/': [1, 'not_found'],
  'webhooks secret': [0],
  'webhooks trigger payment.success': [1, 'refused'],
  'webhooks listen --status x': [2, 'usage'],
  'webhooks verify --body nothere': [2, 'usage'],
  'pay login': [2, 'usage'],
  'pay logout': [0],
  'pay status': [4, 'not_signed_in'],
  'pay qr --amount 1500': [4, 'not_signed_in'],
  'pay invoice --phone 87011234567 --amount 1500': [4, 'not_signed_in'],
  'pay invoice show 17': [4, 'not_signed_in'],
  'pay invoice cancel 17': [4, 'not_signed_in'],
  'pay invoice list': [4, 'not_signed_in'],
  'pay invoice client 87011234567': [4, 'not_signed_in'],
  'pay wait 17': [1, 'not_found'],
  'pay payments': [0],
  'pay history': [4, 'not_signed_in'],
  'pay reconcile': [4, 'not_signed_in'],
  'pay adopt 17': [4, 'not_signed_in'],
  'pay report': [0],
  // The till does not support --json.
  'pay till': [2, 'usage'],
  'pay refund 17 --amount 5 --yes': [4, 'not_signed_in'],
  'admins add Dana': [2, 'usage'],
  'admins list': [0],
  'admins revoke Dana': [1, 'not_found'],
  'admins open': [2, 'usage'],
  'users list': [2],
  'users show 17': [2],
  'users reset-code 17': [2],
  'users sign-out 17': [2],
  'users delete 17 --yes': [2],
  'site import nothere.csv': [2, 'unreadable_input'],
  'site export': [2],
  'data export': [2],
  'data import nothere': [2, 'unreadable_input'],
  'data move --to file:///nowhere/at/all': [2],
  'data migrate': [2],
  'data check': [2],
  audit: [0],
  version: [0],
  'completion bash': [0],
  __complete: [0],
};

describe('--json', () => {
  it.each(Object.entries(outcomes))(
    'prints exactly one document for `msgsite %s`',
    async (words, [exitCode, code]) => {
      const { stdout, stderr, ...said } = await call(words, ['--json']);
      const document = JSON.parse(stdout);
      const failure = { error: expect.any(String), code: code ?? expect.any(String) };
      expect([said.exitCode, document], stderr).toEqual([
        exitCode,
        exitCode === 0 ? expect.anything() : expect.objectContaining(failure),
      ]);
      if (exitCode !== 0) expect(stderr).toContain(document.error.split('\n')[0]);
    },
  );

  it('is tested for every command of the program', () => {
    const called = Object.keys(outcomes);
    const missing = commands.filter(
      ({ path }) => !called.some((words) => `${words} `.startsWith(`${path} `)),
    );
    expect(missing.map(({ path }) => path)).toEqual([]);
  });
});

it('commands that fail or only read create no files', async () => {
  const cwd = await makeTempFolder();
  const env = { HOME: cwd, XDG_CONFIG_HOME: cwd };
  for (const words of [
    'data import nothere',
    'site import nothere.csv',
    'data check',
    'data export',
  ])
    await runCli(words.split(' '), { cwd, env });
  expect(await readdir(cwd)).toEqual([]);
});

it('the documented table of exit codes lists exactly the codes of the program', async () => {
  const page = fileURLToPath(new URL('../../docs/start/exit-codes.md', import.meta.url));
  const rows = (await readFile(page, 'utf8')).matchAll(/^\| (\d+) \| [a-z ]+ \|/gm);
  const documented = [...rows].map(([, code]) => Number(code));
  expect(documented).toEqual(Object.values(exitCodes).sort((a, b) => a - b));
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type CliCall, type CliResult, runCli } from '../../helpers/run-cli.js';
import { createTestDatabase } from '../../helpers/test-database.js';

/**
 * A cashier with separate data, session and webhooks files, and a fast sandbox. In the project `postgres`, payments are
 * stored in a new database.
 */
export interface PayCli {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sessionFile: string;
  /** Runs `msgsite pay …` without a terminal. */
  run(words: string, call?: CliCall): Promise<CliResult>;
  /** Runs the command with `--json` and returns the document that it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: documents have many shapes, and tests assert on their content.
  json(words: string, call?: CliCall): Promise<{ exitCode: number; document: any }>;
  /** Signs in with the sandbox's code. */
  signIn(): Promise<void>;
  remove(): Promise<void>;
}

export async function createPayCli(
  more: Readonly<Record<string, string>> = {},
  isInDatabase = Boolean(inject('postgres')),
): Promise<PayCli> {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-pay-'));
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    MSGSITE_DATA: join(folder, 'data'),
    MSGSITE_WEBHOOKS: join(folder, 'webhooks.json'),
    MSGSITE_SANDBOX_SPEED: '200',
    MSGSITE_POLL_INTERVAL: '0.02',
    ...(isInDatabase ? { MSGSITE_DATABASE: await createTestDatabase() } : {}),
    ...more,
  };
  const run: PayCli['run'] = (words, call = {}) =>
    runCli(['pay', ...split(words)], { cwd: folder, ...call, env: { ...env, ...call.env } });
  return {
    folder,
    env,
    sessionFile: join(folder, 'config', 'msgsite', 'session.json'),
    run,
    async json(words, call) {
      const { exitCode, stdout, stderr } = await run(`${words} --json`, call);
      if (stdout === '') throw new Error(`No document was printed. stderr: ${stderr}`);
      return { exitCode, document: JSON.parse(stdout) };
    },
    async signIn() {
      const { exitCode, stderr } = await run('login --phone 87011234567 --otp 123456');
      if (exitCode !== 0) throw new Error(stderr);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Splits a text at spaces, except within double quotes. */
function split(words: string): string[] {
  return [...words.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

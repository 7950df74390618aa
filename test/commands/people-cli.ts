import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { type CliResult, runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createTestDatabase } from '../helpers/test-database.js';
import { startTestServer } from '../helpers/test-server.js';

export interface SignedUp {
  readonly id: number;
  readonly email: string;
  readonly token: string;
}

/** A site with user accounts, and the command line of its operator. */
export interface PeopleCli {
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
  run(words: string, env?: Readonly<Record<string, string>>): Promise<CliResult>;
  /** Runs the command with `--json` and returns the document that it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: documents have many shapes, and tests assert on their content.
  json(words: string, env?: Readonly<Record<string, string>>): Promise<any>;
  /** Calls `work` with the served site. With files, the server is then stopped. With PostgreSQL, it keeps running. */
  served<Result>(work: (site: Site) => Promise<Result>): Promise<Result>;
  /** Stops the server if it is running, which clears its memory. */
  stop(): Promise<void>;
}

interface Site {
  readonly url: string;
  readonly call: Awaited<ReturnType<typeof createApiClient>>;
  /** Creates an account. By default, the first name is the local part of the e-mail address. */
  signUp(username: string, localPart?: string): Promise<SignedUp>;
}

export const password = 'walnut and thyme';

export async function createPeopleCli(
  more: Readonly<Record<string, string>> = {},
): Promise<PeopleCli> {
  const folder = await makeTempFolder();
  const data = join(folder, 'data');
  const database = inject('postgres')
    ? { MSGSITE_DATABASE: await createTestDatabase() }
    : undefined;
  const env = { HOME: folder, MSGSITE_DATA: data, MSGSITE_BCRYPT_COST: '4', ...database, ...more };
  const open = () => startTestServer({ data, only: 'site', env: { ...database, ...more } });
  let lasting: ReturnType<typeof open> | undefined;
  const stop = async () => {
    const server = await lasting;
    lasting = undefined;
    await server?.close();
  };
  onTestFinished(stop);
  const run: PeopleCli['run'] = (words, other = {}) =>
    runCli(['users', ...words.split(' ')], { cwd: folder, env: { ...env, ...other } });
  return {
    data,
    env,
    run,
    stop,
    async json(words, other) {
      const { stdout, stderr } = await run(`${words} --json`, other);
      if (stdout === '') throw new Error(`No document was printed. stderr: ${stderr}`);
      return JSON.parse(stdout);
    },
    async served(work) {
      if (database) lasting ??= open();
      const server = await (lasting ?? open());
      try {
        return await work(await siteAt(server.site));
      } finally {
        if (!lasting) await server.close();
      }
    },
  };
}

async function siteAt(url: string): Promise<Site> {
  const call = await createApiClient(url);
  return {
    url,
    call,
    async signUp(username, localPart = username.split(' ')[0]?.toLowerCase()) {
      const email = `${localPart}@shop.example`;
      const { body } = await call('POST', '/api/auth/register', {
        body: { username, email, password },
      });
      return { id: body.user.id, email, token: body.token };
    },
  };
}

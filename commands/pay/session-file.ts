import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { AppError, systemErrorCode } from '../../src/errors.js';
import { replaceFile } from '../../src/storage/json/durable-write.js';
import type { CommandContext, CommandInput } from '../command.js';

/** What the till remembers of a sign-in. */
export interface TillSession {
  readonly tokenSN: string;
  readonly vtokenSecret: string;
  readonly profileId?: number;
  readonly organizationId?: number;
  readonly orgName?: string;
  readonly phone?: string;
}

/** Where a session was found, for messages. */
export interface FoundSession {
  readonly session: TillSession;
  /** The file it is kept in; undefined where it came from the environment. */
  readonly file?: string;
}

const variables = ['MSGSITE_TOKEN_SN', 'MSGSITE_VTOKEN_SECRET'] as const;

/** `--session`, else `$XDG_CONFIG_HOME/msgsite/session.json` (`~/.config` where that is not set). */
export function sessionFileOf({ env, cwd }: CommandContext, { options }: CommandInput): string {
  if (typeof options.session === 'string') return resolve(cwd, options.session);
  const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return join(home, 'msgsite', 'session.json');
}

/**
 * The session of `--session`, else of the environment, else of the usual file. Undefined = nobody is
 * signed in. One variable without the other is a `usage` error, a damaged file `unreadable_input`.
 */
export async function findSession(
  context: CommandContext,
  input: CommandInput,
): Promise<FoundSession | undefined> {
  const file = sessionFileOf(context, input);
  if (input.options.session === undefined) {
    const session = sessionOfEnvironment(context);
    if (session) return { session };
  }
  const text = await readSession(file);
  return text === undefined ? undefined : { session: parseSession(text, file), file };
}

function sessionOfEnvironment({ env }: CommandContext): TillSession | undefined {
  const [tokenSN, vtokenSecret] = variables.map((name) => env[name] || undefined);
  if (tokenSN && vtokenSecret) return { tokenSN, vtokenSecret };
  if (!tokenSN && !vtokenSecret) return undefined;
  throw new AppError('usage', `${variables.join(' and ')} belong together; only one is set.`);
}

async function readSession(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return undefined;
    throw new AppError('unreadable_input', `The session file ${file} cannot be read.`, { cause });
  }
}

function parseSession(text: string, file: string): TillSession {
  try {
    const { tokenSN, vtokenSecret, ...rest } = JSON.parse(text) as Partial<TillSession>;
    if (typeof tokenSN === 'string' && typeof vtokenSecret === 'string') {
      return { ...rest, tokenSN, vtokenSecret };
    }
  } catch {
    // Not JSON: said below.
  }
  throw new AppError('unreadable_input', `${file} is no session file.`, {
    hint: 'Run msgsite pay login to write it anew.',
  });
}

/** Keeps a session for this user alone (0600), replacing an older one in one step. */
export async function saveSession(file: string, session: TillSession): Promise<void> {
  const folder = dirname(file);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await replaceFile(file, `${JSON.stringify(session, null, 2)}\n`, { mode: 0o600 });
  } catch (cause) {
    throw new AppError('storage_unavailable', `The session cannot be kept in ${file}.`, {
      hint: 'Choose another file with --session FILE.',
      cause,
    });
  }
}

/** Forgets a kept session; one that is gone already is fine. */
export async function removeSession(file: string): Promise<void> {
  await rm(file, { force: true });
}

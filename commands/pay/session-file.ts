import { access, constants, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { AppError } from '../../src/base/errors.js';
import { ensureFolder } from '../../src/base/files/durable-write.js';
import { systemFiles } from '../../src/base/files/file-layer.js';
import { readOptionalFile } from '../../src/base/files/input-file.js';
import { findOutputTarget, writeOutputFile } from '../../src/base/files/output-file.js';
import type { CommandContext, CommandInput } from '../command.js';

/** What is kept of a sign-in. */
export interface KeptSession {
  readonly tokenSN: string;
  readonly vtokenSecret: string;
  readonly profileId?: number;
  readonly organizationId?: number;
  readonly orgName?: string;
  readonly phone?: string;
  /** The origin of the gateway elsewhere that it was made at; absent where that was in this process. */
  readonly gateway?: string;
}

export interface FoundSession extends KeptSession {
  /** The file it is kept in; undefined where it came from the environment. */
  readonly file?: string;
}

/** Bytes of a session file: many times what this program writes there. */
const mostSessionBytes = 64 * 1024;

const variables = ['MSGSITE_TOKEN_SN', 'MSGSITE_VTOKEN_SECRET'] as const;

/**
 * `--session`, else `$XDG_CONFIG_HOME/msgsite/session.json` (`~/.config` where that is not set), else, of the gateway
 * at an origin, the file of that origin in the folder `sessions` beside it.
 */
export function sessionFileOf(
  { env, cwd }: CommandContext,
  { options }: CommandInput,
  origin: string | undefined,
): string {
  if (typeof options.session === 'string') return resolve(cwd, options.session);
  const [config, home] = [env.XDG_CONFIG_HOME, env.HOME].map((folder = '') =>
    // One that is not absolute counts as not set (XDG Base Directory Specification): it moves with the user.
    isAbsolute(folder) ? folder : undefined,
  );
  const folder = join(config ?? join(home ?? homedir(), '.config'), 'msgsite');
  return origin === undefined
    ? join(folder, 'session.json')
    : join(folder, 'sessions', `${fileNameOf(origin)}.json`);
}

/** Characters of a host in a file's name. @internal */
const longestHost = 200;

/** `pay.example.kz-443` of an origin. Where two have the same, the file itself says whose it is. */
function fileNameOf(origin: string): string {
  const { hostname, port, protocol } = new URL(origin);
  const host = hostname.replace(/[^a-z0-9.-]/g, '_').slice(0, longestHost);
  return `${host}-${port || (protocol === 'https:' ? 443 : 80)}`;
}

/**
 * The session of `--session`, else of the environment, else of the usual file, for the gateway at an origin (undefined:
 * the one in this process). Undefined = nobody is signed in. One variable without the other is a `usage` error, a
 * damaged file `unreadable_input`, and a file of another gateway `not_signed_in`: nothing of it is sent anywhere.
 */
export async function findSession(
  context: CommandContext,
  input: CommandInput,
  origin: string | undefined,
): Promise<FoundSession | undefined> {
  const file = sessionFileOf(context, input, origin);
  if (input.options.session === undefined) {
    const session = sessionOfEnvironment(context);
    if (session) return session;
  }
  const options = { name: `The session file ${file}`, mostBytes: mostSessionBytes };
  const text = readOptionalFile(file, options)?.toString('utf8');
  if (text === undefined) return undefined;
  const session = parseSession(text, file);
  if (session.gateway !== origin) throw ofAnother(file, session.gateway, origin);
  return { ...session, file };
}

function ofAnother(file: string, made: string | undefined, asked: string | undefined): AppError {
  const name = (origin: string | undefined) =>
    origin === undefined ? 'the data of this machine' : `the gateway at ${origin}`;
  return new AppError(
    'not_signed_in',
    `The session in ${file} belongs to ${name(made)}, not to ${name(asked)}.`,
    {
      hint: 'Nothing was sent. Sign in with msgsite pay login, or name another file with --session.',
    },
  );
}

function sessionOfEnvironment({ env }: CommandContext): KeptSession | undefined {
  const [tokenSN, vtokenSecret] = variables.map((name) => env[name] || undefined);
  if (tokenSN && vtokenSecret) return { tokenSN, vtokenSecret };
  if (!tokenSN && !vtokenSecret) return undefined;
  throw new AppError('usage', `${variables.join(' and ')} belong together; only one is set.`);
}

function parseSession(text: string, file: string): KeptSession {
  try {
    const { tokenSN, vtokenSecret, ...rest } = JSON.parse(text) as Partial<KeptSession>;
    const isSession = typeof tokenSN === 'string' && typeof vtokenSecret === 'string';
    if (isSession && ['undefined', 'string'].includes(typeof rest.gateway)) {
      return { ...rest, tokenSN, vtokenSecret };
    }
  } catch {
    // Not JSON: said below.
  }
  throw new AppError('unreadable_input', `${file} is not a session file.`, {
    hint: 'Run msgsite pay login to write it again.',
  });
}

/** Keeps a session for this user alone (0600), replacing an older one in one step. */
export async function saveSession(
  context: CommandContext,
  file: string,
  session: KeptSession,
): Promise<void> {
  const folder = dirname(file);
  try {
    await ensureFolder(systemFiles, folder);
    const text = `${JSON.stringify(session, null, 2)}\n`;
    const { signal } = context;
    await writeOutputFile(file, text, { streams: context, mode: 0o600, signal });
  } catch (cause) {
    throw notKept(file, cause);
  }
}

/** Throws as `saveSession` would where it is plain that a session cannot be kept; writes nothing. */
export async function assertKeepable(file: string): Promise<void> {
  try {
    await ensureFolder(systemFiles, dirname(file));
    const target = await findOutputTarget(file);
    if (target.kind === 'replace') await access(dirname(target.path), constants.W_OK);
    if (target.kind === 'device' && (await stat(target.path)).isDirectory()) {
      throw new AppError('unreadable_input', 'It is a folder: name a file in it.');
    }
  } catch (cause) {
    throw notKept(file, cause);
  }
}

function notKept(file: string, cause: unknown): AppError {
  const why = cause instanceof AppError ? ` ${cause.message}` : '';
  return new AppError('storage_unavailable', `The session cannot be kept in ${file}.${why}`, {
    hint: 'Choose another file with --session FILE.',
    cause,
  });
}

/**
 * Forgets a kept session; one that is gone already is fine. Where the file is a link, what it leads to goes,
 * and with it the secret: the link may be somebody's arrangement.
 */
export async function removeSession(file: string): Promise<void> {
  const target = await findOutputTarget(file);
  if (target.kind !== 'replace') return;
  await rm(target.path, { force: true }).catch((cause) => {
    throw new AppError('storage_unavailable', `The session file ${file} cannot be removed.`, {
      hint: 'Remove it yourself; the session in it has ended.',
      cause,
    });
  });
}

import { access, constants, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { AppError } from '../../src/base/errors.js';
import { ensureFolder } from '../../src/base/files/durable-write.js';
import { systemFiles } from '../../src/base/files/file-layer.js';
import { readOptionalFile } from '../../src/base/files/input-file.js';
import { findOutputTarget, writeOutputFile } from '../../src/base/files/output-file.js';
import type { CommandContext, CommandInput } from '../command.js';

/** The session in a session file. */
export interface KeptSession {
  readonly tokenSN: string;
  readonly vtokenSecret: string;
  readonly profileId?: number;
  readonly organizationId?: number;
  readonly orgName?: string;
  readonly phone?: string;
  /** The origin of the remote gateway that issued the session; absent for a gateway in this process. */
  readonly gateway?: string;
}

export interface FoundSession extends KeptSession {
  /** The path of the session file; undefined for a session from the environment. */
  readonly file?: string;
}

/** Maximum size of a session file, in bytes. */
const maxSessionBytes = 64 * 1024;

const variables = ['MSGSITE_TOKEN_SN', 'MSGSITE_VTOKEN_SECRET'] as const;

/**
 * Returns the path of the session file: `--session`, or else `$XDG_CONFIG_HOME/msgsite/session.json` (`~/.config` by
 * default). Each remote gateway has its own file in the `sessions` folder next to that file.
 */
export function sessionFileOf(
  { env, cwd }: CommandContext,
  { options }: CommandInput,
  origin: string | undefined,
): string {
  if (typeof options.session === 'string') return resolve(cwd, options.session);
  const [config, home] = [env.XDG_CONFIG_HOME, env.HOME].map((folder = '') =>
    // Relative paths are ignored, as the XDG Base Directory Specification requires.
    isAbsolute(folder) ? folder : undefined,
  );
  const folder = join(config ?? join(home ?? homedir(), '.config'), 'msgsite');
  return origin === undefined
    ? join(folder, 'session.json')
    : join(folder, 'sessions', `${fileNameOf(origin)}.json`);
}

/** Maximum length of a host in a file name, in characters. @internal */
const maxHostLength = 200;

/** Returns a name such as `pay.example.kz-443`. Origins may share a name, so the file also contains the origin. */
function fileNameOf(origin: string): string {
  const { hostname, port, protocol } = new URL(origin);
  const host = hostname.replace(/[^a-z0-9.-]/g, '_').slice(0, maxHostLength);
  return `${host}-${port || (protocol === 'https:' ? 443 : 80)}`;
}

/**
 * Returns the session from `--session`, the environment, or the default file, in this order; undefined if nobody is
 * signed in. `origin` is undefined for the gateway in this process. Throws `usage` if only one variable is set,
 * `unreadable_input` for a damaged file, and `not_signed_in` for a session of a different gateway, which is never sent.
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
  const options = { name: `The session file ${file}`, maxBytes: maxSessionBytes };
  const text = readOptionalFile(file, options)?.toString('utf8');
  if (text === undefined) return undefined;
  const session = parseSession(text, file);
  if (session.gateway !== origin) throw wrongGateway(file, session.gateway, origin);
  return { ...session, file };
}

function wrongGateway(
  file: string,
  actual: string | undefined,
  expected: string | undefined,
): AppError {
  const name = (origin: string | undefined) =>
    origin === undefined ? 'the data on this machine' : `the gateway at ${origin}`;
  return new AppError(
    'not_signed_in',
    `The session in ${file} belongs to ${name(actual)}, not to ${name(expected)}.`,
    {
      hint: 'Nothing was sent. Sign in with msgsite pay login, or choose a different file with --session.',
    },
  );
}

function sessionOfEnvironment({ env }: CommandContext): KeptSession | undefined {
  const [tokenSN, vtokenSecret] = variables.map((name) => env[name] || undefined);
  if (tokenSN && vtokenSecret) return { tokenSN, vtokenSecret };
  if (!tokenSN && !vtokenSecret) return undefined;
  throw new AppError(
    'usage',
    `Only one of ${variables.join(' and ')} is set. Set both or neither.`,
  );
}

function parseSession(text: string, file: string): KeptSession {
  try {
    const { tokenSN, vtokenSecret, ...rest } = JSON.parse(text) as Partial<KeptSession>;
    const isSession = typeof tokenSN === 'string' && typeof vtokenSecret === 'string';
    if (isSession && ['undefined', 'string'].includes(typeof rest.gateway)) {
      return { ...rest, tokenSN, vtokenSecret };
    }
  } catch {
    // Reported below.
  }
  throw new AppError('unreadable_input', `${file} is not a session file.`, {
    hint: 'Run msgsite pay login to replace it.',
  });
}

/** Stores a session in a file that only this user can read (0600). Replaces an existing file atomically. */
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

/** Throws if a session clearly cannot be stored. Creates only the folder. */
export async function assertStorable(file: string): Promise<void> {
  try {
    await ensureFolder(systemFiles, dirname(file));
    const target = await findOutputTarget(file);
    if (target.kind === 'replace') await access(dirname(target.path), constants.W_OK);
    if (target.kind === 'device' && (await stat(target.path)).isDirectory()) {
      throw new AppError('unreadable_input', 'It is a folder. Choose a file in it.');
    }
  } catch (cause) {
    throw notKept(file, cause);
  }
}

function notKept(file: string, cause: unknown): AppError {
  const why = cause instanceof AppError ? ` ${cause.message}` : '';
  return new AppError('storage_unavailable', `The session cannot be stored in ${file}.${why}`, {
    hint: 'Choose a different file with --session FILE.',
    cause,
  });
}

/** Removes a session file if it exists. For a symbolic link, removes the target, which contains the secret. */
export async function removeSession(file: string): Promise<void> {
  const target = await findOutputTarget(file);
  if (target.kind !== 'replace') return;
  await rm(target.path, { force: true }).catch((cause) => {
    throw new AppError('storage_unavailable', `The session file ${file} cannot be removed.`, {
      hint: 'Remove it manually. Its session has ended.',
      cause,
    });
  });
}

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
  /** The origin of the remote gateway that issued it; absent for a gateway in this process. */
  readonly gateway?: string;
}

export interface FoundSession extends KeptSession {
  /** The path of its file; undefined if it came from the environment. */
  readonly file?: string;
}

/** Bytes of a session file. */
const maxSessionBytes = 64 * 1024;

const variables = ['MSGSITE_TOKEN_SN', 'MSGSITE_VTOKEN_SECRET'] as const;

/**
 * Returns the path of the session file: `--session`, else `$XDG_CONFIG_HOME/msgsite/session.json` (`~/.config` by
 * default). For a remote gateway, it is a file per origin in the folder `sessions` beside it.
 */
export function sessionFileOf(
  { env, cwd }: CommandContext,
  { options }: CommandInput,
  origin: string | undefined,
): string {
  if (typeof options.session === 'string') return resolve(cwd, options.session);
  const [config, home] = [env.XDG_CONFIG_HOME, env.HOME].map((folder = '') =>
    // A relative path counts as unset (XDG Base Directory Specification).
    isAbsolute(folder) ? folder : undefined,
  );
  const folder = join(config ?? join(home ?? homedir(), '.config'), 'msgsite');
  return origin === undefined
    ? join(folder, 'session.json')
    : join(folder, 'sessions', `${fileNameOf(origin)}.json`);
}

/** Characters of a host in a file name. @internal */
const maxHostLength = 200;

/** Returns `pay.example.kz-443` for an origin. If two origins have the same name, the file contains its origin. */
function fileNameOf(origin: string): string {
  const { hostname, port, protocol } = new URL(origin);
  const host = hostname.replace(/[^a-z0-9.-]/g, '_').slice(0, maxHostLength);
  return `${host}-${port || (protocol === 'https:' ? 443 : 80)}`;
}

/**
 * Returns the session from `--session`, the environment, or the default file, in this order; undefined if nobody is
 * signed in. `origin` is undefined for the gateway in this process. Throws `usage` for one variable without the other,
 * `unreadable_input` for a damaged file, and `not_signed_in` for a session of another gateway, which is never sent.
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
      hint: 'Nothing was sent. Sign in with msgsite pay login, or choose another file with --session.',
    },
  );
}

function sessionOfEnvironment({ env }: CommandContext): KeptSession | undefined {
  const [tokenSN, vtokenSecret] = variables.map((name) => env[name] || undefined);
  if (tokenSN && vtokenSecret) return { tokenSN, vtokenSecret };
  if (!tokenSN && !vtokenSecret) return undefined;
  throw new AppError('usage', `Only one of ${variables.join(' and ')} is set. Set both or none.`);
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

/** Stores a session, readable for this user only (0600), and replaces an older one atomically. */
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

/** Throws if a session can obviously not be stored; writes nothing. */
export async function assertKeepable(file: string): Promise<void> {
  try {
    await ensureFolder(systemFiles, dirname(file));
    const target = await findOutputTarget(file);
    if (target.kind === 'replace') await access(dirname(target.path), constants.W_OK);
    if (target.kind === 'device' && (await stat(target.path)).isDirectory()) {
      throw new AppError('unreadable_input', 'It is a folder; choose a file in it.');
    }
  } catch (cause) {
    throw notKept(file, cause);
  }
}

function notKept(file: string, cause: unknown): AppError {
  const why = cause instanceof AppError ? ` ${cause.message}` : '';
  return new AppError('storage_unavailable', `The session cannot be stored in ${file}.${why}`, {
    hint: 'Choose another file with --session FILE.',
    cause,
  });
}

/** Removes a session file, if it exists. If it is a symbolic link, removes the target with the secret and keeps the link. */
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

import { lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError, systemErrorCode } from './errors.js';
import { replaceFile } from './storage/json/durable-write.js';

/** Where the content of an output that the user named goes. */
export type OutputTarget =
  /** A regular file or a new one: replaced in one step, so that nobody sees half of it. */
  | { readonly kind: 'replace'; readonly path: string; readonly mode: number }
  /** A device, a pipe or an open file of a process: written to as it is. */
  | { readonly kind: 'write'; readonly path: string };

/** Mode of a new file; the system takes the user's umask off it. */
const newFile = 0o666;

/** How many links may lead from one to the next, as Linux has it. */
const mostLinks = 40;

/**
 * What a path stands for: its links are followed (also where the last one leads to nothing yet), and what
 * is no regular file keeps its place. Rejects with the system's error.
 */
export async function findOutputTarget(path: string): Promise<OutputTarget> {
  // Names of open files (/dev/stdout is one) lead to files that somebody is writing to.
  if (await leadsToOpenFile(path)) return { kind: 'write', path };
  const found = await stat(path).catch(missingIsUndefined);
  if (found === undefined) return { kind: 'replace', path: await endOfLinks(path), mode: newFile };
  if (found.isFile()) {
    return { kind: 'replace', path: await realpath(path), mode: found.mode & 0o777 };
  }
  return { kind: 'write', path };
}

async function leadsToOpenFile(path: string): Promise<boolean> {
  let at = path;
  for (let links = 0; links < mostLinks; links += 1) {
    if (/^\/(?:dev|proc\/[^/]+(?:\/task\/[^/]+)?)\/fd\//.test(at)) return true;
    const next = await readlink(at).catch(() => undefined);
    if (next === undefined) return false;
    at = resolve(dirname(at), next);
  }
  return false;
}

/** The name at which a file comes to be when it is written through links that lead to nothing yet. */
async function endOfLinks(path: string): Promise<string> {
  let at = path;
  for (let links = 0; links < mostLinks; links += 1) {
    const found = await lstat(at).catch(missingIsUndefined);
    if (!found?.isSymbolicLink()) return at;
    at = resolve(dirname(at), await readlink(at));
  }
  throw Object.assign(new Error(`Too many links: ${path}`), { code: 'ELOOP' });
}

function missingIsUndefined(error: unknown): undefined {
  if (systemErrorCode(error) === 'ENOENT') return undefined;
  throw error;
}

export interface OutputFileOptions {
  /** File mode; else an existing file keeps its own, and a new one has what the user's umask leaves. */
  readonly mode?: number;
}

/**
 * Writes an output that the user named: a regular file in one step (also through a link, which stays
 * one), anything else in place, so that `-o /dev/stdout` and `-o /dev/null` do what they do everywhere.
 * Throws `unreadable_input` where it cannot be written.
 */
export async function writeOutputFile(
  path: string,
  content: string | AsyncIterable<string | Uint8Array>,
  { mode }: OutputFileOptions = {},
): Promise<void> {
  try {
    const target = await findOutputTarget(path);
    if (target.kind === 'write') await writeInPlace(target.path, content);
    else await replaceFile(target.path, content, { mode: mode ?? target.mode });
  } catch (cause) {
    if (cause instanceof AppError && cause.code !== 'storage_unavailable') throw cause;
    const code = systemErrorCode(cause instanceof AppError ? cause.cause : cause);
    if (code === undefined) throw cause;
    throw new AppError('unreadable_input', `${path} cannot be written (${code}).`, {
      hint: 'The folder has to exist, and this user must be allowed to write there.',
      cause,
    });
  }
}

async function writeInPlace(
  path: string,
  content: string | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const file = await open(path, 'w');
  try {
    // Each one goes on where the last one ended.
    for await (const chunk of typeof content === 'string' ? [content] : content) {
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
}

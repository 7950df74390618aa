import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes the owner of a lane appear dead to other processes, as if its process ID had been reused. */
export async function killOwner(folder: string, label: string): Promise<void> {
  const owners = join(folder, 'owners');
  for (const name of await readdir(owners).catch(() => [])) {
    if (!name.endsWith('.json')) continue;
    const path = join(owners, name);
    const owner = JSON.parse(await readFile(path, 'utf8'));
    if (owner.label !== label) continue;
    const dead = { ...owner, process: { ...owner.process, started: '1' } };
    await writeFile(path, JSON.stringify(dead));
  }
}

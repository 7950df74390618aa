import { join } from 'node:path';
import { systemFiles } from '../base/files/file-layer.js';
import { listFolder } from '../storage/json/collection-files.js';
import { inUse } from '../storage/json/data-lock.js';
import { isOver, readOwner } from '../storage/json/ownership.js';

/** Where commands that share a data folder with a server say who they are. */
const ownerFolders = [join('payments', 'owners'), join('webhooks', 'owners')];

/** Refuses a data folder on whose payments or webhooks a command works just now. */
export async function assertNobodyWorks(data: string, now: number): Promise<void> {
  for (const folder of ownerFolders.map((each) => join(data, each))) {
    for (const name of await listFolder(systemFiles, folder)) {
      const owner = name.endsWith('.json') && (await readOwner(systemFiles, join(folder, name)));
      if (!owner || (await isOver(owner, now))) continue;
      throw inUse(data, owner, 'Wait until that command has ended, or stop it.');
    }
  }
}

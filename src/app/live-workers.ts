import { join } from 'node:path';
import { systemFiles } from '../base/files/file-layer.js';
import { listFolder } from '../storage/json/collection-files.js';
import { inUse } from '../storage/json/data-lock.js';
import { readOwner } from '../storage/json/ownership.js';
import { livenessOf } from '../storage/json/process-identity.js';

/** Where commands that share a data folder with a server say what they work on. */
const places = [
  { folder: join('payments', 'watchers'), suffix: '.claim' },
  { folder: join('webhooks', 'owners'), suffix: '.json' },
];

/** Refuses a data folder on whose payments or webhooks a command works just now. */
export async function assertNobodyWorks(data: string, now: number): Promise<void> {
  for (const { folder, suffix } of places) {
    for (const name of await listFolder(systemFiles, join(data, folder))) {
      if (!name.endsWith(suffix)) continue;
      const owner = await readOwner(systemFiles, join(data, folder, name));
      if (!owner || (owner.expires ?? now + 1) <= now) continue;
      if ((await livenessOf(owner.process)) === 'dead') continue;
      throw inUse(data, owner, 'Wait until that command has ended, or stop it.');
    }
  }
}

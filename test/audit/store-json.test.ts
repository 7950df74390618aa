import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AuditStore } from '../../src/audit/store.js';
import { openJsonAuditStore } from '../../src/audit/store-json/open.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { describeAuditStore } from './store-contract.js';

describeAuditStore('JSON files', async (clock) => {
  const folder = join(await makeTempFolder(), 'audit');
  const stores: AuditStore[] = [];
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  return {
    async open() {
      const label = `process ${stores.length}`;
      const store = openJsonAuditStore({ folder, clock, label });
      stores.push(store);
      return store;
    },
    // Whatever it does from now on, the others take it for dead.
    kill: (store) => killOwner(folder, `process ${stores.indexOf(store)}`),
  };
});

/** Makes the process of a label look dead: it has a number that no process gets. */
async function killOwner(folder: string, label: string): Promise<void> {
  const owners = join(folder, 'owners');
  await mkdir(owners, { recursive: true });
  for (const name of await readdir(owners)) {
    const path = join(owners, name);
    const owner = JSON.parse(await readFile(path, 'utf8'));
    if (owner.label !== label) continue;
    await writeFile(
      path,
      JSON.stringify({ ...owner, process: { ...owner.process, started: '1' } }),
    );
  }
}

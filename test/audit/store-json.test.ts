import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AuditStore } from '../../src/audit/store.js';
import { openJsonAuditStore } from '../../src/audit/store-json/open.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { killOwner } from './dead-owner.js';
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
    // Other processes then treat this one as dead.
    kill: (store) => killOwner(folder, `process ${stores.indexOf(store)}`),
  };
});

import { join } from 'node:path';
import { Delivery as isDelivery } from '#validators/webhooks';
import { listFolder } from '../../storage/json/collection-files.js';
import { checkJsonFile, type DataChecker } from '../../storage/json/data-checker.js';
import { systemFiles } from '../../storage/json/file-layer.js';

/** States whose folder holds further folders: days, or processes. */
const folded = ['delivered', 'dropped', 'sending'];

/** Checks the records of webhook deliveries. */
export const deliveryChecker: DataChecker = {
  name: 'webhooks',
  async check(data, report) {
    const folder = join(data, 'webhooks');
    const places = [join(folder, 'pending')];
    for (const state of folded) {
      for (const name of await listFolder(systemFiles, join(folder, state))) {
        places.push(join(folder, state, name));
      }
    }
    for (const place of places) {
      for (const name of await listFolder(systemFiles, place)) {
        const file = join(place, name);
        const value = name.endsWith('.json') ? await checkJsonFile(file, report) : undefined;
        if (value === undefined || isDelivery(value)) continue;
        report({
          severity: 'error',
          file,
          message: 'This is not the record of a delivery.',
          advice: 'Restore the file from a backup, or remove it: that delivery is then forgotten.',
        });
      }
    }
  },
};

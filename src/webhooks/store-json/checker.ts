import { join } from 'node:path';
import { readTextFile } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { listFolder } from '../../storage/json/collection-files.js';
import { type DataChecker, type Report, reportError } from '../../storage/json/data-checker.js';
import { parseDelivery } from './delivery-text.js';

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
        if (name.endsWith('.json')) await checkDelivery(join(place, name), report);
      }
    }
  },
};

async function checkDelivery(path: string, report: Report): Promise<void> {
  const text = await readTextFile(systemFiles, path);
  if (text === undefined) return;
  try {
    parseDelivery(text, path);
  } catch (error) {
    reportError(error, path, report);
  }
}

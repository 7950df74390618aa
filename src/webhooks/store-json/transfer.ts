import { join } from 'node:path';
import { ensureFolder } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { eachOf, type RecordReader, type RecordWriter } from '../../base/records.js';
import { syncFolders, writeNewFile } from '../../storage/json/spool-transfer.js';
import { type Delivery, deliveryStates } from '../delivery.js';
import { compareDeliveries } from '../records.js';
import { namesIn } from './delivery-files.js';
import { createDeliveryFolders } from './delivery-folders.js';
import { wholeText } from './delivery-text.js';

/** Files read or written at once. */
const concurrency = 16;

/** The deliveries in a folder (`<data>/webhooks`) that nobody works on; the files stay untouched. */
export function readJsonDeliveries(folder: string): readonly RecordReader[] {
  return [{ kind: 'delivery', read: () => readDeliveries(folder) }];
}

async function* readDeliveries(folder: string): AsyncGenerator<Delivery> {
  const folders = createDeliveryFolders(systemFiles, folder);
  const claimed = await readClaimed(folder);
  let next = 0;
  /** What a process had claimed when it died comes where it would lie otherwise. */
  function* claimedBefore(delivery: Delivery | undefined): Generator<Delivery> {
    for (let one = claimed[next]; one; one = claimed[next]) {
      if (delivery && compareDeliveries(one, delivery) > 0) return;
      next += 1;
      yield one;
    }
  }
  for (const state of deliveryStates) {
    // Of one state the latest days come first there.
    for (const place of (await folders.ofStates([state])).reverse()) {
      const ids = (await folders.idsIn(place)).sort();
      for (let start = 0; start < ids.length; start += concurrency) {
        const batch = ids.slice(start, start + concurrency);
        const read = batch.map((id) => folders.read(folders.pathIn(place, id)));
        for (const delivery of await Promise.all(read)) {
          if (!delivery) continue;
          yield* claimedBefore(delivery);
          yield delivery;
        }
      }
    }
  }
  yield* claimedBefore(undefined);
}

/** Deliveries that a process had claimed, in the order of exports: as many as are sent at once. */
async function readClaimed(folder: string): Promise<Delivery[]> {
  const folders = createDeliveryFolders(systemFiles, folder);
  const found: Delivery[] = [];
  const sending = join(folder, 'sending');
  for (const name of await namesIn(systemFiles, sending)) {
    for await (const delivery of folders.readAll(join(sending, name))) found.push(delivery);
  }
  return found.sort(compareDeliveries);
}

/** Fills a folder of deliveries that holds none yet. */
export async function fillJsonDeliveries(folder: string): Promise<readonly RecordWriter[]> {
  const folders = createDeliveryFolders(systemFiles, folder);
  for (const state of deliveryStates) await ensureFolder(systemFiles, join(folder, state));
  return [
    {
      kind: 'delivery',
      async write(records) {
        const places = new Set<string>();
        await eachOf(records as AsyncIterable<Delivery>, concurrency, async (delivery) => {
          const place = folders.placeOf(delivery);
          await folders.prepare(place);
          places.add(place);
          await writeNewFile(folders.pathIn(place, delivery.id), wholeText(delivery));
        });
        await syncFolders(places);
      },
    },
  ];
}

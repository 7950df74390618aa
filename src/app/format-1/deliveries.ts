import { join } from 'node:path';
import { listFolder, readBytes } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { asDamage } from '../../storage/json/check/data-checker.js';
import { type Delivery, deliveryStates } from '../../webhooks/delivery.js';
import { keptDay, renewDelivery } from '../../webhooks/records.js';
import { type OldDamage, pathsIn, readJson, readLines, throwIt } from './old-files.js';

/** Deliveries by state; of those that a process had claimed when it died, by what they say themselves. */
export async function* readDeliveries(on: OldDamage, folder: string): AsyncGenerator<Delivery> {
  const claimed: Delivery[] = [];
  for (const owner of await listFolder(systemFiles, join(folder, 'sending'))) {
    for (const path of await pathsIn(join(folder, 'sending', owner))) {
      const delivery = await readDelivery(on, path);
      if (delivery) claimed.push(delivery);
    }
  }
  for (const state of deliveryStates) {
    const own = join(folder, state);
    // What a process had claimed when it died lies where its content says.
    const strays = new Map(
      claimed
        .filter((each) => each.state === state)
        .map((each) => [
          join(own, state === 'pending' ? '' : keptDay(each), `${each.id}.json`),
          each,
        ]),
    );
    for (const path of [...new Set([...strays.keys(), ...(await pathsIn(own))])].sort()) {
      const delivery = strays.get(path) ?? (await readDelivery(on, path));
      if (!delivery) continue;
      // After a power cut the last line may be gone: the folder then still says how it ended.
      yield state === 'pending' ? delivery : { ...delivery, state, nextAttemptAt: null };
    }
  }
}

/** A delivery makes sense as a whole only: damage to a line leaves it out. */
async function readDelivery(on: OldDamage, path: string): Promise<Delivery | undefined> {
  let delivery: Delivery | undefined;
  try {
    type Line = Delivery & { readonly attempt: Delivery['attempts'][number] };
    for await (const line of readLines<Line>(throwIt, path)) {
      const { attempt, ...changed } = line;
      const attempts = [...(delivery?.attempts ?? []), attempt];
      delivery = delivery ? { ...delivery, ...changed, attempts } : line;
    }
    delivery ??= (await readJson(throwIt, path)) as Delivery | undefined;
  } catch (error) {
    await on(asDamage(error), path, (await readBytes(systemFiles, path)) ?? Buffer.alloc(0));
    return undefined;
  }
  return delivery && (renewDelivery(delivery) as Delivery);
}

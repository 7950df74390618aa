import { hash } from 'node:crypto';
import { singleFlight } from '../../../../base/single-flight.js';
import type { RecordFolder } from '../../../../storage/json/records/record-folder.js';
import { refundKey, type SandboxOperation } from '../operation.js';
import { numberIn } from './operation-file.js';
import type { KeyRecord } from './plans.js';

/** How many operations a sandbox keeps. */
export interface OperationBounds {
  /** Of more, the oldest go. */
  readonly most: number;
  /** What is left then: making room reads every name, so it makes room for many. */
  readonly keptOfTooMany: number;
}

/** The most operations, and how many are kept if there are more. */
export const usualOperationBounds: OperationBounds = { most: 100_000, keptOfTooMany: 99_000 };

/**
 * Gives a function to call for every operation that was added, which removes the oldest ones and their
 * keys once there are too many. `count` is how many there are now; additions of other processes are
 * noticed when room is made.
 */
export function createOperationRoom(
  operations: RecordFolder<SandboxOperation, 'kept'>,
  keys: RecordFolder<KeyRecord, 'kept'>,
  { count, bounds }: { readonly count: number; readonly bounds: OperationBounds },
): () => Promise<void> {
  let known = count;

  async function remove(id: string): Promise<void> {
    const found = await operations.find(id);
    for (const key of found ? keysOf(found.record) : []) await keys.remove(key);
    await operations.remove(id);
  }

  const makeRoom = singleFlight(async () => {
    const ids = (await operations.ids('kept')).sort((a, b) => numberIn(a) - numberIn(b));
    const surplus = ids.slice(0, Math.max(0, ids.length - bounds.keptOfTooMany));
    await Promise.all(surplus.map(remove));
    known = ids.length - surplus.length;
  });

  return async function added() {
    known += 1;
    if (known > bounds.most) await makeRoom();
  };
}

/** Names of the keys that an operation and its refunds were made under. */
function keysOf({ idempotency, organizationId, refunds }: SandboxOperation): readonly string[] {
  const ofRefunds = refunds.flatMap(({ idempotencyKey }) =>
    idempotencyKey ? [hash('sha256', refundKey(organizationId, idempotencyKey))] : [],
  );
  return idempotency ? [idempotency, ...ofRefunds] : ofRefunds;
}

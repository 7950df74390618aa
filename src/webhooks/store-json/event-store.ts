import type { Clock } from '../../base/clock.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import type { EventStore } from '../store.js';
import { eventPlan } from './plan.js';

export interface JsonWebhookFolder {
  readonly folder: string;
  readonly clock: Clock;
  readonly label: string;
  readonly files?: FileLayer;
  readonly readOnly?: boolean;
}

/** Events that nobody wanted, as one file each. */
export async function openJsonEventStore(
  options: JsonWebhookFolder,
): Promise<EventStore & { has(id: string): boolean; close(): Promise<void> }> {
  const events = await openRecordFolder({ ...options, plan: eventPlan });
  return {
    async add(event) {
      await events.create(event.id, event);
    },
    async *list({ onDamaged } = {}) {
      const listing = { latestDaysFirst: true, ...(onDamaged ? { onDamaged } : {}) };
      for await (const { record } of events.list(['stored'], listing)) yield record;
    },
    has: events.isKnown,
    removeBefore: (day) => events.removeBefore('stored', day),
    close: events.close,
  };
}

import { AppError } from '../../src/base/errors.js';
import { type StoredEvent, storedEventOf } from '../../src/events/event.js';
import type { PlannedReplay, ReplayTarget } from '../../src/webhooks/replays.js';
import type { DeliveryFilter } from '../../src/webhooks/tools/replay-filter.js';
import { indexList, type ReplayList } from '../../src/webhooks/tools/replay-list.js';
import type { Webhooks } from '../../src/webhooks/webhooks.js';

export interface PlanOptions {
  readonly filter: DeliveryFilter;
  /** Selects only the entries of this list. */
  readonly listed?: ReplayList;
  /** The receiver. By default, each delivery is sent to its original receiver. */
  readonly to?: ReplayTarget;
  onDamaged(error: AppError): void;
  /** Called with a message about selected entries that cannot be sent, if there are others to send. */
  onUnknown(message: string): void;
}

export interface ReplayPlan {
  /** Replays in the order in which the events occurred. */
  readonly replays: readonly PlannedReplay[];
  /** Replays that would be signed although their events are only in the list and not stored here. */
  readonly unstored: readonly PlannedReplay[];
}

/**
 * Plans replays. Without an address, a selected event that has no delivery is sent to the subscriptions that currently
 * match it. With an address, every event is sent there once.
 */
export async function makePlan(
  webhooks: Pick<Webhooks, 'find' | 'findEvents' | 'planFor' | 'planTo' | 'replay'>,
  { filter, listed, to, onDamaged, onUnknown }: PlanOptions,
): Promise<ReplayPlan> {
  const plan: PlannedReplay[] = [];
  const unstored: PlannedReplay[] = [];
  /** Events without a delivery; with an address, all events. */
  const events = new Map<string, StoredEvent>();
  const found = new Set<string>();
  /** IDs of events that are only in the list. */
  const listOnly = new Set<string>();
  const list = listed && indexList(listed);
  /** Returns whether a record is in the list, if there is one, and marks the matching entries as found. */
  const isListed = (ids: readonly string[], facts: StoredEvent['facts']) => {
    const matching = list?.matching(ids, facts) ?? ids;
    for (const name of matching) found.add(name);
    return matching.length > 0;
  };

  for await (const event of webhooks.findEvents(filter, { onDamaged })) {
    if (isListed([event.id], event.facts)) events.set(event.id, event);
  }
  for await (const delivery of webhooks.find(filter, { onDamaged })) {
    const { id, eventId, facts, occurredAt } = delivery;
    if (!isListed([id, eventId], facts)) continue;
    if (to) {
      events.set(eventId, { id: eventId, facts, occurredAt });
    } else {
      events.delete(eventId);
      plan.push({ delivery, isKept: true, replay: (signal) => webhooks.replay(id, signal) });
    }
  }
  for (const event of list?.eventsBeyond(found) ?? []) {
    const stored = storedEventOf(event);
    events.set(stored.id, stored);
    listOnly.add(stored.id);
  }
  const isNamedByFlag = filter.ids !== undefined || filter.payment !== undefined;
  const unmatched: string[] = [];
  for (const event of events.values()) {
    if (!to && !listed && !isNamedByFlag) continue;
    const replays = to ? [webhooks.planTo(event, to)] : webhooks.planFor(event);
    if (replays.length === 0) unmatched.push(event.id);
    plan.push(...replays);
    // Without a subscription and keys, nothing is signed.
    if (listOnly.has(event.id))
      unstored.push(...replays.filter(({ isKept }) => isKept || to?.keys));
  }
  const named = [...(list?.all ?? []), ...(filter.ids ?? [])];
  const unknown = named.filter((name) => !found.has(name));
  const messages = [
    messageOf('Not stored here, or excluded by the other filters: ', unknown),
    messageOf(
      'No subscription matches these events. Use --to to send them to an address: ',
      unmatched,
    ),
  ].filter((message) => message !== undefined);
  if (plan.length === 0 && messages[0] !== undefined) {
    throw new AppError('not_found', messages.join(' '));
  }
  for (const message of messages) onUnknown(message);
  const replays = plan.sort((a, b) => (a.delivery.occurredAt < b.delivery.occurredAt ? -1 : 1));
  return { replays, unstored };
}

function messageOf(start: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return start + names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
}

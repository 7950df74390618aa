import { AppError } from '../../src/base/errors.js';
import { type StoredEvent, storedEventOf } from '../../src/events/event.js';
import type { PlannedReplay, ReplayTarget } from '../../src/webhooks/replays.js';
import type { DeliveryFilter } from '../../src/webhooks/tools/replay-filter.js';
import { indexList, type ReplayList } from '../../src/webhooks/tools/replay-list.js';
import type { Webhooks } from '../../src/webhooks/webhooks.js';

export interface ReplayWish {
  readonly filter: DeliveryFilter;
  /** Only what this list names. */
  readonly listed?: ReplayList;
  /** Whom to send to; by default, those whom the deliveries are for. */
  readonly to?: ReplayTarget;
  onDamaged(error: AppError): void;
  /** Called, in words, with what was named and cannot be sent, where there is something to send all the same. */
  onUnknown(message: string): void;
}

export interface ReplayPlan {
  /** What is to be sent, in the order in which it occurred. */
  readonly replays: readonly PlannedReplay[];
  /** Those of them whose events come from the list and are not stored here; they would be signed all the same. */
  readonly unstored: readonly PlannedReplay[];
}

/**
 * What is to be sent, in the order in which it occurred. Without an address, an event that has no delivery is
 * sent to those who want it now, if it is named; with one, every event goes there once.
 */
export async function makePlan(
  webhooks: Pick<Webhooks, 'find' | 'findEvents' | 'planFor' | 'planTo' | 'replay'>,
  { filter, listed, to, onDamaged, onUnknown }: ReplayWish,
): Promise<ReplayPlan> {
  const plan: PlannedReplay[] = [];
  const unstored: PlannedReplay[] = [];
  /** Events without a delivery; with an address, all events. */
  const events = new Map<string, StoredEvent>();
  const found = new Set<string>();
  /** Ids of events that only the list gives. */
  const given = new Set<string>();
  const list = listed && indexList(listed);
  /** Whether it is what the list names, where there is one; takes note of what is found. */
  const isWanted = (ids: readonly string[], facts: StoredEvent['facts']) => {
    const answered = list?.answeredBy(ids, facts) ?? ids;
    for (const name of answered) found.add(name);
    return answered.length > 0;
  };

  for await (const event of webhooks.findEvents(filter, { onDamaged })) {
    if (isWanted([event.id], event.facts)) events.set(event.id, event);
  }
  for await (const delivery of webhooks.find(filter, { onDamaged })) {
    const { id, eventId, facts, occurredAt } = delivery;
    if (!isWanted([id, eventId], facts)) continue;
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
    given.add(stored.id);
  }
  const isNamedByFlag = filter.ids !== undefined || filter.payment !== undefined;
  const unwanted: string[] = [];
  for (const event of events.values()) {
    if (!to && !listed && !isNamedByFlag) continue;
    const replays = to ? [webhooks.planTo(event, to)] : webhooks.planFor(event);
    if (replays.length === 0) unwanted.push(event.id);
    plan.push(...replays);
    // Without a subscription and keys, nothing is signed.
    if (given.has(event.id)) unstored.push(...replays.filter(({ isKept }) => isKept || to?.keys));
  }
  const named = [...(list?.all ?? []), ...(filter.ids ?? [])];
  const unknown = named.filter((name) => !found.has(name));
  const messages = [
    inWords('Not stored here, or not matched by the other filters: ', unknown),
    inWords('No subscription wants these events (--to sends them to an address): ', unwanted),
  ].filter((message) => message !== undefined);
  if (plan.length === 0 && messages[0] !== undefined) {
    throw new AppError('not_found', messages.join(' '));
  }
  for (const message of messages) onUnknown(message);
  const replays = plan.sort((a, b) => (a.delivery.occurredAt < b.delivery.occurredAt ? -1 : 1));
  return { replays, unstored };
}

function inWords(what: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return what + names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
}

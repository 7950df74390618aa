import type { Filter, OtherFacts } from '#validators/webhooks';
import type { EventName, PaymentFacts } from './event.js';

/** A receiver's subscription to events. */
export interface Subscription {
  /** Remains the same when entries are reordered, when a secret is rotated, and across restarts. */
  readonly id: string;
  /** The address to call. It may contain a user name and password. */
  readonly url: string;
  /** The address without user name and password, for storage and display. */
  readonly displayUrl: string;
  readonly events: readonly EventName[];
  /** False if the subscription is disabled. */
  readonly enabled: boolean;
  readonly filter: EventFilter;
}

/** Selects payments by type and organization. An absent member matches all. */
type EventFilter = { readonly [Name in keyof Filter]: Filter[Name] | undefined };

/** The facts that determine whether a subscription matches an event. */
export type MatchedFacts =
  | Pick<PaymentFacts, 'event' | 'type' | 'organizationId'>
  | Pick<OtherFacts, 'event' | 'subject'>;

/** Returns whether a subscription lists an event and its filter matches. A filter matches only payments. */
export function wants(
  { events, filter }: Pick<Subscription, 'events' | 'filter'>,
  facts: MatchedFacts,
): boolean {
  if (!events.includes(facts.event)) return false;
  const { types, organizations } = filter;
  if ('subject' in facts) return types === undefined && organizations === undefined;
  const { type, organizationId } = facts;
  return (
    (types === undefined || types.includes(type)) &&
    (organizations === undefined ||
      (organizationId !== undefined && organizations.includes(organizationId)))
  );
}

/** Returns the enabled subscriptions that match an event, in their original order. */
export function subscribersOf<Of extends Subscription>(
  subscriptions: readonly Of[],
  facts: MatchedFacts,
): Of[] {
  return subscriptions.filter((each) => each.enabled && wants(each, facts));
}

/**
 * Returns the current subscription of a stored delivery, or undefined if there is none. This is the entry with the same
 * ID or, if that entry was edited, the first one with the same address that matches the event. Enabled subscriptions
 * are preferred.
 */
export function resolveSubscription<Of extends Subscription>(
  subscriptions: readonly Of[],
  stored: { readonly id: string; readonly url: string },
  facts: MatchedFacts,
): Of | undefined {
  const same = subscriptions.find(({ id }) => id === stored.id);
  if (same) return same;
  const others = subscriptionsAt(subscriptions, stored.url).filter((each) => wants(each, facts));
  return others.find(({ enabled }) => enabled) ?? others[0];
}

/** Returns the subscriptions with an address, with or without its user name and password. */
export function subscriptionsAt<Of extends Subscription>(
  subscriptions: readonly Of[],
  url: string,
): readonly Of[] {
  const exact = subscriptions.filter((each) => each.url === url);
  return exact.length > 0 ? exact : subscriptions.filter((each) => each.displayUrl === url);
}

import type { Filter, OtherFacts } from '#validators/webhooks';
import type { EventName, PaymentFacts } from './event.js';

/** A receiver's subscription to events. */
export interface Subscription {
  /** Stays the same when entries are reordered, when a secret is rotated, and across restarts. */
  readonly id: string;
  /** The address to call; may contain a user name and password. */
  readonly url: string;
  /** The address without user name and password, to store and to show. */
  readonly displayUrl: string;
  readonly events: readonly EventName[];
  /** False if it receives nothing. */
  readonly enabled: boolean;
  readonly filter: Wish;
}

/** Selects payments by type and organization; an absent member accepts all. */
type Wish = { readonly [Name in keyof Filter]: Filter[Name] | undefined };

/** The facts that decide whether a subscription wants an event. */
export type MatchedFacts =
  | Pick<PaymentFacts, 'event' | 'type' | 'organizationId'>
  | Pick<OtherFacts, 'event' | 'subject'>;

/** Returns whether a subscription lists an event and its filter accepts it. A filter accepts only payments. */
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

/** Returns the subscriptions that want an event and are enabled, in their order. */
export function subscribersOf<Given extends Subscription>(
  subscriptions: readonly Given[],
  facts: MatchedFacts,
): Given[] {
  return subscriptions.filter((each) => each.enabled && wants(each, facts));
}

/**
 * Returns the subscription that a stored delivery now belongs to: the same entry or, if that was edited, the first one
 * with the same address that wants the event, preferably an enabled one. Undefined if there is no such subscription.
 */
export function resolveSubscription<Given extends Subscription>(
  subscriptions: readonly Given[],
  stored: { readonly id: string; readonly url: string },
  facts: MatchedFacts,
): Given | undefined {
  const same = subscriptions.find(({ id }) => id === stored.id);
  if (same) return same;
  const others = subscriptionsAt(subscriptions, stored.url).filter((each) => wants(each, facts));
  return others.find(({ enabled }) => enabled) ?? others[0];
}

/** Returns the subscriptions with an address, which may be given with or without user name and password. */
export function subscriptionsAt<Given extends Subscription>(
  subscriptions: readonly Given[],
  url: string,
): readonly Given[] {
  const exact = subscriptions.filter((each) => each.url === url);
  return exact.length > 0 ? exact : subscriptions.filter((each) => each.displayUrl === url);
}

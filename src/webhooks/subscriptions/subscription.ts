import type { Subscription as Entry, Filter } from '#validators/webhooks';
import { digest, type EventName, type PaymentFacts } from '../event.js';
import type { SigningKey } from '../signature.js';

/** One entry of webhooks.json, ready for use. */
export interface Subscription {
  /** Stays the same when entries are re-ordered, when a secret is rotated, and across restarts. */
  readonly id: string;
  /** The address to call; may hold a user name and password. */
  readonly url: string;
  /** The address without user name and password, to store and to show. */
  readonly displayUrl: string;
  readonly events: readonly EventName[];
  /** The first one signs `X-Webhook-Signature`, all sign `webhook-signature`; none: nothing is signed. */
  readonly keys: readonly SigningKey[];
  /** False: the file says that it gets nothing. */
  readonly enabled: boolean;
  /** Further request headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly filter: Wish;
}

/** Payments of these types and organizations; what is not given asks for nothing. */
type Wish = { readonly [Name in keyof Filter]: Filter[Name] | undefined };

/** What says whether a subscription wants an event. */
export type Wanted = Pick<PaymentFacts, 'event' | 'type' | 'organizationId'>;

/** A secret that begins so names an environment variable. */
export const environmentPrefix = 'env:';

/**
 * Ids for the entries of a file, in its order: from address, events (in any order), filter and the name of
 * the secret's variable, never the secret. Of several secrets the last, oldest one counts, so that adding a
 * new one before it changes no id. Entries equal in all of it are distinguished by how many such stand before
 * them: they are interchangeable but for a secret written in clear.
 */
export function identify(entries: readonly Entry[]): string[] {
  const seen = new Map<string, number>();
  return entries.map(({ url, events, secret, filter }) => {
    const oldest = [secret].flat().at(-1);
    const variable = oldest?.startsWith(environmentPrefix) ? oldest : '';
    const parts = [url, ...[...events].sort(), variable, ...filterParts(filter)];
    const base = digest(parts).slice(0, 16);
    const before = seen.get(base) ?? 0;
    seen.set(base, before + 1);
    return before === 0 ? `sub_${base}` : `sub_${base}_${before + 1}`;
  });
}

/** Nothing if there is no filter. */
function filterParts({ types = [], organizations = [] }: Filter = {}): string[] {
  if (types.length === 0 && organizations.length === 0) return [];
  return [JSON.stringify([[...types].sort(), organizations.map(String).sort()])];
}

/** Whether a subscription wants an event: it lists it, and all of its filter holds. */
export function wants({ events, filter }: Pick<Subscription, 'events' | 'filter'>, wanted: Wanted) {
  const { types, organizations } = filter;
  const { event, type, organizationId } = wanted;
  return (
    events.includes(event) &&
    (types === undefined || types.includes(type)) &&
    (organizations === undefined ||
      (organizationId !== undefined && organizations.includes(organizationId)))
  );
}

/** The subscriptions that want an event and that the file does not disable, in its order. */
export function subscribersOf(
  subscriptions: readonly Subscription[],
  event: Wanted,
): Subscription[] {
  return subscriptions.filter((each) => each.enabled && wants(each, event));
}

/**
 * The subscription a stored delivery belongs to now: the same entry, or where that was edited since, the
 * first one with the same address that wants the event, rather an enabled one. Undefined when there is none
 * any more.
 */
export function resolveSubscription(
  subscriptions: readonly Subscription[],
  wanted: { readonly id: string; readonly url: string },
  event: Wanted,
): Subscription | undefined {
  const same = subscriptions.find(({ id }) => id === wanted.id);
  if (same) return same;
  const others = subscriptionsAt(subscriptions, wanted.url).filter((each) => wants(each, event));
  return others.find(({ enabled }) => enabled) ?? others[0];
}

/** The subscriptions with an address, whichever way it is given: with user name and password or without. */
export function subscriptionsAt(
  subscriptions: readonly Subscription[],
  url: string,
): readonly Subscription[] {
  const exact = subscriptions.filter((each) => each.url === url);
  return exact.length > 0 ? exact : subscriptions.filter((each) => each.displayUrl === url);
}

/** An address without user name and password. */
export function withoutCredentials(url: string): string {
  const parsed = new URL(url);
  if (parsed.username === '' && parsed.password === '') return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

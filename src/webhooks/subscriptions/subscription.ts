import type { Subscription as Entry } from '#validators/webhooks';
import { digest, type EventName } from '../event.js';
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
  readonly key: SigningKey | null;
}

/** A secret that begins so names an environment variable. */
export const environmentPrefix = 'env:';

/**
 * Ids for the entries of a file, in its order: from address, events (in any order) and the name of the
 * secret's variable, never the secret. Entries equal in all three are distinguished by how many such
 * stand before them: they are interchangeable but for a secret written in clear.
 */
export function identify(entries: readonly Entry[]): string[] {
  const seen = new Map<string, number>();
  return entries.map(({ url, events, secret }) => {
    const variable = secret?.startsWith(environmentPrefix) ? secret : '';
    const base = digest([url, ...[...events].sort(), variable]).slice(0, 16);
    const before = seen.get(base) ?? 0;
    seen.set(base, before + 1);
    return before === 0 ? `sub_${base}` : `sub_${base}_${before + 1}`;
  });
}

/** The subscriptions that want an event, in the order of the file. */
export function subscribersOf(
  subscriptions: readonly Subscription[],
  event: EventName,
): Subscription[] {
  return subscriptions.filter(({ events }) => events.includes(event));
}

/**
 * The subscription a stored delivery belongs to now: the same entry, or where that was edited since, the
 * first one with the same address that wants the event. Undefined when there is none any more.
 */
export function resolveSubscription(
  subscriptions: readonly Subscription[],
  wanted: { readonly id: string; readonly url: string },
  event: EventName,
): Subscription | undefined {
  return (
    subscriptions.find(({ id }) => id === wanted.id) ??
    subscribersOf(subscriptions, event).find(({ displayUrl }) => displayUrl === wanted.url)
  );
}

/** An address without user name and password. */
export function withoutCredentials(url: string): string {
  const parsed = new URL(url);
  if (parsed.username === '' && parsed.password === '') return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

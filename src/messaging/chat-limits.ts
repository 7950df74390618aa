import { AppError } from '../base/errors.js';
import type { RateLimiter, RateLimitRule } from '../base/rate-limit.js';

/** Counts what users do, as the listeners count requests. */
export type Counter = Pick<RateLimiter, 'take' | 'giveBack'>;

const hour = 3600;

/** What one user does to chats in an hour, so that nobody fills the lists of others. */
export const chatRules = {
  /** Chats that a user creates. */
  create: { name: 'chat', amount: 100, periodSeconds: hour, burst: 30 },
  /** People whom a user adds to chats. */
  add: { name: 'member', amount: 300, periodSeconds: hour, burst: 300 },
  /** Channels to which a user subscribes. */
  subscribe: { name: 'subscription', amount: 300, periodSeconds: hour, burst: 300 },
} as const satisfies Readonly<Record<string, RateLimitRule>>;

/** The most members of a group, its owner included: each answer names them all. */
export const mostMembers = 1000;

/** Counts what `make` makes before it does; nothing counts where it makes nothing. */
export async function counted<Result>(
  counter: Counter,
  { rule, userId }: { readonly rule: RateLimitRule; readonly userId: number },
  make: () => Promise<Result>,
  isMade: (result: Result) => boolean,
): Promise<Result> {
  const key = String(userId);
  await counter.take(rule, key);
  let counts = false;
  try {
    const result = await make();
    counts = isMade(result);
    return result;
  } finally {
    if (!counts) await counter.giveBack(rule, key);
  }
}

/** The refusal of one more member. */
export function groupIsFull(): AppError {
  return new AppError('conflict', `This group has ${mostMembers} members, and no more fit in.`, {
    hint: 'Make another group, or a channel: any number of people subscribe to one.',
  });
}

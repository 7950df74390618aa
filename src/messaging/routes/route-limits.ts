import type { RateLimitRule } from '../../base/rate-limit.js';

/** How often the routes of messaging are called; what is done to chats is counted by `chatRules`. */

const hour = 3600;

/** Sign-ins, and all else that a password is compared for: each is some work for the processor. */
export const signIns: RateLimitRule = { name: 'sign-in', amount: 60, periodSeconds: 60 };

/** Every renewed token is remembered until it would have expired. */
export const renewals: RateLimitRule = {
  name: 'renewal',
  amount: 120,
  periodSeconds: hour,
  burst: 30,
};

/** Marks are moved about as often as messages are posted. */
export const readMarks: RateLimitRule = {
  name: 'read-mark',
  amount: 1200,
  periodSeconds: 60,
  burst: 300,
};

/** A search looks at every name. */
export const searches: RateLimitRule = {
  name: 'search',
  amount: 240,
  periodSeconds: 60,
  burst: 60,
};

/** Names, pictures and who is in a chat: everybody who sees them is notified. */
export const changes: RateLimitRule = {
  name: 'change',
  amount: 600,
  periodSeconds: hour,
  burst: 300,
};

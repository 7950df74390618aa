import type { RateLimitRule } from '../../base/rate-limit.js';

/** How often the routes of messaging are called; what is done to chats is counted by `chatRules`. */

const hour = 3600;

/** Sign-ins from one address, and everything else that compares a password, which costs processor time. */
export const signIns: RateLimitRule = { name: 'sign-in', amount: 60, periodSeconds: 60 };

/** Token renewals of a user: every renewed token is remembered until it would have expired. */
export const renewals: RateLimitRule = {
  name: 'renewal',
  amount: 120,
  periodSeconds: hour,
  burst: 30,
};

/** Read marks that a user moves, about as often as messages are posted. */
export const readMarks: RateLimitRule = {
  name: 'read-mark',
  amount: 1200,
  periodSeconds: 60,
  burst: 300,
};

/** Searches of a user among names: each looks at every name. */
export const searches: RateLimitRule = {
  name: 'search',
  amount: 240,
  periodSeconds: 60,
  burst: 60,
};

/** Changes of a user to profile, chats and members: everybody who sees them is notified. */
export const changes: RateLimitRule = {
  name: 'change',
  amount: 600,
  periodSeconds: hour,
  burst: 300,
};

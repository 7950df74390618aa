import type { RouteLimit } from '../../http/route/route.js';

/** Each step of a sign-in from one address. */
export const perAddress = (step: string): RouteLimit => ({
  rule: { name: `gateway sign-in ${step}`, amount: 60, periodSeconds: 60 },
  by: 'address',
});

/** Reading and ending sessions from one address: every cashier's screen of a shop may do it often. */
export const sessionLimit: RouteLimit = {
  rule: { name: 'gateway session', amount: 3_000, periodSeconds: 60 },
  by: 'address',
};

/** Calls of one cashier session that move money: far above what a busy shop does, with room to catch up. */
export const moneyLimit: RouteLimit = {
  rule: { name: 'gateway money', amount: 1_200, periodSeconds: 60, burst: 6_000 },
  by: 'principal',
};

/** All other calls of one cashier session. */
export const readLimit: RouteLimit = {
  rule: { name: 'gateway reading', amount: 6_000, periodSeconds: 60 },
  by: 'principal',
};

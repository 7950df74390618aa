import type { RouteLimit } from '../../http/route/route.js';

/** Each step of a sign-in, per address and minute. */
export const perAddress = (step: string): RouteLimit => ({
  rule: { name: `gateway sign-in ${step}`, amount: 60, periodSeconds: 60 },
  by: 'address',
});

/** Reading and ending of sessions, per address and minute: every cashier's screen of a shop may ask often. */
export const sessionLimit: RouteLimit = {
  rule: { name: 'gateway session', amount: 3_000, periodSeconds: 60 },
  by: 'address',
};

/** Acts on money of one cashier session: far above what a busy shop does, with room to catch up. */
export const moneyLimit: RouteLimit = {
  rule: { name: 'gateway money', amount: 1_200, periodSeconds: 60, burst: 6_000 },
  by: 'principal',
};

/** Everything else that one cashier session asks the provider. */
export const readLimit: RouteLimit = {
  rule: { name: 'gateway reading', amount: 6_000, periodSeconds: 60 },
  by: 'principal',
};

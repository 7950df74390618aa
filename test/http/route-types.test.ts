import { expect, it } from 'vitest';
import type * as gateway from '#validators/gateway';
import { ok } from '../../src/http/answer/reply.js';
import { routesOf } from '../../src/http/route/route.js';

// `npm run check:types` checks this file: a @ts-expect-error without an error is an error.

interface Cashier {
  readonly name: string;
}

const defineRoute = routesOf<typeof gateway, { cashier: Cashier }>();
const place = { method: 'POST', path: '/try', name: 'try', summary: 'Try' } as const;

it('a handler receives typed values for what its route declares', async () => {
  const route = defineRoute({
    ...place,
    auth: 'cashier',
    body: 'VerifyOtp',
    query: {
      limit: { type: 'integer', description: 'How many.' },
      since: { type: 'string', description: 'From when.', required: true },
    },
    responses: { 200: 'SignedIn', 304: null },
    handle({ body, principal, query }) {
      const texts: readonly string[] = [body.otp, body.processId, principal.name, query.since];
      const limit: number | undefined = query.limit;
      return ok([...texts, limit]);
    },
  });
  const request = {
    body: { otp: '1', processId: 'p' },
    principal: { name: 'Aigul' },
    query: { since: 'May', limit: 3 },
  };
  const { handle } = route as { handle(request: object): unknown };
  expect(await handle(request)).toEqual(ok(['1', 'p', 'Aigul', 'May', 3]));
});

it('a route that contradicts its schema does not compile', () => {
  defineRoute({
    ...place,
    auth: 'cashier',
    body: 'VerifyOtp',
    query: { limit: { type: 'integer', description: 'How many.' } },
    responses: { 200: 'SignedIn' },
    handle({ body, principal, query }) {
      // @ts-expect-error The code is a string.
      const otp: number = body.otp;
      // @ts-expect-error The schema has no such property.
      body.code;
      // @ts-expect-error A cashier has no such property.
      principal.phone;
      // @ts-expect-error A parameter that is not required may be absent.
      const limit: number = query.limit;
      // @ts-expect-error There is no such parameter.
      query.offset;
      return ok({ otp, limit });
    },
  });
  const handle = () => ok({});
  // @ts-expect-error The schema has no such body.
  defineRoute({ ...place, body: 'VerifyCode', responses: { 200: 'SignedIn' }, handle });
  // @ts-expect-error The schema has no such response.
  defineRoute({ ...place, responses: { 200: 'SignedOut' }, handle });
  // @ts-expect-error There is no such authenticator.
  defineRoute({ ...place, auth: 'admin', responses: { 200: 'SignedIn' }, handle });
  defineRoute({
    ...place,
    responses: { 200: 'SignedIn' },
    handle({ body, principal, query }) {
      // @ts-expect-error A route that declares no body has none.
      body.otp;
      // @ts-expect-error A route that is open to everyone has no principal.
      principal.name;
      // @ts-expect-error A route that declares no parameters has none.
      query.limit;
      return ok({});
    },
  });
});

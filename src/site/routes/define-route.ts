import type * as validators from '#validators/site';
import { type Reply, tagged } from '../../http/answer/reply.js';
import { assertMatch } from '../../http/answer/representation.js';
import type { Route } from '../../http/route/route.js';
import { routesOf } from '../../http/route/route.js';

/** Writes down that something was changed, by names of what and how; never what it says. */
export type AuditChange = (ids: Readonly<Record<string, string>>) => Promise<void>;

export const defineRoute = routesOf<typeof validators, { admin: unknown }>();

/** One thing as it is stored: 200, or 304 for who has it. */
export function readReply(data: object) {
  return tagged({ ok: true, data });
}

/** Returns one thing as it is stored now, with the ETag that reading it gives. */
export function writtenReply(status: 200 | 201, data: object): Reply {
  // As a header alone: no If-None-Match makes what was done a 304.
  return { status, json: { ok: true, data }, headers: { ETag: tagOf(data) } };
}

/** Gives what throws `precondition_failed` where If-Match does not name the thing as it is stored. */
export function assertUnchanged(header: (name: string) => string): (current: object) => void {
  const ifMatch = header('If-Match');
  return (current) => {
    if (ifMatch !== '') assertMatch(ifMatch, tagOf(current));
  };
}

function tagOf(data: object): string {
  return readReply(data).etag;
}

/** What a route says of itself that answers with the tag of one thing. */
export const givesTag = {
  answerHeaders: { ETag: 'Names the thing as it is now, for If-Match.' },
} as const satisfies Partial<Route>;

/** What a route says of itself that changes one thing, on a condition where there is one. */
export const takesCondition = {
  ...givesTag,
  headers: {
    'If-Match': 'ETag of the thing as you have it: 412 where somebody else has changed it since.',
  },
  errors: ['precondition_failed'],
} as const satisfies Partial<Route>;

import type * as validators from '#validators/site';
import type { Actor } from '../../base/audit.js';
import { type Reply, tagged } from '../../http/answer/reply.js';
import { assertMatch } from '../../http/answer/representation.js';
import type { Route } from '../../http/route/route.js';
import { routesOf } from '../../http/route/route.js';

/** Records that something was changed, by its name and the kind of change; never its content. */
export type AuditChange = (who: Actor, ids: Readonly<Record<string, string>>) => Promise<void>;

export const defineRoute = routesOf<typeof validators, { admin: Actor }>();

/** Returns one thing as it is stored: 200, or 304 if the client has it. */
export function readReply(data: object) {
  return tagged({ ok: true, data });
}

/** Returns one thing as it is now stored, with the ETag that a read of it has. */
export function writtenReply(status: 200 | 201, data: object): Reply {
  // Only a header, so that If-None-Match cannot turn a change into a 304.
  return { status, json: { ok: true, data }, headers: { ETag: tagOf(data) } };
}

/** Returns an assertion that throws `precondition_failed` if If-Match does not name the stored thing. */
export function assertUnchanged(header: (name: string) => string): (current: object) => void {
  const ifMatch = header('If-Match');
  return (current) => {
    if (ifMatch !== '') assertMatch(ifMatch, tagOf(current));
  };
}

function tagOf(data: object): string {
  return readReply(data).etag;
}

/** For a route that returns one thing with its ETag. */
export const givesTag = {
  answerHeaders: { ETag: 'Identifies this version, for If-Match.' },
} as const satisfies Partial<Route>;

/** For a route that changes one thing, optionally with If-Match. */
export const takesCondition = {
  ...givesTag,
  headers: {
    'If-Match': 'ETag of the version that you read: 412 if somebody has changed it since.',
  },
  errors: ['precondition_failed'],
} as const satisfies Partial<Route>;

import type * as validators from '#validators/site';
import type { Actor } from '../../base/audit.js';
import { type Reply, tagged } from '../../http/answer/reply.js';
import { assertMatch } from '../../http/answer/representation.js';
import type { Route } from '../../http/route/route.js';
import { routesOf } from '../../http/route/route.js';

/** Adds a change to the audit log: the item and the kind of change, but not the content. */
export type AuditChange = (who: Actor, ids: Readonly<Record<string, string>>) => Promise<void>;

export const defineRoute = routesOf<typeof validators, { admin: Actor }>();

/** Returns a stored item: 200, or 304 if the client has the current version. */
export function readReply(data: object) {
  return tagged({ ok: true, data });
}

/** Returns an item after a write, with the ETag that a read would return. */
export function writtenReply(status: 200 | 201, data: object): Reply {
  // The tag is set as a plain header, so that If-None-Match cannot turn a write into a 304.
  return { status, json: { ok: true, data }, headers: { ETag: tagOf(data) } };
}

/** Returns a function that throws `precondition_failed` if If-Match does not match the stored item. */
export function assertUnchanged(header: (name: string) => string): (current: object) => void {
  const ifMatch = header('If-Match');
  return (current) => {
    if (ifMatch !== '') assertMatch(ifMatch, tagOf(current));
  };
}

function tagOf(data: object): string {
  return readReply(data).etag;
}

/** For routes that return an item with its ETag. */
export const withTag = {
  answerHeaders: { ETag: 'Version of the returned item, for If-Match.' },
} as const satisfies Partial<Route>;

/** For routes that change an item and accept If-Match. */
export const withCondition = {
  ...withTag,
  headers: {
    'If-Match': 'ETag of the version that you read. If it has changed since, the response is 412.',
  },
  errors: ['precondition_failed'],
} as const satisfies Partial<Route>;

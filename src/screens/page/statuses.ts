import { data, find } from './dom.js';

/** The statuses of the definition with their rank. There may be as many as rows: none is ever searched for. */
const statuses = new Map(data.statuses.map((status, rank) => [status.key, { ...status, rank }]));

/** What the definition says of a status; undefined for one that it does not know. */
export function statusOf(key: string | undefined) {
  return key === undefined ? undefined : statuses.get(key);
}

/** A copy of the badge of a status. */
export function badgeOf(key: string | undefined): Node | undefined {
  const status = statusOf(key);
  const badges = find<HTMLTemplateElement>('#badges');
  return status && badges?.content.children[status.rank]?.cloneNode(true);
}

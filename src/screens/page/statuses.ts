import { data, find } from './dom.js';

/** Statuses with their rank, by key. A map, because there may be as many statuses as rows. */
const statuses = new Map(data.statuses.map((status, rank) => [status.key, { ...status, rank }]));

/** Returns the definition of a status, or undefined if the status is unknown. */
export function statusOf(key: string | undefined) {
  return key === undefined ? undefined : statuses.get(key);
}

/** Returns a copy of a status badge. */
export function badgeOf(key: string | undefined): Node | undefined {
  const status = statusOf(key);
  const badges = find<HTMLTemplateElement>('#badges');
  return status && badges?.content.children[status.rank]?.cloneNode(true);
}

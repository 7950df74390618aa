import type { QueryParameters, ValuesOf } from '../../http/request/query.js';
import type { Page } from '../store.js';

/** The most entries of a page, and the default. */
export const largestPage = 1000;

/** Highest id that a path or query takes: whole numbers are exact up to here. */
export const highestId = Number.MAX_SAFE_INTEGER;

/** Seconds of a `wait`; proxies commonly cut off after 60. */
export const longestWait = 30;

/** Parameters of a list that is ordered by id. */
export const pageQuery = {
  after: {
    type: 'integer',
    description: 'Only what has a higher id: the last id of the page before.',
    minimum: 0,
    maximum: highestId,
  },
  limit: {
    type: 'integer',
    description: `At most this many (${largestPage} where not given).`,
    minimum: 1,
    maximum: largestPage,
  },
} as const satisfies QueryParameters;

export function pageOf({ after = 0, limit = largestPage }: ValuesOf<typeof pageQuery>): Page {
  return { after, limit };
}

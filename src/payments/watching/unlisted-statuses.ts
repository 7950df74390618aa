import type { Logger } from '../../base/log.js';
import type { PaymentType } from '../payment.js';

/** Statuses that are warned of by one process; a provider that makes up more of them is not followed. */
const mostNamed = 1_000;
/** Characters of a status that are remembered and written to the log. */
const longestStatus = 100;

/** Warns of each status that is in no list once, by type. */
export function createUnlistedStatuses(log: Logger): (type: PaymentType, status: string) => void {
  const named = new Set<string>();
  return (type, given) => {
    const status = given.slice(0, longestStatus);
    const name = `${type} ${status}`;
    if (named.has(name) || named.size >= mostNamed) return;
    named.add(name);
    log.warn(
      { type, status },
      'The provider names a status that is in no list: payments in it stay open. Name it in the file of MSGSITE_STATUS_MAP.',
    );
  };
}

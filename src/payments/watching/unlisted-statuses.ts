import type { Logger } from '../../base/log.js';
import type { PaymentType } from '../payment.js';

/** The most unlisted statuses that one process warns of; a provider that makes up more is not followed. */
const mostNamed = 1_000;
/** Characters of an unlisted status that are remembered and logged. */
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

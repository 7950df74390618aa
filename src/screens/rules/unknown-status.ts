import { quote } from '../text/quote.js';
import { didYouMean } from '../text/suggest.js';
import type { Rule } from './rule.js';

/** A check that every status named under a part of the definition is a key of statuses. */
export function checkStatuses(part: string): Rule['check'] {
  return ({ degradations, definition }, report) => {
    const statuses = Object.keys(definition.statuses ?? {});
    for (const { path, detail } of degradations('status-unknown', part)) {
      report(path, () => unknownStatus(detail, statuses));
    }
  };
}

/** Says that a status is no key of `statuses`, and which one may be meant. */
export function unknownStatus(status: string, statuses: Iterable<string>): string {
  return `${quote(status)} is no key of statuses.${didYouMean(status, statuses)}`;
}

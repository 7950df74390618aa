import { cursorOf } from '../payment.js';
import type { PaymentStores } from '../store.js';
import { providerDay } from '../zoned-time.js';
import { spanOf } from './days.js';

/** Days (`YYYY-MM-DD`) by organization. */
export type DaysByOrganization = ReadonlyMap<number, ReadonlySet<string>>;

/**
 * Returns the days on which organizations had refunds, or requests that were in doubt, from `first` on by the clocks of
 * `zone`: what the provider has made of them may be of no payment that is stored. Goes through all that are stored.
 */
export async function daysWithOtherActs(
  { intents, refunds }: Pick<PaymentStores, 'intents' | 'refunds'>,
  first: string,
  zone: string,
): Promise<DaysByOrganization> {
  const found = new Map<number, Set<string>>();
  const { from } = spanOf(first, zone);
  const add = ({ organizationId, createdAt }: { organizationId: number; createdAt: number }) => {
    if (createdAt < from) return;
    const days = found.get(organizationId) ?? new Set();
    found.set(organizationId, days.add(providerDay(createdAt, zone)));
  };
  for (const state of ['in_doubt', 'adopted', 'not_made'] as const) {
    for await (const intent of intents.list(state)) add(intent);
  }
  for await (const refund of refunds.list()) add(refund);
  return found;
}

/** Returns those of `days` (rising) on which an organization had payments, rising too. */
export async function daysWithPayments(
  { payments }: Pick<PaymentStores, 'payments'>,
  organizationId: number,
  days: readonly string[],
  zone: string,
): Promise<string[]> {
  const found: string[] = [];
  let left = days;
  for (let day = left.at(-1); day !== undefined; day = left.at(-1)) {
    // Behind whatever was made at the first moment after the day.
    const { to: createdAt } = spanOf(day, zone);
    const after = cursorOf({ organizationId, type: 'invoice', id: '0', createdAt });
    const { payments: page } = await payments.page({ organizationId, after, limit: 1 });
    const [newest] = page;
    if (!newest) break;
    const itsDay = providerDay(newest.createdAt, zone);
    if (itsDay === day) found.unshift(day);
    left = left.filter((each) => each < day && each <= itsDay);
  }
  return found;
}

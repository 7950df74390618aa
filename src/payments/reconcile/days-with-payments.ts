import { cursorOf } from '../payment.js';
import type { PaymentStores } from '../store.js';
import { providerDay } from '../zoned-time.js';
import { spanOf } from './days.js';

/** Days (`YYYY-MM-DD`) by organization. */
export type DaysByOrganization = ReadonlyMap<number, ReadonlySet<string>>;

/**
 * Returns the days, from `first` on and in `zone`, on which organizations had refunds or requests that were in doubt,
 * as their operations at the provider may belong to no stored payment. Reads all stored refunds and intents.
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

/** Returns those of `days` on which an organization had payments. Both lists are in ascending order. */
export async function daysWithPayments(
  { payments }: Pick<PaymentStores, 'payments'>,
  organizationId: number,
  days: readonly string[],
  zone: string,
): Promise<string[]> {
  const found: string[] = [];
  let left = days;
  for (let day = left.at(-1); day !== undefined; day = left.at(-1)) {
    // The cursor is after every payment of the first moment after the day.
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

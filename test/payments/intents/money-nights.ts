import { type PaymentType, paymentKey } from '../../../src/payments/payment.js';
import { firstDayBack } from '../../../src/payments/reconcile/days.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import { providerDay } from '../../../src/payments/zoned-time.js';
import { collect } from '../payments-under-test.js';
import type { MoneyBank, Operation } from './money-bank.js';
import { type MoneyUnderTest, type World, zone } from './money-under-test.js';

const hour = 3_600_000;

/** Stores that the gateway has compared every night so far. */
export async function rememberNights({ state, clock }: World): Promise<void> {
  const since = providerDay(clock.now() - 1_000 * hour, zone);
  await state.change('reconciliation', () => ({ since, behind: {} }));
}

/** Returns the days on which an organization has operations or requests that were closed as never made. */
async function daysOf(money: MoneyUnderTest, organization: number): Promise<Set<string>> {
  const acts = [
    ...(await collect(money.intents.list('not_made'))),
    ...(await money.payments()),
    ...(await collect(money.refunds.list())),
  ];
  const own = acts.filter(({ organizationId }) => organizationId === organization);
  return new Set(own.map(({ createdAt }) => providerDay(createdAt, zone)));
}

/**
 * Lets two nights pass. During the first night, nobody is signed in, so each organization is compared after its next
 * sign-in. Returns a fault for each of the latest 31 days that was not compared.
 */
export async function passNights(
  { bank, clock, state }: World,
  money: MoneyUnderTest,
  signIn: () => Promise<void>,
): Promise<string[]> {
  const organizations = [1, 2] as const;
  for (const id of organizations) {
    const sessions = await money.sessions.forPayment(id, '');
    bank.ended.push(...sessions.map(({ credentials }) => credentials.tokenSN));
  }
  clock.jump(50 * hour);
  const stopping = new AbortController();
  const nights = money.nightly.run(stopping.signal);
  await clock.advance(61_000);
  await signIn();
  for (const id of organizations) money.nightly.signedIn(id);
  const isDone = async () => {
    const behind = (await state.find('reconciliation'))?.behind ?? {};
    return Object.keys(behind).length === 0;
  };
  await clock.advance(1_000);
  await clock.advanceUntil(isDone, 600_000).catch(() => {});
  stopping.abort();
  await nights;
  const faults: string[] = [];
  const dayBefore = (hours: number) => providerDay(clock.now() - hours * hour, zone);
  const [first, last] = [firstDayBack(dayBefore(24)), dayBefore(48)];
  for (const id of organizations) {
    const { compared = [] } = (await state.find(`reconciled-${id}`)) ?? {};
    for (const day of await daysOf(money, id)) {
      const isDue = day >= first && day <= last;
      if (isDue && !compared.includes(day)) faults.push(`Day ${day} of ${id} was not compared.`);
    }
  }
  return faults;
}

/** Compares every day with the bank. Returns the differences that must not occur. */
export async function compareAllDays(
  { clock, counted }: World,
  money: MoneyUnderTest,
  cashiers: ReadonlyMap<number, Cashier>,
): Promise<string[]> {
  const faults: string[] = [];
  const stored = new Set((await money.payments()).map(paymentKey));
  for (const [id, cashier] of cashiers) {
    for (const day of await daysOf(money, id)) {
      // The comparison may pause on the clock.
      const comparing = money.reconcile(cashier, day, new AbortController().signal);
      let isOver = false;
      const ended = comparing.finally(() => {
        isOver = true;
      });
      await clock.advanceUntil(() => isOver, 60_000);
      const { missingHere, missingThere } = await ended;
      for (const { type, paymentId } of missingHere) {
        // A row without a type is an invoice with its second ID.
        const name = type === null ? paymentId.slice(1) : paymentId;
        const isStored = (each: PaymentType) =>
          stored.has(paymentKey({ organizationId: id, type: each, id: name }));
        // A row that can be either of two payments matches neither.
        const isKnown =
          type === null
            ? isStored('invoice') && !isStored('qr')
            : type !== 'refund' && isStored(type);
        if (isKnown) {
          faults.push(`${type} ${paymentId} of ${id} is stored, and missing here.`);
        }
      }
      for (const { type, paymentId } of missingThere) {
        if (type !== 'refund') faults.push(`${type} ${paymentId} of ${id} is missing there.`);
      }
    }
  }
  const payments = await money.payments();
  const corrected = payments.filter(({ flippedTo }) => flippedTo !== undefined).length;
  if (counted.corrected < corrected) {
    faults.push(`Of ${corrected} outcomes that changed, ${counted.corrected} were counted.`);
  }
  return faults;
}

/** Returns true if a payment can still be paid, rejected or expire. */
export function isUnpaid({ kind, status }: Operation): boolean {
  return kind !== 'refund' && /Created$|^Wait$/.test(status);
}

/** Pays an expired payment. */
export function payLate({ book }: MoneyBank): void {
  const expired = book.find(({ status }) => status === 'Expired');
  if (expired) expired.status = 'Processed';
}

/** Pays all open payments and polls them until they end. Returns a fault for each QR code that was not abandoned. */
export async function closeOpen({ bank, clock }: World, money: MoneyUnderTest): Promise<string[]> {
  const doubts = await collect(money.intents.list('in_doubt'));
  for (const each of bank.book) if (isUnpaid(each)) each.status = 'Processed';
  await money.watcher.start();
  const isPaid = async () => (await collect(money.listPayments('open'))).length === 0;
  await clock.advanceUntil(isPaid, 900_000).catch(() => {});
  return doubts
    .filter(({ kind }) => kind === 'qr')
    .map(({ id }) => `Nobody received the code ${id}, but it was not abandoned.`);
}

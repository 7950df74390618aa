import { exactInteger } from '../../../src/json/exact-json.js';
import type { RefundKey } from '../../../src/payments/client/gateway-client.js';
import { createInProcessClient } from '../../../src/payments/client/in-process-client.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import { intentOf } from './check-books.js';
import type { Operation } from './money-bank.js';
import { type MoneyUnderTest, type World, zone } from './money-under-test.js';

/** A refund that a person asks commands for until one of them says that it is made. */
interface Wished {
  /** How often it was wished for anew. */
  count: number;
  isOpen: boolean;
  /** Keys that were made for it; it may also get what a client wants under another one. */
  readonly keys: string[];
  lastKey: string;
}

/** One time that a command asks for it. */
export interface Wish {
  /** The key that the records come to. */
  readonly key: string;
  /** The command says that the refund is made. */
  grant(): void;
}

export type Wishes = ReturnType<typeof createWishes>;

/** Counts the refunds that people ask commands for: each is to be made once, however often it is asked for. */
export function createWishes({ bank, clock }: World) {
  /** By payment and amount. */
  const wishes = new Map<string, Wished>();

  /** Finds the key of a refund as `pay refund` and the till do. */
  async function findKey(
    money: MoneyUnderTest,
    { session }: Cashier,
    { paymentId, amount }: { readonly paymentId: string; readonly amount: number },
  ): Promise<RefundKey> {
    const client = createInProcessClient({
      payments: async () => money,
      lists: async () => ({ ...money, payments: money.stores.payments }),
      ...{ zone, now: clock.now, sendWebhooks: async () => [], close: async () => {} },
    });
    const order = { qrOperationId: exactInteger(paymentId), returnAmount: amount };
    return (await client.cashier(session)).refundKey(order);
  }

  /** Whether the list of refunds shows it as made, without its ever having been in doubt. */
  async function isShown(
    { lastKey: key }: Wished,
    { intents, refunds }: MoneyUnderTest,
  ): Promise<boolean> {
    const id = intentOf({ kind: 'refund', organizationId: 1, key });
    const isMade = (await refunds.find(id))?.outcome === 'success';
    return isMade && (await intents.find(id))?.state !== 'adopted';
  }

  return {
    /** A command asks for a refund. */
    async add(
      money: MoneyUnderTest,
      cashier: Cashier,
      order: { readonly paymentId: string; readonly amount: number },
    ): Promise<Wish> {
      const { key, earlier } = await findKey(money, cashier, order);
      const name = `${order.paymentId} ${order.amount}`;
      const wished = wishes.get(name) ?? { count: 0, isOpen: false, keys: [], lastKey: '' };
      wishes.set(name, wished);
      if (!wished.isOpen || (await isShown(wished, money))) wished.count += 1;
      wished.isOpen = true;
      wished.lastKey = key;
      if (!earlier) wished.keys.push(key);
      return {
        key,
        grant() {
          wished.isOpen = false;
        },
      };
    },
    /** Returns the wishes that were granted more than once, by the operations that count. */
    findRepeated(counts: (made: Operation) => boolean): string[] {
      return [...wishes].flatMap(([name, { count, keys }]) => {
        const made = bank.book.filter((each) => keys.includes(each.key) && counts(each)).length;
        return made > count
          ? [`The refund ${name} was wished for ${count} times, and made ${made} times.`]
          : [];
      });
    },
  };
}

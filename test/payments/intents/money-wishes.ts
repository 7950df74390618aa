import { exactInteger } from '../../../src/json/exact-json.js';
import type { RefundKey } from '../../../src/payments/client/gateway-client.js';
import { createInProcessClient } from '../../../src/payments/client/in-process-client.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import { intentOf } from './check-books.js';
import type { Operation } from './money-bank.js';
import { type MoneyUnderTest, type World, zone } from './money-under-test.js';

/** A refund that a person requests with commands until a command reports that it was made. */
interface Wished {
  /** Number of equal refunds that the person has requested. */
  count: number;
  isOpen: boolean;
  /** Keys that were generated for the refund. It can also use a client's key. */
  readonly keys: string[];
  lastKey: string;
}

/** A command's request for a refund. */
export interface Wish {
  /** The key that the command derives from the records. */
  readonly key: string;
  /** Must be called when the command reports that the refund was made. */
  grant(): void;
}

export type Wishes = ReturnType<typeof createWishes>;

/** Counts the refunds that people request with commands. Each refund must be made once, even if it is repeated. */
export function createWishes({ bank, clock }: World) {
  /** Requested refunds by payment and amount. */
  const wishes = new Map<string, Wished>();

  /** Finds the key of a refund in the same way as `pay refund` and the till. */
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

  /** Returns true if the refund is listed as made and was never in doubt. */
  async function isShown(
    { lastKey: key }: Wished,
    { intents, refunds }: MoneyUnderTest,
  ): Promise<boolean> {
    const id = intentOf({ kind: 'refund', organizationId: 1, key });
    const isMade = (await refunds.find(id))?.outcome === 'success';
    return isMade && (await intents.find(id))?.state !== 'adopted';
  }

  return {
    /** Adds a command's request for a refund. */
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
    /** Returns a fault for each refund that was made more often than requested. `counts` selects the operations. */
    findRepeated(counts: (made: Operation) => boolean): string[] {
      return [...wishes].flatMap(([name, { count, keys }]) => {
        const made = bank.book.filter((each) => keys.includes(each.key) && counts(each)).length;
        return made > count
          ? [`The refund ${name} was requested ${count} times, but made ${made} times.`]
          : [];
      });
    },
  };
}

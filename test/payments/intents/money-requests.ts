import type { AppError } from '../../../src/base/errors.js';
import { collect } from '../payments-under-test.js';
import { findFaults } from './check-books.js';
import type { Deed } from './money-bank.js';
import {
  createWorld,
  openMoney,
  under,
  type World,
  type WorldOptions,
} from './money-under-test.js';

export const qr = { amount: 500 };
export const bill = { amount: 7, phoneNumber: '77017654321' };
export const minutes = 60_000;

/** Returns the `Data` of an answer, or the properties of an error. */
export async function heard(asking: Promise<Readonly<Record<string, unknown>>>) {
  return asking.then(
    ({ Data }) => Data as Readonly<Record<string, unknown>>,
    ({ code, fields, headers }: AppError) => ({ code, ...fields, key: headers['Idempotency-Key'] }),
  );
}

export async function open(options: WorldOptions = {}, ...deeds: Deed[]) {
  const world = await createWorld(options);
  const money = await openMoney(world);
  const cashier = await money.cashier();
  world.bank.deeds.push(...deeds);
  return { world, money, cashier, gateway: money.gateway, bank: world.bank, clock: world.clock };
}
export type Opened = Awaited<ReturnType<typeof open>>;

/** Creates a gate. `pass` resolves when the gate is open. */
export function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), pass: () => opened };
}

export const doubts = ({ money }: Pick<Opened, 'money'>) => collect(money.intents.list('in_doubt'));
export const unknown = { code: 'provider_error', outcome: 'unknown', key: 'k' };

export async function paidQr({ gateway, cashier, bank }: Opened, amount = 500): Promise<string> {
  await gateway.as(cashier).createQr({ amount }, under(`paid ${bank.book.length}`));
  const made = bank.book.at(-1);
  if (made) made.status = 'Processed';
  return made?.id ?? '';
}

/** Runs rounds. Enough time passes between them for each round to check every intent. */
export async function rounds({ money, clock }: Opened, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await money.round();
    clock.jump(2 * minutes);
  }
}

export const faultsOf = (world: World, money: Opened['money']) =>
  findFaults(world, money, { isOver: false });

/** Pays and polls every payment. Returns the faults in the books. */
export async function findFaultsOnceWatched({
  world,
  money,
  clock,
  bank,
}: Opened): Promise<string[]> {
  for (const made of bank.book) if (made.kind !== 'refund') made.status = 'Processed';
  await money.watcher.start();
  await clock.advance(4_000);
  return findFaults(world, money);
}

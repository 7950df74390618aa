import type { AppError } from '../../../src/base/errors.js';
import { exactInteger } from '../../../src/json/exact-json.js';
import { repeatKeyOf } from '../../../src/payments/idempotency.js';
import { maxLateness } from '../../../src/payments/providers/provider.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import { collect } from '../payments-under-test.js';
import { findUnlisted, intentOf } from './check-books.js';
import { type Operation, sessionEnded } from './money-bank.js';
import type { Request, Setup } from './money-steps.js';
import { type MoneyUnderTest, providerTimeout, type World } from './money-under-test.js';
import type { Wish } from './money-wishes.js';

const minute = 60_000;
/** Times after which lookups without a result are final, and after which a code that nobody received is abandoned. */
const [horizon, abandonedAfter] = [15 * minute, 30 * minute];

/** A storage for the simulation. */
export interface ModelStorage {
  /**
   * True if several processes can serve requests on the storage. On files, only the first one can. Commands run
   * concurrently, but never use its keys for creations.
   */
  readonly isServedByMany: boolean;
  createWorld(options: Setup): Promise<World>;
  /** Opens a process on the storage. Processes with different labels can run concurrently. */
  open(world: World, label: string): Promise<MoneyUnderTest>;
}

/** A request and its answer, if there is one. */
export interface Asked {
  readonly request: Request;
  key: string;
  paymentId: string;
  /** True if a command generated its key. */
  readonly isCommands: boolean;
  readonly wish?: Wish;
  /** The time of the request. */
  at?: { readonly monotonic: number; readonly now: number };
  /** The process that received the request. */
  by?: MoneyUnderTest;
  /** The wall time of a successful answer. */
  doneAt?: number;
  outcome?: 'done' | 'in_doubt' | 'unknown' | 'failed';
}

const expectedCodes = [
  'in_doubt',
  'provider_error',
  'session_ended',
  'refused',
  'conflict',
  'storage_unavailable',
];

export interface Terminal {
  readonly label: string;
  money: MoneyUnderTest;
  cashiers: ReadonlyMap<number, Cashier>;
}

export type Terminals = Awaited<ReturnType<typeof createTerminals>>;

/** Creates two terminals on one storage. Clients call them, and they can die and restart. */
export async function createTerminals(world: World, storage: ModelStorage) {
  const { bank, clock } = world;
  const asked: Asked[] = [];
  const faults: string[] = [];
  /** IDs of abandoned intents, whose keys became free. */
  const abandoned = new Set<string>();
  /** IDs of intents that were correctly closed as never made before the bank executed them. */
  const madeTooLate = new Set<string>();
  /** Tokens of sessions that were reported as ended to a client. */
  const endedSessions = new Set<string>();
  let signIns = 0;
  let deaths = 0;

  async function signIn(terminal: Terminal): Promise<void> {
    signIns += 1;
    terminal.cashiers = new Map([
      [1, await terminal.money.cashier(1, signIns)],
      [2, await terminal.money.cashier(2, signIns)],
    ]);
  }

  async function open(label: string): Promise<Terminal> {
    const money = await storage.open(world, label);
    await money.resolver.recover();
    const terminal = { label, money, cashiers: new Map() };
    await signIn(terminal);
    return terminal;
  }
  const terminals = [await open('one'), await open('two')] as const;

  async function restart(terminal: Terminal): Promise<void> {
    deaths += 1;
    await terminal.money.kill();
    Object.assign(terminal, await open(terminal.label));
  }

  function call({ request, key, paymentId }: Asked, cashier: Cashier, { money }: Terminal) {
    const repeat = repeatKeyOf(key);
    const { gateway } = money;
    const { amount } = request;
    const reference = 'order 17';
    if (request.do === 'refund') {
      const order = { qrOperationId: exactInteger(paymentId), returnAmount: amount };
      return gateway.as(cashier).refund(order, repeat);
    }
    if (request.kind === 'qr') return gateway.as(cashier).createQr({ amount, reference }, repeat);
    const phoneNumber = '77017654321';
    return gateway.as(cashier).createInvoice({ amount, phoneNumber, reference }, repeat);
  }

  const organizationOf = ({ request }: Asked) =>
    request.do === 'create' ? request.organizationId : 1;
  const nameOf = (one: Asked) =>
    intentOf({
      kind: one.request.do === 'refund' ? 'refund' : one.request.kind,
      organizationId: organizationOf(one),
      key: one.key,
    });

  async function ask(one: Asked, wanted: Terminal): Promise<void> {
    const { request, key } = one;
    const isServed = request.do === 'create' && key !== '';
    const terminal = isServed && !storage.isServedByMany ? terminals[0] : wanted;
    asked.push(one);
    one.at = { monotonic: clock.monotonic(), now: clock.now() };
    one.by = terminal.money;
    bank.deeds.length = 0;
    bank.deeds.push(one.request.deed);
    const cashier = terminal.cashiers.get(organizationOf(one));
    if (!cashier) return;
    const { mortal } = terminal.money;
    const { tokenSN } = cashier.credentials;
    const asking = call(one, cashier, terminal).then(
      () => {
        one.outcome = 'done';
        one.doneAt = clock.now();
        one.wish?.grant();
      },
      (error: AppError) => {
        const { code, fields, headers } = error;
        const named = headers?.['Idempotency-Key'];
        if (one.key === '' && named) one.key = named;
        const isUnknown = fields?.outcome === 'unknown';
        one.outcome = isUnknown ? 'unknown' : code === 'in_doubt' ? 'in_doubt' : 'failed';
        if (!expectedCodes.includes(code)) faults.push(`A client was answered ${error.stack}`);
        if (code === 'session_ended') endedSessions.add(tokenSN);
        if (code === 'provider_error' && error.message.includes(sessionEnded)) {
          faults.push(`A client was answered ${error.stack}`);
        }
      },
    );
    await Promise.race([asking, mortal.death, clock.settle()]);
  }

  /** Makes a sale in the first organization. Returns the bank's QR payment. */
  async function sell(terminal: Terminal): Promise<Operation | undefined> {
    const create = { do: 'create', kind: 'qr', organizationId: 1, amount: 100 } as const;
    const request = { ...create, deed: 'answers' } as const;
    const before = bank.book.length;
    const isCommands = terminal === terminals[1];
    await ask({ request, key: '', paymentId: '', isCommands }, terminal);
    return bank.book.slice(before).find(({ kind }) => kind === 'qr');
  }

  /**
   * Returns true if a live process certainly waits for the bank's answer to an intent. A person must not be able to
   * settle it then.
   */
  function isAwaited(intent: Pick<Operation, 'kind' | 'organizationId' | 'key'>): boolean {
    if (!bank.isAnswering(intent)) return false;
    const name = intentOf(intent);
    const [one, ...repeats] = asked.filter((each) => each.key !== '' && nameOf(each) === name);
    // The bank may have refused a repeat while it still processes the first request.
    if (!one?.at || !one.by || one.by.mortal.isDead || repeats.length > 0) return false;
    const waited = clock.monotonic() - one.at.monotonic;
    // The program compares by the wall clock.
    const isSteady = Math.abs(clock.now() - one.at.now - waited) < 1;
    return isSteady && waited < providerTimeout + maxLateness;
  }

  const attempt = async ({ money }: Terminal, work: () => Promise<void>) => {
    const working = work().catch((error: AppError) => {
      if (error.code === undefined) faults.push(`Thrown: ${error.stack}`);
    });
    await Promise.race([working, money.mortal.death]);
  };

  /** Checks the invariants that must hold at any time. */
  async function check({ money }: Terminal): Promise<void> {
    if (terminals.some((each) => each.money.mortal.fault !== undefined)) return;
    faults.push(...(await findUnlisted(world, money)));
    const underWay = (await money.underWay()).map(({ intent }) => intent.id);
    for (const intent of await collect(money.intents.list('not_made'))) {
      const { id } = intent;
      const queuedFor = bank.queuedFor(intent);
      if (queuedFor === undefined || underWay.includes(id)) continue;
      madeTooLate.add(id);
      if (queuedFor <= horizon) faults.push(`${id} counts as never made, but is in the queue.`);
    }
    for (const { id, closedAt = 0 } of await collect(money.intents.list('abandoned'))) {
      if (abandoned.has(id)) continue;
      abandoned.add(id);
      const requests = asked.filter((one) => nameOf(one) === id);
      // From then on, the key is free, and a repeat creates a new code.
      if (requests.some(({ doneAt = closedAt }) => doneAt < closedAt)) {
        faults.push(`A client has the code of the abandoned ${id}.`);
      }
      // After a restart, the time is measured by the wall clock, which may have been changed.
      const { monotonic, now } = requests[0]?.at ?? { monotonic: 0, now: 0 };
      const age = Math.max(clock.monotonic() - monotonic, clock.now() - now);
      if (age < abandonedAfter) faults.push(`${id} was abandoned too early.`);
    }
  }

  return {
    terminals,
    asked,
    faults,
    abandoned,
    madeTooLate,
    endedSessions,
    signIn,
    open,
    restart,
    ask,
    sell,
    isAwaited,
    attempt,
    check,
    /** Returns true if a terminal has died. */
    hasRestarted: () => deaths > 0,
  };
}

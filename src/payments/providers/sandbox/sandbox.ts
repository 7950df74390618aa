import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../../base/clock.js';
import type { PaymentType } from '../../payment.js';
import { parseProviderTime, providerDay } from '../../zoned-time.js';
import type { PaymentProvider, ProviderSession } from '../provider.js';
import type { Capabilities } from '../provider-answer.js';
import { createAnswers, done, refuse } from './answers.js';
import { type ActiveFaults, createFaultsInForce } from './fault.js';
import { Disturbed, type SandboxOperations, withFaults } from './faulty-provider.js';
import { cancel, createMoney } from './money.js';
import type { SandboxOperation } from './operation.js';
import { operationNumber, readFails, statusAt } from './operation.js';
import { clientCard, isClient, merchantOf } from './people.js';
import { enterCode, enterPhone, type SignInProcess, type SignInStep } from './sign-in.js';
import type { SandboxStore } from './store-json/open.js';
import type { SandboxSession } from './store-json/plans.js';

export interface SandboxOptions {
  /** Other processes may share the store. */
  readonly store: SandboxStore;
  readonly clock: Clock;
  /** 10 = everything happens ten times faster. */
  readonly speed: number;
  /** IANA zone of the dates in answers. */
  readonly zone: string;
  /** Faults as text: `late=15@qr/create x1`. */
  readonly faults?: readonly string[];
}

export type Sandbox = ReturnType<typeof createSandbox>;

const historyLength = 20;
/** Maximum number of operations in one response. @bound */
const maxListed = 10_000;

/** Creates a payment provider without a bank. The amount of a payment selects its scenario. */
export function createSandbox(options: SandboxOptions) {
  const { store, clock, speed, zone } = options;
  const faults = createFaultsInForce(options.faults ?? []);
  const answers = createAnswers(zone, () => faults.has('keys-in-history'));
  /** The bank's clock, which a fault can shift. Sign-ins and sessions use the real clock. */
  const now = () => clock.now() + Number(faults.valueOf('clock') ?? 0) * 1000;
  const money = createMoney({ store, faults, answers, speed, now });

  /** Performs a sign-in step and stores its changes. Throws if the step is refused. */
  async function performStep(
    processId: string,
    enter: (process: SignInProcess | undefined) => SignInStep,
  ) {
    const step = await store.signIns.change(processId, (process) => {
      const result = enter(process);
      return { ...(result.process ? { record: result.process } : {}), result };
    });
    if (step.ok) return step;
    const { message, attemptsLeft } = step;
    throw refuse('refused', 10_400, message, attemptsLeft === undefined ? {} : { attemptsLeft });
  }

  async function sessionOf({ tokenSN, secret }: ProviderSession): Promise<SandboxSession> {
    const session = await store.sessions.use(tokenSN);
    if (!session || session.secretDigest !== hash('sha256', secret)) {
      throw refuse('session_ended', 10_401, 'The session has ended. Sign in again.');
    }
    return session;
  }

  async function findOperation(
    { organizationId }: SandboxSession,
    id: number | bigint | string,
    kind?: PaymentType,
  ) {
    const operation = await store.operation({ organizationId, id: operationNumber(id) });
    if (!operation || (kind && operation.kind !== kind)) {
      throw refuse('not_found', 10_404, `Unknown operation ${id}.`);
    }
    return operation;
  }

  async function readStatus(session: ProviderSession, idText: string, kind: PaymentType) {
    const operation = await findOperation(await sessionOf(session), idText, kind);
    if (readFails(operation)) {
      await store.changeOperation(operation, (record) => ({
        ...(record ? { record: { ...record, failedReads: record.failedReads + 1 } } : {}),
        result: undefined,
      }));
      throw refuse('failure', 10_500, 'The bank cannot report the status right now.');
    }
    return answers.status(operation, now());
  }

  const operations: SandboxOperations & Pick<PaymentProvider, 'close'> = {
    async startSignIn() {
      const id = randomUUID();
      await store.signIns.add(id, { id, createdAt: clock.now(), wrongCodes: 0 });
      return { processId: id, view: 'EnterPhoneNumber', body: { title: 'Sign in as a cashier' } };
    },
    async sendPhone({ processId, phoneNumber }) {
      const step = await performStep(processId, (process) => enterPhone(process, phoneNumber));
      const body = { title: 'Enter the code', codeLength: 6 };
      return { processId, desc: step.message, view: 'EnterOtp', body };
    },
    async verifyOtp({ processId, otp }) {
      const step = await performStep(processId, (process) => enterCode(process, otp));
      await store.signIns.remove(processId);
      const { phone = '' } = step.process;
      const { organizationId, ...merchant } = merchantOf(phone);
      const tokenSN = randomBytes(16).toString('hex').toUpperCase();
      const vtokenSecret = randomBytes(32).toString('base64url');
      const secretDigest = hash('sha256', vtokenSecret);
      const createdAt = clock.now();
      await store.sessions.add({ tokenSN, secretDigest, phone, organizationId, createdAt });
      const { message } = step;
      const session = { tokenSN, vtokenSecret, organizationId, ...merchant, phone };
      return { processId, step: 'finished', message, ...session, ...declared(faults) };
    },
    async checkSession({ session }) {
      const { organizationId, createdAt } = await sessionOf(session);
      return done({ Active: true, OrganizationId: organizationId, SignedInAt: createdAt });
    },
    async endSession({ session }) {
      await sessionOf(session);
      await store.sessions.end(session.tokenSN);
      return done({ Active: false });
    },
    async findClient({ session, phoneNumber }) {
      await sessionOf(session);
      assertClient(phoneNumber);
      return done(clientCard(phoneNumber));
    },
    async createInvoice({ session, profileId, phoneNumber, amount, comment = '' }, call) {
      const owner = await sessionOf(session);
      assertClient(phoneNumber);
      const draft = {
        kind: 'invoice',
        amount,
        profileId,
        clientPhone: phoneNumber,
        comment,
      } as const;
      return money.create(owner, draft, call);
    },
    invoiceDetails: ({ session, operationId }) => readStatus(session, operationId, 'invoice'),
    async cancelInvoice({ session, operationId }) {
      const owner = await sessionOf(session);
      const found = await findOperation(owner, operationId, 'invoice');
      return store.changeOperation(found, (operation) => {
        const record = cancel(operation, now());
        return { record, result: answers.status(record, now()) };
      });
    },
    async invoiceHistory({ session }) {
      const { organizationId } = await sessionOf(session);
      const invoices = await store.operations(
        ({ kind, organizationId: owner }) => kind === 'invoice' && owner === organizationId,
      );
      return answers.invoices(invoices.slice(0, historyLength), now());
    },
    async createQr({ session, profileId, amount, latitude, longitude }, call) {
      const owner = await sessionOf(session);
      return money.create(owner, { kind: 'qr', amount, profileId, latitude, longitude }, call);
    },
    qrStatus: ({ session, qrOperationId }) => readStatus(session, qrOperationId, 'qr'),
    async operations({ session, ...period }) {
      const { organizationId } = await sessionOf(session);
      const all = await store.operations(({ organizationId: owner }) => owner === organizationId);
      const { page, more } = operationsPage(all, period, zone);
      return answers.history(page, now(), more);
    },
    async operationDetails({ session, id }) {
      return answers.details(await findOperation(await sessionOf(session), id), now());
    },
    async refund({ session, qrOperationId, returnAmount }, call) {
      const found = await findOperation(await sessionOf(session), qrOperationId);
      return money.refund(found, returnAmount, call);
    },
    async lookup({ session, operation }, call) {
      if (faults.has('no-lookup')) throw new Disturbed('absent');
      return money.lookup(await sessionOf(session), { operation }, call);
    },
    close: store.close,
  };

  /** Functions for tests. */
  const control = {
    /** Returns the newest 10,000 operations, newest first, with their current status. */
    async list(): Promise<readonly object[]> {
      const all = await store.operations(() => true);
      const shown = all.slice(0, maxListed);
      return shown.map((operation) => ({ ...operation, status: statusAt(operation, now()) }));
    },
    /** Sets the status of all operations with a number. Returns false if there are none. */
    async force(operationId: number, status: string): Promise<boolean> {
      const numbered = await store.operationsNumbered(operationId);
      for (const each of numbered) {
        await store.changeOperation(each, (operation) => ({
          ...(operation ? { record: { ...operation, forced: { status, at: now() } } } : {}),
          result: undefined,
        }));
      }
      return numbered.length > 0;
    },
    /** Ends every session of the organization that a cashier's phone number belongs to. */
    evict: (phone: string) => store.sessions.endAllOf(merchantOf(phone).organizationId),
    faults,
  };

  return { provider: withFaults(operations, faults, clock), control };
}

/** Returns the capabilities that the sandbox declares at sign-in. */
function declared(faults: ActiveFaults): { readonly capabilities?: Capabilities } {
  if (faults.has('undeclared')) return {};
  const idempotent = !faults.has('not-idempotent');
  return { capabilities: { idempotent, lookup: !faults.has('no-lookup'), sandbox: true } };
}

function assertClient(phone: string): void {
  if (!isClient(phone))
    throw refuse('not_found', 10_404, 'The bank has no customer with this number.');
}

interface Period {
  /** The last day, `YYYY-MM-DD` in the provider's zone, inclusive. */
  readonly endDate: string;
  /** The page contains only operations older than this. */
  readonly lastTransactionDate?: string;
  readonly statementPeriodCode: number;
}

const pageLength = 50;

/** Number of days in a statement up to `endDate`, by its code. Other codes, such as 0, have no first day. */
const periodDays: Readonly<Record<number, number>> = { 1: 1, 2: 7, 3: 30 };

/**
 * Returns one page of a statement. `operations` are newest first. A page never ends between two operations with the
 * same time, because the next page starts strictly before the last time of this one.
 */
function operationsPage(
  operations: readonly SandboxOperation[],
  { endDate, lastTransactionDate, statementPeriodCode }: Period,
  zone: string,
): { readonly page: readonly SandboxOperation[]; readonly more: boolean } {
  const first = firstDay(endDate, periodDays[statementPeriodCode]);
  const before = lastTransactionDate ? lastMoment(lastTransactionDate, zone) : Infinity;
  const matching = operations.filter(({ createdAt }) => {
    const day = providerDay(createdAt, zone);
    return day <= endDate && day >= first && createdAt < before;
  });
  let length = pageLength;
  while (matching[length] && matching[length]?.createdAt === matching[length - 1]?.createdAt)
    length++;
  return { page: matching.slice(0, length), more: matching.length > length };
}

/** Parses the position of a page. An invalid time is refused, because it would return the first page again. */
function lastMoment(text: string, zone: string): number {
  const moment = parseProviderTime(text, zone);
  if (moment !== undefined) return moment;
  throw refuse(
    'refused',
    10_409,
    'lastTransactionDate must be the TransactionDate of an operation.',
  );
}

function firstDay(endDate: string, days: number | undefined): string {
  if (days === undefined) return '';
  return new Date(Date.parse(endDate) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
}

import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../../base/clock.js';
import type { PaymentType } from '../../payment.js';
import type {
  PaymentProvider,
  ProviderAnswer,
  ProviderCall,
  ProviderSession,
} from '../provider.js';
import { createAnswers, done, refusal, refuse } from './answers.js';
import { operationsPage } from './history.js';
import { assertSameRequest, cancel, otherRequest, refund, refundOf } from './money-moves.js';
import { paymentKey, refundKey, type SandboxOperation } from './operation.js';
import { clientCard, isClient, merchantOf } from './people.js';
import { lifetime, readFails, scenarioOf, statusAt } from './scenario.js';
import { enterCode, enterPhone, type SignInProcess, type SignInStep } from './sign-in.js';
import type { SandboxStore } from './store-json/open.js';
import type { SandboxSession } from './store-json/plans.js';

export interface SandboxOptions {
  /** May be shared with other processes. */
  readonly store: SandboxStore;
  readonly clock: Clock;
  /** 10 = everything happens ten times faster. */
  readonly speed: number;
  /** IANA zone of the dates in answers. */
  readonly zone: string;
}

/** What tests may do to a sandbox besides paying. */
export interface SandboxControl {
  /** The newest 10,000 operations, newest first, with the status of this moment. */
  list(): Promise<readonly object[]>;
  /** Puts an operation into a status from now on; false where there is no such operation. */
  force(operationId: number, status: string): Promise<boolean>;
  /** Ends every session of a cashier's phone number. */
  evict(phone: string): Promise<void>;
}

export interface Sandbox {
  readonly provider: PaymentProvider;
  readonly control: SandboxControl;
}

const historyLength = 20;
/** Operations that tests are shown, in one answer. */
const shownOperations = 10_000;

/** What each operation that a lookup may ask for makes. */
const creations = {
  'qr/create': 'qr',
  'invoices/create': 'invoice',
  'refunds/create': 'refund',
} as const;

/** A payment provider that needs no bank. What a payment does is chosen by its amount. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { store, clock, speed, zone } = options;
  const answers = createAnswers(zone);

  /** Takes a step of a sign-in and stores what it changed; throws where the step is refused. */
  async function takeStep(
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
      throw refuse('session_ended', 10_401, 'The session has ended; sign in again.');
    }
    return session;
  }

  async function ownOperation(session: SandboxSession, id: number | string, kind?: PaymentType) {
    const operation = await store.operation(operationNumber(id));
    const visible = operation?.organizationId === session.organizationId;
    if (!operation || !visible || (kind && operation.kind !== kind)) {
      throw refuse('not_found', 10_404, `There is no operation ${id}.`);
    }
    return operation;
  }

  async function create(
    session: SandboxSession,
    draft: Pick<SandboxOperation, 'kind' | 'amount' | 'profileId'> & Partial<SandboxOperation>,
    { idempotencyKey }: ProviderCall,
  ): Promise<ProviderAnswer> {
    const scenario = scenarioOf(draft.amount);
    if (scenario.refused) return refusal(10_110, 'The bank does not take this payment.');
    const now = clock.now();
    const operation = await store.addOperation(
      {
        ...draft,
        organizationId: session.organizationId,
        createdAt: now,
        expiresAt: now + lifetime / speed,
        speed,
        orderNumber: String(randomBytes(5).readUIntBE(0, 5) % 10 ** 10).padStart(10, '0'),
        token: randomBytes(12).toString('base64url'),
        failedReads: 0,
        refunds: [],
      },
      idempotencyKey && paymentKey(session.organizationId, draft.kind, idempotencyKey),
    );
    assertSameRequest(operation, draft);
    if (scenario.evicts) await store.sessions.endAllOf(session.organizationId);
    return answers.created(operation);
  }

  async function readStatus(session: ProviderSession, idText: string, kind: PaymentType) {
    const operation = await ownOperation(await sessionOf(session), idText, kind);
    if (readFails(operation)) {
      await store.changeOperation(operation.id, (record) => ({
        ...(record ? { record: { ...record, failedReads: record.failedReads + 1 } } : {}),
        result: undefined,
      }));
      throw refuse('failure', 10_500, 'The bank cannot tell the status just now.');
    }
    return answers.status(operation, clock.now());
  }

  const provider: PaymentProvider = {
    async startSignIn() {
      const id = randomUUID();
      await store.signIns.add(id, { id, createdAt: clock.now(), wrongCodes: 0 });
      return { processId: id, view: 'EnterPhoneNumber', body: { title: 'Sign in as a cashier' } };
    },
    async sendPhone({ processId, phoneNumber }) {
      const step = await takeStep(processId, (process) => enterPhone(process, phoneNumber));
      const body = { title: 'Enter the code', codeLength: 6 };
      return { processId, desc: step.message, view: 'EnterOtp', body };
    },
    async verifyOtp({ processId, otp }) {
      const step = await takeStep(processId, (process) => enterCode(process, otp));
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
      const capabilities = { idempotent: true, lookup: true };
      return { processId, step: 'finished', message, ...session, capabilities };
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
      return create(owner, draft, call);
    },
    invoiceDetails: ({ session, operationId }) => readStatus(session, operationId, 'invoice'),
    async cancelInvoice({ session, operationId }) {
      const owner = await sessionOf(session);
      const { id } = await ownOperation(owner, operationId, 'invoice');
      return store.changeOperation(id, (operation) => {
        const record = cancel(operation, clock.now());
        return { record, result: answers.status(record, clock.now()) };
      });
    },
    async invoiceHistory({ session }) {
      const { organizationId } = await sessionOf(session);
      const invoices = await store.operations(
        ({ kind, organizationId: owner }) => kind === 'invoice' && owner === organizationId,
      );
      return answers.invoices(invoices.slice(0, historyLength), clock.now());
    },
    async createQr({ session, profileId, amount, latitude, longitude }, call) {
      const owner = await sessionOf(session);
      return create(owner, { kind: 'qr', amount, profileId, latitude, longitude }, call);
    },
    qrStatus: ({ session, qrOperationId }) => readStatus(session, qrOperationId, 'qr'),
    async operations({ session, ...period }) {
      const { organizationId } = await sessionOf(session);
      const own = await store.operations(({ organizationId: owner }) => owner === organizationId);
      const { page, more } = operationsPage(own, period, zone);
      return answers.history(page, clock.now(), more);
    },
    async operationDetails({ session, id }) {
      return answers.details(await ownOperation(await sessionOf(session), id), clock.now());
    },
    async refund({ session, qrOperationId, returnAmount }, { idempotencyKey }) {
      const owner = await sessionOf(session);
      const { id } = await ownOperation(owner, qrOperationId);
      const wanted = { amount: returnAmount, ...(idempotencyKey ? { idempotencyKey } : {}) };
      return store.changeOperation(id, async (operation) => {
        const { record, made } = refund(operation, wanted, clock.now());
        if (idempotencyKey) {
          const key = refundKey(owner.organizationId, idempotencyKey);
          if ((await store.remember(key, id)) !== id) throw otherRequest();
        }
        return { record, result: answers.refunded(record, made) };
      });
    },
    async lookup({ session, operation: name }, { idempotencyKey = '' }) {
      const { organizationId } = await sessionOf(session);
      const kind = creations[name];
      if (kind !== 'refund') {
        const made = await store.operationUnder(paymentKey(organizationId, kind, idempotencyKey));
        if (made) return answers.created(made);
      } else {
        const of = await store.operationUnder(refundKey(organizationId, idempotencyKey));
        const made = of && refundOf(of, idempotencyKey);
        if (made) return answers.refunded(of, made);
      }
      throw refuse('not_found', 10_404, 'Nothing was made under this key.');
    },
    close: store.close,
  };

  const control: SandboxControl = {
    async list() {
      const now = clock.now();
      const all = await store.operations(() => true);
      const shown = all.slice(0, shownOperations);
      return shown.map((operation) => ({ ...operation, status: statusAt(operation, now) }));
    },
    force: (operationId, status) =>
      store.changeOperation(operationId, (operation) => ({
        ...(operation ? { record: { ...operation, forced: { status, at: clock.now() } } } : {}),
        result: operation !== undefined,
      })),
    evict: (phone) => store.sessions.endAllOf(merchantOf(phone).organizationId),
  };

  return { provider, control };
}

function assertClient(phone: string): void {
  if (!isClient(phone)) throw refuse('not_found', 10_404, 'The bank has no client of that number.');
}

/** The number that an id in a request means; -1, which no operation has, where it means none. */
function operationNumber(id: number | string): number {
  return /^\d{1,15}$/.test(String(id)) ? Number(id) : -1;
}

// Your own payment provider: `msgsite serve --provider ./provider-module.mjs`.
// It simulates a bank with one cashier in memory. Every payment is paid two seconds after its creation.

/** @param {{ clock: { now(): number }, zone: string, folder: string }} context */
export default function createProvider({ clock }) {
  const operations = new Map();
  const results = new Map();
  let lastId = 1000;
  let session;

  /** Creates an error. `kind` is not_found, refused, session_ended, timeout or failure. */
  const failure = (kind, message) => Object.assign(new Error(message), { kind });
  const done = (data) => ({ StatusCode: 0, Data: data });

  const authenticate = ({ tokenSN, secret }) => {
    if (session?.tokenSN !== tokenSN || session.secret !== secret) {
      throw failure('session_ended', 'Sign in again.');
    }
  };
  const find = (id) => {
    const operation = operations.get(Number(id));
    if (!operation) throw failure('not_found', `Unknown operation ${id}.`);
    return operation;
  };
  const view = ({ createdAt, cancelled, ...operation }) => ({
    ...operation,
    Status: cancelled ?? (clock.now() - createdAt >= 2000 ? 'Processed' : operation.Status),
  });
  /** Creates one operation per key. Later calls and lookups with the same key return the first result. */
  const once = (name, { idempotencyKey }, create) => {
    const earlier = idempotencyKey && results.get(`${name} ${idempotencyKey}`);
    const result = earlier ?? done(create());
    if (idempotencyKey) results.set(`${name} ${idempotencyKey}`, result);
    return result;
  };
  const add = (fields) => {
    lastId += 1;
    const operation = { Id: lastId, QrOperationId: lastId, ...fields, createdAt: clock.now() };
    operations.set(lastId, operation);
    return view(operation);
  };

  return {
    async startSignIn() {
      return { processId: crypto.randomUUID(), view: 'EnterPhoneNumber', body: {} };
    },
    async sendPhone({ processId }) {
      return { processId, desc: 'A code was sent.', view: 'EnterOtp', body: {} };
    },
    async verifyOtp({ processId, otp }) {
      if (otp !== '0000') throw failure('refused', 'The code is wrong.');
      session = { tokenSN: crypto.randomUUID(), secret: crypto.randomUUID() };
      return {
        processId,
        step: 'finished',
        message: 'Signed in.',
        tokenSN: session.tokenSN,
        vtokenSecret: session.secret,
        profileId: 1,
        organizationId: 1,
        orgName: 'A shop',
        phone: '77011234567',
        organizations: [],
        capabilities: { idempotent: true, lookup: true },
      };
    },
    async checkSession(input) {
      authenticate(input.session);
      return done({});
    },
    async endSession(input) {
      authenticate(input.session);
      session = undefined;
      return done({});
    },
    async findClient(input) {
      authenticate(input.session);
      return done({ ClientName: 'A customer', ClientMobile: input.phoneNumber });
    },
    async createInvoice(input, call) {
      authenticate(input.session);
      const { amount: Amount, phoneNumber: ClientMobile } = input;
      const fields = { Status: 'RemotePaymentCreated', Amount, ClientMobile };
      return once('invoices/create', call, () => add(fields));
    },
    async invoiceDetails(input) {
      authenticate(input.session);
      return done(view(find(input.operationId)));
    },
    async cancelInvoice(input) {
      authenticate(input.session);
      const operation = find(input.operationId);
      if (view(operation).Status === 'Processed')
        throw failure('refused', 'It has already been paid.');
      operation.cancelled = 'RemotePaymentCanceled';
      return done(view(operation));
    },
    async invoiceHistory(input) {
      authenticate(input.session);
      return done({ Invoices: [...operations.values()].map(view) });
    },
    async createQr(input, call) {
      authenticate(input.session);
      const QrToken = `https://bank.example/pay/${crypto.randomUUID()}`;
      const ExpireDate = new Date(clock.now() + 180_000).toISOString();
      const fields = { Status: 'QrTokenCreated', Amount: input.amount, QrToken, ExpireDate };
      return once('qr/create', call, () => add(fields));
    },
    async qrStatus(input) {
      authenticate(input.session);
      return done(view(find(input.qrOperationId)));
    },
    async operations(input) {
      authenticate(input.session);
      return done({ Operations: [...operations.values()].map(view), HasMore: false });
    },
    async operationDetails(input) {
      authenticate(input.session);
      return done(view(find(input.id)));
    },
    async refund(input, call) {
      authenticate(input.session);
      return once('refunds/create', call, () => {
        const { Id: QrOperationId, ...operation } = view(find(input.qrOperationId));
        if (operation.Status !== 'Processed') throw failure('refused', 'It has not been paid.');
        lastId += 1;
        return { Id: lastId, QrOperationId, Amount: input.returnAmount, Status: 'Processed' };
      });
    },
    /** Optional. Returns the operation that was created with a key, for a gateway that did not receive the result. */
    async lookup(input, call) {
      authenticate(input.session);
      const result = results.get(`${input.operation} ${call.idempotencyKey}`);
      if (!result) throw failure('not_found', 'Nothing was created with this key.');
      return result;
    },
    async close() {},
  };
}

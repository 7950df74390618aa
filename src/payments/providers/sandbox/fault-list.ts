/** The type of a fault's value; an array lists the allowed values. */
export type FaultValue = 'seconds' | 'signed-seconds' | 'tenge' | 'text' | readonly string[];

export interface FaultDefinition {
  /** Its effect, in one line. */
  readonly does: string;
  /**
   * The default operations: `create` for those that move money, `status` for those that read one payment; all by
   * default.
   */
  readonly operations?: 'create' | 'status';
  readonly value?: FaultValue;
  /** The default value. */
  readonly usual?: string;
  /** True for a fault of the whole sandbox, which has neither an operation nor a count. */
  readonly lasts?: true;
}

/** All faults of the sandbox, as data for the parser and the help. */
export const faultDefinitions = {
  late: {
    does: 'executes the call, and responds after this many seconds',
    operations: 'create',
    value: 'seconds',
    usual: '15',
  },
  slow: {
    does: 'executes the call after this many seconds',
    value: 'seconds',
    usual: '3',
  },
  lost: { does: 'executes the call, and breaks the connection', operations: 'create' },
  'lost-before': { does: 'breaks the connection without executing the call', operations: 'create' },
  hang: { does: 'never responds, and does not execute the call', operations: 'create' },
  error: {
    does: 'responds with HTTP 500 without a kind, and does not execute the call',
    operations: 'create',
  },
  'error-after': {
    does: 'executes the call, and responds with HTTP 500 without a kind',
    operations: 'create',
  },
  html: { does: 'executes the call, and responds with an HTML page', operations: 'create' },
  twice: { does: 'executes the call twice, and returns the first result', operations: 'create' },
  flip: {
    does: 'ends the payment with this status, and changes it to Processed 30 seconds later',
    operations: 'create',
    value: 'text',
    usual: 'Expired',
  },
  'duplicate-id': { does: 'returns the ID of the previous payment', operations: 'create' },
  'wrong-id': { does: 'returns a different operation, which is paid', operations: 'status' },
  amount: {
    does: 'returns an amount that is this many tenge higher than requested',
    operations: 'create',
    value: 'tenge',
    usual: '1',
  },
  status: {
    does: 'reports a Processed payment with this status, such as processed, Paid or RemotePaymentPaid',
    value: 'text',
    usual: 'Paid',
  },
  id: {
    does: 'writes IDs as text, beyond 2^53, as UUIDs, with a fraction, or not at all',
    value: ['text', 'big', 'uuid', 'float', 'none'],
    usual: 'text',
  },
  code: {
    does: 'writes the StatusCode as this text: 0 still means success, OK does not',
    operations: 'create',
    value: 'text',
    usual: '0',
  },
  daily: { does: 'lists the history only in DailySets' },
  clock: {
    does: 'sets its clock this many seconds ahead, or behind if negative',
    value: 'signed-seconds',
    usual: '900',
    lasts: true,
  },
  'same-ids': {
    does: 'numbers the payments of each organization from 1001',
    lasts: true,
  },
  'not-idempotent': {
    does: 'executes repeated requests with the same key again, and declares this at sign-in',
    lasts: true,
  },
  'no-lookup': {
    does: 'does not support operations/lookup, and declares this at sign-in',
    lasts: true,
  },
  'keys-in-history': {
    does: 'includes Idempotency-Keys in the history and in the refunds of an operation',
    lasts: true,
  },
  undeclared: {
    does: 'declares no capabilities at sign-in',
    lasts: true,
  },
} as const satisfies Readonly<Record<string, FaultDefinition>>;

export type FaultName = keyof typeof faultDefinitions;

/** Returns every fault with its effect. */
export function describeFaults(): readonly { readonly fault: string; readonly does: string }[] {
  return Object.entries<FaultDefinition>(faultDefinitions).map(([name, { value, usual, does }]) => {
    const values = typeof value === 'object' ? value.join('|') : usual;
    return { fault: value === undefined ? name : `${name}=${values}`, does };
  });
}

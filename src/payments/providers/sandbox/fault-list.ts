/** The type of a fault's value; an array lists the allowed values. */
export type FaultValue = 'seconds' | 'signed-seconds' | 'tenge' | 'text' | readonly string[];

export interface FaultDefinition {
  /** Its effect, in one line. */
  readonly does: string;
  /** Its default operations: `create` moves money, `status` reads one payment; all operations by default. */
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
    does: 'does it, and answers after this many seconds',
    operations: 'create',
    value: 'seconds',
    usual: '15',
  },
  slow: {
    does: 'waits this many seconds, then does it',
    value: 'seconds',
    usual: '3',
  },
  lost: { does: 'does it, and breaks the connection', operations: 'create' },
  'lost-before': { does: 'does nothing, and breaks the connection', operations: 'create' },
  hang: { does: 'does nothing, and never answers', operations: 'create' },
  error: { does: 'does nothing, and answers HTTP 500 without a kind', operations: 'create' },
  'error-after': { does: 'does it, and answers HTTP 500 without a kind', operations: 'create' },
  html: { does: 'does it, and answers with an HTML page', operations: 'create' },
  twice: { does: 'does it twice, and answers with the first result', operations: 'create' },
  flip: {
    does: 'ends the payment with this status, and makes it Processed 30 seconds later',
    operations: 'create',
    value: 'text',
    usual: 'Expired',
  },
  'duplicate-id': { does: 'answers with the ID of the previous payment', operations: 'create' },
  'wrong-id': { does: 'answers about another, paid operation', operations: 'status' },
  amount: {
    does: 'answers with this many tenge more than requested',
    operations: 'create',
    value: 'tenge',
    usual: '1',
  },
  status: {
    does: 'reports a Processed payment with this status: processed, Paid, RemotePaymentPaid',
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
    does: 'repeats a request with the same key, and says so at sign-in',
    lasts: true,
  },
  'no-lookup': {
    does: 'does not support operations/lookup, and says so at sign-in',
    lasts: true,
  },
  'keys-in-history': {
    does: 'includes the Idempotency-Key in the history and in the refunds of an operation',
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

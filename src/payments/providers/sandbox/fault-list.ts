/** Everything that the sandbox can be told to do wrong, as data: the help and the reader come from it. */

/** What a fault's value is: seconds, tenge, or text of one's own or one of a few. */
export type FaultValue = 'seconds' | 'signed-seconds' | 'tenge' | 'text' | readonly string[];

export interface FaultDefinition {
  /** One line for people: what happens. */
  readonly does: string;
  /** Where nothing else is said: `create` moves money, `status` tells of one payment; all of them by default. */
  readonly operations?: 'create' | 'status';
  readonly value?: FaultValue;
  /** The value where none is given. */
  readonly usual?: string;
  /** It is how the sandbox is, not what becomes of a call: neither an operation nor a count goes with it. */
  readonly lasts?: true;
}

export const faultDefinitions = {
  late: {
    does: 'does it, and answers so many seconds later',
    operations: 'create',
    value: 'seconds',
    usual: '15',
  },
  slow: {
    does: 'waits so many seconds, then does it',
    value: 'seconds',
    usual: '3',
  },
  lost: { does: 'does it, and breaks the connection', operations: 'create' },
  'lost-before': { does: 'breaks the connection, and does nothing', operations: 'create' },
  hang: { does: 'does nothing, and never answers', operations: 'create' },
  error: { does: 'does nothing, and answers HTTP 500 without a kind', operations: 'create' },
  'error-after': { does: 'does it, and answers HTTP 500 without a kind', operations: 'create' },
  html: { does: 'does it, and answers with a page of HTML', operations: 'create' },
  twice: { does: 'does it twice, and answers with the first', operations: 'create' },
  flip: {
    does: 'the payment ends with this status, and is Processed 30 seconds later',
    operations: 'create',
    value: 'text',
    usual: 'Expired',
  },
  'duplicate-id': { does: 'answers with the id of the payment before', operations: 'create' },
  'wrong-id': { does: 'answers about another, paid operation', operations: 'status' },
  amount: {
    does: 'the answer says so many tenge more than was asked for',
    operations: 'create',
    value: 'tenge',
    usual: '1',
  },
  status: {
    does: 'says this where a payment is Processed: processed, Paid, RemotePaymentPaid',
    value: 'text',
    usual: 'Paid',
  },
  id: {
    does: 'writes ids as digits in text, beyond 2^53, as UUID, with a fraction, or not at all',
    value: ['text', 'big', 'uuid', 'float', 'none'],
    usual: 'text',
  },
  code: {
    does: 'writes this text for the StatusCode: 0 is a yes all the same, OK is not',
    operations: 'create',
    value: 'text',
    usual: '0',
  },
  daily: { does: 'puts the history into DailySets alone' },
  clock: {
    does: 'its clock is so many seconds ahead, or with a minus behind',
    value: 'signed-seconds',
    usual: '900',
    lasts: true,
  },
  'same-ids': {
    does: 'every organization counts its payments from 1001',
    lasts: true,
  },
  'not-idempotent': {
    does: 'does it again for the same key, and says so at sign-in',
    lasts: true,
  },
  'no-lookup': {
    does: 'has no operations/lookup, and says so at sign-in',
    lasts: true,
  },
  'keys-in-history': {
    does: 'includes the Idempotency-Key in its history and in the returns of an operation',
    lasts: true,
  },
  undeclared: {
    does: 'says nothing at sign-in of what it can do',
    lasts: true,
  },
} as const satisfies Readonly<Record<string, FaultDefinition>>;

export type FaultName = keyof typeof faultDefinitions;

/** Every fault and what it does, one line each. */
export function describeFaults(): readonly { readonly fault: string; readonly does: string }[] {
  return Object.entries<FaultDefinition>(faultDefinitions).map(([name, { value, usual, does }]) => {
    const values = typeof value === 'object' ? value.join('|') : usual;
    return { fault: value === undefined ? name : `${name}=${values}`, does };
  });
}

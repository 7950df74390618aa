import { openGatewayClient } from '../../src/app/open-gateway-client.js';
import { AppError, exitCodes } from '../../src/base/errors.js';
import { readSettings } from '../../src/config/config.js';
import type {
  CashierCalls,
  GatewayClient,
  PaymentRecords,
} from '../../src/payments/client/gateway-client.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { CommandContext, CommandInput, OptionDefinition } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { settingsOf } from '../taken-settings.js';
import { type FoundSession, findSession, sessionFileOf } from './session-file.js';
import { createTroubleLog } from './trouble-log.js';

/** What every `pay` command works with. */
export interface PayContext {
  readonly context: CommandContext;
  readonly input: CommandInput;
  readonly gateway: GatewayClient;
  /** Where the sign-in is kept. */
  readonly sessionFile: string;
  /** What is kept of the sign-in, valid or not; undefined = nobody is signed in. */
  session(): Promise<FoundSession | undefined>;
  /** What is stored, as far as that session may see it. */
  records(): Promise<PaymentRecords>;
}

/** Flags of every `pay` command. */
export const payOptions: readonly OptionDefinition[] = [
  {
    flags: '--session <file>',
    description: 'file of the session (default ~/.config/msgsite/session.json)',
  },
  ...configOptions(...settingsOf('pay')),
];

/**
 * Does `work` with the gateway that the flags name, closes it whatever comes of that, and returns the exit code. Only the
 * kind of gateway that is chosen is loaded. With `listsOnly`, nothing is made or changed.
 */
export async function withPay(
  context: CommandContext,
  input: CommandInput,
  work: (pay: PayContext) => Promise<number | undefined>,
  { listsOnly = false } = {},
): Promise<number | undefined> {
  const { clock, signal, env: environment } = context;
  const address = addressOf(context, input);
  const origin = address === undefined ? undefined : new URL(address).origin;
  const sessionFile = sessionFileOf(context, input, origin);
  const session = () => findSession(context, input, origin);
  const { log, tell } = createTroubleLog(context);

  async function open(): Promise<GatewayClient> {
    if (address === undefined) {
      const config = configOf(context, input);
      return openGatewayClient({ config, clock, environment, log, listsOnly });
    }
    const { createRemoteClient } = await import('../../src/payments/client/remote-client.js');
    return createRemoteClient({ address, clock, signal, findSession: session });
  }

  let opened: GatewayClient | undefined;
  try {
    const gateway = await open();
    opened = gateway;
    const records = async () => gateway.records(await session());
    return await work({ context, input, gateway, sessionFile, session, records });
  } finally {
    try {
      await opened?.close();
    } finally {
      tell();
    }
  }
}

/** Flags that say where the data of a gateway in this process is, and what it works with. */
const localFlags = ['data', 'database', 'provider', 'webhooks'] as const;

/**
 * The address of the gateway elsewhere that a call is for; undefined where it is for the data itself. A flag that only the
 * latter has is a `usage` error beside it; variables are passed over, whatever they say.
 */
function addressOf(
  { env, envFile, cwd }: CommandContext,
  { options: flags }: CommandInput,
): string | undefined {
  const { gateway } = readSettings(['gateway'], { flags, env, envFile, cwd });
  const local = localFlags.find((name) => flags[name] !== undefined);
  if (gateway === undefined || local === undefined) return gateway;
  const source = flags.gateway === undefined ? 'MSGSITE_GATEWAY' : '--gateway';
  throw new AppError('usage', `${source} and --${local} contradict each other.`, {
    hint: `${source} is for a gateway elsewhere, which has data of its own; --${local} is for data here. Leave one of them out.`,
  });
}

/** What a command works with that needs a cashier. */
export interface CashierContext extends PayContext {
  readonly cashier: CashierCalls;
  /** What is kept of the sign-in. */
  readonly kept: FoundSession;
}

/** `withPay` for the cashier who is signed in; `not_signed_in` (exit code 4) where nobody is. */
export function withCashier(
  context: CommandContext,
  input: CommandInput,
  work: (pay: CashierContext) => Promise<number | undefined>,
): Promise<number | undefined> {
  return withPay(context, input, async (pay) => work({ ...pay, ...(await requireCashier(pay)) }));
}

/** The cashier who is signed in; `not_signed_in` (exit code 4) where nobody is. */
export async function requireCashier({ session, gateway }: PayContext) {
  const kept = await session();
  if (kept) return { cashier: await gateway.cashier(kept), kept };
  throw new AppError('not_signed_in', 'Nobody is signed in.', {
    hint: 'Sign in with msgsite pay login. A session belongs to the gateway, data folder or database it was made with.',
  });
}

/** What a command says where nobody knows whether its money has moved. */
interface DoubtWords {
  /** What is not known, as a sentence without its end: `It is not known whether …`. */
  readonly what: string;
  /** What is safe to do, and what is not. */
  readonly advice: string;
}

/** A call that moves money. */
interface MoneyMove {
  /** Shown on a terminal meanwhile. */
  readonly doing: string;
  /** The Idempotency-Key under which it is made. */
  readonly key: string;
  readonly words: DoubtWords;
}

/**
 * Asks the bank to move money. Where it is not known whether it did, also since the command was interrupted, the failure
 * says so in words that nobody pays twice by, and names the key.
 */
export async function moveMoney<Answer>(
  context: CommandContext,
  { doing, key, words }: MoneyMove,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await context.underWay.during(
      () => interruptedDoubt(words, key),
      () => withSpinner(context, doing, ask),
    );
  } catch (error) {
    throw explainDoubt(error, words);
  }
}

function interruptedDoubt({ what, advice }: DoubtWords, key: string): AppError {
  return new AppError('in_doubt', `${what}: the bank had not answered when it was interrupted.`, {
    fields: { key },
    hint: adviceText(advice, key),
  });
}

/** What ends the command with 7 and names the key; any other failure is given back unchanged. */
function explainDoubt(error: unknown, { what, advice }: DoubtWords): unknown {
  if (!(error instanceof AppError) || error.fields.outcome !== 'unknown') return error;
  const { code, message, details, headers, fields, cause } = error;
  const key = headers['Idempotency-Key'];
  // The advice to HTTP clients speaks of a header; here the command speaks for itself.
  const reason = cause instanceof AppError ? cause.message : message;
  return new AppError(code, `${what}: ${reason}`, {
    ...(details ? { details } : {}),
    fields: { ...fields, ...(key === undefined ? {} : { key }) },
    hint: adviceText(advice, key),
    exitCode: exitCodes.outcomeUnknown,
    cause,
  });
}

function adviceText(advice: string, key: string | undefined): string {
  return [
    advice,
    'A running serve asks the provider about it and adopts it once the provider proves that it was made.',
    'What is in doubt: msgsite pay payments --state in_doubt',
    ...(key === undefined ? [] : [`Its key: ${key}`]),
  ].join('\n');
}

import { openGatewayClient } from '../../src/app/open-gateway-client.js';
import { AppError, exitCodes } from '../../src/base/errors.js';
import type { Logger } from '../../src/base/log.js';
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
import { withTroubleLog } from './trouble-log.js';

export interface PayContext {
  readonly context: CommandContext;
  readonly input: CommandInput;
  readonly gateway: GatewayClient;
  /** The path of the session file. */
  readonly sessionFile: string;
  /** Returns the stored session, which may be invalid; undefined if nobody is signed in. */
  session(): Promise<FoundSession | undefined>;
  /** Returns the records that this session may access. */
  records(): Promise<PaymentRecords>;
}

/** Flags of every `pay` command. */
export const payOptions: readonly OptionDefinition[] = [
  {
    flags: '--session <file>',
    description: 'session file (default ~/.config/msgsite/session.json)',
  },
  ...configOptions(...settingsOf('pay')),
];

/**
 * Opens the gateway selected by the flags, calls `work`, closes the gateway and returns the exit code. Loads only the
 * code for the selected kind of gateway. With `listsOnly`, nothing is created or changed.
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

  async function open(log: Logger): Promise<GatewayClient> {
    if (address === undefined) {
      const config = configOf(context, input);
      return openGatewayClient({ config, clock, environment, log, listsOnly });
    }
    const { createRemoteClient } = await import('../../src/payments/client/remote-client.js');
    return createRemoteClient({ address, clock, signal, findSession: session });
  }

  return withTroubleLog(context, async (log) => {
    const gateway = await open(log);
    try {
      const records = async () => gateway.records(await session());
      return await work({ context, input, gateway, sessionFile, session, records });
    } finally {
      await gateway.close();
    }
  });
}

/** Flags that apply only to a gateway in this process. */
const localFlags = ['data', 'database', 'provider', 'webhooks'] as const;

/**
 * Returns the address of the remote gateway; undefined for a gateway in this process. Throws a `usage` error if a flag
 * for a local gateway is also given. Environment variables for a local gateway are ignored.
 */
function addressOf(
  { env, envFile, cwd }: CommandContext,
  { options: flags }: CommandInput,
): string | undefined {
  const { gateway } = readSettings(['gateway'], { flags, env, envFile, cwd });
  const local = localFlags.find((name) => flags[name] !== undefined);
  if (gateway === undefined || local === undefined) return gateway;
  const source = flags.gateway === undefined ? 'MSGSITE_GATEWAY' : '--gateway';
  throw new AppError('usage', `${source} and --${local} cannot be combined.`, {
    hint: `${source} selects a remote gateway with its own data. --${local} applies to a gateway on this machine. Remove one of them.`,
  });
}

/** The context of a command that requires a signed-in cashier. */
export interface CashierContext extends PayContext {
  readonly cashier: CashierCalls;
}

/** Like `withPay`, with the signed-in cashier. Throws `not_signed_in` (exit code 4) if nobody is signed in. */
export function withCashier(
  context: CommandContext,
  input: CommandInput,
  work: (pay: CashierContext) => Promise<number | undefined>,
): Promise<number | undefined> {
  return withPay(context, input, async (pay) => work({ ...pay, ...(await requireCashier(pay)) }));
}

/** Returns the signed-in cashier. Throws `not_signed_in` (exit code 4) if nobody is signed in. */
export async function requireCashier({ session, gateway }: PayContext) {
  const kept = await session();
  if (kept) return { cashier: await gateway.cashier(kept) };
  throw new AppError('not_signed_in', 'Nobody is signed in.', {
    hint: 'Sign in with msgsite pay login. A session is valid only for its gateway, data folder or database.',
  });
}

/** The texts for a request that moves money and whose outcome is unknown. */
interface DoubtWords {
  /** The beginning of the message, such as `It is not known whether the invoice was sent`. */
  readonly what: string;
  /** Advice on what is safe to do. */
  readonly advice: string;
}

/** A call that moves money. */
interface MoneyMove {
  /** The text of the spinner. */
  readonly doing: string;
  /** The Idempotency-Key of the request. */
  readonly key: string;
  readonly words: DoubtWords;
}

/**
 * Sends a request that moves money. If its outcome is unknown or the command is interrupted, the error states that,
 * explains how to avoid a second payment, and contains the key.
 */
export async function moveMoney<Answer>(
  context: CommandContext,
  { doing, key, words }: MoneyMove,
  send: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await context.unfinished.during(
      () => interruptedDoubt(words, key),
      () => withSpinner(context, doing, send),
    );
  } catch (error) {
    throw explainDoubt(error, words);
  }
}

function interruptedDoubt({ what, advice }: DoubtWords, key: string): AppError {
  return new AppError(
    'in_doubt',
    `${what}. The command was interrupted before the bank responded.`,
    {
      fields: { key },
      hint: adviceText(advice, key),
    },
  );
}

/** Returns the error for an unknown outcome, with exit code 7 and the key. Returns any other error unchanged. */
function explainDoubt(error: unknown, { what, advice }: DoubtWords): unknown {
  if (!(error instanceof AppError) || error.fields.outcome !== 'unknown') return error;
  const { code, message, details, headers, fields, cause } = error;
  const key = headers['Idempotency-Key'];
  // The message contains advice for API clients, which the command replaces with its own.
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
    'A running msgsite serve checks with the provider and settles the request once the provider confirms that it was executed.',
    'List requests in doubt: msgsite pay payments --state in_doubt',
    ...(key === undefined ? [] : [`Key of the request: ${key}`]),
  ].join('\n');
}

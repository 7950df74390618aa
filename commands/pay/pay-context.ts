import { type GatewayServices, openGatewayServices } from '../../src/app/gateway-services.js';
import { openStorage } from '../../src/app/open-storage.js';
import { AppError } from '../../src/base/errors.js';
import type { Gateway } from '../../src/payments/gateway.js';
import type { Cashier } from '../../src/payments/sessions/sessions.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { CommandContext, CommandInput, OptionDefinition } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { findSession, type KeptSession } from './session-file.js';
import { withTroubleLog } from './trouble-log.js';

/** What every `pay` command works with. */
export interface PayContext extends GatewayServices {
  readonly context: CommandContext;
  readonly input: CommandInput;
  /** IANA zone of the provider: whose days and clocks are meant and shown. */
  readonly zone: string;
}

/** Flags of every `pay` command. */
export const payOptions: readonly OptionDefinition[] = [
  {
    flags: '--session <file>',
    description: 'file of the session (default ~/.config/msgsite/session.json)',
  },
  ...configOptions('data', 'database', 'provider', 'webhooks'),
];

/**
 * Opens the payment services on the data folder or the database for `work`, and closes them whatever
 * comes of it. Gives its exit code.
 */
export async function withPay(
  context: CommandContext,
  input: CommandInput,
  work: (pay: PayContext) => Promise<number | undefined>,
): Promise<number | undefined> {
  const { env: environment, clock } = context;
  const config = configOf(context, input);
  return withTroubleLog(context, async (log) => {
    const storage = await openStorage('share', { config, clock, log, label: 'pay' });
    try {
      const services = await openGatewayServices({ config, storage, environment, log });
      try {
        return await work({ ...services, context, input, zone: config.providerZone });
      } finally {
        await services.close();
      }
    } finally {
      await storage.close();
    }
  });
}

/** Who is signed in here. */
export interface SignedIn {
  readonly cashier: Cashier;
  readonly session: KeptSession;
}

/** What a command works with that needs a cashier. */
export type CashierContext = PayContext & SignedIn;

/** `withPay` for the cashier who is signed in; `not_signed_in` (exit code 4) where nobody is. */
export function withCashier(
  context: CommandContext,
  input: CommandInput,
  work: (pay: CashierContext) => Promise<number | undefined>,
): Promise<number | undefined> {
  return withPay(context, input, async (pay) => work({ ...pay, ...(await requireCashier(pay)) }));
}

/** The cashier who is signed in; `not_signed_in` (exit code 4) where nobody is. */
export async function requireCashier({ context, input, payments }: PayContext): Promise<SignedIn> {
  const session = await findSession(context, input);
  if (!session) throw notSignedIn('Nobody is signed in.');
  try {
    const cashier = await payments.sessions.authenticate(session.tokenSN, session.vtokenSecret);
    return { cashier, session };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
    throw notSignedIn('The session is not valid here any more.', error);
  }
}

function notSignedIn(message: string, cause?: unknown): AppError {
  return new AppError('not_signed_in', message, {
    hint: 'Sign in with msgsite pay login. A session belongs to the data folder or database it was made with.',
    cause,
  });
}

/** Asks the bank as that cashier; `doing` is shown on a terminal meanwhile. */
export function askBank<Answer>(
  { context, payments, cashier }: CashierContext,
  doing: string,
  ask: (bank: Gateway, cashier: Cashier) => Promise<Answer>,
): Promise<Answer> {
  return withSpinner(context.stderr, doing, () => ask(payments.gateway, cashier));
}

import { type GatewayServices, openGatewayServices } from '../../src/app/gateway-services.js';
import { openStorage } from '../../src/app/open-storage.js';
import { AppError } from '../../src/base/errors.js';
import type { Cashier } from '../../src/payments/sessions/sessions.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { CommandContext, CommandInput, OptionDefinition } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { findSession, type TillSession } from './session-file.js';
import { withTroubleLog } from './trouble-log.js';

/** What every `pay` command works with. */
export interface Till extends GatewayServices {
  readonly context: CommandContext;
  readonly input: CommandInput;
  /** IANA zone of the provider: whose days and clocks are meant and shown. */
  readonly zone: string;
}

/** Flags of every `pay` command. */
export const tillOptions: readonly OptionDefinition[] = [
  {
    flags: '--session <file>',
    description: 'file of the session (default ~/.config/msgsite/session.json)',
  },
  ...configOptions('data', 'database', 'provider', 'webhooks'),
];

/**
 * Opens the payment services on the data folder or the database for `work`, and closes them whatever
 * comes of it.
 */
export async function withTill<Result>(
  context: CommandContext,
  input: CommandInput,
  work: (till: Till) => Promise<Result>,
): Promise<Result> {
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

/** Who is signed in at this till. */
export interface SignedIn {
  readonly cashier: Cashier;
  readonly session: TillSession;
}

/** The cashier that is signed in; `not_signed_in` (exit code 4) where there is none. */
export async function requireCashier({ context, input, payments }: Till): Promise<SignedIn> {
  const found = await findSession(context, input);
  if (!found) throw notSignedIn('Nobody is signed in.');
  const { session } = found;
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

/** Asks the provider, showing on a terminal that it is being asked. */
export function asking<Result>(
  { context }: Till,
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return withSpinner(context.stderr, text, work);
}

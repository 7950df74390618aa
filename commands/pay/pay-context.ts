import { AppError } from '../../src/base/errors.js';
import type {
  CashierCalls,
  GatewayClient,
  PaymentRecords,
} from '../../src/payments/client/gateway-client.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { CommandContext, CommandInput, OptionDefinition } from '../command.js';
import { configOptions } from '../config-options.js';
import { addressOf, type Choice, withGateway } from './choose-gateway.js';
import { type FoundSession, findSession, sessionFileOf } from './session-file.js';

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
  ...configOptions('gateway', 'data', 'database', 'provider', 'webhooks'),
];

/** Does `work` with the gateway that the flags name, and lets go of it whatever comes of it. Gives its exit code. */
export async function withPay(
  context: CommandContext,
  input: CommandInput,
  work: (pay: PayContext) => Promise<number | undefined>,
  { listsOnly = false }: Partial<Pick<Choice, 'listsOnly'>> = {},
): Promise<number | undefined> {
  const address = addressOf(context, input);
  const origin = address === undefined ? undefined : new URL(address).origin;
  const sessionFile = sessionFileOf(context, input, origin);
  const session = () => findSession(context, input, origin);
  const chosen = { context, input, address, session, listsOnly };
  return withGateway(chosen, (gateway) => {
    const records = async () => gateway.records(await session());
    return work({ context, input, gateway, sessionFile, session, records });
  });
}

/** Who is signed in here. */
export interface SignedIn {
  readonly cashier: CashierCalls;
  /** What is kept of the sign-in. */
  readonly kept: FoundSession;
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
export async function requireCashier({ session, gateway }: PayContext): Promise<SignedIn> {
  const kept = await session();
  if (kept) return { cashier: await gateway.cashier(kept), kept };
  throw new AppError('not_signed_in', 'Nobody is signed in.', {
    hint: 'Sign in with msgsite pay login. A session belongs to the gateway, data folder or database it was made with.',
  });
}

/** Asks the bank as that cashier; `doing` is shown on a terminal meanwhile. */
export function askBank<Answer>(
  { context, cashier }: CashierContext,
  doing: string,
  ask: (cashier: CashierCalls) => Promise<Answer>,
): Promise<Answer> {
  return withSpinner(context, doing, () => ask(cashier));
}

import { openGatewayClient } from '../../src/app/open-gateway-client.js';
import { AppError } from '../../src/base/errors.js';
import { readSettings } from '../../src/config/config.js';
import type { GatewayClient, SessionPair } from '../../src/payments/client/gateway-client.js';
import type { CommandContext, CommandInput } from '../command.js';
import { configOf } from '../config-options.js';
import { withTroubleLog } from './trouble-log.js';

/** Flags that say where the data of a gateway in this process is, and what it works with. */
const localFlags = ['data', 'database', 'provider', 'webhooks'] as const;

/**
 * The address of the gateway elsewhere that a call is for; undefined where it is for the data itself. A flag that only the
 * latter has is a `usage` error beside it; variables are passed over, whatever they say.
 */
export function addressOf(
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

export interface Choice {
  readonly context: CommandContext;
  readonly input: CommandInput;
  readonly address: string | undefined;
  /** What is kept of the sign-in. */
  session(): Promise<SessionPair | undefined>;
  /** True where lists alone are wanted, which make and change nothing. */
  readonly listsOnly: boolean;
}

type Work<Result> = (gateway: GatewayClient) => Promise<Result>;

/** Does `work` with a gateway and lets go of it afterwards. Only the kind that is chosen is loaded. */
export function withGateway<Result>(choice: Choice, work: Work<Result>): Promise<Result> {
  return choice.address === undefined
    ? withOwnGateway(choice, work)
    : withRemoteGateway({ ...choice, address: choice.address }, work);
}

async function withOwnGateway<Result>(
  { context, input, listsOnly }: Choice,
  work: Work<Result>,
): Promise<Result> {
  const config = configOf(context, input);
  const { clock, env: environment } = context;
  return withTroubleLog(context, async (log) => {
    const gateway = await openGatewayClient({ config, clock, environment, log, listsOnly });
    return closed(gateway, work);
  });
}

async function withRemoteGateway<Result>(
  { context, address, session }: Choice & { readonly address: string },
  work: Work<Result>,
): Promise<Result> {
  const { createRemoteClient } = await import('../../src/payments/client/remote-client.js');
  const { clock, signal } = context;
  return closed(createRemoteClient({ address, clock, signal, findSession: session }), work);
}

async function closed<Result>(gateway: GatewayClient, work: Work<Result>): Promise<Result> {
  try {
    return await work(gateway);
  } finally {
    await gateway.close();
  }
}

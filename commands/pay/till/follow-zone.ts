import type { Clock } from '../../../src/base/clock.js';
import type { GatewayClient } from '../../../src/payments/client/gateway-client.js';

/** Milliseconds between two questions for the zone. */
const pause = 3000;

/**
 * The gateway's zone. One that is away, or that nobody is signed in at yet, names it later; until then it is that of
 * this machine.
 */
export function followZone(
  gateway: Pick<GatewayClient, 'zone'>,
  clock: Pick<Clock, 'monotonic'>,
): () => string {
  const { timeZone: own } = new Intl.DateTimeFormat().resolvedOptions();
  let known: string | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = async () => {
    askedAt = Number.POSITIVE_INFINITY;
    known = await gateway.zone().catch(() => undefined);
    askedAt = clock.monotonic();
  };
  return () => {
    if (known === undefined && clock.monotonic() - askedAt >= pause) void ask();
    return known ?? own;
  };
}

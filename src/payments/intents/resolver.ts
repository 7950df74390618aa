import type { AuditLog } from '../../base/audit.js';
import { type Clock, momentOf } from '../../base/clock.js';
import { every } from '../../base/every.js';
import type { Logger } from '../../base/log.js';
import type { PaymentFollower } from '../payment-follower.js';
import { askOperation } from '../providers/ask-operation.js';
import { type PaymentProvider, type ProviderCall, ProviderError } from '../providers/provider.js';
import { askAsOrganization } from '../sessions/ask-as-organization.js';
import type { Cashier, Sessions } from '../sessions/sessions.js';
import type { PaymentStores } from '../store.js';
import { createFindCandidates } from './candidates.js';
import { findMade } from './find-made.js';
import { type Intent, operationOf } from './intent.js';
import { type Candidate, certainPairs } from './match.js';
import type { MoneyCalls } from './money-calls.js';
import { type Outcomes, readFound, readMade } from './outcomes.js';
import { createRecovered } from './recovered.js';

export interface ResolverOptions {
  readonly stores: Pick<PaymentStores, 'payments' | 'intents' | 'refunds' | 'takeoverTime'>;
  readonly provider: PaymentProvider;
  readonly sessions: Sessions;
  readonly calls: MoneyCalls;
  readonly outcomes: Outcomes;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly zone: string;
  readonly log: Logger;
  readonly follower: PaymentFollower;
  /** Milliseconds from round to round. */
  readonly resolveInterval: number;
  /** Milliseconds that a call to the provider may take. */
  readonly providerTimeout: number;
}

/** Milliseconds between two answers of "nothing was made", after which it is believed. */
const notMadeAfter = 60_000;
/** An intent is asked for again after a tenth of its age, at least so often (milliseconds). */
const longestPause = 3_600_000;
/** Ids of operations that are kept for a person to choose from. */
const mostCandidates = 100;

export type Resolver = ReturnType<typeof createResolver>;

/**
 * Finds out what has become of intents in doubt, by reading only: by key where the provider tells what a key
 * has made, else among its operations that are not stored here. What is not certain is left to a person.
 */
export function createResolver(options: ResolverOptions) {
  const { stores, provider, sessions, calls, outcomes, audit, clock, log } = options;
  const { intents } = stores;
  const findCandidates = createFindCandidates(options);
  const recovered = createRecovered(options);
  /** Monotonic moments: when an intent was last asked for, and its key first unknown to the provider. */
  const asked = new Map<string, number>();
  const unknownSince = new Map<string, number>();
  /** Monotonic moments at which intents were begun: a wall clock that steps makes none older. */
  const begunAt = new Map<string, number>();
  /** When an operation that may be an intent's was first seen. */
  const seenSince = new Map<string, number>();

  function isDue({ id, createdAt }: Intent): boolean {
    const last = asked.get(id);
    const begun = begunAt.get(id) ?? momentOf(createdAt, clock);
    begunAt.set(id, begun);
    const pause = Math.min(longestPause, Math.max(0, clock.monotonic() - begun) / 10);
    return last === undefined || clock.monotonic() - last >= pause;
  }

  function timeSince(moments: Map<string, number>, name: string): number {
    const now = clock.monotonic();
    const since = moments.get(name) ?? now;
    moments.set(name, since);
    return now - since;
  }

  /** Twice, as the first answer may have been given while the call was still under way. */
  async function noteUnknown(intent: Intent): Promise<void> {
    if (timeSince(unknownSince, intent.id) < notMadeAfter) return;
    // Its key may be used again: what is in doubt then has the same name.
    unknownSince.delete(intent.id);
    await outcomes.closeNotMade(intent, 'gateway');
  }

  async function askByKey(intent: Intent, session: Cashier, call: ProviderCall): Promise<void> {
    const input = { session: session.credentials, operation: operationOf[intent.kind] };
    try {
      const answer = await provider.lookup(input, { ...call, idempotencyKey: intent.key });
      unknownSince.delete(intent.id);
      await outcomes.adopt(intent, readMade(intent, answer), 'gateway');
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error;
      await noteUnknown(intent);
    }
  }

  /** What an intent may have made, which is noted for people; nothing where it is clear by now. */
  async function look(intent: Intent, call: ProviderCall): Promise<readonly Candidate[]> {
    asked.set(intent.id, clock.monotonic());
    // Its process may have died, or lost its claim, right after it had stored what was made.
    const operationId = await findMade(stores, intent);
    if (operationId !== undefined) {
      await outcomes.settle(intent, { operationId, amount: null });
      return [];
    }
    return askAsOrganization(sessions, intent, async (session) => {
      if (session.session.capabilities?.lookup) {
        await askByKey(intent, session, call);
        return [];
      }
      const found = await findCandidates(intent, session, call);
      await noteCandidates(intent, found);
      return found;
    });
  }

  async function noteCandidates(intent: Intent, found: readonly Candidate[]): Promise<void> {
    const candidates = found.slice(0, mostCandidates).map(({ id }) => id);
    if (candidates.join() === (intent.candidates ?? []).join()) return;
    await intents.change(intent.id, (kept) =>
      kept.state === 'in_doubt' ? { ...kept, candidates } : undefined,
    );
  }

  async function adopt(intent: Intent, { id }: Candidate, call: ProviderCall): Promise<void> {
    const { organizationId, kind } = intent;
    // It may belong to a call that is under way in some process, or was when that died; by then that is stored
    // or in doubt itself.
    const seenFor = timeSince(seenSince, `${organizationId} ${kind} ${id}`);
    if (seenFor <= options.providerTimeout + stores.takeoverTime) return;
    if (kind === 'refund') {
      await outcomes.adopt(intent, { operationId: id, amount: null }, 'gateway');
      return;
    }
    const answer = await askAsOrganization(sessions, intent, ({ credentials }) =>
      askOperation(provider, { type: kind, id }, credentials, call),
    );
    await outcomes.adopt(intent, readFound(kind, id, answer), 'gateway');
  }

  async function attempt(intent: Intent, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ intent: intent.id, reason }, 'An act in doubt is not clear yet.');
    }
  }

  /** Intents that one operation could be of: they are looked at together, so that none is guessed. */
  async function resolveGroup(group: readonly Intent[], call: ProviderCall): Promise<void> {
    const candidates = new Map<Intent, readonly Candidate[]>();
    for (const intent of group) {
      await attempt(intent, async () => void candidates.set(intent, await look(intent, call)));
    }
    // One that could not be looked at could have a candidate of another.
    if (candidates.size < group.length) return;
    for (const [intent, found] of certainPairs(candidates)) {
      await attempt(intent, () => adopt(intent, found, call));
    }
  }

  async function resolveAll(signal: AbortSignal): Promise<void> {
    const groups = new Map<string, Intent[]>();
    const ids = new Set<string>();
    for await (const intent of intents.list('in_doubt')) {
      const { id, organizationId, kind, paymentId = '' } = intent;
      const name = `${organizationId} ${kind} ${paymentId}`;
      const group = groups.get(name) ?? [];
      group.push(intent);
      groups.set(name, group);
      ids.add(id);
    }
    for (const group of groups.values()) {
      signal.throwIfAborted();
      if (group.some(isDue)) await resolveGroup(group, { signal });
    }
    for (const moments of [asked, unknownSince, begunAt]) {
      for (const id of moments.keys()) if (!ids.has(id)) moments.delete(id);
    }
    if (ids.size === 0) seenSince.clear();
  }

  async function attemptAll(steps: readonly (() => Promise<void>)[], signal?: AbortSignal) {
    for (const step of steps) {
      await step().catch((err) => {
        if (!signal?.aborted) log.error({ err }, 'Acts in doubt could not be gone through.');
      });
    }
  }

  const recover = () => audit.recover(recovered);
  const round = (signal: AbortSignal) =>
    attemptAll([recover, calls.retry, () => resolveAll(signal)], signal);

  return {
    /** Puts in doubt what processes that have died had begun: before a request may repeat one of those. */
    recover: () => attemptAll([recover]),
    /** Goes through what is in doubt once. */
    round,
    /** Goes through it now, and again and again until `signal` aborts. */
    run: (signal: AbortSignal) => every(options.resolveInterval, round, { clock, signal }),
  };
}

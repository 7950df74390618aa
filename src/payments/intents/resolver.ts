import { momentOf } from '../../base/clock.js';
import { every } from '../../base/every.js';
import { askOperation, type ProviderCall, ProviderError } from '../providers/provider.js';
import { askAsOrganization, type Cashier } from '../sessions/sessions.js';
import { type Candidate, createCandidates } from './candidates.js';
import { type Intent, mayBeAnswered, operationOf } from './intent.js';
import type { MoneyCalls } from './money-calls.js';
import { type IntentParts, readFound, readMade } from './outcomes.js';
import { findMade } from './recovered.js';

interface ResolverOptions extends IntentParts {
  readonly calls: MoneyCalls;
  /** Interval between two rounds, in milliseconds. */
  readonly resolveInterval: number;
}

/** Interval between two checks for calls of dead processes, in milliseconds. */
const recoverInterval = 3_000;
/**
 * Time during which lookups must find nothing before an intent is closed as never made, in milliseconds. Used if the
 * provider declares no `lookupHorizon`. Banks may queue accepted requests.
 */
const usualHorizon = 900_000;
/** Time after which a QR code that no client received is abandoned, in milliseconds. */
const abandonedAfter = 30 * 60_000;
/** Maximum pause between two checks of an intent, in milliseconds. The pause is usually a tenth of the intent's age. */
const maxPause = 3_600_000;
/** Maximum number of candidates stored for an intent. */
const maxCandidates = 100;

/**
 * Determines the outcomes of intents in doubt with read-only requests. Adopts an operation only if the provider reports
 * it under the intent's key, in a lookup or in its lists. Stores similar operations as candidates for a person to
 * choose from.
 */
export function createResolver(options: ResolverOptions) {
  const { stores, provider, sessions, calls, outcomes, clock, log } = options;
  const { intents } = stores;
  const findOperations = createCandidates(options).find;
  const startedAt = { now: clock.now(), monotonic: clock.monotonic() };
  /** Monotonic times by intent: its last check, the first lookup that found nothing, and its creation. */
  const lastChecks = new Map<string, number>();
  const unknownSince = new Map<string, number>();
  const begunAt = new Map<string, number>();

  /**
   * Returns the age of an intent in milliseconds by the monotonic clock. Its creation time comes from the wall clock,
   * which may have stepped since this process started or before the intent was stored. Returns the smaller of the two
   * possible ages.
   */
  function ageOf({ id, createdAt }: Intent): number {
    const now = clock.monotonic();
    const sinceStart = startedAt.monotonic + (createdAt - startedAt.now);
    const begun =
      begunAt.get(id) ?? Math.min(now, Math.max(sinceStart, momentOf(createdAt, clock)));
    begunAt.set(id, begun);
    return now - begun;
  }

  function isDue(intent: Intent): boolean {
    const last = lastChecks.get(intent.id);
    const pause = Math.min(maxPause, ageOf(intent) / 10);
    return last === undefined || clock.monotonic() - last >= pause;
  }

  /** Closes an intent as never made once lookups have found nothing during the provider's horizon. */
  async function noteUnknown(intent: Intent, { session }: Cashier): Promise<void> {
    const now = clock.monotonic();
    const since = unknownSince.get(intent.id) ?? now;
    unknownSince.set(intent.id, since);
    const { lookupHorizon } = session.capabilities ?? {};
    const horizon = lookupHorizon === undefined ? usualHorizon : lookupHorizon * 1000;
    if (now - since < horizon || mayBeAnswered(intent, clock)) return;
    // If its key is used again, the next intent has the same ID.
    unknownSince.delete(intent.id);
    await outcomes.closeNotMade(intent, 'gateway');
  }

  async function adoptByKey(intent: Intent, cashier: Cashier, call: ProviderCall) {
    const input = { session: cashier.credentials, operation: operationOf[intent.kind] };
    const answer = await provider.lookup(input, { ...call, idempotencyKey: intent.key });
    return outcomes.adopt(intent, readMade(intent, answer), 'gateway');
  }

  async function adoptProven(intent: Intent, id: string, cashier: Cashier, call: ProviderCall) {
    const { kind } = intent;
    if (kind === 'refund') {
      return outcomes.adopt(intent, { operationId: id, amount: null }, 'gateway');
    }
    const answer = await askOperation(provider, { type: kind, id }, cashier.credentials, call);
    return outcomes.adopt(intent, readFound(kind, id, answer), 'gateway');
  }

  /** Adopts the operation of an intent if the provider has proof of it. Returns false if there is no proof. */
  async function adoptByProof(
    intent: Intent,
    cashier: Cashier,
    call: ProviderCall,
  ): Promise<boolean> {
    if (cashier.session.capabilities?.lookup) {
      try {
        await adoptByKey(intent, cashier, call);
        return true;
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error;
        return false;
      }
    }
    const { proven, candidates } = await findOperations(intent, cashier, call);
    if (proven !== undefined) await adoptProven(intent, proven, cashier, call);
    else await noteCandidates(intent, candidates);
    return proven !== undefined;
  }

  async function noteCandidates(intent: Intent, found: readonly Candidate[]): Promise<void> {
    const candidates = found.slice(0, maxCandidates);
    if (JSON.stringify(candidates) === JSON.stringify(intent.candidates ?? [])) return;
    await intents.change(intent.id, (kept) =>
      kept.state === 'in_doubt' ? { ...kept, candidates } : undefined,
    );
  }

  async function ask(intent: Intent, call: ProviderCall): Promise<void> {
    await askAsOrganization(sessions, intent, async (cashier) => {
      const isProven = await adoptByProof(intent, cashier, call);
      const { lookup } = cashier.session.capabilities ?? {};
      if (isProven || !lookup) unknownSince.delete(intent.id);
      else await noteUnknown(intent, cashier);
    });
  }

  async function resolve(intent: Intent, call: ProviderCall): Promise<void> {
    lastChecks.set(intent.id, clock.monotonic());
    // A process may have died or lost its claim right after it stored the result.
    const operationId = await findMade(stores, intent);
    if (operationId !== undefined) {
      await outcomes.settle(intent, { operationId, amount: null });
      return;
    }
    await ask(intent, call).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ intent: intent.id, reason }, 'A request in doubt is not settled yet.');
    });
    if (intent.kind === 'qr' && ageOf(intent) >= abandonedAfter) {
      await outcomes.closeNotMade(intent, 'gateway', 'abandoned');
    }
  }

  async function resolveAll(signal: AbortSignal): Promise<void> {
    const due: Intent[] = [];
    const ids = new Set<string>();
    for await (const intent of intents.list('in_doubt')) {
      ids.add(intent.id);
      if (isDue(intent)) due.push(intent);
    }
    const failures: unknown[] = [];
    for (const intent of due) {
      signal.throwIfAborted();
      await resolve(intent, { signal }).catch((error) => failures.push(error));
    }
    for (const moments of [lastChecks, unknownSince, begunAt]) {
      for (const id of moments.keys()) if (!ids.has(id)) moments.delete(id);
    }
    if (failures.length > 0) throw failures[0];
  }

  async function attemptAll(steps: readonly (() => Promise<void>)[], signal?: AbortSignal) {
    for (const step of steps) {
      await step().catch((err) => {
        if (!signal?.aborted) log.error({ err }, 'Requests in doubt could not be checked.');
      });
    }
  }

  const { recover } = calls;
  const round = (signal: AbortSignal) =>
    attemptAll([recover, calls.retry, () => resolveAll(signal)], signal);

  return {
    /** Recovers the calls of dead processes. Call it before requests can repeat them. */
    recover: () => calls.track(attemptAll([recover])),
    /** Checks all intents in doubt once. */
    round,
    /**
     * Checks all intents in doubt periodically until `signal` aborts. Recovers the calls of dead processes on a
     * separate timer, so that they are in doubt soon after the leases expire, even during a long round.
     */
    async run(signal: AbortSignal): Promise<void> {
      // Rounds start with the same step and report its failures.
      const onError = () => {};
      await Promise.all([
        every(options.resolveInterval, round, { clock, signal }),
        every(recoverInterval, recover, { clock, signal, sleepFirst: true, onError }),
      ]);
    },
    /**
     * Checks once more whether an intent that was closed as never made succeeded after all, because a bank may queue
     * requests for longer than it declares. An operation that is found is adopted and reported as an error.
     */
    async recheck(closed: Intent, cashier: Cashier, call: ProviderCall): Promise<void> {
      // If its key was reused, an operation made under it since then is already stored.
      if ((await findMade(stores, closed)) !== undefined) return;
      await adoptByProof(closed, cashier, call);
    },
  };
}

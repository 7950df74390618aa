import type { Clock } from '../../base/clock.js';
import { every } from '../../base/every.js';
import type { Logger } from '../../base/log.js';
import { ProviderError } from '../providers/provider.js';
import type { Cashier, Sessions } from '../sessions/sessions.js';
import type { ReconciliationClaims } from '../store.js';
import { describeDifferences, type NextStep } from './difference-words.js';
import { countDifferences, type Differences } from './differences.js';
import type { Reconcile } from './reconcile.js';
import { dueDay, isDue, type NightlyState } from './reconcile-schedule.js';

export interface NightlyOptions {
  readonly reconcile: Reconcile;
  readonly sessions: Pick<Sessions, 'organizations' | 'forPayment'>;
  /** How processes share the days out; absent where there is only one. */
  readonly claims: ReconciliationClaims | undefined;
  /** `HH:MM` on the provider's clocks. */
  readonly at: string;
  readonly zone: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Compares each day with the provider in the night after it, until `signal` aborts. */
export type Nightly = (signal: AbortSignal) => Promise<void>;

/** How often it is asked whether the time has come, in milliseconds. */
const askEvery = 30_000;
/** The run of one organization ends after so long, in milliseconds. */
const longestRun = 10 * 60_000;
/** Sessions of one organization that are tried. */
const tries = 3;

export function createNightly(options: NightlyOptions): Nightly {
  const { reconcile, sessions, claims, at, zone, clock, log } = options;

  async function cashierOf(organization: number): Promise<Cashier | undefined> {
    const known = await sessions.forPayment(organization, '');
    return known.find(
      ({ session }) => session.loggedOutAt === undefined && session.endedUpstreamAt === undefined,
    );
  }

  /** Asks as whoever is signed in; a session that turns out to have ended makes room for the next one. */
  async function compare(organization: number, day: string, signal: AbortSignal) {
    for (let attempt = 1; ; attempt++) {
      const cashier = await cashierOf(organization);
      if (!cashier) return undefined;
      try {
        return await reconcile(cashier, day, signal);
      } catch (error) {
        const hasEnded = error instanceof ProviderError && error.kind === 'session_ended';
        if (!hasEnded || attempt === tries) throw error;
      }
    }
  }

  async function compareAndReport(organization: number, day: string, stopping: AbortSignal) {
    const again = `msgsite pay reconcile --day ${day}`;
    try {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(longestRun)]);
      const differences = await compare(organization, day, signal);
      if (differences) report(organization, differences);
      else
        log.warn({ organization, day }, `Nobody is signed in to compare the day. ${again} later.`);
    } catch (err) {
      // What a shutdown cuts off has not failed.
      if (stopping.aborted) return;
      const message = `The day could not be compared with the provider. Try ${again}`;
      log.error({ err, organization, day }, message);
    }
  }

  function report(organization: number, differences: Differences): void {
    const { day } = differences;
    if (countDifferences(differences) === 0) {
      log.info({ organization, day }, 'The day is the same here and at the provider.');
    }
    for (const { kind, id, amount, says, advice, next } of describeDifferences(differences)) {
      const todo = [advice, ...next.map(commandOf)].filter(Boolean).join(' ');
      log.error({ organization, day, difference: kind, id, amount }, `${id} ${says}. ${todo}`);
    }
  }

  /** A shutdown waits for no provider: what is under way then only reads. */
  function run(day: string, stopping: AbortSignal): Promise<unknown> {
    const stopped = new Promise<void>((resolve) =>
      stopping.addEventListener('abort', () => resolve(), { once: true }),
    );
    const work = async () => {
      for (const organization of sessions.organizations()) {
        if (!stopping.aborted) await compareAndReport(organization, day, stopping);
      }
    };
    return Promise.race([work(), stopped]);
  }

  return function nightly(signal) {
    let state: NightlyState = {
      day: dueDay(clock.now(), at, zone),
      since: clock.monotonic(),
      hasRun: false,
    };
    const round = async () => {
      const day = dueDay(clock.now(), at, zone);
      if (!isDue(state, day, clock.monotonic())) return;
      const claim = (await claims?.claim(day)) ?? 'mine';
      // Whoever has it may die: it is asked again until it is done.
      if (claim === 'busy') return;
      if (claim === 'mine') {
        await run(day, signal);
        if (!signal.aborted) await claims?.finish(day);
      }
      state = { day, since: clock.monotonic(), hasRun: true };
    };
    const onError = (err: unknown) =>
      log.error({ err }, 'The nightly reconciliation failed; it is tried again.');
    return every(askEvery, round, { clock, signal, onError });
  };
}

function commandOf({ path, words }: NextStep): string {
  return `msgsite ${path} ${words.join(' ')}`;
}

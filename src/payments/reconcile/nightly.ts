import type { Differences } from '#validators/gateway';
import type { Reconciled } from '#validators/state-records';
import { AppError } from '../../base/errors.js';
import { createAlarm, every } from '../../base/every.js';
import type { PaymentParts } from '../parts.js';
import { ProviderError } from '../providers/provider.js';
import type { Cashier, Sessions } from '../sessions/sessions.js';
import type { ReconciliationClaims } from '../store.js';
import { providerDay } from '../zoned-time.js';
import { dueDay, firstDayBack, uncomparedDays } from './days.js';
import { countDifferences, describeDifferences, type NextStep } from './differences.js';
import { type DaysByOrganization, daysWithOtherActs, daysWithPayments } from './own-records.js';
import type { Reconcile } from './reconcile.js';
import type { ReconciliationMarks } from './reconciliation-marks.js';

export interface NightlyOptions extends Pick<PaymentParts, 'stores' | 'zone' | 'clock' | 'log'> {
  /** Compares a day and stores that it was compared. */
  readonly reconcile: Reconcile;
  readonly sessions: Pick<Sessions, 'forPayment'>;
  readonly marks: ReconciliationMarks;
  /** Distributes organizations among processes; undefined if there is only one process. */
  readonly claims: ReconciliationClaims | undefined;
  /** `HH:MM` in the provider's zone. */
  readonly at: string;
}

/**
 * Compares each day with the provider the following night, for each organization that had payments that day. If nobody
 * is signed in, or the comparison fails, the day is compared after the organization's next sign-in or the next night.
 */
export interface Nightly {
  /** Begins with the days that have not been compared yet, and continues until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Reports that a cashier of the organization has signed in. */
  signedIn(organizationId: number): void;
}

/** Interval between two checks for due days, in milliseconds. */
const checkEvery = 30_000;
/** Time limit of the comparison of one organization's day, in milliseconds. @internal */
const maxRun = 10 * 60_000;
/** Maximum number of sessions of one organization that are tried. */
const maxTries = 3;

export function createNightly(options: NightlyOptions): Nightly {
  const { reconcile, sessions, stores, marks, claims, at, zone, clock, log } = options;
  const alarm = createAlarm(clock);
  /** The due day of the last round over all organizations. */
  let doneFor: string | undefined;
  let others: DaysByOrganization = new Map();
  /** Organizations that another process was comparing when this process reached them. */
  const elsewhere = new Set<number>();
  const signedIn = new Set<number>();

  async function cashierOf(organization: number): Promise<Cashier | undefined> {
    const known = await sessions.forPayment(organization, '');
    return known.find(
      ({ session }) => session.loggedOutAt === undefined && session.endedUpstreamAt === undefined,
    );
  }

  /** Compares a day as a signed-in cashier. Returns undefined if no session is valid. */
  async function compare(organization: number, day: string, signal: AbortSignal) {
    for (let attempt = 1; attempt <= maxTries; attempt++) {
      const cashier = await cashierOf(organization);
      if (!cashier) return undefined;
      try {
        return await reconcile(cashier, day, signal);
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'session_ended') throw error;
      }
    }
    return undefined;
  }

  /** Compares a day and logs the differences. Returns whether it was compared; undefined if nobody is signed in. */
  async function compareAndReport(
    organization: number,
    day: string,
    stopping: AbortSignal,
  ): Promise<boolean | undefined> {
    try {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(maxRun)]);
      const differences = await compare(organization, day, signal);
      if (differences) report(organization, differences);
      return differences && true;
    } catch (err) {
      // A comparison that a shutdown aborts is not a failure.
      if (stopping.aborted) return false;
      const message = `The day could not be compared with the provider. It will be retried the next night and when a cashier signs in. msgsite pay reconcile --day ${day} retries it now.`;
      log.error({ err, organization, day }, message);
      return false;
    }
  }

  function report(organization: number, differences: Differences): void {
    const { day } = differences;
    if (countDifferences(differences) === 0) {
      log.info({ organization, day }, 'The day has no differences.');
    }
    for (const { kind, id, amount, says, advice, next: steps } of describeDifferences(
      differences,
    )) {
      const instructions = [advice, ...steps.map(commandOf)].filter(Boolean).join(' ');
      log.error(
        { organization, day, difference: kind, id, amount },
        `${id} ${says}. ${instructions}`,
      );
    }
  }

  /** Returns the days of an organization that are to be compared, oldest first. */
  async function openDays(
    organization: number,
    due: string,
    compared: readonly string[],
  ): Promise<string[]> {
    const days = uncomparedDays({ due, since: await marks.since(due), compared });
    const withPayments = await daysWithPayments(stores, organization, days, zone);
    const otherDays = others.get(organization);
    return days.filter((day) => withPayments.includes(day) || otherDays?.has(day));
  }

  /** Compares days in sequence and returns those that could not be compared. */
  async function compareDays(
    organization: number,
    days: readonly string[],
    stopping: AbortSignal,
  ): Promise<string[]> {
    const left: string[] = [];
    for (const [index, day] of days.entries()) {
      const isCompared = stopping.aborted
        ? undefined
        : await compareAndReport(organization, day, stopping);
      if (isCompared === undefined) return [...left, ...days.slice(index)];
      if (!isCompared) left.push(day);
    }
    return left;
  }

  /**
   * Compares the days of an organization, once a night in only one process. With `again`, retries days that could not
   * be compared. Returns false while another process is comparing them.
   */
  async function compareOrganization(
    organization: number,
    { due, again, stopping }: { due: string; again: boolean; stopping: AbortSignal },
  ): Promise<boolean> {
    const known = () => marks.of(organization, providerDay(clock.now(), zone));
    const isDone = ({ due: last, behind }: Reconciled) =>
      last === due && !(again && behind.length > 0);
    if (isDone(await known())) return true;
    if (claims && !(await claims.claim(organization))) return false;
    try {
      // Another process may have just finished the comparison.
      const before = await known();
      if (isDone(before)) return true;
      const days = await openDays(organization, due, before.compared);
      const left = await compareDays(organization, days, stopping);
      if (stopping.aborted) return true;
      await marks.end(organization, due, left);
      if (before.due !== due && left.length > 0) warn(organization, left);
      return true;
    } finally {
      await claims?.release(organization).catch(() => {});
    }
  }

  /**
   * Like `compareOrganization`, but logs damaged records instead of throwing, so that other organizations are still
   * compared.
   */
  async function compareOrReport(
    ...[organization, options]: Parameters<typeof compareOrganization>
  ) {
    try {
      return await compareOrganization(organization, options);
    } catch (err) {
      if (!(err instanceof AppError) || err.code !== 'data_damaged') throw err;
      log.error({ err, organization }, 'The days of an organization could not be compared.');
      return true;
    }
  }

  async function compareAll(due: string, stopping: AbortSignal): Promise<void> {
    // A cashier may have signed in while no server was running.
    const again = doneFor === undefined;
    others = await daysWithOtherActs(stores, firstDayBack(due), zone);
    const organizations = new Set([...(await stores.payments.organizations()), ...others.keys()]);
    for (const organization of organizations) {
      if (stopping.aborted) return;
      signedIn.delete(organization);
      const isDone = await compareOrReport(organization, { due, again, stopping });
      if (!isDone) elsewhere.add(organization);
    }
    doneFor = due;
  }

  function warn(organization: number, left: readonly string[]): void {
    const [oldest = ''] = left;
    const days = left.length === 1 ? 'a day' : `${left.length} days`;
    log.warn(
      { organization, days: left.length, oldest },
      `An organization is ${days} behind: its payments were not compared with the provider. They will be compared when a cashier signs in. msgsite pay reconcile --day ${oldest} compares the oldest day now.`,
    );
  }

  async function work(stopping: AbortSignal): Promise<void> {
    const due = dueDay(clock.now(), at, zone);
    for (const organization of [...elsewhere]) {
      if (stopping.aborted) return;
      const isDone = await compareOrReport(organization, { due, again: false, stopping });
      if (isDone) elsewhere.delete(organization);
    }
    if (due !== doneFor) await compareAll(due, stopping);
    for (const organization of [...signedIn]) {
      if (stopping.aborted) return;
      signedIn.delete(organization);
      await compareOrReport(organization, { due, again: true, stopping });
    }
  }

  return {
    run(signal) {
      /** A shutdown does not wait for the provider, because a comparison only reads. */
      const stopped = new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve(), { once: true }),
      );
      const round = () => Promise.race([work(signal), stopped]);
      const onError = (err: unknown) =>
        log.error({ err }, 'The nightly reconciliation failed. Retrying.');
      return every(checkEvery, round, { clock: alarm, signal, onError });
    },
    signedIn(organizationId) {
      signedIn.add(organizationId);
      alarm.ring();
    },
  };
}

function commandOf({ path, words }: NextStep): string {
  return `msgsite ${path} ${words.join(' ')}`;
}

import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { asDamage } from '../../storage/json/check/data-checker.js';
import { isLeased, takeLease } from '../../storage/json/ownership/lease.js';
import type { RecordClaim } from '../../storage/json/records/record-claims.js';
import { dayOf } from '../../storage/json/records/record-file.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import { isPaymentKey, newestFirst, type Payment, paymentKey } from '../payment.js';
import type { PaymentStore } from '../store.js';
import { createOrganizations, writeOrganizations } from './organizations.js';
import { createPaymentPages } from './payment-pages.js';
import { paymentPlan } from './plans.js';

export interface JsonPaymentStoreOptions {
  /** `<data>/payments` */
  readonly folder: string;
  readonly clock: Clock;
  /** The name of this process for messages about a folder in use, such as `serve` or `pay`. */
  readonly label?: string;
  /** Called for each record that is skipped because its file is damaged. */
  onDamaged(error: AppError): void;
  /** True to prevent the creation and removal of files. */
  readonly readOnly?: boolean;
  readonly files?: FileLayer;
}

/** Maximum number of records that are read concurrently. */
const batch = 64;

/**
 * Stores each payment in a file in `open/`, `ended/<day>/` or `unknown/`, and an empty file in `organizations/` for
 * each organization that has payments. The watcher of all payments holds the lease `watcher.json`. A process that
 * watches a single payment claims its file.
 */
export async function openJsonPaymentStore(
  options: JsonPaymentStoreOptions,
): Promise<PaymentStore & { close(): Promise<void> }> {
  const { folder, clock, onDamaged, files = systemFiles } = options;
  const records = await openRecordFolder({ ...options, plan: paymentPlan });
  const organizations = createOrganizations(folder, files);
  if (!options.readOnly) await writeOrganizations(folder, [], files);
  const watcher = {
    ...{ files, path: join(folder, 'watcher.json'), clock },
    ends: 'unrenewed' as const,
  };
  const isWatched = () => isLeased(watcher);
  /** Claims of the payments that this process watches individually, by key. */
  const alone = new Map<string, RecordClaim<Payment>>();

  const find = async (key: string) => (await records.find(key))?.record;

  /** Finds a payment for a list. Reports a damaged payment and returns undefined. */
  const findSound = (key: string) => find(key).catch((error) => void onDamaged(asDamage(error)));

  /** Replaces a payment with the result of `next`, unless that is undefined. */
  async function change(
    key: string,
    next: (before: Payment) => Payment | undefined,
  ): Promise<void> {
    const claim = alone.get(key);
    if (claim) {
      const record = next(claim.record);
      if (record) await claim.update(record);
      return;
    }
    await records.change(key, (before) => {
      const record = before && next(before);
      return { ...(record ? { record } : {}), result: undefined };
    });
  }

  /** Returns an open payment. If a crash left a payment here that is no longer open, moves it to its folder. */
  async function readOpen(key: string): Promise<Payment | undefined> {
    try {
      const payment = await find(key);
      if (payment?.state === 'open') return payment;
      await (await records.claim(key, ['open']))?.release();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'data_damaged') throw error;
      onDamaged(error);
    }
    return undefined;
  }

  return {
    async add(payment) {
      const key = paymentKey(payment);
      await organizations.note(payment.organizationId);
      if (await records.create(key, payment)) return payment;
      return (await find(key)) ?? payment;
    },
    async find({ id, type, organizationId }) {
      const types: Payment['type'][] = type ? [type] : ['qr', 'invoice'];
      const organizationIds =
        organizationId === undefined ? await organizations.all() : [organizationId];
      const found: Payment[] = [];
      // In sequence, because there may be many organizations.
      for (const organization of organizationIds) {
        const keys = types.map((each) =>
          paymentKey({ organizationId: organization, type: each, id }),
        );
        for (const key of keys) found.push(...[(await find(key)) ?? []].flat());
      }
      return newestFirst(found);
    },
    organizations: organizations.all,
    page: createPaymentPages({ folder, records, files, find: findSound }),
    noteFlip: (key, flip) =>
      records.change(key, (before) => {
        const isNew = before?.state === 'ended' && before.flippedTo !== flip.flippedTo;
        return isNew ? { record: { ...before, ...flip }, result: true } : { result: false };
      }),
    async *list(state) {
      for await (const { record } of records.list([state])) yield record;
    },
    async *listEnded({ from, to }) {
      const isDayWanted = async (day: string) => day >= dayOf(from) && day <= dayOf(to);
      for await (const { record } of records.list(['ended'], { isDayWanted })) {
        const { endedAt = 0 } = record;
        if (endedAt >= from && endedAt < to) yield record;
      }
    },
    async hasOpenWith(sessionId) {
      for await (const { record } of records.list(['open'])) {
        if (record.sessionId === sessionId) return true;
      }
      return false;
    },
    // A payment that is no longer open stays unchanged.
    update: (payment) =>
      change(paymentKey(payment), ({ state }) => (state === 'open' ? payment : undefined)),
    end: (payment) => change(paymentKey(payment), () => payment),
    removeEndedBefore: (day, choose) =>
      records.removeBefore('ended', day, (keys) => choose(keys.filter(isPaymentKey))),
    async takeOpen(isKnown, drop) {
      await records.freeAbandoned();
      const elsewhere = new Set(await records.claimedElsewhere());
      for (const key of elsewhere) drop(key);
      const keys = await records.ids('open');
      const fresh = keys.filter((key) => !isKnown(key) && !elsewhere.has(key));
      const payments: Payment[] = [];
      for (let start = 0; start < fresh.length; start += batch) {
        const found = fresh.slice(start, start + batch).map(readOpen);
        payments.push(...(await Promise.all(found)).filter((each) => each !== undefined));
      }
      return payments;
    },
    claimAll: (label) => takeLease({ ...watcher, label }),
    isWatched,
    async claimOne(key) {
      // A watcher of all payments acquires its lease before it reads claims. The second check prevents both from
      // acting.
      const claim = (await isWatched()) ? undefined : await records.claim(key, ['open']);
      if (!claim || (await isWatched())) {
        await claim?.release();
        return undefined;
      }
      alone.set(key, claim);
      return {
        renew: async () => !(await isWatched()) && claim.renew(),
        async release() {
          alone.delete(key);
          await claim.release();
        },
      };
    },
    close: records.close,
  };
}

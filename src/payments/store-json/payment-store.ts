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
  /** Who works here, for people who find the folder in use: `serve`, `pay`. */
  readonly label?: string;
  /** Called for a record whose file is damaged; it is passed over. */
  onDamaged(error: AppError): void;
  /** Nothing is made or tidied. */
  readonly readOnly?: boolean;
  readonly files?: FileLayer;
}

/** How many records are read at once when a watcher starts. */
const batch = 64;

/**
 * Payments as one file each in `open/`, `ended/<day>/` and `unknown/`; in `organizations/` lies an empty file for
 * each organization that has any. Who watches all of them has the lease
 * `watcher.json`; who watches one alone has claimed its file.
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
  /** What is watched here alone, by key. */
  const alone = new Map<string, RecordClaim<Payment>>();

  const find = async (key: string) => (await records.find(key))?.record;

  /** Of a list: what is damaged is passed over. */
  const findSound = (key: string) => find(key).catch((error) => void onDamaged(asDamage(error)));

  /** Stores what `next` gives in the place of a payment; undefined = leave it. */
  async function change(
    key: string,
    next: (before: Payment) => Payment | undefined,
  ): Promise<void> {
    const own = alone.get(key);
    if (own) {
      const record = next(own.record);
      if (record) await own.update(record);
      return;
    }
    await records.change(key, (before) => {
      const record = before && next(before);
      return { ...(record ? { record } : {}), result: undefined };
    });
  }

  /** An open payment; one that a crash has left among them is put where it belongs. */
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
      const theirs = organizationId === undefined ? await organizations.all() : [organizationId];
      const found: Payment[] = [];
      // One organization after the other: there may be many.
      for (const organization of theirs) {
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
    // What comes too late changes nothing.
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
      // Whoever watches all takes its lease first and looks at claims then: never do both act.
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

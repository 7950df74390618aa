import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { systemClock } from '../../base/clock.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { isMissing, storageError } from '../../base/files/storage-errors.js';
import type { RecordFolder } from '../../storage/json/records/record-folder.js';
import {
  gatherNewest,
  type NewestGatherer,
  type Payment,
  type PaymentPosition,
  type PaymentState,
  positionOf,
} from '../payment.js';
import type { PageQuery, PaymentPage } from '../store.js';

interface PagesOptions {
  /** `<data>/payments` */
  readonly folder: string;
  readonly records: RecordFolder<Payment, PaymentState>;
  readonly files: FileLayer;
  /** Returns a payment; undefined if it is missing or damaged. */
  find(key: string): Promise<Payment | undefined>;
}

const dayMs = 86_400_000;
/** Maximum number of positions of ended payments that are cached for lists, about 100 bytes each. */
const maxPositions = 100_000;
/** Time after which a changed folder can no longer change again with the same timestamp, in milliseconds. */
const settledAfter = 2_000;

/**
 * Creates the function that returns pages of an organization's payments. Every page reads all open and unknown
 * payments, and then ended payments by day, latest day first. A payment is created before it ends, so a full page never
 * requires days before the creation of its last payment. The positions of a day are cached until its folder changes.
 * File names contain the organization.
 */
export function createPaymentPages({ folder, records, files, find }: PagesOptions) {
  /**
   * Least recently used days are removed first. Even a day without payments uses memory, so it counts as one position.
   */
  const known = new LRUCache<string, DayReading>({
    maxSize: maxPositions,
    sizeCalculation: ({ positions }) => positions.length + 1,
  });

  /** Returns the time of the last change to a folder; undefined if it may still change with the same timestamp. */
  async function changedAt(path: string): Promise<number | undefined> {
    try {
      const { mtimeMs } = await files.stat(path);
      // File timestamps come from the machine's clock.
      return systemClock.now() - mtimeMs > settledAfter ? mtimeMs : undefined;
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw storageError(cause, path);
    }
  }

  function remember(day: DayReading | undefined): void {
    if (day?.changed !== undefined) known.set(day.name, day);
  }

  async function addEnded(
    organization: number,
    top: NewestGatherer<PaymentPosition>,
  ): Promise<void> {
    const isWanted = isOf(organization);
    let reading: DayReading | undefined;

    async function isDayWanted(day: string): Promise<boolean> {
      remember(reading);
      reading = undefined;
      // If the clock was set back, a payment may have ended before it was created.
      if (top.isFullFrom(Date.parse(day) + 2 * dayMs)) return false;
      const path = join(folder, 'ended', day);
      const name = `${path} ${organization}`;
      const changed = await changedAt(path);
      const remembered = known.get(name);
      if (remembered && remembered.changed === changed) {
        for (const position of remembered.positions) top.add(position);
        return false;
      }
      reading = { name, changed, positions: [] };
      return true;
    }

    const listing = { latestDaysFirst: true, isWanted, isDayWanted };
    for await (const { id: key, record } of records.list(['ended'], listing)) {
      const position = { createdAt: record.createdAt, key };
      top.add(position);
      // A day that is larger than the cache is not cached.
      if (reading && reading.positions.push(position) > maxPositions) reading = undefined;
    }
    remember(reading);
  }

  return async function page(query: PageQuery): Promise<PaymentPage> {
    const { organizationId, state, after, limit } = query;
    const isRequested = (each: PaymentState) => state === undefined || state === each;
    const top = gatherNewest<PaymentPosition>(
      limit + 1,
      after === undefined ? undefined : positionOf(after),
    );
    const flat = (['open', 'unknown'] as const).filter(isRequested);
    const isWanted = isOf(organizationId);
    // Open payments are read first, so that a payment that ends in the meantime is found among the ended ones.
    for await (const { id: key, record } of records.list(flat, { isWanted })) {
      top.add({ createdAt: record.createdAt, key });
    }
    if (isRequested('ended')) await addEnded(organizationId, top);
    const positions = top.sorted();
    const found = await Promise.all(positions.slice(0, limit).map(({ key }) => find(key)));
    const payments = found.filter((each) => each !== undefined && isRequested(each.state));
    return { payments: payments as Payment[], hasMore: positions.length > limit };
  };
}

/** Returns a predicate for the keys of an organization's payments. */
function isOf(organization: number): (key: string) => boolean {
  const start = `${organization}-`;
  return (key) => key.startsWith(start);
}

interface DayReading {
  /** The day's folder and the organization. */
  readonly name: string;
  /** Time of the last change to the folder; undefined if it may still change with the same timestamp. */
  readonly changed: number | undefined;
  readonly positions: PaymentPosition[];
}

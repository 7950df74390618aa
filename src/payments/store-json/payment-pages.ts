import { join } from 'node:path';
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
  /** A payment of the store; undefined where there is none, or where it is damaged. */
  find(key: string): Promise<Payment | undefined>;
}

const dayMs = 86_400_000;
/** The most positions of payments ended on past days that are cached for lists; some 100 bytes each. */
const mostPositions = 100_000;
/** A folder that was changed so few milliseconds ago may change again at the same time stamp. */
const settledAfter = 2_000;

/**
 * Pages of an organization's payments. Those that are open or unknown are read at every page. Of ended ones
 * the days are gone through from the latest on: a payment is created before it ends, so once a page is full
 * no day that ended before its last payment was created can hold an earlier one. What a day holds is
 * remembered for as long as its folder has not changed. Which payments are whose, names tell.
 */
export function createPaymentPages({ folder, records, files, find }: PagesOptions) {
  const known = createKnownDays(files);

  async function addEnded(
    organization: number,
    top: NewestGatherer<PaymentPosition>,
  ): Promise<void> {
    const isWanted = isOf(organization);
    let reading: DayReading | undefined;

    async function isDayWanted(day: string): Promise<boolean> {
      if (reading) known.add(reading);
      reading = undefined;
      // A clock that was set back may have let a payment end before it was created.
      if (top.isFullFrom(Date.parse(day) + 2 * dayMs)) return false;
      const path = join(folder, 'ended', day);
      const remembered = await known.find(path, organization);
      if (remembered.positions) {
        for (const position of remembered.positions) top.add(position);
        return false;
      }
      reading = { ...remembered, positions: [] };
      return true;
    }

    const listing = { latestDaysFirst: true, isWanted, isDayWanted };
    for await (const { id: key, record } of records.list(['ended'], listing)) {
      const position = { createdAt: record.createdAt, key };
      top.add(position);
      // More than may be remembered is not gathered.
      if (reading && reading.positions.push(position) > mostPositions) reading = undefined;
    }
    if (reading) known.add(reading);
  }

  return async function page(query: PageQuery): Promise<PaymentPage> {
    const { organizationId, state, after, limit } = query;
    const isAsked = (each: PaymentState) => state === undefined || state === each;
    const top = gatherNewest<PaymentPosition>(
      limit + 1,
      after === undefined ? undefined : positionOf(after),
    );
    const flat = (['open', 'unknown'] as const).filter(isAsked);
    const isWanted = isOf(organizationId);
    // First these: what ends meanwhile is met among the ended ones.
    for await (const { id: key, record } of records.list(flat, { isWanted })) {
      top.add({ createdAt: record.createdAt, key });
    }
    if (isAsked('ended')) await addEnded(organizationId, top);
    const positions = top.sorted();
    const found = await Promise.all(positions.slice(0, limit).map(({ key }) => find(key)));
    const payments = found.filter((each) => each !== undefined && isAsked(each.state));
    return { payments: payments as Payment[], hasMore: positions.length > limit };
  };
}

/** Whether a payment's key is one of an organization. */
function isOf(organization: number): (key: string) => boolean {
  const start = `${organization}-`;
  return (key) => key.startsWith(start);
}

interface DayReading {
  /** Of the day's folder and the organization. */
  readonly name: string;
  /** When the folder was changed last; undefined where that is not long enough ago. */
  readonly changed: number | undefined;
  readonly positions: PaymentPosition[];
}

/** What days gone by hold of an organization; those that were not asked for longest are forgotten. */
function createKnownDays(files: FileLayer) {
  const days = new Map<string, DayReading>();
  let count = 0;

  async function changedAt(path: string): Promise<number | undefined> {
    try {
      const { mtimeMs } = await files.stat(path);
      // Files are stamped with the machine's own time.
      return systemClock.now() - mtimeMs > settledAfter ? mtimeMs : undefined;
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw storageError(cause, path);
    }
  }

  function forget(day: DayReading): void {
    days.delete(day.name);
    // One without any takes memory, too.
    count -= day.positions.length + 1;
  }

  return {
    /** What is known of a day, or what to remember with what is read of it now. */
    async find(
      path: string,
      organization: number,
    ): Promise<Omit<DayReading, 'positions'> & Partial<DayReading>> {
      const name = `${path} ${organization}`;
      const changed = await changedAt(path);
      const day = days.get(name);
      if (day) days.delete(name);
      if (!day || day.changed !== changed) {
        if (day) count -= day.positions.length + 1;
        return { name, changed };
      }
      days.set(name, day);
      return day;
    },
    add(day: DayReading): void {
      if (day.changed === undefined) return;
      const before = days.get(day.name);
      if (before) forget(before);
      days.set(day.name, day);
      count += day.positions.length + 1;
      for (const oldest of days.values()) {
        if (count <= mostPositions) return;
        forget(oldest);
      }
    },
  };
}

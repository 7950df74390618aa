import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import type { Database } from './database.js';
import { query } from './query.js';

/** How often the difference is measured, in milliseconds; clocks drift by far less meanwhile. */
const measureEvery = 30_000;

/**
 * A clock that goes with the database's, so that machines whose clocks differ agree: measures how far this
 * machine's is from it, now and from time to time.
 */
export async function followDatabaseClock(
  database: Database,
  local: Clock,
): Promise<Clock & { close(): Promise<void> }> {
  let offset = await measureOffset(database, local);
  const measure = async () => {
    offset = await measureOffset(database, local);
  };
  const measuring = startEvery(measureEvery, measure, {
    clock: local,
    sleepFirst: true,
    // The last measure stays good while the database is away.
    onError() {},
  });
  return {
    now: () => Math.round(local.monotonic() + offset),
    monotonic: () => local.monotonic(),
    sleep: (milliseconds, signal) => local.sleep(milliseconds, signal),
    close: () => measuring.stop(),
  };
}

const samples = 3;

/** Milliseconds to add to the local monotonic time, which never steps; right within half the quickest round trip of three. */
async function measureOffset(database: Database, local: Clock): Promise<number> {
  let best = { roundTrip: Number.POSITIVE_INFINITY, offset: 0 };
  for (let count = 0; count < samples; count += 1) {
    const asked = local.monotonic();
    const [row] = await query<{ now: number }>(database, "read the database's clock")`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
    const answered = local.monotonic();
    const roundTrip = answered - asked;
    if (!row || roundTrip >= best.roundTrip) continue;
    best = { roundTrip, offset: row.now - (asked + answered) / 2 };
  }
  return best.offset;
}

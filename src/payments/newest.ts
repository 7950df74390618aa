import { compareNewestFirst, type PaymentPosition } from './payment.js';

/** Gathers the newest of a list that comes in no order. */
export type Newest<Row extends PaymentPosition> = ReturnType<typeof gatherNewest<Row>>;

/**
 * The first `size` rows behind `after` of those that it is given, newest first. Each key is there once, as it was
 * given last. It holds twice as many at most, however many there are.
 */
export function gatherNewest<Row extends PaymentPosition>(
  size: number,
  after: PaymentPosition | undefined,
) {
  let rows: Row[] = [];

  function sort(): void {
    const once = new Map(rows.map((row) => [row.key, row]));
    rows = [...once.values()].sort(compareNewestFirst).slice(0, size);
  }

  return {
    add(row: Row): void {
      if (after && compareNewestFirst(row, after) <= 0) return;
      if (rows.push(row) >= 2 * size) sort();
    },
    /** Whether there are as many as wanted, all of which were created at this time or later. */
    isFullFrom(time: number): boolean {
      sort();
      const last = rows.at(-1);
      return rows.length === size && last !== undefined && last.createdAt >= time;
    },
    sorted(): readonly Row[] {
      sort();
      return rows;
    },
  };
}

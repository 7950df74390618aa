/**
 * Rows in pages of at most `size`, until one is not full. `read` gives the page behind the last row of
 * the page before it.
 */
export async function* pagesOf<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  for (let count = size; count === size; ) {
    const rows = await read(last);
    count = rows.length;
    last = rows.at(-1);
    if (count > 0) yield rows;
  }
}

/**
 * Removes rows in batches of at most `size` until a batch is not full, and returns how many rows were removed. `remove`
 * removes one batch and returns its rows.
 */
export async function removeInBatches(
  size: number,
  remove: () => Promise<readonly unknown[]>,
): Promise<number> {
  let removed = 0;
  for await (const { length } of pagesOf(size, remove)) removed += length;
  return removed;
}

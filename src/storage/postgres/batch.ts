export interface BatchOptions<Item, Result> {
  /** Does the work of several callers at once; gives a result for each, in their order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** Most items at once. */
  readonly most: number;
  /** Most batches under way; items that come meanwhile form the next one. */
  readonly concurrency: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Joins what many callers ask for at the same time into few statements: the first one goes at the end
 * of the event loop's turn, and while batches are under way the next one gathers. Under load the
 * database is asked less often, the more callers there are; alone, a caller waits for nobody.
 */
export function createBatch<Item, Result>(
  options: BatchOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, most, concurrency } = options;
  const queue: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let isPlanned = false;

  function plan(): void {
    if (isPlanned || underWay >= concurrency || queue.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      void start();
      plan();
    });
  }

  async function start(): Promise<void> {
    const batch = queue.splice(0, most);
    underWay += 1;
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        // Results may be undefined, but there must be one for each.
        if (index < results.length) resolve(results[index] as Result);
        else reject(new Error('A batch gave too few results.'));
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay -= 1;
      plan();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      plan();
    });
}

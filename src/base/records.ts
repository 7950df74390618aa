/** Reads every record of one kind, in the order of exports. */
export interface RecordReader {
  readonly kind: string;
  read(): AsyncIterable<object>;
}

/** Stores the records of one kind in an empty storage. */
export interface RecordWriter {
  readonly kind: string;
  write(records: AsyncIterable<object>): Promise<void>;
}

/** Returns the fault of a record, as words that follow its name, or undefined. */
export type RecordCheck = (record: object) => string | undefined;

/**
 * A kind of record with a check of its form, its order, and its references to earlier records. A check keeps state, so
 * use a new one for each reading.
 */
export interface RecordKind {
  readonly name: string;
  readonly check: RecordCheck;
}

export interface Validator<T> {
  (data: unknown): data is T;
  errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}

/** Returns a check by schema and then by further checks, which may rely on the schema. */
export function checkBy<T>(
  validate: Validator<T>,
  ...further: readonly ((record: T) => string | undefined)[]
): RecordCheck {
  return (record) => {
    if (!validate(record)) return faultBy(validate, record);
    for (const check of further) {
      const fault = check(record);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** Returns the first violation of a schema, or undefined. */
export function faultBy<T>(validate: Validator<T>, record: unknown): string | undefined {
  if (validate(record)) return undefined;
  const [fault] = validate.errors ?? [];
  return `${fault?.instancePath ?? ''} ${fault?.message ?? 'is wrong'}`.trim();
}

/** Returns a check that each record is greater than the previous one. */
export function rising<T>(compare: (a: T, b: T) => number): (record: T) => string | undefined {
  let before: T | undefined;
  return (record) => {
    const order = before === undefined ? -1 : compare(before, record);
    before = record;
    if (order < 0) return undefined;
    return order === 0 ? 'is duplicated' : 'is out of order';
  };
}

/** Compares texts in the order of exports: by their bytes in UTF-8, like PostgreSQL's `collate "C"`. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Does `work` on every record, on `concurrency` records at a time. The first failure ends it. */
export async function eachOf<T>(
  records: AsyncIterable<T>,
  concurrency: number,
  work: (record: T) => Promise<void>,
): Promise<void> {
  const iterator = records[Symbol.asyncIterator]();
  const shared = { [Symbol.asyncIterator]: () => iterator };
  // A failing worker ends the iteration for all.
  const worker = async () => {
    for await (const record of shared) await work(record);
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Reads all records of one kind, in the order of exports. */
export interface RecordReader {
  readonly kind: string;
  read(): AsyncIterable<object>;
}

/** Stores the records of one kind in an empty storage. */
export interface RecordWriter {
  readonly kind: string;
  write(records: AsyncIterable<object>): Promise<void>;
}

/** Returns the fault of a record, phrased to follow its name, or undefined if the record is valid. */
export type RecordCheck = (record: object) => string | undefined;

/**
 * A kind of record, with a check of its format, its order, and its references to earlier records. A check has state, so
 * use a new one for each pass.
 */
export interface RecordKind {
  readonly name: string;
  readonly check: RecordCheck;
}

export interface Validator<T> {
  (data: unknown): data is T;
  errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}

/** Returns a check that validates the schema and then runs further checks, which may rely on the schema. */
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
  return `${fault?.instancePath ?? ''} ${fault?.message ?? 'is invalid'}`.trim();
}

/** Returns a check that records are in strictly ascending order. */
export function rising<T>(compare: (a: T, b: T) => number): (record: T) => string | undefined {
  let before: T | undefined;
  return (record) => {
    const order = before === undefined ? -1 : compare(before, record);
    before = record;
    if (order < 0) return undefined;
    return order === 0 ? 'is duplicated' : 'is out of order';
  };
}

/** Compares texts in the order of exports: by their UTF-8 bytes, like PostgreSQL's `collate "C"`. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Runs `work` on every record, on up to `concurrency` records at a time. Stops at the first failure. */
export async function eachOf<T>(
  records: AsyncIterable<T>,
  concurrency: number,
  work: (record: T) => Promise<void>,
): Promise<void> {
  const iterator = records[Symbol.asyncIterator]();
  const shared = { [Symbol.asyncIterator]: () => iterator };
  // A failing worker ends the iteration for all workers.
  const worker = async () => {
    for await (const record of shared) await work(record);
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Gives every record of one kind, in the order in which an export holds them. */
export interface RecordReader {
  readonly kind: string;
  read(): AsyncIterable<object>;
}

/** Stores the records of one kind where there were none. */
export interface RecordWriter {
  readonly kind: string;
  write(records: AsyncIterable<object>): Promise<void>;
}

/** What is wrong with a record, in words that follow its name, or undefined. */
export type RecordCheck = (record: object) => string | undefined;

/**
 * A kind of record and what holds for one: its form, its order after the records before it, and that what
 * it refers to came before. A check remembers what it has seen, so take fresh ones for each reading.
 */
export interface RecordKind {
  readonly name: string;
  readonly check: RecordCheck;
}

export interface Validator<T> {
  (data: unknown): data is T;
  errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}

/** A check by schema, then by further ones, which may rely on the schema. */
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

/** What a schema says against a record, or undefined. */
export function faultBy<T>(validate: Validator<T>, record: unknown): string | undefined {
  if (validate(record)) return undefined;
  const [fault] = validate.errors ?? [];
  return `${fault?.instancePath ?? ''} ${fault?.message ?? 'is wrong'}`.trim();
}

/** A fault where a record does not come after the one before it. */
export function rising<T>(compare: (a: T, b: T) => number): (record: T) => string | undefined {
  let before: T | undefined;
  return (record) => {
    const order = before === undefined ? -1 : compare(before, record);
    before = record;
    if (order < 0) return undefined;
    return order === 0 ? 'is duplicated' : 'is out of order';
  };
}

/** The order of texts in exports: that of their bytes in UTF-8, which is PostgreSQL's `collate "C"`. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Does `work` on every record, on so many at once; the first failure ends it. */
export async function eachOf<T>(
  records: AsyncIterable<T>,
  concurrency: number,
  work: (record: T) => Promise<void>,
): Promise<void> {
  const iterator = records[Symbol.asyncIterator]();
  const shared = { [Symbol.asyncIterator]: () => iterator };
  // Whoever fails ends the reading for all.
  const worker = async () => {
    for await (const record of shared) await work(record);
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
}

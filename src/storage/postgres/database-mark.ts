import { assertUnmarked, type MarkedStorage, type TransferMark } from '../transfer-mark.js';
import type { Sql } from './sql.js';

/** A database's mark, and how far the import that it is about has come. */
export interface DatabaseMark extends TransferMark {
  readonly records: number;
  /** SHA-256 of the lines of these records. */
  readonly digest: string;
}

/** The mark of a database, where there is one. */
export async function readDatabaseMark(sql: Sql): Promise<DatabaseMark | undefined> {
  const [mark] = await sql<DatabaseMark[]>`
    select state, place, since, records, digest from msgsite.transfer`;
  return mark;
}

/** The words about a database in refusals; `name` is its address without the password. */
export function markedDatabase(name: string): MarkedStorage {
  return {
    name,
    unmark: 'run: delete from msgsite.transfer',
    discard: 'run: drop schema msgsite cascade',
  };
}

/** Refuses a database whose data is not all there or has been moved. */
export async function assertDatabaseUnmarked(sql: Sql, name: string): Promise<void> {
  assertUnmarked(await readDatabaseMark(sql), markedDatabase(name));
}

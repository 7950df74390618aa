import type { Database } from './database.js';
import type { Fragment, Row, Value } from './sql.js';

/** Sends one statement. Its name is logged if it takes long: query(database, 'name')`…`. */
export function query<From extends object = Row>(
  database: Pick<Database, 'run'>,
  name: string,
): (strings: TemplateStringsArray, ...values: readonly (Value | Fragment)[]) => Promise<From[]> {
  return (strings, ...values) => database.run(name, (sql) => sql<From[]>(strings, ...values));
}

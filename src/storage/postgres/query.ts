import type postgres from 'postgres';
import type { Database } from './database.js';

type Value = postgres.ParameterOrFragment<number | string | Date>;

/** One statement, after the name under which the log says that it took long: query(database, 'name')`…`. */
export function query<From extends postgres.Row>(database: Pick<Database, 'run'>, name: string) {
  return (strings: TemplateStringsArray, ...values: readonly Value[]) =>
    database.run(name, (sql) => sql<From[]>(strings, ...values));
}

import { AppError } from '../../../base/errors.js';
import type { Newest } from '../gateway-client.js';

/** A page of a list: its rows, each with the cursor of what is behind it. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

interface Listed {
  readonly cursor?: string | undefined;
}

/** The most rows of one list from a remote gateway, far more than it keeps of a shop. */
const mostRows = 1_000_000;

/** The newest of a list that is read page by page, each from behind the last row of the one before. */
export async function newestOf<Row extends Listed>(
  limit: number,
  readPage: (after: string | undefined) => Promise<Page<Row>>,
  isWanted: (row: Row) => boolean = () => true,
): Promise<Newest<Row>> {
  const rows: Row[] = [];
  let read = 0;
  for (let after: string | undefined; ; ) {
    const page = await readPage(after);
    read += page.rows.length;
    rows.push(...page.rows.filter(isWanted));
    if (rows.length > limit || !page.hasMore) {
      return { rows: rows.slice(0, limit), more: rows.length > limit };
    }
    const next = page.rows.at(-1)?.cursor;
    if (next === undefined || next === after || read >= mostRows) throw endless();
    after = next;
  }
}

function endless(): AppError {
  return new AppError('too_large', 'The gateway gives a list that does not end.', {
    hint: 'Ask for fewer rows with --limit.',
  });
}

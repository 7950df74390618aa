import type { ImageRecord } from '#validators/images';
import { type PostgresRecords, readInParts } from '../../storage/postgres/records.js';
import { hexBytes, valuesOf } from '../../storage/postgres/sql.js';

/** Sizes of pictures fetched at once: each may have megabytes. */
const fetched = 4;

/** The pictures in their tables, a record for each size. */
export const postgresImageRecords: PostgresRecords = {
  kind: 'image',
  async *read(sql) {
    const rows = sql<ImageRecord[]>`
      select name, width, sha256, content from msgsite.image_sizes order by name, width`;
    for await (const some of readInParts(sql, 'images', rows, fetched)) {
      for (const { name, width, sha256, content } of some) {
        yield { name, width, sha256, content: Buffer.from(content, 'hex').toString('base64') };
      }
    }
  },
  async insert(sql, records) {
    // The kind's check has said what they are.
    for (const { name, width, sha256, content } of records as readonly ImageRecord[]) {
      // Whether anything uses it, the first round of a server says.
      await sql`insert into msgsite.images (name) values (${name}) on conflict do nothing`;
      const row = {
        name,
        width,
        sha256,
        content: hexBytes(Buffer.from(content, 'base64').toString('hex')),
      };
      await sql`insert into msgsite.image_sizes ${valuesOf(row)}`;
    }
  },
};

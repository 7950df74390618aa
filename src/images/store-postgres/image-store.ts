import { LRUCache } from 'lru-cache';
import type { ImageRecord } from '#validators/images';
import { damaged } from '../../base/files/storage-errors.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { type PostgresRecords, readInParts } from '../../storage/postgres/record-table.js';

import { hexBytes, type TransactionSql, valuesOf } from '../../storage/postgres/sql.js';
import { type Media, mediaFile, mediaWidths, sha256Of } from '../media.js';
import type { Sizes } from '../resize.js';
import type { ImageStore, KeptImage, StoredSize } from '../store.js';

/** Maximum size of the pictures that a process caches, in bytes. */
const cachedBytes = 32 * 1024 * 1024;

/**
 * Creates a store of pictures in tables. `renew` and `remove` lock the picture's row, so that neither misses a change
 * by the other.
 */
export function createPostgresImageStore(database: Database): ImageStore {
  /** A picture never changes. One that another process has removed may still be served. */
  const cache = new LRUCache<string, StoredSize, Media>({
    maxSize: cachedBytes,
    sizeCalculation: ({ bytes }) => bytes.length,
    fetchMethod: (_, __, { context }) => read(context),
  });

  async function read({ name, width }: Media): Promise<StoredSize | undefined> {
    const [row] = await query<{ sha256: string; content: string }>(database, 'read a picture')`
      select sha256, content from msgsite.image_sizes where name = ${name} and width = ${width}`;
    if (!row) return undefined;
    const bytes = Buffer.from(row.content, 'hex');
    if (sha256Of(bytes) === row.sha256) return { bytes, sha256: row.sha256 };
    throw damaged(
      'msgsite.image_sizes',
      `${name} at ${width} pixels`,
      'its checksum does not match',
    );
  }

  return {
    async renew(name, now) {
      const rows = await query(database, 'renew a picture')`
        update msgsite.images set unused_since = case when unused_since is null then null else ${now}::bigint end
        where name = ${name} and ${mediaWidths.length} = (
          select count(*) from msgsite.image_sizes
          where name = ${name} and sha256 = encode(sha256(content), 'hex'))
        returning 1`;
      return rows.length > 0;
    },
    add: (name, sizes, now) =>
      database.transaction('add a picture', async (sql) => {
        // Of several concurrent calls, later ones wait here for the first.
        await sql`
          insert into msgsite.images (name, unused_since) values (${name}, ${now})
          on conflict (name) do update
            set unused_since = case when images.unused_since is null then null else excluded.unused_since end`;
        await insertSizes(sql, name, sizes);
      }),
    read: (media) => cache.fetch(mediaFile(media), { context: media }),
    list: () =>
      query<KeptImage>(database, 'list pictures')`
        select name, unused_since from msgsite.images order by name`,
    async mark(names, unusedSince) {
      if (names.length === 0) return;
      await query(database, 'mark pictures')`
          update msgsite.images set unused_since = ${unusedSince}::bigint
          where name = any(${names as string[]}::text[])`;
    },
    async remove(names, until) {
      if (names.length === 0) return [];
      const rows = await query<{ name: string }>(database, 'remove pictures')`
          delete from msgsite.images
          where name = any(${names as string[]}::text[]) and unused_since <= ${until}::bigint returning name`;
      for (const { name } of rows) {
        for (const width of mediaWidths) cache.delete(mediaFile({ name, width }));
      }
      return rows.map(({ name }) => name);
    },
    async close() {},
  };
}

async function insertSizes(sql: TransactionSql, name: string, sizes: Sizes): Promise<void> {
  for (const width of mediaWidths) {
    const bytes = sizes[width];
    await sql`
      insert into msgsite.image_sizes ${sizeValues({ name, width }, { bytes, sha256: sha256Of(bytes) })}
      on conflict (name, width) do update
        set sha256 = excluded.sha256, content = excluded.content`;
  }
}

function sizeValues(media: Omit<ImageRecord, 'sha256' | 'content'>, { bytes, sha256 }: StoredSize) {
  return valuesOf({ ...media, sha256, content: hexBytes(bytes.toString('hex')) });
}

/** Number of picture sizes that are fetched in one batch. Each may be several megabytes. */
const fetched = 4;

/** The pictures as records of an export, one per size. */
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
    // The records have been validated by their kind.
    for (const { name, width, sha256, content } of records as readonly ImageRecord[]) {
      // The server's first search determines which pictures are unused.
      await sql`insert into msgsite.images (name) values (${name}) on conflict do nothing`;
      const bytes = Buffer.from(content, 'base64');
      await sql`
        insert into msgsite.image_sizes ${sizeValues({ name, width }, { bytes, sha256 })}`;
    }
  },
};

import { AppError } from '../../base/errors.js';
import { ok } from '../../http/answer/reply.js';
import type { Route } from '../../http/route/route.js';
import { maxCsvBytes } from '../csv/read-table.js';
import type { SiteContent } from '../site-content.js';
import { type AuditChange, defineRoute } from './define-route.js';

const csvType = 'text/csv';

/** Returns the routes that export and import products as CSV. */
export function csvRoutes(content: SiteContent, audit: AuditChange): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/products.csv',
      name: 'exportProducts',
      summary: 'Export all products as CSV',
      auth: 'admin',
      responses: { 200: null },
      handle: async () => ({
        status: 200,
        // Without a byte order mark, spreadsheets assume an older encoding.
        content: `\ufeff${await content.exportProducts()}`,
        headers: {
          'Content-Type': `${csvType}; charset=utf-8`,
          'Content-Disposition': 'attachment; filename="products.csv"',
        },
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/products/import',
      name: 'importProducts',
      summary: 'Import products from a CSV file, either all or none',
      description:
        'A row with an id changes that product. A row without an id adds a product. Errors are reported by line and column, such as /line/3/price.',
      auth: 'admin',
      query: {
        dryRun: {
          type: 'string',
          pattern: '^(?:true|false)$',
          description: 'if true, the file is checked but not imported',
        },
      },
      content: { types: [csvType], maxBytes: maxCsvBytes },
      errors: ['validation_failed', 'too_large', 'unsupported_media_type'],
      responses: { 200: 'ImportAnswer' },
      async handle({ principal, bytes, query, header }) {
        assertCsv(header('Content-Type'));
        const isDryRun = query.dryRun === 'true';
        const data = await content.importProducts({ bytes, isDryRun });
        if (!isDryRun) await audit(principal, importAuditFields(data));
        return ok({ ok: true, data });
      },
    }),
  ];
}

/** Returns the fields of an import's audit log entry. */
export function importAuditFields(counts: {
  readonly created: number;
  readonly changed: number;
}): Readonly<Record<string, string>> {
  const { created, changed } = counts;
  return { products: `${created} created, ${changed} changed`, change: 'imported' };
}

/** Throws if the content type is not CSV. Other sites cannot send CSV without a CORS preflight. */
function assertCsv(type: string): void {
  if (type.split(';', 1)[0]?.trim().toLowerCase() === csvType) return;
  throw new AppError(
    'unsupported_media_type',
    `The body must be CSV with Content-Type ${csvType}.`,
  );
}

import type { Route } from '../../http/route/route.js';
import type { SiteContent } from '../site-content.js';
import { type AuditChange, defineRoute } from './define-route.js';
import { assertUnchanged, givesTag, takesCondition, writtenReply } from './one-thing.js';
import { removalRoutes } from './removal-routes.js';

/** What the administrator does with products. */
export function productRoutes(content: SiteContent, audit: AuditChange): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/admin/products',
      name: 'createProduct',
      summary: 'Add a product at the end of the catalogue',
      auth: 'admin',
      ...givesTag,
      body: 'NewProduct',
      responses: { 201: 'ProductAnswer' },
      async handle({ body }) {
        const data = await content.createProduct(body);
        await audit({ product: String(data.id), change: 'created' });
        return writtenReply(201, data);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/products/:id',
      name: 'changeProduct',
      summary: 'Change fields of a product',
      auth: 'admin',
      ...takesCondition,
      body: 'ProductChanges',
      responses: { 200: 'ProductAnswer' },
      async handle({ id, body, header }) {
        const data = await content.changeProduct(id, body, assertUnchanged(header));
        await audit({ product: String(id), change: 'changed' });
        return writtenReply(200, data);
      },
    }),
    ...removalRoutes(
      {
        noun: 'product',
        answer: 'ProductAnswer',
        kept: 'its id and its place in the catalogue',
        remove: content.deleteProduct,
        restore: content.restoreProduct,
      },
      audit,
    ),
  ];
}

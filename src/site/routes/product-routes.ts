import { ok } from '../../http/answer/reply.js';
import type { Route } from '../../http/route/route.js';
import type { SiteContent } from '../site-content.js';
import { type AuditChange, defineRoute } from './define-route.js';
import { assertUnchanged, givesTag, takesCondition, writtenReply } from './one-thing.js';

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
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/products/:id',
      name: 'deleteProduct',
      summary: 'Delete a product, which can be restored for a time',
      auth: 'admin',
      responses: { 200: 'Deleted' },
      async handle({ id }) {
        await content.deleteProduct(id);
        await audit({ product: String(id), change: 'deleted' });
        return ok({ ok: true, deleted: id });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/products/:id/restore',
      name: 'restoreProduct',
      summary: 'Restore a deleted product, with its id and its place in the catalogue',
      auth: 'admin',
      ...givesTag,
      errors: ['conflict'],
      responses: { 200: 'ProductAnswer' },
      async handle({ id }) {
        const data = await content.restoreProduct(id);
        await audit({ product: String(id), change: 'restored' });
        return writtenReply(200, data);
      },
    }),
  ];
}

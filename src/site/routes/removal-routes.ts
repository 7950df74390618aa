import { ok } from '../../http/answer/reply.js';
import type { Route } from '../../http/route/route.js';
import { type AuditChange, defineRoute } from './define-route.js';
import { givesTag, writtenReply } from './one-thing.js';

interface RemovalOptions {
  readonly noun: 'product' | 'announcement';
  readonly answer: 'ProductAnswer' | 'AnnouncementAnswer';
  /** What the restored thing keeps. */
  readonly kept: string;
  remove(id: number): Promise<void>;
  restore(id: number): Promise<object>;
}

/** Returns the routes that delete one thing, and restore it. */
export function removalRoutes(
  { noun, answer, kept, remove, restore }: RemovalOptions,
  audit: AuditChange,
): Route[] {
  const path = `/api/admin/${noun}s/:id`;
  const title = noun === 'product' ? 'Product' : 'Announcement';
  const article = noun === 'product' ? 'a' : 'an';
  return [
    defineRoute({
      method: 'DELETE',
      path,
      name: `delete${title}`,
      summary: `Delete ${article} ${noun}, which can be restored for a time`,
      auth: 'admin',
      responses: { 200: 'Deleted' },
      async handle({ id }) {
        await remove(id);
        await audit({ [noun]: String(id), change: 'deleted' });
        return ok({ ok: true, deleted: id });
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/restore`,
      name: `restore${title}`,
      summary: `Restore a deleted ${noun}, with ${kept}`,
      auth: 'admin',
      ...givesTag,
      errors: ['conflict'],
      responses: { 200: answer },
      async handle({ id }) {
        const data = await restore(id);
        await audit({ [noun]: String(id), change: 'restored' });
        return writtenReply(200, data);
      },
    }),
  ];
}

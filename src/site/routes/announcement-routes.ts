import { ok } from '../../http/answer/reply.js';
import type { Route } from '../../http/route/route.js';
import type { SiteContent } from '../site-content.js';
import { type AuditChange, defineRoute } from './define-route.js';
import { assertUnchanged, givesTag, readReply, takesCondition, writtenReply } from './one-thing.js';
import { removalRoutes } from './removal-routes.js';

/** What the administrator does with announcements. */
export function announcementRoutes(content: SiteContent, audit: AuditChange): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/announcements',
      name: 'listAnnouncements',
      summary: 'List all announcements, inactive ones too',
      auth: 'admin',
      responses: { 200: 'AnnouncementList' },
      handle: async () => ok({ ok: true, data: await content.listAnnouncements() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/announcements/:id',
      name: 'getAnnouncement',
      summary: 'Read one announcement, also an inactive one',
      auth: 'admin',
      ...givesTag,
      responses: { 200: 'AnnouncementAnswer', 304: null },
      handle: async ({ id }) => readReply(await content.readAnnouncement(id)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/announcements',
      name: 'createAnnouncement',
      summary: 'Add an announcement',
      auth: 'admin',
      ...givesTag,
      body: 'NewAnnouncement',
      responses: { 201: 'AnnouncementAnswer' },
      async handle({ body }) {
        const data = await content.createAnnouncement(body);
        await audit({ announcement: String(data.id), change: 'created' });
        return writtenReply(201, data);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/announcements/:id',
      name: 'changeAnnouncement',
      summary: 'Change fields of an announcement',
      auth: 'admin',
      ...takesCondition,
      body: 'AnnouncementChanges',
      responses: { 200: 'AnnouncementAnswer' },
      async handle({ id, body, header }) {
        const data = await content.changeAnnouncement(id, body, assertUnchanged(header));
        await audit({ announcement: String(id), change: 'changed' });
        return writtenReply(200, data);
      },
    }),
    ...removalRoutes(
      {
        noun: 'announcement',
        answer: 'AnnouncementAnswer',
        kept: 'its id',
        remove: content.deleteAnnouncement,
        restore: content.restoreAnnouncement,
      },
      audit,
    ),
  ];
}

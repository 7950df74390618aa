import { inBackground } from '../base/every.js';
import type { Logger } from '../base/log.js';
import { createImages } from '../site/images/images.js';
import { loadSharp } from '../site/images/load-sharp.js';
import { imagesIn } from '../site/images/references.js';
import { createResizer } from '../site/images/resize.js';
import { imageRoutes } from '../site/images/routes.js';
import type { AuditChange } from '../site/routes/define-route.js';
import type { SiteContent } from '../site/site-content.js';
import type { ServedStorage } from './storage.js';

export interface OpenImagesOptions {
  readonly storage: ServedStorage;
  readonly content: SiteContent;
  readonly audit: AuditChange;
  readonly log: Logger;
}

/** The site's pictures: their routes, and the clean-up of what nothing on the site refers to. */
export async function openImages({ storage, content, audit, log }: OpenImagesOptions) {
  const { clock } = storage;
  const store = await storage.images();
  const images = createImages({
    store,
    clock,
    log,
    resize: createResizer({ clock }),
    referenced: async () =>
      imagesIn({
        // What can be restored comes back with its pictures.
        products: [...(await content.listProducts()), ...(await content.listDeletedProducts())],
        announcements: [
          ...(await content.listAnnouncements()),
          ...(await content.listDeletedAnnouncements()),
        ],
      }),
  });
  const isAvailable = () =>
    loadSharp().then(
      () => true,
      () => false,
    );
  const cleaning = inBackground(images.run);
  return {
    groups: [imageRoutes({ images, audit, isAvailable })],
    start: cleaning.start,
    async close() {
      await cleaning.stop();
      await store.close();
    },
  };
}

import * as validators from '#validators/images';
import { AppError } from '../../base/errors.js';
import { created, ok } from '../../http/answer/reply.js';
import { type Route, type RouteGroup, routesOf } from '../../http/route/route.js';
import type { Images } from '../../images/images.js';
import { mediaAddresses, pictureTypes, readMediaFile } from '../../images/media.js';
import type { AuditChange } from './define-route.js';

const defineRoute = routesOf<typeof validators, { admin: unknown }>();

/** Bytes of an uploaded picture. */
const mostImageBytes = 5 * 1024 * 1024;

export interface ImageRoutesOptions {
  readonly images: Images;
  readonly audit: AuditChange;
  /** Whether pictures can be worked on here. */
  isAvailable(): Promise<boolean>;
}

/** Uploading pictures, and serving them. */
export function imageRoutes(options: ImageRoutesOptions): RouteGroup {
  return {
    name: 'images',
    description: 'Pictures of the site.',
    errorShape: 'site',
    schema: 'images',
    validators,
    routes: [readUploads(options), uploadImage(options), readImage(options)],
  };
}

function readUploads({ isAvailable }: ImageRoutesOptions): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/admin/images',
    name: 'readUploads',
    summary: 'Ask whether pictures can be uploaded, and which',
    auth: 'admin',
    responses: { 200: 'UploadsAnswer' },
    async handle() {
      const available = await isAvailable();
      return ok({ ok: true, data: { available, mostBytes: mostImageBytes, types: pictureTypes } });
    },
  });
}

function uploadImage({ images, audit }: ImageRoutesOptions): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/admin/images',
    name: 'uploadImage',
    summary: 'Upload a picture (JPEG, PNG or WebP)',
    description:
      'The body is the file itself. What it is, is judged by its content; 5 MB and 50 megapixels at most. It is turned upright, loses its metadata and is stored as WebP in three widths; the same bytes again have the same addresses (200).',
    auth: 'admin',
    content: { types: pictureTypes, mostBytes: mostImageBytes },
    responses: { 200: 'ImageAnswer', 201: 'ImageAnswer' },
    errors: [
      'bad_request',
      'images_unavailable',
      'rate_limited',
      'too_large',
      'unsupported_media_type',
    ],
    async handle({ bytes, signal }) {
      const { name, isNew } = await images.add(bytes, signal());
      if (isNew) await audit({ image: name, change: 'created' });
      const answer = { ok: true, data: { urls: mediaAddresses(name) } };
      return isNew ? created(answer) : ok(answer);
    },
  });
}

/** Open to everyone, because browsers send no token for a picture. */
function readImage({ images }: ImageRoutesOptions): Route {
  return defineRoute({
    method: 'GET',
    path: '/media/:file',
    name: 'readImage',
    summary: 'Read one size of a picture (WebP)',
    pathExamples: { file: '0123456789abcdef0123456789abcdef-800.webp' },
    responses: { 200: null, 304: null },
    async handle({ params }) {
      const media = readMediaFile(params.file ?? '');
      const found = media && (await images.read(media));
      if (!found) throw new AppError('not_found', 'There is no such picture.');
      return {
        status: 200,
        content: found.bytes,
        etag: `"${found.sha256}"`,
        headers: {
          'Content-Type': 'image/webp',
          // Its name is made from its content, so what it shows never changes.
          'Cache-Control': 'public, max-age=31536000, immutable',
        },
      };
    },
  });
}

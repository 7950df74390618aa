import * as validators from '#validators/images';
import type { Actor } from '../../base/audit.js';
import { AppError } from '../../base/errors.js';
import { created, ok } from '../../http/answer/reply.js';
import { type Route, type RouteGroup, routesOf } from '../../http/route/route.js';
import type { Images } from '../../images/images.js';
import { mediaAddresses, pictureTypes, readMediaFile } from '../../images/media.js';
import type { AuditChange } from './define-route.js';

const defineRoute = routesOf<typeof validators, { admin: Actor }>();

/** Maximum size of an uploaded picture, in bytes. */
const maxImageBytes = 5 * 1024 * 1024;

export interface ImageRoutesOptions {
  readonly images: Images;
  readonly audit: AuditChange;
  /** Resolves to true if this process can convert pictures. */
  isAvailable(): Promise<boolean>;
}

/** Returns the routes for uploading and serving pictures. */
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
    summary: 'Read the upload limits, and whether pictures can be uploaded',
    auth: 'admin',
    responses: { 200: 'UploadsAnswer' },
    async handle() {
      const available = await isAvailable();
      return ok({ ok: true, data: { available, mostBytes: maxImageBytes, types: pictureTypes } });
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
      'The body is the file itself, at most 5 MB and 50 megapixels. Its type is detected from its content. The picture is rotated upright, its metadata is removed, and it is stored as WebP in three widths. Uploading the same bytes again returns the same addresses (200).',
    auth: 'admin',
    content: { types: pictureTypes, maxBytes: maxImageBytes },
    responses: { 200: 'ImageAnswer', 201: 'ImageAnswer' },
    errors: [
      'bad_request',
      'images_unavailable',
      'rate_limited',
      'too_large',
      'unsupported_media_type',
    ],
    async handle({ principal, bytes, signal }) {
      const { name, isNew } = await images.add(bytes, signal());
      if (isNew) await audit(principal, { image: name, change: 'created' });
      const answer = { ok: true, data: { urls: mediaAddresses(name) } };
      return isNew ? created(answer) : ok(answer);
    },
  });
}

/** Public, because browsers do not send a token when they load a picture. */
function readImage({ images }: ImageRoutesOptions): Route {
  return defineRoute({
    method: 'GET',
    path: '/media/:file',
    name: 'readImage',
    summary: 'Read a picture in one of its sizes (WebP)',
    pathExamples: { file: '0123456789abcdef0123456789abcdef-800.webp' },
    responses: { 200: null, 304: null },
    async handle({ params }) {
      const media = readMediaFile(params.file ?? '');
      const found = media && (await images.read(media));
      if (!found) throw new AppError('not_found', 'Unknown picture.');
      return {
        status: 200,
        content: found.bytes,
        etag: `"${found.sha256}"`,
        headers: {
          'Content-Type': 'image/webp',
          // The file name contains a digest of the content, so the content never changes.
          'Cache-Control': 'public, max-age=31536000, immutable',
        },
      };
    },
  });
}

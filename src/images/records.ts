import { ImageRecord } from '#validators/images';
import { checkBy, type RecordKind, rising } from '../base/records.js';
import type { Media } from './media.js';
import { pictureTypeOf, sha256Of } from './media.js';
import type { StoredSize } from './store.js';

/** Returns the record kind of pictures in an export. There is one record per size. */
export function imageKinds(): readonly RecordKind[] {
  return [{ name: 'image', check: checkBy(ImageRecord, rising(inOrder), contentFault) }];
}

function inOrder(a: ImageRecord, b: ImageRecord): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.width - b.width;
}

function contentFault({ sha256, content }: ImageRecord): string | undefined {
  const bytes = Buffer.from(content, 'base64');
  if (sha256Of(bytes) !== sha256) return 'has content that does not match its sha256';
  return pictureTypeOf(bytes) === 'image/webp' ? undefined : 'has content that is not WebP';
}

/** Returns one size of a picture as a record. */
export function imageRecord({ name, width }: Media, { bytes, sha256 }: StoredSize): ImageRecord {
  return { name, width, sha256, content: bytes.toString('base64') };
}

import type sharp from 'sharp';
import { AppError } from '../../base/errors.js';

export type Sharp = typeof sharp;

/** What decodes the types that we take; sharp knows many more, of which every one is more that could be attacked. */
const decoders = ['Jpeg', 'Png', 'Webp'].map((name) => `VipsForeignLoad${name}Buffer`);

/**
 * The package that decodes and encodes pictures, loaded when the first one comes: its binaries are large, and not
 * there for every machine. Where it cannot be loaded: `images_unavailable`.
 */
export async function loadSharp(load: () => Promise<{ default: Sharp }> = importSharp) {
  try {
    const { default: found } = await load();
    // No memory for pictures that have been, and one thread for the one that is.
    found.cache(false);
    found.concurrency(1);
    found.block({ operation: ['VipsForeignLoad'] });
    found.unblock({ operation: decoders });
    return found;
  } catch (cause) {
    throw new AppError(
      'images_unavailable',
      'Pictures cannot be uploaded: the package sharp, which works on them, cannot be loaded here.',
      {
        hint: 'Install msgsite with its optional packages (npm ci --include=optional) on this machine. Until then, give the address of a picture elsewhere.',
        cause,
      },
    );
  }
}

const importSharp = () => import('sharp');

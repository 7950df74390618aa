import { AppError } from '../../base/errors.js';
import {
  createDurableFolders,
  removeFile,
  replaceFile,
  syncFolder,
} from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { createTurns } from '../../base/turns.js';
import { faultAt, type Report, setAside } from '../../storage/json/check/data-checker.js';
import { mediaWidths } from '../media.js';
import type { ImageStore } from '../store.js';
import {
  type ImageIndex,
  imageContent,
  imageIndex,
  imagePath,
  imagePlace,
  listImages,
  readImage,
} from './image-files.js';

export interface JsonImagesOptions {
  readonly data: string;
  readonly files?: FileLayer;
  /**
   * Returns the time in milliseconds since the epoch. Pictures without an entry are treated as unused since this time.
   */
  now(): number;
  /** Called for damage. Damaged lines are set aside, and the rest is served. */
  onDamage?(...damage: Parameters<Report>): void;
}

/** Opens the pictures that are stored in files. A small list of them is kept in memory and on disk. */
export async function openJsonImageStore(options: JsonImagesOptions): Promise<ImageStore> {
  const { data, files = systemFiles, now, onDamage = () => {} } = options;
  const folders = createDurableFolders(files);
  const place = imagePlace(data);
  const { folder } = place;
  const inTurn = createTurns<string>();
  const { index, current: opened, isListed: wasListed } = await openIndex();
  let current = opened;
  let isListed = wasListed;

  /** Opens the list and updates it to match the files in the folder. Only times can be lost. */
  async function openIndex() {
    const damage: Parameters<Report>[] = [];
    const index = imageIndex(place, files, (...each) => void damage.push(each));
    const known = await index.read();
    const { names, others } = await listImages(files, place);
    const stored = new Set(names);
    if (!known && names.length > 0) {
      damage.push([faultAt({ file: place.index }, 'The file is missing.')]);
    }
    for (const name of known?.keys() ?? []) {
      if (stored.has(name)) continue;
      damage.push([faultAt({ file: imagePath(folder, name) }, 'The file is missing.')]);
    }
    for (const [finding, bytes] of damage) {
      onDamage(finding, bytes);
      if (bytes?.length && finding.severity === 'error')
        await setAside(files, data, place.index, bytes);
    }
    // A killed process left these files. No other process writes here.
    for (const path of others) if (path.endsWith('.tmp')) await removeFile(files, path);
    const current: ImageIndex = new Map(
      names.map((name) => [name, known?.has(name) ? (known.get(name) ?? null) : now()]),
    );
    const isSame = damage.length === 0 && names.every((name) => known?.has(name));
    if (!isSame) await index.write(current);
    return { index, current, isListed: known !== null || !isSame };
  }

  /** Changes the list. Changes are made one at a time and take effect when they are on disk. */
  function change(decide: (images: ImageIndex) => ImageIndex): Promise<void> {
    return inTurn('index', async () => {
      const next = decide(current);
      if (next === current) return;
      await index.write(next);
      current = next;
    });
  }

  function mark(names: readonly string[], unusedSince: number | null): Promise<void> {
    return change((images) => {
      const marked = names.filter((name) => images.has(name) && images.get(name) !== unusedSince);
      if (marked.length === 0) return images;
      return sorted([...images, ...marked.map((name) => [name, unusedSince] as const)]);
    });
  }

  async function isWhole(name: string): Promise<boolean> {
    try {
      const sizes = await readImage(files, folder, name, mediaWidths);
      return sizes?.size === mediaWidths.length;
    } catch (error) {
      if (error instanceof AppError && error.code === 'data_damaged') return false;
      throw error;
    }
  }

  async function removeImages(names: readonly string[]): Promise<void> {
    for (const name of names) await removeFile(files, imagePath(folder, name));
    await syncFolder(files, folder);
  }

  return {
    renew: (name, time) =>
      inTurn(name, async () => {
        if (!current.has(name) || !(await isWhole(name))) return false;
        // A used picture remains used until the removal of unused pictures marks it.
        if (current.get(name) !== null) await mark([name], time);
        return true;
      }),
    add: (name, sizes, time) =>
      inTurn(name, async () => {
        if (current.has(name) && (await isWhole(name))) return;
        await folders.ensure(folder);
        // Create the list first. If there are pictures but no list, the list is reported as missing.
        if (!isListed) await change(() => new Map());
        isListed = true;
        const path = imagePath(folder, name);
        await replaceFile(path, imageContent(name, sizes), { files });
        try {
          await change((images) => sorted([...images, [name, time]]));
        } catch (error) {
          if (!current.has(name)) await removeFile(files, path).catch(() => {});
          throw error;
        }
      }),
    async read({ name, width }) {
      if (!current.has(name)) return undefined;
      return (await readImage(files, folder, name, [width]))?.get(width);
    },
    list: async () => [...current].map(([name, unusedSince]) => ({ name, unusedSince })),
    mark,
    async remove(names, until) {
      const removed: string[] = [];
      for (const name of names) {
        // Waits for an upload of the same picture.
        await inTurn(name, async () => {
          const since = current.get(name) ?? null;
          if (since === null || since > until) return;
          await change((images) => sorted([...images].filter(([each]) => each !== name)));
          await removeImages([name]);
          removed.push(name);
        });
      }
      return removed;
    },
    async close() {
      await inTurn('index', async () => {});
    },
  };
}

/** Sorts entries by name. A later entry replaces an earlier one with the same name. */
function sorted(entries: readonly (readonly [string, number | null])[]): ImageIndex {
  return new Map([...new Map(entries)].sort(([a], [b]) => (a < b ? -1 : 1)));
}

import { join } from 'node:path';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import { isOver, type Left, type Order, type Stock } from '../order.js';
import { takePieces } from '../stock.js';
import type { JsonOrderStoreOptions } from './options.js';
import { type StockFile, stockPlan, type TakenFor } from './plans.js';

interface JsonStockOptions extends JsonOrderStoreOptions {
  findOrder(id: string): Promise<Order | undefined>;
}

/**
 * Counts as one file each in `stock/`. Pieces are taken in the same step in which the file says for which order:
 * taken again for that order, they are not taken twice. The note goes once the order says that it is paid.
 */
export async function openJsonStockStore(options: JsonStockOptions) {
  const { findOrder } = options;
  const files = await openRecordFolder({
    ...options,
    folder: join(options.folder, 'stock'),
    plan: stockPlan,
  });

  /** Changes a count; one that is not there is `left: null`. */
  async function change(
    productId: number,
    next: (file: StockFile) => StockFile | Promise<StockFile>,
  ): Promise<StockFile> {
    const id = String(productId);
    for (;;) {
      const changed = await files.change(id, async (kept) => {
        const record = kept && (await next(kept));
        return { ...(record && record !== kept ? { record } : {}), result: record };
      });
      if (changed) return changed;
      const first = await next({ productId, left: null, taken: [] });
      // Where somebody else has made one meanwhile, that one is changed.
      if (first.left === null || (await files.create(id, first))) return first;
    }
  }

  /** What a process that died has left: notes of orders that are marked, and pieces that came to nothing. */
  async function tidy(file: StockFile, except: string): Promise<StockFile> {
    const taken: TakenFor[] = [];
    let { left } = file;
    for (const note of file.taken) {
      const order = note.orderId === except ? undefined : await findOrder(note.orderId);
      if (!order || !isOver(order)) taken.push(note);
      else if (order.status !== 'paid' && left !== null) left += note.pieces;
    }
    return taken.length === file.taken.length ? file : { ...file, left, taken };
  }

  return {
    /** Takes the pieces of an order, once; gives whether there were too few. */
    async take({ id, productId, quantity }: Order): Promise<boolean> {
      const { taken } = await change(productId, async (kept) => {
        const file = await tidy(kept, id);
        if (file.left === null || file.taken.some(({ orderId }) => orderId === id)) return file;
        const { left, oversold } = takePieces(file.left, quantity);
        const note = { orderId: id, pieces: file.left - left, oversold };
        return { ...file, left, taken: [...file.taken, note] };
      });
      return taken.find(({ orderId }) => orderId === id)?.oversold ?? false;
    },
    /** Forgets the note of an order that says itself now that it is paid. */
    async forget({ id, productId }: Order): Promise<void> {
      await change(productId, (file) => {
        const taken = file.taken.filter(({ orderId }) => orderId !== id);
        return taken.length === file.taken.length ? file : { ...file, taken };
      });
    },
    async leftOf(productId: number): Promise<Left> {
      return (await files.find(String(productId)))?.record.left ?? null;
    },
    async changeLeft(productId: number, next: (left: Left) => Left): Promise<Left> {
      return (await change(productId, (file) => ({ ...file, left: next(file.left) }))).left;
    },
    async list(): Promise<(Stock & { readonly left: number })[]> {
      const found: (Stock & { readonly left: number })[] = [];
      for await (const { record } of files.list(['kept'])) {
        const { productId, left } = record;
        if (left !== null) found.push({ productId, left });
      }
      return found.sort((a, b) => a.productId - b.productId);
    },
    close: files.close,
  };
}

import { join } from 'node:path';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import { isOver, type Left, type Order, type OrderItem, type Stock } from '../order.js';
import { takePieces } from '../stock.js';
import type { JsonOrderStoreOptions } from './options.js';
import { type StockFile, stockPlan, type TakenFor } from './plans.js';

interface JsonStockOptions extends JsonOrderStoreOptions {
  findOrder(id: string): Promise<Order | undefined>;
}

/**
 * Opens the store of counts, one file each in `stock/`. A file is changed once to take the pieces and to note the order
 * they are for, so a repeat does not take them twice. The note is removed once the order is marked paid.
 */
export async function openJsonStockStore(options: JsonStockOptions) {
  const { findOrder } = options;
  const files = await openRecordFolder({
    ...options,
    folder: join(options.folder, 'stock'),
    plan: stockPlan,
  });

  /** Changes a count; a missing one is `left: null`. */
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
      // If another process has created it meanwhile, the loop changes that one.
      if (first.left === null || (await files.create(id, first))) return first;
    }
  }

  /**
   * Removes the notes of processes that died: of orders that are marked, and of orders that were not paid, whose pieces
   * go back.
   */
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

  /** Takes the pieces of an order's item once; returns true if there were too few. */
  async function takeItem(id: string, { productId, quantity }: OrderItem): Promise<boolean> {
    const { taken } = await change(productId, async (kept) => {
      const file = await tidy(kept, id);
      if (file.left === null || file.taken.some(({ orderId }) => orderId === id)) return file;
      const { left, oversold } = takePieces(file.left, quantity);
      const note = { orderId: id, pieces: file.left - left, oversold };
      return { ...file, left, taken: [...file.taken, note] };
    });
    return taken.find(({ orderId }) => orderId === id)?.oversold ?? false;
  }

  return {
    /**
     * Takes the pieces of an order once; returns its items, with those marked of which there were too few. A process
     * that dies between two items leaves notes, from which the next one continues.
     */
    async take({ id, items }: Order): Promise<OrderItem[]> {
      const taken: OrderItem[] = [];
      for (const item of items) taken.push({ ...item, oversold: await takeItem(id, item) });
      return taken;
    },
    /** Removes the notes of an order that is marked paid. */
    async forget({ id, items }: Order): Promise<void> {
      for (const { productId } of items) {
        await change(productId, (file) => {
          const taken = file.taken.filter(({ orderId }) => orderId !== id);
          return taken.length === file.taken.length ? file : { ...file, taken };
        });
      }
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

import { LRUCache } from 'lru-cache';
import type { Language } from '../../base/languages.js';
import { type ReadyText, readyText } from '../../http/answer/ready-text.js';
import type { Reply } from '../../http/answer/reply.js';

/** Bytes of all pages that are kept ready; those unused for longest are dropped first. */
const mostBytes = 32 * 1024 * 1024;

/** Beside a text as it is, its compressed forms are kept. */
const forms = 1.5;

export interface ReadyPagesOptions {
  /** Calls `listener` when pages that were made may be old. */
  onChange(listener: () => void): void;
  /** Whether somebody can take payments: pages say so. */
  canPay?(): boolean;
}

/** What tells pages apart, besides whether there is somebody to take payments. */
export interface PageKey {
  readonly language: Language | '';
  /** Path with the query that counts. */
  readonly path: string;
}

/** A page that is drawn. */
export interface ReadyPage {
  readonly text: ReadyText;
  /** Makes the page's end where it is of one visit only. */
  readonly end?: () => string;
}

/** What a page is drawn to. */
export interface DrawnPage extends Omit<ReadyPage, 'text'> {
  readonly html: string;
}

/** Pages that are drawn once, until something that they show changes. */
export function createReadyPages({ onChange, canPay = () => false }: ReadyPagesOptions) {
  const pages = new LRUCache<string, ReadyPage>({
    maxSize: mostBytes,
    sizeCalculation: ({ text }) => Math.ceil(text.bytes.length * forms) + 1,
  });
  const nameOf = ({ language, path }: PageKey) => `${language} ${canPay()} ${path}`;
  let generation = 0;
  onChange(() => {
    generation += 1;
    pages.clear();
  });

  return {
    /** The page of this key where it has been drawn. */
    known: (key: PageKey): ReadyPage | undefined => pages.get(nameOf(key)),
    /** The page of this key; `draw` is called where it is not there. */
    async page(key: PageKey, draw: () => DrawnPage | Promise<DrawnPage>): Promise<ReadyPage> {
      const name = nameOf(key);
      const known = pages.get(name);
      if (known) return known;
      const started = generation;
      const { html, ...more } = await draw();
      const page = { ...more, text: readyText(html) };
      // A change while it was drawn makes it old: it is sent this once, but not kept.
      if (started === generation) pages.set(name, page);
      return page;
    },
  };
}

export type ReadyPages = ReturnType<typeof createReadyPages>;

/** A ready page as an answer. */
export function replyOf({ text, end }: ReadyPage, headers: NonNullable<Reply['headers']>): Reply {
  return { status: 200, ready: text, headers, ...(end ? { tail: end() } : {}) };
}

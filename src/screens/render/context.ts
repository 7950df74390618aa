import type { TableRowDocumentDefinition } from '#screen-definition';
import { type Html, html, trusted } from '../../base/html.js';
import { pointer } from '../../json/pointers.js';
import { byKey, cellOf, plainText } from '../definition/values.js';
import type { NavEntry } from '../normalise/frame.js';
import type { Screen } from '../normalise/normalise.js';
import type { ScreenRow } from '../normalise/table.js';
import { countRows, type StatusMap } from './blocks/counts.js';
import { type Forms, type Locale, say, type Values } from './format.js';
import { createSprite } from './icons.js';
import type { StylePart } from './page-style.js';
import { wordsOf } from './words/words.js';

export interface RenderOptions {
  /** Language of the runtime's own words; default `en`. */
  readonly locale?: Locale | undefined;
  /** Marks each part with the JSON Pointer it comes from and says what was degraded. */
  readonly preview?: boolean | undefined;
  /** Colour scheme; without it the reader's own is followed. */
  readonly theme?: 'light' | 'dark' | undefined;
}

export interface CollectedDocument extends TableRowDocumentDefinition {
  readonly row: number;
  readonly of: string;
}

/** By their type; under undefined, all of them. */
export type CollectedDocuments = ReadonlyMap<string | undefined, readonly CollectedDocument[]>;

const nothing = trusted('');

/** What every part of the page is drawn with. */
export type RenderContext = Readonly<ReturnType<typeof createContext>>;

export function createContext(screen: Screen, { locale = 'en', preview = false }: RenderOptions) {
  const words = wordsOf[locale];
  const known = knownOf(screen);
  const sameLang = screen.product.language === locale;
  return {
    screen,
    locale,
    preview,
    words,
    sprite: createSprite(),
    /** The styles of the blocks drawn so far; a block names its own. */
    styles: new Set<StylePart>(),
    /** Names the address in the definition (preview only): a pointer, and further steps. */
    at: (path: string, ...steps: readonly (string | number)[]) =>
      preview ? html` data-at="${path + pointer(...steps)}"` : nothing,
    /** The runtime's words, filled in and in the right plural form. */
    say: (forms: Forms, values: Values) => say(forms, values, locale),
    known,
    /** How the summary chart counts the rows. */
    counting: countRows(screen, known.statuses, words.none),
    /** What was worked out for a value before: rows repeat their dates and statuses. */
    memo: {
      dates: new Map<string, { readonly html: string; readonly day: number | undefined }>(),
      badges: new Map<string, Html>(),
      /** The documents of all rows, once a section has listed some. */
      documents: undefined as CollectedDocuments | undefined,
      /** Rows that were compared with entries of the activity feed. */
      rowsTried: 0,
    },
    /** The `lang` of the content, where it differs from that of the page. */
    contentLang: sameLang ? nothing : html` lang="${screen.product.language}"`,
    /** The `lang` of the runtime's words inside the content, where the two languages differ. */
    ownLang: sameLang ? nothing : html` lang="${locale}"`,
  };
}

/** Things that others refer to, by their key or view: there may be as many of both as fit a file. */
function knownOf({ statuses, table, nav }: Screen) {
  const byStatus: StatusMap = new Map(
    statuses.map((status, place) => [status.key, { ...status, place }]),
  );
  const entries = nav.flatMap(({ items }) => items);
  const firstOf = (wanted: NavEntry['view']): number | undefined =>
    entries.find(({ view }) => view === wanted)?.index;
  return {
    statuses: byStatus,
    columns: byKey(table?.columns ?? []),
    /** Every nav item; headings are not counted. */
    entries,
    /** The nav item that stands for the screen itself: the first that opens no view of its own. */
    home: firstOf(undefined),
    /** The first nav item that opens a registry. */
    registry: firstOf('registry'),
  };
}

/** What a row is called: its drawer title, else its number. */
export function rowTitle({ screen, words, say: fill }: RenderContext, row: ScreenRow): string {
  const title = plainText(cellOf(row.cells, screen.drawer.titleKey)).trim();
  return isSeen(title) ? title : fill(words.row, { n: row.index + 1 });
}

/** Whether a text has anything to see; blanks and marks that nobody sees are no name. */
export function isSeen(text: string): boolean {
  return /[^\s\p{Cf}]/u.test(text);
}

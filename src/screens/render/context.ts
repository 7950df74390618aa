import type { TableRowDocumentDefinition } from '#screen-definition';
import { type Html, html, trusted } from '../../base/html.js';
import { pointer } from '../../json/pointers.js';
import { byKey, cellOf, plainText, toDay } from '../definition/values.js';
import type { NavEntry } from '../normalise/frame.js';
import type { Screen } from '../normalise/normalise.js';
import type { ScreenRow, ScreenStatus } from '../normalise/table.js';
import type { ChartItem } from './charts/build.js';
import { type Forms, type Locale, say, type Values } from './format.js';
import { createSprite } from './icons.js';
import type { StylePart } from './page-style.js';
import { en, type Words } from './words/en.js';
import { kk } from './words/kk.js';
import { ru } from './words/ru.js';

/** The words of the page by language. */
export const wordsOf: Readonly<Record<Locale, Words>> = { en, ru, kk };

export interface RenderOptions {
  /** Language of the page's own words; default `en`. */
  readonly locale?: Locale | undefined;
  /** Marks each part with the JSON Pointer of its definition and reports degradations. */
  readonly preview?: boolean | undefined;
  /** Colour scheme; by default that of the reader's system. */
  readonly theme?: 'light' | 'dark' | undefined;
}

export interface CollectedDocument extends TableRowDocumentDefinition {
  readonly row: number;
  readonly of: string;
}

/** Documents by type; all of them under undefined. */
export type CollectedDocuments = ReadonlyMap<string | undefined, readonly CollectedDocument[]>;

const nothing = trusted('');

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
    /** The styles of the blocks drawn so far; each block adds its own. */
    styles: new Set<StylePart>(),
    /** Returns the attribute with a JSON Pointer, in the preview only: `path` and further steps. */
    at: (path: string, ...steps: readonly (string | number)[]) =>
      preview ? html` data-at="${path + pointer(...steps)}"` : nothing,
    /** Returns a text with its values and the right plural form. */
    say: (forms: Forms, values: Values) => say(forms, values, locale),
    known,
    /** How the summary chart counts the rows. */
    counting: countRows(screen, known.statuses, words.none),
    /** Results that rows repeat. */
    memo: {
      dates: new Map<string, { readonly html: string; readonly day: number | undefined }>(),
      badges: new Map<string, Html>(),
      /** The documents of all rows, once a section has listed some. */
      documents: undefined as CollectedDocuments | undefined,
      /** Comparisons of rows with entries of the activity feed so far. */
      rowsTried: 0,
    },
    /** The `lang` of the content if it differs from the page's. */
    contentLang: sameLang ? nothing : html` lang="${screen.product.language}"`,
    /** The `lang` of the page's words inside content in another language. */
    ownLang: sameLang ? nothing : html` lang="${locale}"`,
  };
}

/** Returns statuses, columns and nav items by key, because definitions may contain as many as fit in a file. */
function knownOf({ statuses, table, nav }: Screen) {
  const byStatus: StatusMap = new Map(
    statuses.map((status, place) => [status.key, { ...status, place }]),
  );
  const entries = nav.flatMap(({ items }) => items);
  const firstOf = (kind: NavEntry['view']): number | undefined =>
    entries.find(({ view }) => view === kind)?.index;
  return {
    statuses: byStatus,
    columns: byKey(table?.columns ?? []),
    /** Every nav item, without headings. */
    entries,
    /** The nav item for the screen itself: the first one that opens no view of its own. */
    home: firstOf(undefined),
    /** The first nav item that opens a registry. */
    registry: firstOf('registry'),
  };
}

/** Returns the title of a row, or its number if it has no visible title. */
export function rowTitle({ screen, words, say: fill }: RenderContext, row: ScreenRow): string {
  const title = plainText(cellOf(row.cells, screen.drawer.titleKey)).trim();
  return isSeen(title) ? title : fill(words.row, { n: row.index + 1 });
}

/** Returns true if a text contains more than blanks and invisible characters. */
export function isSeen(text: string): boolean {
  return /[^\s\p{Cf}]/u.test(text);
}

/** Statuses by key, with their position. */
type StatusMap = ReadonlyMap<unknown, ScreenStatus & { readonly place: number }>;

/** A bar that counts rows; `key` identifies their group. */
interface CountGroup extends ChartItem {
  readonly key: string;
}

/** The most bars that are drawn; the most frequent are kept. */
export const maxBars = 1_100;

interface RowCounting {
  readonly groups: readonly CountGroup[];
  /** True if the groups are the statuses, which a row carries anyway. */
  readonly byStatus: boolean;
  /** Index of a row's group, or undefined. */
  groupOf(row: ScreenRow): number | undefined;
  /** Day of a row's date, or undefined. */
  dayOf(row: ScreenRow): number | undefined;
}

/**
 * Counts the rows by `groupBy` (statuses in their order, other values by frequency) or by day. `none` is the
 * label of rows without a value.
 */
function countRows({ chart, table }: Screen, statuses: StatusMap, none: string): RowCounting {
  const { source } = chart ?? {};
  const nothing = { groups: [], byStatus: false, groupOf: () => undefined, dayOf: () => undefined };
  if (source?.kind === 'days') {
    return { ...nothing, dayOf: ({ cells }) => toDay(cellOf(cells, source.dateKey)) };
  }
  if (source?.kind !== 'groups') return nothing;
  const fieldOf = ({ cells }: ScreenRow): string => plainText(cellOf(cells, source.groupBy));
  const byStatus = table?.statusColumn?.key === source.groupBy;
  const counts = new Map<string, number>();
  // Include statuses without rows, because a decision may lead to one.
  if (byStatus) for (const { key } of statuses.values()) counts.set(key, 0);
  for (const row of table?.rows ?? []) {
    const field = fieldOf(row);
    counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  const placeOf = (key: string): number => statuses.get(key)?.place ?? statuses.size;
  const fields = [...counts].sort(([a, countOfA], [b, countOfB]) =>
    byStatus ? placeOf(a) - placeOf(b) : countOfB - countOfA,
  );
  const indexes = new Map(fields.map(([field], index) => [field, index]));
  const groups = fields.slice(0, maxBars).map(([field, value], index) => {
    const { label = field, tone } = (byStatus && statuses.get(field)) || {};
    const key = byStatus ? field : String(index);
    return { key, label: label || none, value, text: String(value), tone };
  });
  return { ...nothing, groups, byStatus, groupOf: (row) => indexes.get(fieldOf(row)) };
}

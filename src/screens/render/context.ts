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

/** The page's interface texts, by language. */
export const wordsOf: Readonly<Record<Locale, Words>> = { en, ru, kk };

export interface RenderOptions {
  /** Language of the page's interface texts; default `en`. */
  readonly locale?: Locale | undefined;
  /** Marks each part with the JSON Pointer of its definition, and shows why the screen differs from the definition. */
  readonly preview?: boolean | undefined;
  /** Colour scheme; by default the system setting. */
  readonly theme?: 'light' | 'dark' | undefined;
}

export interface CollectedDocument extends TableRowDocumentDefinition {
  readonly row: number;
  readonly of: string;
}

/** Documents by type. The key `undefined` contains all documents. */
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
    /** The styles of the blocks drawn so far. Each block adds the styles that it requires. */
    styles: new Set<StylePart>(),
    /** Returns the attribute with the JSON Pointer of `path` and `steps` in the preview, and nothing elsewhere. */
    at: (path: string, ...steps: readonly (string | number)[]) =>
      preview ? html` data-at="${path + pointer(...steps)}"` : nothing,
    /** Returns a text in the correct plural form, with its placeholders filled in. */
    say: (forms: Forms, values: Values) => say(forms, values, locale),
    known,
    /** How the summary chart counts the rows. */
    counting: countRows(screen, known.statuses, words.none),
    /** Cached results that rows have in common. */
    memo: {
      dates: new Map<string, { readonly html: string; readonly day: number | undefined }>(),
      badges: new Map<string, Html>(),
      /** The documents of all rows; undefined until a section requires them. */
      documents: undefined as CollectedDocuments | undefined,
      /** Number of comparisons between rows and entries of the activity feed so far. */
      comparisons: 0,
    },
    /** The `lang` attribute of the content if its language differs from the page's language. */
    contentLang: sameLang ? nothing : html` lang="${screen.product.language}"`,
    /** The `lang` attribute of interface texts inside content in a different language. */
    ownLang: sameLang ? nothing : html` lang="${locale}"`,
  };
}

/** Indexes statuses and columns by key, and finds nav items. A definition may contain any number of them. */
function knownOf({ statuses, table, nav }: Screen) {
  const byStatus: StatusMap = new Map(
    statuses.map((status, position) => [status.key, { ...status, position }]),
  );
  const entries = nav.flatMap(({ items }) => items);
  const firstOf = (kind: NavEntry['view']): number | undefined =>
    entries.find(({ view }) => view === kind)?.index;
  return {
    statuses: byStatus,
    columns: byKey(table?.columns ?? []),
    /** Every nav item, without headings. */
    entries,
    /** Index of the nav item for the screen itself, which is the first one without a view. */
    home: firstOf(undefined),
    /** Index of the first nav item that opens a registry. */
    registry: firstOf('registry'),
  };
}

/** Returns the title of a row, or its number if it has no visible title. */
export function rowTitle({ screen, words, say: fill }: RenderContext, row: ScreenRow): string {
  const title = plainText(cellOf(row.cells, screen.drawer.titleKey)).trim();
  return isVisible(title) ? title : fill(words.row, { n: row.index + 1 });
}

/** Returns true if a text contains a visible character. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Cf}]/u.test(text);
}

/** Statuses by key, with their position. */
type StatusMap = ReadonlyMap<unknown, ScreenStatus & { readonly position: number }>;

/** A bar for the number of rows in a group. `key` identifies the group. */
interface CountGroup extends ChartItem {
  readonly key: string;
}

/** Maximum number of bars in a chart. The most frequent groups are kept. */
export const maxBars = 1_100;

interface RowCounting {
  readonly groups: readonly CountGroup[];
  /** True if the groups are the statuses, so that rows need no separate group attribute. */
  readonly byStatus: boolean;
  /** Returns the index of a row's group, or undefined. */
  groupOf(row: ScreenRow): number | undefined;
  /** Returns the day of a row's date, or undefined. */
  dayOf(row: ScreenRow): number | undefined;
}

/**
 * Counts the rows by day or by the value of `groupBy`. Statuses keep their order; other values are sorted by frequency.
 * `none` is the label of rows without a value.
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
  // Include statuses without rows, because a decision may move a row to one.
  if (byStatus) for (const { key } of statuses.values()) counts.set(key, 0);
  for (const row of table?.rows ?? []) {
    const field = fieldOf(row);
    counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  const positionOf = (key: string): number => statuses.get(key)?.position ?? statuses.size;
  const fields = [...counts].sort(([a, countOfA], [b, countOfB]) =>
    byStatus ? positionOf(a) - positionOf(b) : countOfB - countOfA,
  );
  const indexes = new Map(fields.map(([field], index) => [field, index]));
  const groups = fields.slice(0, maxBars).map(([field, value], index) => {
    const { label = field, tone } = (byStatus && statuses.get(field)) || {};
    const key = byStatus ? field : String(index);
    return { key, label: label || none, value, text: String(value), tone };
  });
  return { ...nothing, groups, byStatus, groupOf: (row) => indexes.get(fieldOf(row)) };
}

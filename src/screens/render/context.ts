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

/** The runtime's own words by language. */
export const wordsOf: Readonly<Record<Locale, Words>> = { en, ru, kk };

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

/** Statuses by their key, with their position among the others. */
type StatusMap = ReadonlyMap<unknown, ScreenStatus & { readonly place: number }>;

/** A bar that counts rows, and what they carry. */
interface CountGroup extends ChartItem {
  readonly key: string;
}

/** The most bars that are drawn: the most frequent ones. */
export const mostBars = 1_100;

/** How the rows of the list are counted by the chart. */
interface RowCounting {
  readonly groups: readonly CountGroup[];
  /** Whether the groups are the statuses: those a row carries anyway. */
  readonly byStatus: boolean;
  /** Index of a row's group, or undefined. */
  groupOf(row: ScreenRow): number | undefined;
  /** Day of a row's date, or undefined. */
  dayOf(row: ScreenRow): number | undefined;
}

/**
 * The groups of `groupBy` (statuses in their order, else the most frequent first) or the days; `none` is
 * the label of rows without a value.
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
  // A decision may lead to a status that no row has yet.
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
  const groups = fields.slice(0, mostBars).map(([field, value], index) => {
    const { label = field, tone } = (byStatus && statuses.get(field)) || {};
    const key = byStatus ? field : String(index);
    return { key, label: label || none, value, text: String(value), tone };
  });
  return { ...nothing, groups, byStatus, groupOf: (row) => indexes.get(fieldOf(row)) };
}

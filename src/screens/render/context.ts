import { byKey, cellOf, plainText, pointer } from '../definition/values.js';
import type { NavEntry } from '../normalise/frame.js';
import type { Screen } from '../normalise/normalise.js';
import type { ScreenColumn, ScreenRow, ScreenStatus } from '../normalise/table.js';
import type { ChartWords } from './charts/build.js';
import { type Locale, say } from './format.js';
import { type Html, html, trusted } from './html.js';
import { createSprite, type Sprite } from './icons.js';
import type { StylePart } from './page-style.js';
import type { Words } from './words/en.js';
import { wordsOf } from './words/words.js';

export interface RenderOptions {
  /** Language of the runtime's own words; default `en`. */
  readonly locale?: Locale | undefined;
  /** Marks each part with the JSON Pointer it comes from and says what was degraded. */
  readonly preview?: boolean | undefined;
  /** Colour scheme; without it the reader's own is followed. */
  readonly theme?: 'light' | 'dark' | undefined;
}

/** What every part of the page is drawn with. */
export interface RenderContext {
  readonly screen: Screen;
  readonly locale: Locale;
  readonly words: Words;
  readonly preview: boolean;
  /** Whether the colour scheme is chosen here and not by the reader. */
  readonly themed: boolean;
  readonly sprite: Sprite;
  /** The styles of the blocks drawn so far; a block names its own. */
  readonly styles: Set<StylePart>;
  /** Attribute that names the place in the definition (preview only): a pointer, and further steps. */
  at(path: string, ...steps: readonly (string | number)[]): Html;
  /** The runtime's words, filled in and in the right plural form. */
  say(forms: string | readonly string[], values: Readonly<Record<string, string | number>>): string;
  /** Things that others refer to, by their key or view: there may be as many of both as fit a file. */
  readonly known: {
    readonly statuses: ReadonlyMap<unknown, ScreenStatus & { readonly place: number }>;
    readonly columns: ReadonlyMap<string, ScreenColumn>;
    /** The nav item that stands for the screen itself: the first that opens no view of its own. */
    readonly home: number | undefined;
    /** The first nav item that opens a registry. */
    readonly registry: number | undefined;
  };
  /** What was worked out for a value before: rows repeat their dates and statuses. */
  readonly memo: {
    readonly dates: Map<string, { readonly html: string; readonly day: number | undefined }>;
    readonly badges: Map<string, Html>;
    /** Rows that were compared with entries of the activity feed. */
    rowsTried: number;
  };
  /** The `lang` of the content, where it differs from that of the page. */
  readonly contentLang: Html;
  /** The `lang` of the runtime's words inside the content, where the two languages differ. */
  readonly ownLang: Html;
}

const nothing = trusted('');

export function createContext(
  screen: Screen,
  { locale = 'en', preview = false, theme }: RenderOptions,
): RenderContext {
  const sameLang = screen.product.language === locale;
  return {
    screen,
    locale,
    preview,
    themed: theme !== undefined,
    words: wordsOf[locale],
    styles: new Set(),
    sprite: createSprite(),
    at: (path, ...steps) => (preview ? html` data-at="${path + pointer(...steps)}"` : nothing),
    say: (forms, values) => say(forms, values, locale),
    known: knownOf(screen),
    memo: { dates: new Map(), badges: new Map(), rowsTried: 0 },
    contentLang: sameLang ? nothing : html` lang="${screen.product.language}"`,
    ownLang: sameLang ? nothing : html` lang="${locale}"`,
  };
}

function knownOf({ statuses, table, nav }: Screen): RenderContext['known'] {
  const entries = nav.flatMap(({ items }) => items);
  const firstOf = (wanted: NavEntry['view']): number | undefined =>
    entries.find(({ view }) => view === wanted)?.index;
  return {
    statuses: new Map(statuses.map((status, place) => [status.key, { ...status, place }])),
    columns: byKey(table?.columns ?? []),
    home: firstOf(undefined),
    registry: firstOf('registry'),
  };
}

/** What a row is called: its drawer title, else its number. */
export function rowTitle({ screen, words, say: fill }: RenderContext, row: ScreenRow): string {
  const title = plainText(cellOf(row.cells, screen.drawer.titleKey)).trim();
  return title || fill(words.row, { n: row.index + 1 });
}

export function chartWords({ words }: RenderContext): ChartWords {
  const { label, value, note, chartData, noData } = words;
  return { label, value, note, chartData, noData };
}

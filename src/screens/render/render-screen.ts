import { createHash } from 'node:crypto';
import { AppError } from '../../base/errors.js';
import { type Html, html, jsonIsland, trusted } from '../../base/html.js';
import { isolateDirection } from '../../base/text-direction.js';
import { cellOf, plainText } from '../definition/values.js';
import { normaliseScreen, type Screen } from '../normalise/normalise.js';
import type { ScreenRow } from '../normalise/table.js';
import { badgeTemplates } from './blocks/badge.js';
import { chatAnswers, chatPanel } from './blocks/chat.js';
import { createDialog, createLabel, drawer, onboardingDialog } from './blocks/dialogs.js';
import { authorNotices, header } from './blocks/header.js';
import { pageData, pageScript } from './blocks/island.js';
import { sideNavigation } from './blocks/navigation.js';
import { rowDetails } from './blocks/row-details.js';
import { confirmDialog, resultTemplates } from './blocks/scenario.js';
import { newRowTemplates } from './blocks/table.js';
import { views } from './blocks/views.js';
import { createContext, type RenderContext, type RenderOptions } from './context.js';
import { pageStyle } from './page-style.js';

/**
 * Renders a definition as one self-contained page. The page makes no requests. Text from the definition never becomes
 * markup or script, and links from it are limited to http and https. The same input always produces the same page.
 * Accepts any parsed JSON and ignores its invalid parts. Throws `too_large` if the page would be too long.
 */
export function renderScreen(definition: unknown, options: RenderOptions = {}): string {
  const screen = normaliseScreen(definition);
  checkPageSize(screen);
  const context = createContext(screen, options);
  const body = pageBody(context);
  const { product } = screen;
  const style = pageStyle(context.styles, screen.table, options.theme);
  const script = pageScript(context);
  const title = [product.name, product.purpose].flatMap((part) => part || []).map(isolateDirection);
  const theme = options.theme ? html` data-theme="${options.theme}"` : '';
  return html`<!doctype html>
<html lang="${context.locale}"${theme}><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${trusted(securityPolicy(style, script.hash))}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title.join(' – ') || 'msgsite'}</title><link rel="icon" href="data:,"><style>${trusted(style)}</style></head>
<body>${body}<script type="application/json" id="data">${jsonIsland(pageData(context))}</script><script>${trusted(script.text)}</script></body></html>
`.text;
}

/** Returns a Content-Security-Policy that allows only the page's own style and script, by their hashes. */
function securityPolicy(style: string, scriptHash: string): string {
  const styleHash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `script-src 'sha256-${scriptHash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function pageBody(context: RenderContext): Html {
  const { screen, words, ownLang, contentLang, at, sprite, styles } = context;
  const { product } = screen;
  const navigation = sideNavigation(context);
  const head = html`<div class="page-head"${at('/product')}><div><h1${at('/product/name')}>${product.name}</h1>${product.purpose && html`<p class="purpose"${at('/product/purpose')}>${product.purpose}</p>`}</div><button type="button" class="button primary js-only" data-create${at('/product/createLabel')}>${sprite.icon('plus')}<span>${createLabel(context)}</span></button></div>`;
  const main = html`<main id="main" class="width-${screen.width}" tabindex="-1"${contentLang}>${authorNotices(context)}${head}<p class="paper" id="printed"${ownLang}></p>${views(context)}${rowDetails(context)}${chatAnswers(context)}</main>`;
  const dialogs = html`<div${contentLang}>${drawer(context)}${confirmDialog(context)}${createDialog(context)}${chatPanel(context)}${onboardingDialog(context)}</div>`;
  const templates = html`${badgeTemplates(context)}${resultTemplates(context)}${newRowTemplates(context)}`;
  const page = html`<a class="skip" href="#main">${words.skip}</a><div class="app${screen.nav.length > 0 ? ' with-nav' : ''}" data-archetype="${screen.archetype}">${navigation}<div class="frame">${header(context)}${main}</div></div>${dialogs}${templates}<div class="toast" id="toast" popover="manual"><p role="status"></p><button type="button" class="button" data-undo hidden${ownLang}>${words.undo}</button></div>${styles.has('chart') && html`<div class="tip" id="tip" popover="manual" role="tooltip"></div>`}<p class="vh" role="status" id="status"></p>`;
  return html`${sprite.symbols()}${page}`;
}

/** Maximum length of a page, in characters. JavaScript strings are limited to about 512 million characters. */
const maxCharacters = 400_000_000;

/** Length of the markup around each item of a page, in characters (measured and rounded up). */
const markup = {
  row: 220,
  cell: 30,
  field: 30,
  pane: 500,
  comparison: 320,
  pair: 170,
  document: 250,
  metric: 150,
  choice: 26,
};

/**
 * Throws `too_large` if repeated parts would make a page too long. Columns, drawer fields and pairs are repeated in
 * every row, documents in every section that lists them, and statuses in the create form for every status column.
 */
function checkPageSize(screen: Screen): void {
  const size = rowsSize(screen) + documentsSize(screen) + metricsSize(screen) + choicesSize(screen);
  if (size <= maxCharacters) return;
  const megabytes = Math.ceil(size / 1e6);
  throw new AppError(
    'too_large',
    `The page would have about ${megabytes} MB. The limit is 400 MB.`,
    {
      hint: 'Reduce the number of rows, columns, drawer fields or pairs.',
    },
  );
}

function rowsSize({ table, drawer, archetype, compare, scenario }: Screen): number {
  if (table === undefined) return 0;
  const fields = sum(drawer.fields, ({ key, label }) => markup.field + (label || key).length);
  const actions = (scenario?.control.length ?? 0) + (scenario?.reject?.length ?? 0);
  const pairs = sum(compare?.pairs ?? [], ({ label }) => markup.pair + label.length);
  const labels = (compare?.aLabel?.length ?? 0) + (compare?.bLabel?.length ?? 0);
  const columns = table.columns.length * markup.cell;
  const pane = markup.pane + fields + columns + actions;
  const panes = { compare: pane + markup.comparison + pairs + labels, inbox: pane };
  const list = archetype === 'compare' || archetype === 'inbox' ? panes[archetype] : columns;
  const flags = drawer.flagsLabel?.length ?? 0;
  return table.rows.length * (markup.row + fields + list + flags);
}

function documentsSize({ nav, table, drawer }: Screen): number {
  const sections = nav.flatMap(({ items }) => items).filter(({ view }) => view === 'documents');
  if (table === undefined || sections.length === 0) return 0;
  const titleOf = ({ cells }: ScreenRow): number =>
    plainText(cellOf(cells, drawer.titleKey)).length;
  const sizes = new Map<string | undefined, number>();
  for (const row of table.rows) {
    const size = row.docs.length > 0 ? markup.document + titleOf(row) : 0;
    // A section without a type lists all documents.
    for (const { type } of row.docs) {
      sizes.set(undefined, (sizes.get(undefined) ?? 0) + size);
      if (type !== undefined) sizes.set(type, (sizes.get(type) ?? 0) + size);
    }
  }
  return sum(sections, ({ docType }) => sizes.get(docType) ?? 0);
}

function metricsSize({ sections, kpis }: Screen): number {
  const strips = sections.filter(({ shown }) => shown === 'kpis').length;
  const texts = sum(
    kpis,
    ({ label, value, hint = '', note = '' }) =>
      markup.metric + label.length + value.length + hint.length + note.length,
  );
  return strips * texts;
}

function choicesSize({ table, statuses }: Screen): number {
  const columns = (table?.columns ?? []).filter(({ type }) => type === 'status').length;
  return columns * sum(statuses, ({ key, label }) => markup.choice + key.length + label.length);
}

function sum<T>(items: readonly T[], sizeOf: (item: T) => number): number {
  return items.reduce((total, item) => total + sizeOf(item), 0);
}

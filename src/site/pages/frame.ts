import { type Html, html } from '../../base/html.js';
import type { PageContent } from '../../http/answer/page-frame.js';
import { languages } from '../../words/languages.js';
import { absolute, inLanguage, linksFrom } from './parts.js';
import { shopCard } from './shop-card.js';
import { brandOf, type SiteFacts } from './site-facts.js';
import type { Words } from './words/en.js';
import { wordsOf } from './words/words.js';

/** A page with additional content for the frame. */
export interface FramedPage extends PageContent {
  /** Header content below the bar. */
  readonly hero?: Html;
  /** Absolute URL of the picture that link previews show. */
  readonly image?: string;
  /** Open Graph type. The default is `website`. */
  readonly kind?: 'product';
}

/** Header colours, which mobile browsers use for their toolbars. */
const barColours = { light: '#0c4855', dark: '#0e2b34' } as const;

/** Returns the complete HTML document of a page for visitors. */
export function drawFrame(page: FramedPage, site: SiteFacts): string {
  const words = wordsOf(page.language);
  const { theme } = site.settings;
  return `<!doctype html>
${
  html`<html lang="${page.language}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme}">
<meta name="theme-color" content="${barColours[theme]}">
${drawHead(page, site, words)}
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="stylesheet" href="/style.css">
<link rel="stylesheet" href="/site.css">
<script type="module" src="/app.js"></script>
${page.head}</head>
<body>
<a class="skip-link" href="#content">${words.skip}</a>
${drawHeader(page, site, words)}
<main class="page" id="content" tabindex="-1">
${page.body}
</main>
${drawFooter(site, words)}
</body></html>
`.text
}`;
}

function titleOf({ title }: PageContent, brand: string): string {
  return title === '' || title === brand ? brand : `${title} — ${brand}`;
}

/** Maximum length of a page's description for search engines and messengers, in characters. */
const maxDescriptionLength = 200;

/** Returns the text on one line. A text that is too long is cut after a word. */
export function shortened(text: string, length = maxDescriptionLength): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= length) return line;
  const cut = characters.slice(0, length - 1).join('');
  const end = cut.lastIndexOf(' ');
  return `${end > 0 ? cut.slice(0, end) : cut}…`;
}

function drawHead(page: FramedPage, site: SiteFacts, words: Words): Html {
  const { path, isIndexed, image, language, kind } = page;
  const { origin, settings } = site;
  const brand = brandOf(site, words);
  const title = titleOf(page, brand);
  const description = shortened(page.description || settings.heroSubtitle);
  const address = path === '' ? undefined : absolute(origin, path);
  return html`<title>${title}</title>
${description ? html`<meta name="description" content="${description}">\n` : null}${
  isIndexed ? null : html`<meta name="robots" content="noindex">\n`
}${address ? html`<link rel="canonical" href="${address}">\n` : null}${
  isIndexed ? alternates(page, origin) : null
}<meta property="og:type" content="${kind ?? 'website'}">
<meta property="og:site_name" content="${brand}">
<meta property="og:title" content="${page.title || brand}">
${description ? html`<meta property="og:description" content="${description}">\n` : null}${
  address ? html`<meta property="og:url" content="${address}">\n` : null
}<meta property="og:image" content="${image ?? `${origin}/apple-touch-icon.png`}">
<meta property="og:locale" content="${words.locale}">
${languages
  .filter((other) => other !== language)
  .map(
    (other) => html`<meta property="og:locale:alternate" content="${wordsOf(other).locale}">\n`,
  )}<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">`;
}

function alternates({ path }: PageContent, origin: string): readonly Html[] {
  return [undefined, ...languages].map(
    (language) =>
      html`<link rel="alternate" hreflang="${language ?? 'x-default'}" href="${absolute(origin, inLanguage(path, language))}">\n`,
  );
}

function drawHeader(page: FramedPage, site: SiteFacts, words: Words): Html {
  const link = linksFrom(page.path);
  return html`<header class="${page.hero ? 'hero' : 'hero slim'}">
<div class="hero-bar">
<a class="brand" href="${link('/')}"><img src="/icon.svg" alt="" width="28" height="28"><span>${brandOf(site, words)}</span></a>
<nav class="hero-links" aria-label="${words.thisSite}"><a href="${link('/#catalogue')}">${words.catalogue}</a> <a href="${link('/#news')}">${words.news}</a> <a href="/chat.html">${words.chat}</a></nav>
${languageLinks(page, words)}
</div>
${page.hero}
<div class="ornament"></div>
</header>`;
}

/** Draws the language links. They work without JavaScript, and a cookie stores the choice. */
function languageLinks({ path, language }: PageContent, words: Words): Html {
  return html`<nav class="languages" id="languages" aria-label="${words.language}">${languages.map(
    (each) =>
      html`<a href="${inLanguage(path, each)}" lang="${each}" hreflang="${each}"${
        each === language ? html` aria-current="true"` : null
      }>${wordsOf(each).ownName}</a> `,
  )}</nav>`;
}

function drawFooter(site: SiteFacts, words: Words): Html {
  return html`<footer class="foot">
<div class="foot-body">
${shopCard(site.shop, words)}
<div class="foot-end"><p>${brandOf(site, words)}</p></div>
</div>
</footer>`;
}

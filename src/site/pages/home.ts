import type { Announcement } from '#validators/site';
import { type Content, type Html, html } from '../../base/html.js';
import { locales } from '../../words/formats.js';
import type { Language } from '../../words/languages.js';
import { momentOf } from '../content.js';
import type { Found } from './catalogue.js';
import { catalogueSection } from './catalogue-section.js';
import type { FramedPage } from './frame.js';
import { absolute, linksFrom, notice, paragraphs, pictureAddress } from './parts.js';
import type { SiteView } from './site-view.js';
import { storeData, structuredData } from './structured-data.js';
import type { Words } from './words/en.js';
import { wordsOf } from './words/words.js';

export interface HomeOptions {
  readonly view: SiteView;
  readonly language: Language;
  /** The page's path. */
  readonly path: string;
  readonly found: Found;
}

/** Returns the home page: the shop, one page of the catalogue, and the news. */
export function homePage({ view, language, path, found }: HomeOptions): FramedPage {
  const words = wordsOf(language);
  const link = linksFrom(path);
  const { settings, shop } = view;
  const image = shownImages(view)[0];
  const isWhole = found.category === '' && found.query === '';
  const isStart = isWhole && found.page === 1;
  const name = settings.heroTitle.trim() || shop.name.trim() || words.welcome;
  return {
    language,
    path,
    title: isStart ? name : titleOfPart(found, words),
    description: settings.heroSubtitle.trim() || inventory(view, name),
    isIndexed: found.query === '',
    ...(image ? { image: absolute(view.origin, image) } : {}),
    head: structuredData(storeData(view, words, image && absolute(view.origin, image))),
    hero: hero({ view, words, link, name }),
    body: html`${catalogueSection({ view, words, link, found, path })}
${newsSection(view, words, language)}`,
  };
}

/** Maximum number of products named in the description of a shop that has no subtitle. */
const maxNamed = 10;

/** Returns the shop's name and its first products. */
function inventory({ catalogue }: SiteView, name: string): string {
  const products = catalogue.products.slice(0, maxNamed).map((product) => product.name);
  return [name, products.join(', ')].filter(Boolean).join(': ');
}

function titleOfPart({ category, query, page, pages }: Found, words: Words): string {
  const parts = [query && `“${query}”`, category || (query ? '' : words.catalogue)];
  return [...parts, page > 1 && words.pageOf(page, pages)].filter(Boolean).join(', ');
}

interface HeroOptions {
  readonly view: SiteView;
  readonly words: Words;
  readonly link: (to: string) => string;
  readonly name: string;
}

function hero({ view, words, link, name }: HeroOptions): Html {
  const { heroSubtitle } = view.settings;
  const [latest] = view.announcements;
  return html`<div class="hero-body"><div class="hero-text"><h1>${name}</h1>${
    heroSubtitle.trim() ? html`<p class="hero-subtitle">${heroSubtitle}</p>` : null
  }${
    latest
      ? html`<a class="hero-news" href="${link('/#news')}"><span>${words.news}</span>${latest.title}</a>`
      : null
  }</div>${niches(view)}</div>`;
}

/**
 * Relative positions of the three hero pictures in the list of pictures. The first products are skipped, because the
 * catalogue below the hero starts with them.
 */
const nichePositions = [0.35, 0.7, 0.85];

function shownImages({ catalogue }: SiteView): readonly string[] {
  const images = catalogue.products.flatMap(({ image }) => pictureAddress(image) ?? []);
  const chosen = nichePositions.flatMap(
    (position) => images[Math.floor(position * images.length)] ?? [],
  );
  return [...new Set(chosen)];
}

/** An empty picture for phones, which have no room for the niches and must not load their pictures. */
const nothingOnPhones = html`<source media="(max-width: 55.99rem)" srcset="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">`;

function niches(view: SiteView): Content {
  const images = shownImages(view);
  if (images.length < nichePositions.length) return null;
  return html`<div class="niches" aria-hidden="true">${images.map((image) => {
    const srcset = view.srcsetOf(image);
    return html`<div class="niche picture"><picture>${nothingOnPhones}<img src="${image}"${
      srcset ? html` srcset="${srcset}" sizes="12rem"` : null
    } alt="" width="300" height="500" decoding="async"></picture></div>`;
  })}</div>`;
}

/** Number of announcements on the home page that are always visible. Older ones are collapsed. */
const shownAtFirst = 3;
/** Maximum number of announcements on the home page. */
const maxAnnouncements = 30;

function newsSection(view: SiteView, words: Words, language: Language): Html {
  const formatDay = dayFormat(language, view.zone);
  const item = ({ title, date, content }: Announcement) =>
    html`<li class="news-item"><time datetime="${date}">${formatDay(date)}</time><div><h3>${title}</h3>${paragraphs(content)}</div></li>`;
  const list = (items: readonly Announcement[]) =>
    html`<ul class="news-list" role="list">${items.map(item)}</ul>`;
  const first = view.announcements.slice(0, shownAtFirst);
  const older = view.announcements.slice(shownAtFirst, maxAnnouncements);
  return html`<section id="news" aria-labelledby="news-title" tabindex="-1"><div class="section-head"><h2 id="news-title">${words.news}</h2></div>
${first.length > 0 ? list(first) : notice({ title: words.noNewsTitle, text: words.noNewsText })}${
  older.length > 0
    ? html`<details class="news-older"><summary class="button">${words.olderNews(older.length)}</summary>${list(older)}</details>`
    : null
}</section>`;
}

const dayAlone = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns a function that formats a date or date-time as a day: `2026-11-01` becomes `1 November 2026`. A date-time is
 * converted to the shop's time zone. A date is not converted. An invalid date is returned unchanged.
 */
export function dayFormat(language: Language, timeZone: string): (text: string) => string {
  const here = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone });
  const anywhere = new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  return (text) => {
    const moment = momentOf(text);
    if (Number.isNaN(moment)) return text;
    return (dayAlone.test(text) ? anywhere : here).format(moment);
  };
}

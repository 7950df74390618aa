import type { Product } from '#validators/site';
import { type Content, type Html, html } from '../../base/html.js';
import {
  catalogueAddress,
  type Found,
  maxSearchLength,
  pageNumbers,
  type Selection,
} from './catalogue.js';
import { languageIn, notice, picture } from './parts.js';
import type { SiteView } from './site-view.js';
import type { Words } from './words/en.js';

interface SectionOptions {
  readonly view: SiteView;
  readonly words: Words;
  readonly link: (to: string) => string;
  readonly found: Found;
  readonly path: string;
}

/** Draws the catalogue: the search form, the categories, one page of products, and links to the other pages. */
export function catalogueSection(options: SectionOptions): Html {
  const { view, words } = options;
  const isEmpty = view.catalogue.products.length === 0;
  return html`<section id="catalogue" aria-labelledby="catalogue-title" tabindex="-1"><div class="section-head"><h2 id="catalogue-title">${words.catalogue}</h2>${
    isEmpty ? null : searchForm(options)
  }</div>
${isEmpty ? notice({ title: words.emptyTitle, text: words.emptyText }) : shelf(options)}
</section>`;
}

const magnifier = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.500 4.500"/></svg>`;

/** Draws the search form. It works without JavaScript. With JavaScript, the list updates while the visitor types. */
function searchForm({ words, found, path }: SectionOptions): Html {
  const language = languageIn(path);
  return html`<search><form class="search" id="search" action="/#catalogue" method="get">${magnifier}<label class="visually-hidden" for="query">${words.searchLabel}</label><input id="query" name="q" type="search" value="${found.query}" placeholder="${words.search}" autocomplete="off" maxlength="${maxSearchLength}">${hidden('category', found.category)}${hidden('lang', language)}<button class="button" type="submit">${words.find}</button></form></search>`;
}

function hidden(name: string, value: string | undefined): Content {
  return value ? html`<input type="hidden" name="${name}" value="${value}">` : null;
}

/** Draws the part that each search updates. */
function shelf(options: SectionOptions): Html {
  const { words, found } = options;
  return html`<div class="filters" id="filters">${categoryLinks(options)}<p class="result-count" id="result-count" role="status">${countText(options)}</p></div>
<div id="products" tabindex="-1">${found.matches > 0 ? cards(options) : nothingFound(options)}${pageLinks(found, options, words)}</div>`;
}

function countText({ view, words, found }: SectionOptions): string {
  const all = view.catalogue.products.length;
  const isPart = found.category !== '' || found.query !== '';
  return isPart ? words.countOf(found.matches, all) : words.count(all);
}

/** Number of catalogue categories that are always visible. The others are collapsed. */
const shownCategories = 12;

function categoryLinks({ view, words, link, found }: SectionOptions): Content {
  const { categories, products } = view.catalogue;
  if (categories.length < 2) return html`<div></div>`;
  const entry = (name: string, label: string, count: number) => {
    const to = addressIn(link, { category: name, query: found.query, page: 1 });
    const isCurrent = name === found.category;
    return html`<li><a href="${to}"${isCurrent ? html` aria-current="true"` : null}>${label} <span class="count">${count}</span></a></li>`;
  };
  const entries = categories.map((each) => entry(each.name, each.name, each.products.length));
  const rest = entries.slice(shownCategories);
  const isBehind = categories.slice(shownCategories).some(({ name }) => name === found.category);
  return html`<nav class="category-nav" aria-label="${words.category}"><ul class="categories" role="list">${entry('', words.everything, products.length)}${entries.slice(0, shownCategories)}</ul>${
    rest.length > 0
      ? html`<details${isBehind ? html` open` : null}><summary>${words.moreCategories}</summary><ul class="categories" role="list">${rest}</ul></details>`
      : null
  }</nav>`;
}

/** Returns a link to the catalogue section, so the page does not open at the top. */
function addressIn(link: (to: string) => string, selection: Selection): string {
  return link(`${catalogueAddress(selection)}#catalogue`);
}

/** Minimum number of products on the page for the first one to be featured. */
const minWithFeature = 5;

function cards({ view, words, link, found }: SectionOptions): Html {
  const isStart = found.category === '' && found.query === '' && found.page === 1;
  const hasFeature = isStart && found.products.length >= minWithFeature;
  return html`<ul class="cards" role="list">${found.products.map((product, index) => {
    const isFirst = index === 0;
    const isFeatured = isFirst && hasFeature;
    return html`<li${isFeatured ? html` class="wide"` : null}>${productCard(product, { view, words, link, isFeatured, isFirst })}</li>\n`;
  })}</ul>`;
}

function nothingFound({ words, link, found }: SectionOptions): Html {
  const title = found.query ? words.nothingFor(found.query) : words.nothingHere;
  const all = addressIn(link, { category: '', query: '', page: 1 });
  return notice(
    { title, text: words.tryAnother },
    html`<a class="button" href="${all}">${words.showEverything}</a>`,
  );
}

function pageLinks(found: Found, { link }: SectionOptions, words: Words): Content {
  const { page, pages } = found;
  if (pages < 2) return null;
  const to = (number: number) => addressIn(link, { ...found, page: number });
  const step = (number: number, label: string, rel: string) =>
    number >= 1 && number <= pages
      ? html`<li><a class="button" rel="${rel}" href="${to(number)}">${label}</a></li>`
      : null;
  const numbers = pageNumbers(page, pages).map((number) =>
    number === undefined
      ? html`<li class="gap" aria-hidden="true">…</li>`
      : html`<li><a class="button quiet" href="${to(number)}" aria-label="${words.page(number)}"${
          number === page ? html` aria-current="page"` : null
        }>${number}</a></li>`,
  );
  return html`<nav class="pages" aria-label="${words.pages}"><ul role="list">${step(page - 1, words.previousPage, 'prev')}${numbers}${step(page + 1, words.nextPage, 'next')}</ul></nav>`;
}

interface CardOptions {
  readonly view: Pick<SiteView, 'stock' | 'srcsetOf'>;
  readonly words: Words;
  readonly link: (to: string) => string;
  /** True if the card is larger than the others. */
  readonly isFeatured: boolean;
  readonly isFirst: boolean;
}

/** Widths of card pictures for `sizes`. A featured picture is twice as wide. */
const sizes = '(min-width: 72rem) 18rem, (min-width: 56rem) 30vw, 47vw';
const featuredSizes = '(min-width: 72rem) 37rem, (min-width: 40rem) 60vw, 92vw';

/** Draws a product in the catalogue list. */
function productCard(product: Product, options: CardOptions): Html {
  const { id, name, tagline, image } = product;
  const { view, words, link, isFeatured, isFirst } = options;
  return html`<article class="${isFeatured ? 'card featured' : 'card'}">${picture({
    ...{ image, name, isFirst, srcsetOf: view.srcsetOf },
    sizes: isFeatured ? featuredSizes : sizes,
  })}<div class="card-text"><h3><a href="${link(`/products/${id}`)}">${name}</a></h3>${
    tagline ? html`<p class="card-tagline">${tagline}</p>` : null
  }${priceLine(product, view.stock.get(id), words)}</div></article>`;
}

/** Draws the price, with a label if the product is sold out. */
function priceLine({ price }: Product, left: number | undefined, words: Words): Html {
  const text = price > 0 ? words.money(price) : words.priceOnRequest;
  return html`<p class="price">${text}${
    left === 0 ? html` <span class="sold-out">${words.soldOut}</span>` : null
  }</p>`;
}

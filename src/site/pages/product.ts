import type { Product } from '#validators/site';
import { type Content, type Html, html } from '../../base/html.js';
import type { Language } from '../../words/languages.js';
import type { FramedPage } from './frame.js';
import { absolute, linksFrom, paragraphs, picture, pictureAddress } from './parts.js';
import { contactList } from './shop-card.js';
import type { SiteView } from './site-view.js';
import { productData, structuredData } from './structured-data.js';
import type { Words } from './words/en.js';
import { wordsOf } from './words/words.js';

export interface ProductPageOptions {
  readonly product: Product;
  readonly view: SiteView;
  readonly language: Language;
  /** The page's path. */
  readonly path: string;
  readonly canPay: boolean;
}

/** Returns the reason why a product cannot be bought online, or undefined if it can. */
export function obstacle(
  { price }: Product,
  left: number | undefined,
  canPay: boolean,
): 'sold out' | 'no price' | 'no payments' | undefined {
  if (left === 0) return 'sold out';
  if (price <= 0) return 'no price';
  return canPay ? undefined : 'no payments';
}

/** Returns a product page. */
export function productPage(options: ProductPageOptions): FramedPage {
  const { product, view, language, path } = options;
  const { id, name, tagline, description, image } = product;
  const address = pictureAddress(image);
  const left = view.stock.get(id);
  return {
    language,
    path,
    title: name,
    description: [tagline, description].filter(Boolean).join('. ') || name,
    isIndexed: true,
    kind: 'product',
    ...(address ? { image: absolute(view.origin, address) } : {}),
    head: html`${priceFacts(product)}${structuredData(productData(product, view, left))}${
      obstacle(product, left, options.canPay) ? null : payInPlace
    }`,
    body: article(options, wordsOf(language)),
  };
}

/** With JavaScript, the visitor pays on this page. Without it, the form leads to the order page. */
const payInPlace = html`<meta name="referrer" content="same-origin">
<link rel="stylesheet" href="/order.css">
<script type="module" src="/buy.js"></script>\n`;

function priceFacts({ price }: Product): Content {
  if (price <= 0) return null;
  return html`<meta property="product:price:amount" content="${price}">
<meta property="product:price:currency" content="KZT">\n`;
}

function article(options: ProductPageOptions, words: Words): Html {
  const { product, view, path } = options;
  const { id, name, tagline, description, price, image, features, category } = product;
  const left = view.stock.get(id);
  return html`<a class="back" href="${linksFrom(path)('/#catalogue')}">${words.back}</a>
<article class="product">
${picture({
  ...{ image, name, alt: name, isFirst: true, srcsetOf: view.srcsetOf },
  ...{ sizes: '(min-width: 56rem) 36rem, 92vw', className: 'product-picture' },
})}
<div class="product-text">
${category.trim() ? html`<p class="detail-category">${category}</p>` : null}
<h1>${name}</h1>
${tagline ? html`<p class="detail-tagline">${tagline}</p>` : null}
<p class="price">${price > 0 ? words.money(price) : words.priceOnRequest}</p>
${left === undefined ? null : html`<p class="left">${left > 0 ? words.left(left) : words.soldOut}</p>`}
${buying(options, words)}
${description.trim() ? html`<div class="detail-description">${paragraphs(description)}</div>` : null}
${features.length > 0 ? featureList(features, words) : null}
</div>
</article>
${neighbours(options, words)}`;
}

function featureList(features: readonly string[], words: Words): Html {
  return html`<section aria-labelledby="features"><h2 class="small-title" id="features">${words.features}</h2>
<ul class="detail-features" role="list">${features.map((feature) => html`<li>${feature}</li>`)}</ul></section>`;
}

/** The form field for the order's key. It is empty in the cached page. Each visit receives a new key. */
const keyField = html`<input type="hidden" name="key" value="">`;
export const emptyKey = keyField.text;

/** Draws the order form, or the reason why the product cannot be bought. */
function buying({ product, view, canPay }: ProductPageOptions, words: Words): Html {
  const left = view.stock.get(product.id);
  const reason = obstacle(product, left, canPay);
  if (reason === undefined) return form(product, left, words);
  const texts = {
    'sold out': words.soldOutText,
    'no price': words.askPrice,
    'no payments': words.askToBuy,
  };
  return html`<div class="ask"><p>${texts[reason]}</p>${contactList(view.shop, words)}</div>`;
}

/** Maximum quantity in the order form. */
const maxPieces = 99;

function form({ id }: Product, left = maxPieces, words: Words): Html {
  return html`<form id="buy" class="buy" method="post" action="/orders"><input type="hidden" name="productId" value="${id}">${keyField}<label for="quantity">${words.quantity}</label><input class="input" id="quantity" name="quantity" type="number" inputmode="numeric" min="1" max="${Math.min(left, maxPieces)}" value="1" required><button class="button primary" type="submit">${words.buy}</button><p class="how-to-pay">${words.howToPay}</p></form>`;
}

function neighbours({ product, view, path }: ProductPageOptions, words: Words): Content {
  const { products } = view.catalogue;
  const index = products.findIndex(({ id }) => id === product.id);
  const link = linksFrom(path);
  const step = (to: Product | undefined, label: string, rel: string) =>
    to
      ? html`<a class="step ${rel}" rel="${rel}" href="${link(`/products/${to.id}`)}"><span>${label}</span>${to.name}</a>`
      : null;
  const [before, after] = [products[index - 1], products[index + 1]];
  if (!before && !after) return null;
  return html`<nav class="neighbours" aria-label="${words.otherProducts}">${step(before, words.previous, 'prev')}${step(after, words.next, 'next')}</nav>`;
}

import type { Product } from '#validators/site';
import { type Html, html } from '../../base/html.js';
import { picture } from './parts.js';
import type { SiteView } from './site-view.js';
import type { Words } from './words/words.js';

export interface CardOptions {
  readonly view: Pick<SiteView, 'stock' | 'srcsetOf'>;
  readonly words: Words;
  readonly link: (to: string) => string;
  /** Whether it is larger than the others. */
  readonly isFeatured: boolean;
  readonly isFirst: boolean;
}

/** The share of the window that a card's picture takes; the featured one takes twice that. */
const sizes = '(min-width: 72rem) 18rem, (min-width: 56rem) 30vw, 47vw';
const featuredSizes = '(min-width: 72rem) 37rem, (min-width: 40rem) 60vw, 92vw';

/** A product in the list of the catalogue. */
export function productCard(product: Product, options: CardOptions): Html {
  const { id, name, tagline, image } = product;
  const { view, words, link, isFeatured, isFirst } = options;
  return html`<article class="${isFeatured ? 'card featured' : 'card'}">${picture({
    ...{ image, name, isFirst, srcsetOf: view.srcsetOf },
    sizes: isFeatured ? featuredSizes : sizes,
  })}<div class="card-text"><h3><a href="${link(`/products/${id}`)}">${name}</a></h3>${
    tagline ? html`<p class="card-tagline">${tagline}</p>` : null
  }${priceLine(product, view.stock.get(id), words)}</div></article>`;
}

/** The price in words, and whether there is any left. */
function priceLine({ price }: Product, left: number | undefined, words: Words): Html {
  const text = price > 0 ? words.money(price) : words.priceOnRequest;
  return html`<p class="price">${text}${
    left === 0 ? html` <span class="sold-out">${words.soldOut}</span>` : null
  }</p>`;
}

import { mediaNamesIn } from './address.js';

/** What may show a picture. */
interface Content {
  readonly products: readonly { readonly image: string; readonly description: string }[];
  readonly announcements: readonly { readonly content: string }[];
}

/** Names of the pictures that something on the site refers to. */
export function imagesIn({ products, announcements }: Content): ReadonlySet<string> {
  const texts = [
    ...products.flatMap(({ image, description }) => [image, description]),
    ...announcements.map(({ content }) => content),
  ];
  return new Set(texts.flatMap(mediaNamesIn));
}

// Which products a visitor is looking for. No page needed.

/** @typedef {import('#validators/site').Product} Product */

/** @param {string} text */
const folded = (text) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase();

/**
 * Products of the category (empty = all) in which every word of the query occurs.
 *
 * @param {readonly Product[]} products
 * @param {{ category: string, query: string }} wanted
 */
export function filterProducts(products, { category, query }) {
  const words = folded(query).split(/\s+/).filter(Boolean);
  return products.filter((product) => {
    if (category && product.category.trim() !== category) return false;
    const text = folded(
      [
        product.name,
        product.tagline,
        product.description,
        product.category,
        ...product.features,
      ].join('\n'),
    );
    return words.every((word) => text.includes(word));
  });
}

/**
 * Category names in the order of the catalogue, each with the number of its products.
 *
 * @param {readonly Product[]} products
 */
export function countCategories(products) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { category } of products) {
    const name = category.trim();
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count }));
}

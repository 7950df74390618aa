// Which products a visitor is looking for. No page needed.

const folded = (text) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase();

/** Products of the category (empty = all) in which every word of the query occurs. */
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

/** Category names in the order of the catalogue, each with the number of its products. */
export function countCategories(products) {
  const counts = new Map();
  for (const { category } of products) {
    const name = category.trim();
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count }));
}

import type { Product, ProductAnswer, ProductList } from '#validators/site';
import { h } from '../shared/dom.ts';
import { formatPrice } from '../shared/format.ts';
import { monogramOf, picture, pictureUrl } from '../shared/picture.ts';
import { createChecks, required } from './checks.ts';
import { showEditor } from './editor.ts';
import { explain } from './errors.ts';
import { longTextField, priceField, suggestField, textField } from './fields.ts';
import { listField } from './list-field.ts';
import type { ViewOptions } from './parts.ts';
import { backLink, previewPane } from './parts.ts';
import { pictureField } from './picture-field.ts';
import { categoriesOf } from './product-list.ts';
import type { Session } from './session.ts';
import { createStock } from './stock.ts';
import { stockField } from './stock-field.ts';
import type { Words } from './words/en.ts';

/** The content of the fields: the product, and its pieces left, which the service stores separately. */
type Content = Omit<Product, 'id' | 'order' | 'price'> & {
  price: number | string;
  left: number | null;
};

const blank: Content = {
  name: '',
  tagline: '',
  description: '',
  price: '',
  category: '',
  image: '',
  features: [],
  left: null,
};

/** The editor of a product, or of a new one if `id` is undefined. */
export function showProductForm(view: ViewOptions) {
  const { words, api, session, records, toast, id, leave, listHash } = view;
  const { product: texts } = words;
  const title = id === undefined ? texts.newTitle : texts.editTitle;
  const stock = createStock(records);
  let categories: readonly string[] = [];
  /** the edited version */
  let etag: string | undefined;

  const read = async (): Promise<Content> => {
    const [{ data }] = await Promise.all([
      api<ProductList>('/api/products'),
      // Without the stock, the form has no field for it.
      stock.load().catch(() => undefined),
    ]);
    categories = categoriesOf(data);
    if (id === undefined) return blank;
    const version = await records.read<Product>(`/api/products/${id}`);
    etag = version.etag;
    return { ...version.value, left: stock.of(id) };
  };

  const save = async ({ left: _, ...content }: Partial<Content>) => {
    if (id === undefined) {
      const options = { method: 'POST', body: content };
      const { data } = await api<ProductAnswer>('/api/admin/products', options);
      return { name: data.name, productId: data.id };
    }
    const hasContent = Object.keys(content).length > 0;
    const version = hasContent
      ? await records.write<Product>(`/api/admin/products/${id}`, content, etag)
      : await records.read<Product>(`/api/products/${id}`);
    return { name: version.value.name, productId: id };
  };

  /** Stores the stock if it has changed, after the product itself; returns what went wrong. */
  const saveLeft = async (productId: number, { left }: Partial<Content>) => {
    if (left === undefined || left === stock.of(productId)) return undefined;
    try {
      await stock.set(productId, left);
      return undefined;
    } catch (error) {
      return explain(error, words);
    }
  };

  return showEditor<Content>(view, {
    title,
    head: [backLink(listHash('products'), texts.all), h('h1', { tabindex: '-1', text: title })],
    notLoaded: texts.notLoaded,
    missing: texts.gone,
    read,
    form: (changed) => {
      const preview = createPreview(words);
      return {
        fields: [
          ...productFields(categories, { words, session, changed }),
          ...(stock.counts() === undefined ? [] : [stockField('left', words)]),
        ],
        whole: id === undefined,
        saveLabel: id === undefined ? words.products.add : words.saveChanges,
        cancel: h('a', { class: 'button', href: listHash('products'), text: words.cancel }),
        changed: preview.show,
        preview: preview.element,
        save: async (values, saved) => {
          const { name, productId } = await save(values);
          const problem = await saveLeft(productId, values);
          saved();
          if (problem) toast.show(`${texts.stockNotSaved(name)} ${problem}`, { failed: true });
          else toast.show(id === undefined ? texts.onSite(name) : texts.saved(name));
          leave(listHash('products'), productId);
        },
      };
    },
  });
}

function productFields(
  categories: readonly string[],
  { words, session, changed }: { words: Words; session: Session; changed: () => void },
) {
  const { product, products, faults } = words;
  const { atMost } = createChecks(words);
  return [
    textField('name', product.name, {
      required: true,
      hint: product.onlyRequired,
      checks: [required(faults.name), atMost(200)],
    }),
    textField('tagline', product.tagline, { hint: product.taglineHint, checks: [atMost(1000)] }),
    priceField('price', product.price, words),
    suggestField('category', products.category, categories, {
      hint: product.categoryHint,
      checks: [atMost(200)],
    }),
    pictureField('image', { words, session, changed }),
    longTextField('description', product.description, { rows: 5, checks: [atMost(20_000)] }),
    listField('features', product.features, {
      words,
      hint: product.featuresHint,
      itemLabel: product.feature,
      removeLabel: product.removeFeature,
      addLabel: product.addFeature,
      limit: 50,
      changed,
    }),
  ];
}

/** Milliseconds after the last key press, so that the preview does not load half an address. */
const pictureDelay = 400;

function createPreview(words: Words) {
  const card = h('div', { class: 'preview-card' });
  const remark = h('p', { class: 'hint', role: 'status' });
  let frame: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const drawPicture = ({ image, name }: Content) => {
    const drawn = picture({ image, name, eager: true });
    drawn.dataset.image = image;
    const isAddress = pictureUrl(image, location.origin) !== undefined;
    remark.textContent = image && !isAddress ? words.product.deadPicture : '';
    drawn.querySelector('img')?.addEventListener('error', () => {
      if (drawn !== frame) return;
      remark.textContent = words.product.deadPicture;
    });
    frame?.replaceWith(drawn);
    frame = drawn;
    return drawn;
  };

  const show = (values: Content) => {
    clearTimeout(timer);
    const shown = frame ?? drawPicture(values);
    if (values.image !== shown.dataset.image) {
      timer = setTimeout(() => drawPicture(values), pictureDelay);
    }
    const monogram = shown.querySelector('.monogram');
    if (monogram) monogram.textContent = monogramOf(values.name);
    card.replaceChildren(shown, cardText(values, words));
  };

  return { element: previewPane(words, card, remark), show };
}

function cardText({ name, tagline, price, category, features }: Content, words: Words) {
  return h(
    'div',
    { class: 'card-text' },
    category.trim() && h('p', { class: 'detail-category', text: category }),
    h('p', { class: 'preview-name', text: name.trim() || words.product.name }),
    tagline && h('p', { class: 'card-tagline', text: tagline }),
    h('p', { class: 'price', text: formatPrice(price, words) || '– ₸' }),
    features.length > 0 &&
      h(
        'ul',
        { class: 'preview-features' },
        features.map((text) => h('li', { text })),
      ),
  );
}

import { failureNotice, h } from '../shared/dom.ts';
import { formatPrice } from '../shared/format.ts';
import { monogramOf, picture, pictureUrl } from '../shared/picture.ts';
import { atMost, required } from './checks.js';
import { longTextField, priceField, suggestField, textField } from './fields.js';
import { createForm } from './form.js';
import { listField } from './list-field.js';
import { backLink, gone, skeleton } from './parts.js';
import { pictureField } from './picture-field.js';
import { categoriesOf } from './product-list.js';
import { createStock } from './stock.js';
import { stockField } from './stock-field.js';

/** @typedef {import('#validators/site').Product} Product */
/**
 * What the fields hold: the product, and the pieces left of it, which the service keeps beside it.
 *
 * @typedef {Omit<Product, 'id' | 'order' | 'price'> & { price: number | string, left: number | null }} Content
 */

/** @type {Content} */
const blank = {
  name: '',
  tagline: '',
  description: '',
  price: '',
  category: '',
  image: '',
  features: [],
  left: null,
};

/**
 * The editor of one product, or of a new one where `id` is undefined.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showProductForm({ place, api, session, records, toast, id, leave, listHash }) {
  const heading = h('h1', {
    tabindex: '-1',
    text: id === undefined ? 'New product' : 'Edit product',
  });
  const body = h('div', { 'aria-busy': 'true' }, skeleton());
  const stock = createStock(records);
  /** @type {ReturnType<typeof createForm> | undefined} */
  let form;
  /** @type {string | undefined} the version that is edited */
  let etag;
  place.replaceChildren(backLink(listHash('products'), 'All products'), heading, body);

  /** @returns {Promise<Content>} */
  const read = async () => {
    if (id === undefined) return blank;
    const version = await records.read(`/api/products/${id}`);
    etag = version.etag;
    return { ...version.value, left: stock.of(id) };
  };

  const load = async () => {
    try {
      const [{ data }] = await Promise.all([
        api('/api/products'),
        // Without it, the form has no field for it.
        stock.load().catch(() => undefined),
      ]);
      open(await read(), categoriesOf(data));
    } catch (error) {
      body.replaceChildren(
        error.status === 404
          ? gone('product')
          : failureNotice('The product could not be loaded', error, load, 'h2'),
      );
    }
    body.setAttribute('aria-busy', 'false');
  };

  /**
   * @param {Content} product
   * @param {readonly string[]} categories
   */
  const open = (product, categories) => {
    const preview = createPreview();
    const changed = () => form?.update();
    form = createForm({
      fields: [
        ...productFields(categories, { session, changed }),
        ...(stock.counts() === undefined ? [] : [stockField('left', 'Left in stock')]),
      ],
      values: product,
      whole: id === undefined,
      saveLabel: id === undefined ? 'Add product' : 'Save changes',
      cancel: h('a', { class: 'button', href: listHash('products'), text: 'Cancel' }),
      changed: preview.show,
      preview: preview.element,
      reread: async () => {
        await stock.load().catch(() => undefined);
        return read();
      },
      save: async (values, saved) => {
        const { name, productId } = await save(values);
        const problem = await saveLeft(productId, values);
        saved();
        if (problem)
          toast.show(`“${name}” is saved, its stock is not. ${problem}`, { failed: true });
        else toast.show(id === undefined ? `“${name}” is on the site.` : `“${name}” is saved.`);
        leave(listHash('products'), productId);
      },
    });
    body.replaceChildren(form.element);
  };

  /** @param {Partial<Content>} values */
  const save = async ({ left: _, ...content }) => {
    if (id === undefined) {
      const { data } = await api('/api/admin/products', { method: 'POST', body: content });
      return { name: data.name, productId: data.id };
    }
    const hasContent = Object.keys(content).length > 0;
    const version = hasContent
      ? await records.write(`/api/admin/products/${id}`, content, etag)
      : await records.read(`/api/products/${id}`);
    return { name: version.value.name, productId: id };
  };

  /**
   * What went wrong with the stock, where it was to be stored: the product itself is saved by then.
   *
   * @param {number} productId
   * @param {Partial<Content>} values
   */
  const saveLeft = async (productId, { left }) => {
    if (left === undefined || left === stock.of(productId)) return undefined;
    try {
      await stock.set(productId, left);
      return undefined;
    } catch (error) {
      return error.message;
    }
  };

  return {
    title: heading.textContent ?? '',
    isDirty: () => form?.isDirty() ?? false,
    save: () => form?.save(),
    ready: load(),
  };
}

/**
 * @param {readonly string[]} categories
 * @param {{ session: import('./session.js').Session, changed: () => void }} options
 */
function productFields(categories, { session, changed }) {
  return [
    textField('name', 'Name', {
      required: true,
      hint: 'The only field that is required.',
      checks: [required('a name'), atMost(200)],
    }),
    textField('tagline', 'Tagline', { hint: 'One line below the name.', checks: [atMost(1000)] }),
    priceField('price', 'Price, ₸'),
    suggestField('category', 'Category', categories, {
      hint: 'Products with the same category stand together under one filter.',
      checks: [atMost(200)],
    }),
    pictureField('image', { session, changed }),
    longTextField('description', 'Description', { rows: 5, checks: [atMost(20_000)] }),
    listField('features', 'Features', {
      hint: 'Short facts: size, what is inside, how long it keeps. Enter adds a line.',
      itemLabel: 'Feature',
      addLabel: 'Add a feature',
      limit: 50,
      changed,
    }),
  ];
}

/** So long after the last key: half an address is no reason to ask its host for a picture. */
const pictureDelay = 400;

function createPreview() {
  const card = h('div', { class: 'preview-card' });
  const remark = h('p', { class: 'hint', role: 'status' });
  /** @type {HTMLElement | undefined} */
  let frame;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {Content} values */
  const drawPicture = ({ image, name }) => {
    const drawn = picture({ image, name, eager: true });
    drawn.dataset.image = image;
    remark.textContent =
      image && !pictureUrl(image, location.origin)
        ? 'This is no address of a picture; the first letter is shown.'
        : '';
    drawn.querySelector('img')?.addEventListener('error', () => {
      if (drawn !== frame) return;
      remark.textContent = 'The picture does not load; the first letter is shown instead.';
    });
    frame?.replaceWith(drawn);
    frame = drawn;
    return drawn;
  };

  /** @param {Content} values */
  const show = (values) => {
    clearTimeout(timer);
    const shown = frame ?? drawPicture(values);
    if (values.image !== shown.dataset.image) {
      timer = setTimeout(() => drawPicture(values), pictureDelay);
    }
    const monogram = shown.querySelector('.monogram');
    if (monogram) monogram.textContent = monogramOf(values.name);
    card.replaceChildren(shown, cardText(values));
  };

  const element = h(
    'aside',
    { class: 'preview', 'aria-label': 'Preview' },
    h('p', { class: 'preview-label', text: 'Preview' }),
    card,
    remark,
  );
  return { element, show };
}

/** @param {Content} values */
function cardText({ name, tagline, price, category, features }) {
  return h(
    'div',
    { class: 'card-text' },
    category.trim() && h('p', { class: 'detail-category', text: category }),
    h('p', { class: 'preview-name', text: name.trim() || 'Name' }),
    tagline && h('p', { class: 'card-tagline', text: tagline }),
    h('p', { class: 'price', text: formatPrice(price) || '– ₸' }),
    features.length > 0 &&
      h(
        'ul',
        { class: 'preview-features' },
        features.map((text) => h('li', { text })),
      ),
  );
}

import { failureNotice, h } from '../dom.js';
import { formatPrice } from '../format.js';
import { monogramOf, picture, pictureUrl } from '../picture.js';
import { longTextField, priceField, suggestField, textField } from './fields.js';
import { createForm } from './form.js';
import { listField } from './list-field.js';
import { backLink, gone } from './parts.js';

/** @typedef {import('#validators/site').Product} Product */
/** @typedef {Omit<Product, 'id' | 'order' | 'price'> & { price: number | string }} Content */

/** @type {Content} */
const blank = {
  name: '',
  tagline: '',
  description: '',
  price: '',
  category: '',
  image: '',
  features: [],
};

/**
 * The editor of one product, or of a new one where `id` is undefined.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showProductForm({ place, api, toast, id, leave }) {
  const heading = h('h1', {
    tabindex: '-1',
    text: id === undefined ? 'New product' : 'Edit product',
  });
  const body = h('div', { 'aria-busy': 'true' });
  /** @type {ReturnType<typeof createForm> | undefined} */
  let form;
  place.replaceChildren(backLink('#products', 'All products'), heading, body);

  const load = async () => {
    try {
      /** @type {readonly Product[]} */
      const products = (await api('/api/products')).data;
      const product = products.find((candidate) => candidate.id === id);
      if (id !== undefined && !product) body.replaceChildren(gone('product'));
      else open(product ?? blank, products);
    } catch (error) {
      body.replaceChildren(failureNotice('The product could not be loaded', error, load, 'h2'));
    }
    body.setAttribute('aria-busy', 'false');
  };

  /**
   * @param {Content} product
   * @param {readonly Product[]} products
   */
  const open = (product, products) => {
    const preview = createPreview();
    form = createForm({
      fields: productFields(products, () => form?.update()),
      values: product,
      whole: id === undefined,
      saveLabel: id === undefined ? 'Add product' : 'Save changes',
      cancel: h('a', { class: 'button', href: '#products', text: 'Cancel' }),
      changed: preview.show,
      preview: preview.element,
      save: async (values, saved) => {
        const { data } = await save(values);
        saved();
        toast.show(
          id === undefined ? `“${data.name}” is on the site.` : `“${data.name}” is saved.`,
        );
        leave('#products', data.id);
      },
    });
    body.replaceChildren(form.element);
  };

  /** @param {unknown} values */
  const save = (values) =>
    id === undefined
      ? api('/api/admin/products', { method: 'POST', body: values })
      : api(`/api/admin/products/${id}`, { method: 'PUT', body: values });

  return {
    title: heading.textContent ?? '',
    isDirty: () => form?.isDirty() ?? false,
    ready: load(),
  };
}

/**
 * @param {readonly Product[]} products
 * @param {() => void} changed
 */
function productFields(products, changed) {
  const categories = [...new Set(products.map(({ category }) => category))].filter(Boolean);
  return [
    textField('name', 'Name', { required: true, hint: 'The only field that is required.' }),
    textField('tagline', 'Tagline', { hint: 'One line below the name.' }),
    priceField('price', 'Price, ₸'),
    suggestField('category', 'Category', categories, {
      hint: 'Products with the same category stand together under one filter.',
    }),
    textField('image', 'Picture address', {
      hint: 'An https address, or a path on this site such as /demo/piala.svg.',
      inputmode: 'url',
      spellcheck: 'false',
    }),
    longTextField('description', 'Description', { rows: 5 }),
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
      image && !pictureUrl(image)
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

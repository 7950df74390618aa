import { failureNotice, h, icon, notice } from '../dom.js';
import { ask } from './dialogs.js';
import { planMove } from './order.js';
import { productRow } from './product-row.js';

/** @typedef {import('#validators/site').Product} Product */

/**
 * The product list: find, open, reorder, delete and undo.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showProducts({ place, api, toast, setCount, focusId, refresh }) {
  /** @type {Product[]} */
  let products = [];
  let filter = '';
  let moving = Promise.resolve();
  const list = h('div', { 'aria-busy': 'true' });
  const status = h('p', { class: 'visually-hidden', role: 'status' });
  const search = h('input', {
    class: 'input',
    type: 'search',
    'aria-label': 'Find a product',
    placeholder: 'Find a product',
    oninput: () => {
      filter = search.value.trim().toLocaleLowerCase();
      draw();
    },
  });
  const hint = h('p', {
    class: 'hint list-hint',
    text: 'Alt with the arrow keys moves the product whose name has the focus.',
  });
  const tools = h('div', { class: 'list-tools', hidden: true }, search);
  place.replaceChildren(
    h(
      'div',
      { class: 'view-head' },
      h('h1', { tabindex: '-1', text: 'Products' }),
      h('a', { class: 'button primary', href: '#products/new' }, icon('plus'), 'Add a product'),
    ),
    tools,
    list,
    hint,
    status,
  );

  const load = async () => {
    list.setAttribute('aria-busy', 'true');
    try {
      products = (await api('/api/products')).data;
      draw();
    } catch (error) {
      list.replaceChildren(failureNotice('The products could not be loaded', error, load, 'h2'));
    }
    list.setAttribute('aria-busy', 'false');
  };

  const draw = () => {
    setCount(products.length);
    tools.hidden = products.length < 8 && filter === '';
    hint.hidden = products.length < 2 || filter !== '';
    const matches = products.filter(({ name, category }) =>
      `${name}\n${category}`.toLocaleLowerCase().includes(filter),
    );
    if (products.length === 0) list.replaceChildren(noProducts());
    else if (matches.length === 0) list.replaceChildren(noMatches(search.value));
    else {
      list.replaceChildren(h('ol', { class: 'rows', role: 'list' }, matches.map(row)));
    }
  };

  /** @param {Product} product */
  const row = (product) =>
    productRow(product, {
      index: products.indexOf(product),
      count: products.length,
      isFixed: filter !== '',
      move,
      remove,
    });

  /**
   * Moves at once on the page, then stores; the moves of quick fingers are stored one after another.
   *
   * @type {import('./product-row.js').Move}
   */
  const move = (id, step, focused) => {
    const from = products.findIndex((product) => product.id === id);
    const to = Math.min(Math.max(from + step, 0), products.length - 1);
    if (from < 0 || to === from) return;
    const { list: moved, changes } = planMove(products, from, to);
    products = moved;
    draw();
    focusRow(list, id, focused);
    status.textContent = `${moved[to]?.name} is now ${to + 1} of ${moved.length}.`;
    moving = moving.then(() => storeOrder(changes));
  };

  /** @param {readonly Pick<Product, 'id' | 'order'>[]} changes */
  const storeOrder = async (changes) => {
    try {
      for (const { id, order } of changes) {
        await api(`/api/admin/products/${id}`, { method: 'PUT', body: { order } });
      }
    } catch (error) {
      toast.show(`The new order was not stored. ${error.message}`, { failed: true });
      await load();
    }
  };

  /** @param {Product} product */
  const remove = async (product) => {
    const index = products.indexOf(product);
    const sure = await ask({
      title: `Delete “${product.name}”?`,
      text: 'It disappears from the site at once. You can undo this right afterwards.',
      yes: 'Delete',
    });
    if (!sure) return;
    try {
      await moving;
      await api(`/api/admin/products/${product.id}`, { method: 'DELETE' });
    } catch (error) {
      toast.show(`“${product.name}” was not deleted. ${error.message}`, { failed: true });
      if (error.status === 404) await load();
      return;
    }
    products = products.filter(({ id }) => id !== product.id);
    draw();
    offerUndo(product, index);
  };

  /**
   * @param {Product} product
   * @param {number} index
   */
  const offerUndo = (product, index) => {
    toast.show(`“${product.name}” was deleted.`, {
      focus: true,
      action: { label: 'Undo', run: () => restore(product, index) },
    });
  };

  /**
   * The service has no undelete: the product is created again, with a new id.
   *
   * @param {Partial<Product>} product
   * @param {number} index
   */
  const restore = async ({ id: _, order: __, ...content }, index) => {
    try {
      const { data } = await api('/api/admin/products', { method: 'POST', body: content });
      await putBack(data, index);
    } catch (error) {
      toast.show(`“${content.name}” could not be restored. ${error.message}`, {
        failed: true,
        action: { label: 'Try again', run: () => restore(content, index) },
      });
    }
  };

  /**
   * Shows a product that stands at the end of the list where it stood before.
   *
   * @param {Product} product
   * @param {number} index
   */
  const putBack = async (product, index) => {
    await load();
    const from = products.findIndex(({ id }) => id === product.id);
    toast.show(`“${product.name}” is back.`);
    if (from < 0) return;
    const { list: moved, changes } = planMove(products, from, Math.min(index, from));
    products = moved;
    draw();
    focusRow(list, product.id);
    await storeOrder(changes);
    if (!list.isConnected) refresh();
  };

  const ready = load().then(() => focusId !== undefined && focusRow(list, focusId));
  return { title: 'Products', isDirty: () => false, ready };
}

/**
 * @param {HTMLElement} list
 * @param {number} id
 * @param {string} [button]
 */
function focusRow(list, id, button) {
  const row = list.querySelector(`[data-id="${id}"]`);
  /** @type {HTMLElement | null | undefined} */
  const target = row?.querySelector(button ? `[data-move="${button}"]` : 'a');
  target?.focus();
  return Boolean(target);
}

function noProducts() {
  return notice({
    title: 'No products yet',
    text: 'Add the first one with “Add a product”: a name is enough to begin with.',
    level: 'h2',
  });
}

/** @param {string} text */
function noMatches(text) {
  return notice({
    title: `No product named “${text.trim()}”`,
    text: 'The search looks at names and categories.',
    level: 'h2',
  });
}

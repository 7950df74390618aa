import { byId, h, icon } from './dom.js';
import { formatPrice } from './format.js';
import { picture } from './picture.js';

/** @typedef {import('#validators/site').Product} Product */

/**
 * The product detail. It follows the address: `#product-3` opens it, so each product has a link of
 * its own and the browser's back button closes it.
 *
 * @param {(id: number) => Product | undefined} find
 */
export function createProductDialog(find) {
  /** @type {HTMLDialogElement} */
  const dialog = byId('detail');
  let openedHere = false;

  const follow = () => {
    const id = /^#product-(\d+)$/.exec(location.hash)?.[1];
    const product = id === undefined ? undefined : find(Number(id));
    if (product) open(product);
    else if (dialog.open) dialog.close();
    return id === undefined || product !== undefined;
  };

  /** @param {Product} product */
  const open = (product) => {
    dialog.replaceChildren(detail(product, () => dialog.close()));
    dialog.scrollTop = 0;
    if (!dialog.open) dialog.showModal();
  };

  const leaveAddress = () => {
    if (!location.hash.startsWith('#product-')) return;
    if (openedHere) history.back();
    else history.replaceState(null, '', location.pathname + location.search);
  };

  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a[href^="#product-"]')) openedHere = true;
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', leaveAddress);
  window.addEventListener('hashchange', follow);
  return { follow };
}

/**
 * @param {Product} product
 * @param {() => void} close
 */
function detail(product, close) {
  const { name, tagline, description, price, image, features, category } = product;
  return h(
    'div',
    { class: 'detail-body' },
    h(
      'button',
      { class: 'icon-button detail-close', type: 'button', 'aria-label': 'Close', onclick: close },
      icon('close'),
    ),
    picture({ image, name, eager: true, className: 'detail-picture' }),
    h(
      'div',
      { class: 'detail-text' },
      category && h('p', { class: 'detail-category', text: category }),
      h('h2', { id: 'detail-title', text: name }),
      tagline && h('p', { class: 'detail-tagline', text: tagline }),
      h('p', { class: 'price', text: formatPrice(price) }),
      description && h('p', { class: 'detail-description', text: description }),
      features.length > 0 &&
        h(
          'ul',
          { class: 'detail-features', role: 'list', 'aria-label': 'Good to know' },
          features.map((feature) => h('li', { text: feature })),
        ),
    ),
  );
}

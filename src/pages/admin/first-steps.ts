import type { Me } from '#validators/admins';
import type { Product, ShopAnswer } from '#validators/site';
import { h } from '../shared/dom.ts';
import type { ViewOptions } from './parts.ts';
import { textButton } from './parts.ts';
import { readSales } from './sales.ts';
import type { Words } from './words/en.ts';

interface Step {
  text: string;
  isDone: boolean;
  /** the section where the step is taken; absent for a step away from this page */
  href?: string;
}

const key = 'admin-first-steps';

/**
 * Creates the checklist of a new shop. `load` draws it for the current products. It is empty if its facts cannot be
 * read, and for good once every step is done or the person has hidden it.
 */
export function firstSteps({ api, words }: Pick<ViewOptions, 'api' | 'words'>) {
  const element = h('div');
  const load = async (products: readonly Product[]) => {
    if (isHidden()) return;
    const steps = await readSteps(api, products, words).catch(() => undefined);
    if (!steps) return;
    if (steps.every(({ isDone }) => isDone)) hide();
    else element.replaceChildren(draw(steps));
  };
  const draw = (steps: readonly Step[]) => {
    const { start } = words;
    const done = steps.filter(({ isDone }) => isDone).length;
    return h(
      'section',
      { class: 'first-steps', 'aria-label': start.title },
      h('h2', { text: start.title }),
      h('p', { class: 'hint', text: start.done(done, steps.length) }),
      h('ol', { role: 'list' }, steps.map(drawStep)),
      textButton(start.hide, hide, 'quiet'),
    );
  };
  const drawStep = ({ text, isDone, href }: Step) =>
    h(
      'li',
      { class: isDone ? 'done' : '' },
      href && !isDone ? h('a', { href, text }) : h('span', { text }),
      isDone && h('span', { class: 'visually-hidden', text: ` (${words.start.isDone})` }),
    );
  const hide = () => {
    element.replaceChildren();
    try {
      localStorage.setItem(key, 'hidden');
    } catch {
      // Storage is disabled: the steps appear again at the next visit.
    }
  };
  return { element, load };
}

function isHidden() {
  try {
    return localStorage.getItem(key) === 'hidden';
  } catch {
    return false;
  }
}

async function readSteps(
  api: ViewOptions['api'],
  products: readonly Product[],
  { start }: Words,
): Promise<readonly Step[]> {
  const [me, shop, sales] = await Promise.all([
    api<Me>('/api/admin/me'),
    api<ShopAnswer>('/api/shop'),
    readSales(api),
  ]);
  const [first] = products;
  const { name, phone, hours } = shop.data;
  return [
    { text: start.shop, isDone: Boolean(name && phone && hours), href: '#shop' },
    {
      text: start.product,
      isDone: products.some(({ price }) => price > 0),
      href: '#products/new',
    },
    {
      text: start.picture,
      isDone: products.some(({ image }) => image !== ''),
      href: `#products/${first?.id ?? 'new'}`,
    },
    { text: start.sales, isDone: sales.open },
    // The first owner is added on the server: on an open page, anybody could add themselves.
    { text: start.team, isDone: me.role !== null },
  ];
}

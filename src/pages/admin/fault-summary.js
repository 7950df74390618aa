import { h } from '../shared/dom.ts';

/** @typedef {import('./fields.js').Field} Field */
/** @typedef {import('./fields.js').Detail} Detail */

/**
 * Shows every fault at its field, and gives what stands above them: how many there are, with a link to each, and what
 * is no field's. `first` is where the keyboard goes.
 *
 * @param {readonly Field[]} fields
 * @param {readonly Detail[]} all
 * @param {string} fallback said where no fault is a field's
 * @returns {{ children: Node[], first: HTMLElement | undefined }}
 */
export function faultSummary(fields, all, fallback) {
  const details = firstPerPlace(all);
  const atFields = fields.flatMap((field) => {
    const target = field.showErrors(details.filter((detail) => isOf(field, detail)));
    return target ? [{ field, target }] : [];
  });
  const loose = details.filter((detail) => !fields.some((field) => isOf(field, detail)));
  const count = details.length - loose.length;
  const sentences = [
    atFields.length > 0 ? countText(count) : fallback,
    ...loose.map(({ message }) => message),
  ].filter(Boolean);
  const children = [
    ...(sentences.length > 0 ? [h('p', { text: sentences.join(' ') })] : []),
    ...(atFields.length > 1 ? [h('ul', {}, atFields.map(link))] : []),
  ];
  return { children, first: atFields[0]?.target };
}

/**
 * @param {Field} field
 * @param {Detail} detail
 */
function isOf({ name }, { path }) {
  return path === `/${name}` || path.startsWith(`/${name}/`);
}

/** @param {{ field: Field, target: HTMLElement }} fault */
function link({ field, target }) {
  /** @param {Event} event */
  const onclick = (event) => {
    // The address names the view, not the field.
    event.preventDefault();
    target.focus();
  };
  return h('li', {}, h('a', { href: location.hash || '#', onclick, text: field.label }));
}

/**
 * Several rules may be broken at one place; the first says enough to go on.
 *
 * @param {readonly Detail[]} details
 */
function firstPerPlace(details) {
  return details.filter(
    ({ path }, index) => details.findIndex((other) => other.path === path) === index,
  );
}

/** @param {number} count */
function countText(count) {
  return count === 1 ? 'One field needs your attention.' : `${count} fields need your attention.`;
}

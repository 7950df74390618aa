import { h } from '../shared/dom.ts';
import type { Detail } from './api.ts';
import type { Field } from './fields.ts';
import type { Words } from './words/en.ts';

/**
 * Shows every fault at its field, and gives what stands above them: how many there are, with a link to each, and what
 * is no field's. `first` is where the keyboard goes.
 * @param fallback said where no fault is a field's
 */
export function faultSummary(
  fields: readonly Field[],
  all: readonly Detail[],
  fallback: string,
  { faults }: Words,
): { children: Node[]; first: HTMLElement | undefined } {
  const details = firstPerPlace(all);
  const atFields = fields.flatMap((field) => {
    const target = field.showErrors(details.filter((detail) => isOf(field, detail)));
    return target ? [{ field, target }] : [];
  });
  const loose = details.filter((detail) => !fields.some((field) => isOf(field, detail)));
  const count = details.length - loose.length;
  const sentences = [
    atFields.length > 0 ? faults.count(count) : fallback,
    ...loose.map(({ message }) => message),
  ].filter(Boolean);
  const children = [
    ...(sentences.length > 0 ? [h('p', { text: sentences.join(' ') })] : []),
    ...(atFields.length > 1 ? [h('ul', {}, atFields.map(link))] : []),
  ];
  return { children, first: atFields[0]?.target };
}

function isOf({ name }: Field, { path }: Detail) {
  return path === `/${name}` || path.startsWith(`/${name}/`);
}

function link({ field, target }: { field: Field; target: HTMLElement }) {
  const onclick = (event: Event) => {
    // The address names the view, not the field.
    event.preventDefault();
    target.focus();
  };
  return h('li', {}, h('a', { href: location.hash || '#', onclick, text: field.label }));
}

/** Several rules may be broken at one place; the first says enough to go on. */
function firstPerPlace(details: readonly Detail[]) {
  return details.filter(
    ({ path }, index) => details.findIndex((other) => other.path === path) === index,
  );
}

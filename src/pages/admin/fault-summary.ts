import { h } from '../shared/dom.ts';
import type { Detail } from './api.ts';
import type { Field } from './fields.ts';
import type { Words } from './words/en.ts';

/**
 * Shows the first error of each field beside it, and returns the summary to display above the fields: the number of
 * errors with a link to each, and the errors that belong to no field. `first` is the element to focus.
 * @param fallback shown if no error belongs to a field
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
    // The hash of the address names the view, not the field.
    event.preventDefault();
    target.focus();
  };
  return h('li', {}, h('a', { href: location.hash || '#', onclick, text: field.label }));
}

/** A field may break several rules; the first error is enough. */
function firstPerPlace(details: readonly Detail[]) {
  return details.filter(
    ({ path }, index) => details.findIndex((other) => other.path === path) === index,
  );
}

import type { PageData } from '../render/blocks/island.js';
import { type Forms, say, type Values } from '../render/format.js';

/** The page's data. The server wrote it, so its shape is known. */
export const data: PageData = JSON.parse(find('#data')?.textContent ?? '{}');

export function find<T extends Element = HTMLElement>(
  selector: string,
  root: ParentNode = document,
): T | null {
  return root.querySelector<T>(selector);
}

export function findAll<T extends Element = HTMLElement>(
  selector: string,
  root: ParentNode = document,
): T[] {
  return [...root.querySelectorAll<T>(selector)];
}

/** Calls `handle` with the matching element when it or one of its descendants is clicked. */
export function onClick(
  selector: string,
  handle: (element: HTMLElement, event: MouseEvent) => void,
): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return;
    const element = event.target.closest<HTMLElement>(selector);
    if (element) handle(element, event);
  });
}

/** Returns a text in the page's language, with its placeholders filled in. */
export function words(forms: Forms, values: Values): string {
  return say(forms, values, data.locale);
}

/** Sets the text of an element, if the element exists. */
export function write(element: Element | null | undefined, text: string): void {
  if (element) element.textContent = text;
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  write(find('#status'), text);
}

/** Marks one element of a list as shown. */
export function turnOn(elements: readonly Element[], at: number): void {
  for (const [index, element] of elements.entries()) element.classList.toggle('on', index === at);
}

/** Marks one button of a group as pressed. */
export function press(buttons: readonly HTMLElement[], chosen: HTMLElement): void {
  for (const button of buttons) button.ariaPressed = String(button === chosen);
}

export function dialog(id: string): HTMLDialogElement | null {
  return find<HTMLDialogElement>(`dialog#${id}`);
}

/** Returns a copy of a template's content, or an empty fragment if there is no such template. */
export function fromTemplate(selector: string): DocumentFragment {
  const template = find<HTMLTemplateElement>(selector);
  if (!template) return document.createDocumentFragment();
  return template.content.cloneNode(true) as DocumentFragment; // TypeScript types the clone as a plain Node.
}

import { CallError } from '../../shared/failure.js';
import { createOrder } from './create-order.js';
import { createKeys, type OrderedPieces } from './keys.js';
import { keepLive } from './live-order.js';
import { onReturn } from './on-return.js';
import type { Server } from './server.js';
import { showLost, showSection } from './show-section.js';

/** The dialog's state in an entry of the browser's history: the ID of its order, '' before it has one. */
type Entry = { readonly pay?: string } | null;

interface DialogOptions {
  readonly element: HTMLDialogElement;
  readonly server: Server;
  readonly keyInput: HTMLInputElement | null;
}

/**
 * Creates the dialog in which the product page takes payments. It has an entry in the browser's history with the
 * address of the order: back closes the dialog, forward opens it, and a reload shows the page of the order.
 */
export function createPayDialog({ element, server, keyInput }: DialogOptions) {
  const keys = createKeys(keyInput);
  const { title } = document;
  const { href } = location;
  let stop = new AbortController();
  document.body.append(element);
  element.querySelector('.pay-close')?.addEventListener('click', () => element.close());
  element.addEventListener('close', onClose);

  /** Returns the current entry; only this dialog stores a state. */
  const entry = (): Entry => history.state;

  function onClose(): void {
    // The event is delayed: a visitor who went back may have gone forward again.
    if (element.open) return;
    stop.abort();
    document.title = title;
    if (entry()?.pay !== undefined) history.back();
  }

  /** Opens the dialog, or starts again in the open one. */
  function begin() {
    stop.abort();
    stop = new AbortController();
    const section = sectionFor('preparing');
    element.querySelector('.pay-body')?.replaceChildren(section);
    if (!element.open) element.showModal();
    section.focus();
    return { section, signal: stop.signal };
  }

  function sectionFor(shown: string): HTMLElement {
    const find = (name: string) =>
      element.querySelector<HTMLTemplateElement>(`template[data-shows="${name}"]`);
    const section = (find(shown) ?? find('other'))?.content.firstElementChild?.cloneNode(true);
    if (!(section instanceof HTMLElement)) throw new Error('The dialog has no section to show.');
    return section;
  }

  async function buy(ordered: OrderedPieces): Promise<void> {
    if (element.open) return;
    history.pushState({ pay: '' }, '', href);
    await order(ordered);
  }

  async function order(ordered: OrderedPieces): Promise<void> {
    const { section, signal } = begin();
    const onLost = (isLost: boolean) => showLost(section, isLost);
    const forget = onReturn(server.wake, () => onLost(true));
    try {
      const { id } = await createOrder(ordered, { server, keys, signal, onLost });
      if (signal.aborted) return;
      history.replaceState({ pay: id }, '', `/orders/${id}`);
      show(section, id, signal);
    } catch (error) {
      if (!signal.aborted) refuse(section, error, () => order(ordered));
    } finally {
      forget();
    }
  }

  function show(section: HTMLElement, id: string, signal: AbortSignal): void {
    section.dataset.order = id;
    keepLive(section, { server, signal, onShown });
  }

  function onShown(status: string, pageTitle: string): void {
    document.title = pageTitle;
    // The next purchase is another order.
    if (status !== 'pending') keys.renew();
  }

  function refuse(section: HTMLElement, error: unknown, again: () => void): void {
    const isCall = error instanceof CallError;
    const next = sectionFor(isCall ? error.code : 'other');
    const retryAfter = isCall ? error.retryAfter : null;
    const minutes = Math.max(1, Math.ceil((retryAfter ?? 0) / 60_000));
    for (const text of next.querySelectorAll('.order-text')) {
      text.textContent = text.textContent.replace('{}', String(minutes));
    }
    next.querySelector('[data-again]')?.addEventListener('click', again);
    next.querySelector('[data-close]')?.addEventListener('click', () => element.close());
    showSection(section, next);
  }

  return {
    buy,
    /** Follows the visitor back or forward. */
    followHistory(): void {
      const id = entry()?.pay;
      if (!id) element.close();
      else if (!element.open) {
        const { section, signal } = begin();
        show(section, id, signal);
      }
    },
  };
}

import { ChatError } from '/modules/chat/failure.js';
import { createOrder } from '/modules/pay/create-order.js';
import { createKeys } from '/modules/pay/keys.js';
import { keepLive } from '/modules/pay/live-order.js';
import { onReturn } from '/modules/pay/on-return.js';
import { showLost, showSection } from '/modules/pay/show-section.js';

/** @typedef {import('/modules/pay/keys.js').Wanted} Wanted */
/** @typedef {import('/modules/pay/server.js').Server} Server */
/** What an entry of the browser's history says of the dialog: the order in it, '' while there is none. */
/** @typedef {{ pay?: string } | null} Entry */

/**
 * The dialog that the product page pays in. It has an entry in the browser's history, whose address is that of the
 * order as soon as there is one: back closes it, forward opens it, and a reload shows the order's own page.
 *
 * @param {{ element: HTMLDialogElement, server: Server, keyInput: HTMLInputElement | null }} options
 */
export function createPayDialog({ element, server, keyInput }) {
  const keys = createKeys(keyInput);
  const { title } = document;
  const { href } = location;
  let stop = new AbortController();
  document.body.append(element);
  const body = /** @type {HTMLElement} */ (element.querySelector('.pay-body'));
  element.querySelector('.pay-close')?.addEventListener('click', () => element.close());
  element.addEventListener('close', onClose);

  /** The entry that the browser is at. */
  const entry = () => /** @type {Entry} */ (history.state);

  function onClose() {
    // The event comes a moment later: a visitor who went back may have gone forward again.
    if (element.open) return;
    stop.abort();
    document.title = title;
    if (entry()?.pay !== undefined) history.back();
  }

  /** Opens the dialog, or begins again in the one that is open. */
  function begin() {
    stop.abort();
    stop = new AbortController();
    const section = sectionFor('preparing');
    body.replaceChildren(section);
    if (!element.open) element.showModal();
    section.focus();
    return { section, signal: stop.signal };
  }

  /** @param {string} shown */
  function sectionFor(shown) {
    const template = /** @type {HTMLTemplateElement | null} */ (
      element.querySelector(`template[data-shows="${shown}"]`) ??
        element.querySelector('template[data-shows="other"]')
    );
    const content = /** @type {DocumentFragment} */ (template?.content.cloneNode(true));
    return /** @type {HTMLElement} */ (content.firstElementChild);
  }

  /** @param {Wanted} wanted */
  async function buy(wanted) {
    if (element.open) return;
    history.pushState({ pay: '' }, '', href);
    await order(wanted);
  }

  /** @param {Wanted} wanted */
  async function order(wanted) {
    const { section, signal } = begin();
    const onLost = (/** @type {boolean} */ isLost) => showLost(section, isLost);
    const forget = onReturn(server.wake, () => onLost(true));
    try {
      const { id } = await createOrder(wanted, { server, keys, signal, onLost });
      if (signal.aborted) return;
      history.replaceState({ pay: id }, '', `/orders/${id}`);
      show(section, id, signal);
    } catch (error) {
      if (!signal.aborted) refuse(section, error, () => order(wanted));
    } finally {
      forget();
    }
  }

  /**
   * @param {HTMLElement} section
   * @param {string} id
   * @param {AbortSignal} signal
   */
  function show(section, id, signal) {
    section.dataset.order = id;
    keepLive(section, { server, signal, onShown });
  }

  /**
   * @param {string} status
   * @param {string} pageTitle
   */
  function onShown(status, pageTitle) {
    document.title = pageTitle;
    // What is bought next is another order.
    if (status !== 'pending') keys.renew();
  }

  /**
   * @param {HTMLElement} section
   * @param {unknown} error
   * @param {() => void} again
   */
  function refuse(section, error, again) {
    const { code = 'other', retryAfter = null } = error instanceof ChatError ? error : {};
    const next = sectionFor(code);
    const minutes = Math.max(1, Math.ceil((retryAfter ?? 0) / 60_000));
    for (const text of next.querySelectorAll('.order-text')) {
      text.textContent = text.textContent?.replace('{}', String(minutes)) ?? '';
    }
    next.querySelector('[data-again]')?.addEventListener('click', again);
    next.querySelector('[data-close]')?.addEventListener('click', () => element.close());
    showSection(section, next);
  }

  return {
    buy,
    /** The visitor went back or forward. */
    followHistory() {
      const id = entry()?.pay;
      if (!id) element.close();
      else if (!element.open) {
        const { section, signal } = begin();
        show(section, id, signal);
      }
    },
  };
}

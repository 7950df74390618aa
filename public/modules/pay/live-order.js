import { showLeft } from '/modules/pay/countdown.js';
import { followOrder, hasAll } from '/modules/pay/follow-order.js';
import { onReturn } from '/modules/pay/on-return.js';
import { showLost, showSection } from '/modules/pay/show-section.js';

/** @typedef {import('/modules/pay/server.js').Server} Server */

/**
 * Keeps the section of an order as it is at the server, and its time running, until the signal is aborted.
 * `onShown` is called with the status and the page's title whenever it was drawn anew.
 *
 * @param {HTMLElement} section
 * @param {{ server: Server, signal: AbortSignal, onShown(status: string, title: string): void }} options
 */
export function keepLive(section, { server, signal, onShown }) {
  const tick = () => showLeft(section, server.clock.now());
  server.clock.learn(Date.parse(section.dataset.now ?? ''));
  const isDrawn = hasAll(section);
  const status = isDrawn ? (section.dataset.status ?? '') : 'pending';
  const { done, wake } = followOrder(
    { id: section.dataset.order ?? '', status, isDrawn },
    {
      server,
      signal,
      onLost: (isLost) => showLost(section, isLost),
      // The address is the order's in the dialog too: its page says so.
      onGone: () => location.reload(),
      onDrawn(drawn) {
        server.clock.learn(Date.parse(drawn.section.dataset.now ?? ''));
        showSection(section, drawn.section);
        onShown(section.dataset.status ?? '', drawn.title);
      },
    },
  );
  const timer = setInterval(tick, 1000);
  const forget = onReturn(wake, () => showLost(section, true));
  done.then(() => {
    clearInterval(timer);
    forget();
  });
}

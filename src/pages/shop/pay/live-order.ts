import { showLeft } from './countdown.js';
import { followOrder, hasAll } from './follow-order.js';
import { onReturn } from './on-return.js';
import type { Server } from './server.js';
import { showLost, showSection } from './show-section.js';

interface LiveOptions {
  readonly server: Server;
  readonly signal: AbortSignal;
  onShown(status: string, title: string): void;
}

/**
 * Keeps the section of an order and its countdown up to date until the signal is aborted. Calls `onShown` with the
 * status and the page's title after each change.
 */
export function keepLive(section: HTMLElement, { server, signal, onShown }: LiveOptions): void {
  const tick = () => showLeft(section, server.clock.now());
  server.clock.learn(Date.parse(section.dataset.now ?? ''));
  const isDrawn = hasAll(section);
  const { done, wake } = followOrder({
    id: section.dataset.order ?? '',
    status: isDrawn ? (section.dataset.status ?? '') : 'pending',
    isDrawn,
    server,
    signal,
    onLost: (isLost) => showLost(section, isLost),
    // The dialog has the order's address too, whose page says that the order is gone.
    onGone: () => location.reload(),
    onDrawn(drawn) {
      server.clock.learn(Date.parse(drawn.section.dataset.now ?? ''));
      showSection(section, drawn.section);
      onShown(section.dataset.status ?? '', drawn.title);
    },
  });
  const timer = setInterval(tick, 1000);
  const forget = onReturn(wake, () => showLost(section, true));
  done.then(() => {
    clearInterval(timer);
    forget();
  });
}

import { h } from '../../shared/dom.ts';
import { put } from './chat-list.js';

/** @typedef {import('./app.js').State} State */
/** @typedef {import('./words.js').Words} Words */

/** Delay before the page shows that it is connecting, in milliseconds. */
const connectingDelay = 1200;

/**
 * Creates the lines at the top of the page: the connection state, and a warning if nothing can be stored.
 *
 * @param {(text: string) => void} say announces a text to screen readers
 */
export function createBanner(say) {
  const connection = h('p', { class: 'connection', role: 'status' });
  const storage = h('p', { class: 'storage-failure', role: 'status' });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let kind = '';

  /** @param {State} state @param {Words} words */
  const update = ({ phase, connection: { state }, storageFailure }, { t }) => {
    put(storage, storageFailure ? t('storageFailure') : '');
    const next = phase === 'signed-out' || state === 'online' ? '' : state;
    if (next === kind) {
      if (connection.textContent && kind) put(connection, t(kind));
      return;
    }
    // Screen readers do not announce that a line has become empty.
    if (next === '' && phase === 'signed-in' && connection.textContent) say(t('connectionBack'));
    kind = next;
    clearTimeout(timer);
    connection.dataset.state = kind;
    // Updates a visible line immediately, but does not show a short interruption.
    if (kind !== 'connecting' || connection.textContent) put(connection, kind && t(kind));
    else timer = setTimeout(() => put(connection, t('connecting')), connectingDelay);
  };
  return { element: h('div', { class: 'banner' }, connection, storage), update };
}

import { h } from '../../shared/dom.ts';
import { put } from './chat-list.js';

/** @typedef {import('./app.js').State} State */
/** @typedef {import('./words.js').Words} Words */

/** A connection that comes within this time is not worth a word, milliseconds. */
const patience = 1200;

/**
 * The lines above everything: the state of the connection, and that nothing is kept.
 *
 * @param {(text: string) => void} say to those who hear the page
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
    // An empty line says nothing to those who hear it.
    if (next === '' && phase === 'signed-in' && connection.textContent) say(t('connectionBack'));
    kind = next;
    clearTimeout(timer);
    connection.dataset.state = kind;
    // What is shown already changes at once; else a short break is not worth a word.
    if (kind !== 'connecting' || connection.textContent) put(connection, kind && t(kind));
    else timer = setTimeout(() => put(connection, t('connecting')), patience);
  };
  return { element: h('div', { class: 'banner' }, connection, storage), update };
}

import { h } from '../shared/dom.ts';

/** @typedef {{ id: number, title: string }} Thing */
/** @typedef {ReturnType<typeof createRecentlyDeleted>} RecentlyDeleted */

/** More than this nobody looks through. */
const kept = 20;

/**
 * What was deleted in this tab, so that it can be brought back after the message about it is gone, too. The service
 * keeps it for 30 days.
 *
 * @param {string} kind `products` or `announcements`
 */
export function createRecentlyDeleted(kind) {
  const key = `admin-deleted-${kind}`;
  const things = read(key);
  const element = h('details', { class: 'recent', hidden: things.length === 0 });
  /** @type {(thing: Thing) => unknown} */
  let restore = () => undefined;

  const draw = () => {
    write(key, things);
    element.hidden = things.length === 0;
    element.replaceChildren(
      h('summary', { text: `Deleted here lately (${things.length})` }),
      h('ul', { role: 'list' }, things.map(line)),
    );
  };
  /** @param {Thing} thing */
  const line = (thing) =>
    h(
      'li',
      {},
      h('span', { text: thing.title }),
      h('button', {
        class: 'button quiet',
        type: 'button',
        'aria-label': `Restore ${thing.title}`,
        onclick: () => restore(thing),
        text: 'Restore',
      }),
    );
  /** @param {number} id */
  const drop = (id) => {
    const at = things.findIndex((thing) => thing.id === id);
    if (at >= 0) things.splice(at, 1);
  };

  draw();
  return {
    element,
    /** @param {Thing} thing */
    add: (thing) => {
      drop(thing.id);
      things.unshift(thing);
      things.splice(kept);
      draw();
    },
    /** @param {number} id */
    remove: (id) => {
      drop(id);
      draw();
    },
    /** @param {(thing: Thing) => unknown} act */
    onRestore: (act) => {
      restore = act;
    },
  };
}

/**
 * @param {string} key
 * @returns {Thing[]}
 */
function read(key) {
  try {
    const things = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(things) ? things : [];
  } catch {
    // Storage is switched off, or holds what is not ours.
    return [];
  }
}

/**
 * @param {string} key
 * @param {readonly Thing[]} things
 */
function write(key, things) {
  try {
    sessionStorage.setItem(key, JSON.stringify(things));
  } catch {
    // As above; until the view is left, they are on the page.
  }
}

import { h } from '../shared/dom.ts';
import type { Words } from './words/en.ts';

interface Thing {
  id: number;
  title: string;
}
export type RecentlyDeleted = ReturnType<typeof createRecentlyDeleted>;

/** The most deleted things in the list. */
const kept = 20;

/**
 * The list of things deleted in this tab, which can still be restored after the message has gone. The service keeps
 * them for 30 days.
 * @param kind `products` or `announcements`
 */
export function createRecentlyDeleted(kind: string, { deletion, restore: restoreLabel }: Words) {
  const key = `admin-deleted-${kind}`;
  const things = read(key);
  const element = h('details', { class: 'recent', hidden: things.length === 0 });
  let restore: (thing: Thing) => unknown = () => undefined;

  const draw = () => {
    write(key, things);
    element.hidden = things.length === 0;
    element.replaceChildren(
      h('summary', { text: deletion.recent(things.length) }),
      h('ul', { role: 'list' }, things.map(line)),
    );
  };
  const line = (thing: Thing) =>
    h(
      'li',
      {},
      h('span', { text: thing.title }),
      h('button', {
        class: 'button quiet',
        type: 'button',
        'aria-label': deletion.restore(thing.title),
        onclick: () => restore(thing),
        text: restoreLabel,
      }),
    );
  const drop = (id: number) => {
    const at = things.findIndex((thing) => thing.id === id);
    if (at >= 0) things.splice(at, 1);
  };

  draw();
  return {
    element,
    add: (thing: Thing) => {
      drop(thing.id);
      things.unshift(thing);
      things.splice(kept);
      draw();
    },
    remove: (id: number) => {
      drop(id);
      draw();
    },
    onRestore: (act: (thing: Thing) => unknown) => {
      restore = act;
    },
  };
}

function read(key: string): Thing[] {
  try {
    const things = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(things) ? things : [];
  } catch {
    // Storage is disabled or has foreign content.
    return [];
  }
}

function write(key: string, things: readonly Thing[]) {
  try {
    sessionStorage.setItem(key, JSON.stringify(things));
  } catch {
    // As above; the list lasts until the view is left.
  }
}

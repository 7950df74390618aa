import { h } from '../shared/dom.ts';
import type { Words } from './words/en.ts';

interface Thing {
  id: number;
  title: string;
}
/** A deleted thing with the time of its deletion, in milliseconds since the epoch. */
interface Deleted extends Thing {
  at: number;
}
export type RecentlyDeleted = ReturnType<typeof createRecentlyDeleted>;

/** Maximum number of deleted things in the list. */
const maxListed = 20;

/** Time for which the service keeps deleted things, in milliseconds. */
const keptFor = 30 * 86_400_000;

/**
 * Lists the things deleted in this browser that can still be restored, also in another tab or after a restart.
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
    add: ({ id, title }: Thing) => {
      drop(id);
      things.unshift({ id, title, at: Date.now() });
      things.splice(maxListed);
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

function read(key: string): Deleted[] {
  try {
    const things: Deleted[] = JSON.parse(localStorage.getItem(key) ?? '[]');
    return things.filter(({ at }) => Date.now() - at < keptFor);
  } catch {
    // Storage is disabled or has foreign content.
    return [];
  }
}

function write(key: string, things: readonly Deleted[]) {
  try {
    localStorage.setItem(key, JSON.stringify(things));
  } catch {
    // As above; the list lasts until the view is left.
  }
}

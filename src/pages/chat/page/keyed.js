// Lists that are updated in place, so that remaining elements keep their focus and state.

/**
 * @template Item
 * @typedef {{ element: HTMLElement, update: (item: Item) => unknown }} Part
 */

/**
 * @template Item
 * @typedef {{ update: (items: readonly Item[]) => void, find: (key: string) => HTMLElement | undefined }} KeyedList
 */

/**
 * Synchronizes the children of `parent` with the items. There is one part for each key, which is updated when a field
 * of its item changes. If the focused part is removed, `onFocusLost` is called with its former position.
 *
 * @template {object} Item
 * @param {HTMLElement} parent
 * @param {object} parts
 * @param {(item: Item) => string} parts.keyOf
 * @param {(item: Item) => Part<Item>} parts.create
 * @param {(index: number) => unknown} [parts.onFocusLost]
 * @returns {KeyedList<Item>}
 */
export function createKeyedList(parent, { keyOf, create, onFocusLost }) {
  /** @type {Map<string, Part<Item> & { item: Item }>} */
  let shown = new Map();

  /** @param {readonly Item[]} items */
  const update = (items) => {
    const focused = document.activeElement;
    const index = indexOfFocus(parent, focused);
    /** @type {typeof shown} */
    const next = new Map();
    for (const item of items) {
      const key = keyOf(item);
      const known = shown.get(key);
      const part = known ?? create(item);
      if (!known || !isSame(known.item, item)) part.update(item);
      next.set(key, { ...part, item });
    }
    for (const [key, { element }] of shown) if (!next.has(key)) element.remove();
    shown = next;
    arrange(parent, [...next.values()]);
    if (index === -1 || document.activeElement === focused) return;
    if (focused instanceof HTMLElement && parent.contains(focused)) {
      // An element loses the focus when it is moved.
      focused.focus({ preventScroll: true });
    } else onFocusLost?.(index);
  };

  return {
    update,
    /** @param {string} key */
    find: (key) => shown.get(key)?.element,
  };
}

/** Returns whether all fields are equal. @param {object} one @param {object} other */
function isSame(one, other) {
  const fields = Object.entries(one);
  const values = /** @type {Record<string, unknown>} */ (other);
  return fields.every(([name, value]) => Object.is(value, values[name]));
}

/**
 * @param {HTMLElement} parent
 * @param {Element | null} focused
 */
function indexOfFocus(parent, focused) {
  if (!parent.contains(focused)) return -1;
  return [...parent.children].findIndex((child) => child.contains(focused));
}

/**
 * Arranges the parts in order with as few moves as possible.
 *
 * @param {HTMLElement} parent
 * @param {readonly Part<any>[]} parts
 */
function arrange(parent, parts) {
  let next = parent.firstElementChild;
  for (const { element } of parts) {
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  }
}

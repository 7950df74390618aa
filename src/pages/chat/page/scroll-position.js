/** Distance from the end that is treated as the end, in pixels. */
const nearEnd = 48;

/**
 * Preserves the scroll position while the list changes: either the end remains visible, or the first visible row keeps
 * its position.
 *
 * @param {HTMLElement} scroller
 * @param {HTMLElement} list
 */
export function createScrollPosition(scroller, list) {
  let atEnd = true;
  let goesToEnd = false;

  const remember = () => {
    const { scrollHeight, scrollTop, clientHeight } = scroller;
    atEnd = scrollHeight - scrollTop - clientHeight < nearEnd;
  };
  const toEnd = () => {
    scroller.scrollTop = scroller.scrollHeight;
    remember();
  };

  // The size changes when the composer grows, a phone's keyboard opens, or the window is resized.
  const observer = new ResizeObserver(() => (atEnd ? toEnd() : remember()));
  observer.observe(scroller);
  observer.observe(list);

  /** @param {() => unknown} change */
  const keep = (change) => {
    const anchor = atEnd ? undefined : firstVisible(scroller, list);
    const before = anchor?.getBoundingClientRect().top ?? 0;
    change();
    if (atEnd || goesToEnd) toEnd();
    else if (anchor?.isConnected) {
      scroller.scrollTop += anchor.getBoundingClientRect().top - before;
    }
    goesToEnd = false;
    remember();
  };

  return {
    keep,
    remember,
    toEnd,
    isAtEnd: () => atEnd,
    /** Scrolls to the end after the next change. */
    toEndNext: () => {
      goesToEnd = true;
    },
    /** Scrolls so that a row is near the top. @param {HTMLElement} row */
    toStart: (row) => {
      const away = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      scroller.scrollTop += away - scroller.clientHeight / 5;
      remember();
    },
    end: () => observer.disconnect(),
  };
}

/**
 * Returns the first visible row. Uses binary search, because there may be thousands of rows.
 *
 * @param {HTMLElement} scroller
 * @param {HTMLElement} list
 */
function firstVisible(scroller, { children }) {
  const { top } = scroller.getBoundingClientRect();
  let low = 0;
  let high = children.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { bottom = 0 } = children[middle]?.getBoundingClientRect() ?? {};
    if (bottom <= top) low = middle + 1;
    else high = middle;
  }
  return children[low];
}

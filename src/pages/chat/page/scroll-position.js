/** So near to the end counts as at the end, pixels. */
const nearEnd = 48;

/**
 * Keeps what is read where it is while the list around it grows: at the end it stays at the end, anywhere
 * else the first row in sight stays in its position.
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

  // The composer grows, the keyboard of a phone comes up, the window changes.
  const observer = new ResizeObserver(() => (atEnd ? toEnd() : remember()));
  observer.observe(scroller);
  observer.observe(list);

  /** @param {() => unknown} change */
  const keep = (change) => {
    const anchor = atEnd ? undefined : firstInSight(scroller, list);
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
    /** After the next change. */
    toEndNext: () => {
      goesToEnd = true;
    },
    /** Brings a row near the top. @param {HTMLElement} row */
    toStart: (row) => {
      const away = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      scroller.scrollTop += away - scroller.clientHeight / 5;
      remember();
    },
    end: () => observer.disconnect(),
  };
}

/**
 * The first row that is not above what is seen; found by halving, as there may be thousands.
 *
 * @param {HTMLElement} scroller
 * @param {HTMLElement} list
 */
function firstInSight(scroller, { children }) {
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

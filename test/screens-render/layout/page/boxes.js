/**
 * A visible part of the page, with its rectangle.
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Box
 * @typedef {{ element: Element, node: Text | undefined, text: string, box: Box, seen: Box | undefined }} Piece
 */

/** Drawings and legends of charts, which chart-faults.ts checks. */
const chartDrawings = 'svg:not(.map-plot svg), .figure, .bars, .donut, .chart-data';

const notText = 'script, style, template, option, title, datalist, textarea';

/** Elements that are measured as a whole, without their text. */
const solidThings =
  'button, input, select, textarea, summary, .badge, .tag, .ai-tag, .chip, .initials, svg.icon, .point > circle';

/** @type {Map<Element, CSSStyleDeclaration>} */
const styles = new Map();

/** @type {Map<Element, boolean>} */
const shown = new Map();

/** @type {Map<Element, readonly Element[]>} */
const clips = new Map();

/** @type {Map<Element, Box>} */
const insides = new Map();

/** @type {Map<Element, Element>} */
const painted = new Map();

/** Clears the measurements of the previous page. */
export function forget() {
  for (const known of [styles, shown, clips, insides, painted]) known.clear();
}

/** @param {Element} element */
export function styleOf(element) {
  const known = styles.get(element) ?? getComputedStyle(element);
  styles.set(element, known);
  return known;
}

/** @param {Element} element */
function isShown(element) {
  const known =
    shown.get(element) ??
    (element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('.vh, .skip') === null &&
      styleOf(element).clipPath !== 'inset(50%)');
  shown.set(element, known);
  return known;
}

/** @param {Box} one @param {Box} other @returns {Box | undefined} */
export function common(one, other) {
  const box = {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
  return box.right > box.left && box.bottom > box.top ? box : undefined;
}

/**
 * Returns the elements that clip an element: itself and its ancestors.
 * @param {Element} element
 * @returns {readonly Element[]}
 */
export function clipping(element) {
  const known = clips.get(element);
  if (known) return known;
  const { overflowX, overflowY } = styleOf(element);
  const clipsItself = overflowX !== 'visible' || overflowY !== 'visible';
  const parent = element.parentElement;
  // Elements in the top layer are not clipped by their ancestors.
  const around = !parent || element.matches('body, dialog, [popover]') ? [] : clipping(parent);
  const found = clipsItself && element !== document.body ? [element, ...around] : around;
  clips.set(element, found);
  return found;
}

/** Returns the area inside the borders of a clipping element. @param {Element} element @returns {Box} */
export function insideOf(element) {
  const known = insides.get(element);
  if (known) return known;
  const { left, top } = element.getBoundingClientRect();
  const x = left + element.clientLeft;
  const y = top + element.clientTop;
  const box = { left: x, top: y, right: x + element.clientWidth, bottom: y + element.clientHeight };
  insides.set(element, box);
  return box;
}

/**
 * Returns the nearest element with a border or a background, which must contain the text.
 * @param {Element} element @returns {Element}
 */
export function paintedAround(element) {
  const known = painted.get(element);
  if (known) return known;
  const parent = element.parentElement;
  const found = !parent ? document.body : isPainted(element) ? element : paintedAround(parent);
  painted.set(element, found);
  return found;
}

/** @param {Element} element */
function isPainted(element) {
  if (element.matches('.map-plot, dialog, [popover]')) return true;
  const { backgroundColor, borderRightWidth, borderBottomWidth, position, display } =
    styleOf(element);
  if (display === 'inline' || display === 'contents' || element instanceof SVGElement) return false;
  // A table may be wider than the region in which it scrolls.
  const bordered = borderRightWidth !== '0px' && borderBottomWidth !== '0px';
  return bordered || backgroundColor !== 'rgba(0, 0, 0, 0)' || position === 'fixed';
}

/** Returns the visible part of a box. @param {Element} element @param {Box} box */
function seenPart(element, box) {
  /** @type {Box | undefined} */
  let seen = box;
  for (const at of clipping(element)) seen = seen && common(seen, insideOf(at));
  return seen;
}

/** Returns one box for each line of a text. @param {Text} node @returns {Box[]} */
export function linesOf(node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  return linesIn(range);
}

/** @param {Range} range @returns {Box[]} */
export function linesIn(range) {
  /** @type {Box[]} */
  const lines = [];
  for (const { left, top, right, bottom } of range.getClientRects()) {
    if (right - left < 0.5) continue;
    const last = lines.at(-1);
    const middle = (top + bottom) / 2;
    if (last && middle > last.top && middle < last.bottom) {
      last.left = Math.min(last.left, left);
      last.right = Math.max(last.right, right);
    } else lines.push({ left, top, right, bottom });
  }
  return lines;
}

/** Returns every visible text in `root`. @param {Element} root */
export function textsIn(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !(node instanceof Text) || node.data.trim() === '') continue;
    if (element.closest(notText) || element.closest(chartDrawings) || !isShown(element)) continue;
    const lines = linesOf(node);
    if (lines.length > 0) found.push({ node, element, text: node.data.trim(), lines });
  }
  return found;
}

/** @typedef {ReturnType<typeof textsIn>[number]} Written */

/**
 * Returns the lines of texts and other visible elements as boxes.
 * @param {Element} root @param {readonly Written[]} texts
 */
export function piecesIn(root, texts) {
  /** @type {Piece[]} */
  const pieces = texts.flatMap(({ node, element, text, lines }) =>
    lines.map((box) => ({ element, node, text, box, seen: seenPart(element, tight(box)) })),
  );
  for (const element of root.querySelectorAll(solidThings)) {
    if (element.closest(chartDrawings) !== null && !element.matches('.icon')) continue;
    if (!isShown(element)) continue;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const box = { left, top, right, bottom };
    pieces.push({ element, node: undefined, text: '', box, seen: seenPart(element, box) });
  }
  return pieces;
}

/** Returns a line without the space above and below its letters. @param {Box} box @returns {Box} */
function tight({ left, top, right, bottom }) {
  const spare = (bottom - top) * 0.2;
  return { left, right, top: top + spare, bottom: bottom - spare };
}

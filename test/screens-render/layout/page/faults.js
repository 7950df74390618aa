import { clipping, common, insideOf, linesIn, paintedAround, styleOf } from './boxes.js';

/**
 * @typedef {import('./boxes.js').Piece} Piece
 * @typedef {import('./boxes.js').Written} Written
 * @typedef {(element: Element, text: string) => void} Report
 */

/** Tolerance in CSS pixels, because positions are rounded. */
const tolerance = 1.5;

/** Reports elements that are wider than the window. @param {Element} root @param {Report} report */
export function tooWide(root, report) {
  const { scrollWidth, clientWidth } = document.documentElement;
  const whole = root === document.body;
  const { left, right } = root.getBoundingClientRect();
  if (whole ? scrollWidth <= clientWidth : left >= -1 && right <= clientWidth + 1) return;
  const wide = [...root.querySelectorAll('*')].filter(
    (element) =>
      element.getBoundingClientRect().right > clientWidth + 1 &&
      element.checkVisibility() &&
      !clipping(element).some((at) => at !== element),
  );
  const deepest = wide.filter(
    (element) =>
      !element.querySelector('*') ||
      !wide.some((other) => element !== other && element.contains(other)),
  );
  for (const element of deepest.slice(0, 3))
    report(element, `${scrollWidth} px in a window of ${clientWidth}`);
  if (deepest.length === 0) report(root, `${scrollWidth} px in a window of ${clientWidth}`);
}

/**
 * Reports regions that scroll horizontally, except for data tables in a focusable region with a name.
 * @param {Element} root @param {Report} report
 */
export function sideways(root, report) {
  const paper = matchMedia('print').matches;
  for (const element of [root, ...root.querySelectorAll('*')]) {
    if (element.matches('html, body, input, textarea, select, .event span')) continue;
    const { overflowX } = styleOf(element);
    if (overflowX !== 'auto' && overflowX !== 'scroll') continue;
    if (element.scrollWidth <= element.clientWidth + 1 || !element.checkVisibility()) continue;
    const named = element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby');
    const reached = element.getAttribute('tabindex') === '0';
    const over = `${element.scrollWidth} px in ${element.clientWidth}, by ${furthest(element)}`;
    if (paper || !named || !reached || !element.querySelector('table')) report(element, over);
    else widestColumn(element, report);
  }
}

/** Returns the widest content of a region. @param {Element} region */
function furthest(region) {
  const { right } = insideOf(region);
  const beyond = [...region.querySelectorAll('*')].filter(
    (element) => element.getBoundingClientRect().right > right + 1,
  );
  const last = beyond.at(-1);
  return last ? nameOf(last) : 'text';
}

/** Reports a column that leaves no space for the others. @param {Element} region @param {Report} report */
function widestColumn(region, report) {
  const cells = [...region.querySelectorAll('thead th')];
  if (cells.length < 2) return;
  for (const cell of cells) {
    const { width } = cell.getBoundingClientRect();
    if (width > region.clientWidth * 0.7) {
      report(cell, `a column of ${Math.round(width)} px in ${region.clientWidth}`);
    }
  }
}

/**
 * Reports texts that are cut off and appear nowhere else in full.
 * @param {readonly Piece[]} pieces @param {Report} report
 */
export function cut(pieces, report) {
  for (const { element, node, text, box } of pieces) {
    if (!node) continue;
    const hiding = clipping(element).find((at) => isHidden(at, box));
    if (hiding && !isReadableElsewhere(element, text))
      report(element, `${text} (in ${nameOf(hiding)})`);
  }
}

/** @param {Element} at @param {import('./boxes.js').Box} box */
function isHidden(at, box) {
  const { overflowX, overflowY } = styleOf(at);
  const inside = insideOf(at);
  const hides = ['hidden', 'clip'];
  const third = (box.bottom - box.top) / 3;
  return (
    (hides.includes(overflowX) &&
      (box.right > inside.right + tolerance || box.left < inside.left - tolerance)) ||
    (hides.includes(overflowY) &&
      (box.bottom > inside.bottom + third || box.top < inside.top - third))
  );
}

/**
 * Returns true if the full text is in a tooltip or in the target of the text's link.
 * @param {Element} element @param {string} text
 */
function isReadableElsewhere(element, text) {
  if (element.closest('[title]')?.getAttribute('title')?.includes(text)) return true;
  const target = element.closest('a[href^="#"]')?.getAttribute('href')?.slice(1);
  const squeeze = (/** @type {string} */ given) => given.replace(/\s+/gu, '');
  const there = target && document.getElementById(target);
  return there ? squeeze(there.textContent).includes(squeeze(text)) : false;
}

/** Reports texts outside their painted box or the window. @param {readonly Piece[]} pieces @param {Report} report */
export function outside(pieces, report) {
  for (const { element, node, text, seen } of pieces) {
    if (!node || !seen) continue;
    const around = paintedAround(element);
    const { left, top, right, bottom } = around.getBoundingClientRect();
    const out = Math.max(
      left - seen.left,
      seen.right - right,
      top - seen.top,
      seen.bottom - bottom,
    );
    if (out > tolerance)
      report(element, `${text} (${Math.round(out)} px out of ${nameOf(around)})`);
  }
}

/** Reports overlapping pieces. @param {readonly Piece[]} pieces @param {Report} report */
export function overlapping(pieces, report) {
  const sorted = pieces.flatMap(({ element, node, text, seen }) =>
    seen ? [{ element, node, text, seen }] : [],
  );
  sorted.sort((a, b) => a.seen.top - b.seen.top);
  for (const [index, one] of sorted.entries()) {
    for (let next = index + 1; next < sorted.length; next += 1) {
      const other = sorted[next];
      if (!other || other.seen.top > one.seen.bottom) break;
      const box = common(one.seen, other.seen);
      if (!box || box.right - box.left <= tolerance || box.bottom - box.top <= tolerance) continue;
      if (belongTogether(one, other)) continue;
      report(
        one.element,
        `${one.text || nameOf(one.element)} and ${other.text || nameOf(other.element)}`,
      );
    }
  }
}

/** @param {Pick<Piece, 'element' | 'node'>} one @param {Pick<Piece, 'element' | 'node'>} other */
function belongTogether(one, other) {
  if (one.node && other.node && blockOf(one.element) === blockOf(other.element)) {
    return !(one.element instanceof SVGElement);
  }
  if (one.element.contains(other.element) || other.element.contains(one.element)) return true;
  const point = one.element.closest('.point');
  if (point && point === other.element.closest('.point')) return true;
  return isPlacedOn(one.element, other.element) || isPlacedOn(other.element, one.element);
}

/**
 * Returns true for elements that intentionally overlap, such as an icon in a field.
 * @param {Element} one @param {Element} other
 */
function isPlacedOn(one, other) {
  for (let at = one; at.parentElement; at = at.parentElement) {
    if (styleOf(at).position === 'absolute') return at.parentElement.contains(other);
  }
  return false;
}

/** @param {Element} element @returns {Element} */
function blockOf(element) {
  let at = element;
  while (styleOf(at).display === 'inline' && at.parentElement) at = at.parentElement;
  return at;
}

/** Splits a text into letters. It is created only once, because creating it is slow. */
const letterParts = new Intl.Segmenter();

/** Reports texts in columns that are too narrow to read. @param {readonly Written[]} texts @param {Report} report */
export function squeezed(texts, report) {
  for (const { element, text, lines } of texts) {
    if (lines.length < 4) continue;
    const wide = /\p{Script=Han}|\p{Extended_Pictographic}/u.test(text);
    const letters = [...letterParts.segment(text.slice(0, 2_000))].length;
    if (letters / lines.length < (wide ? 1.5 : 5)) {
      report(element, `${letters} letters in ${lines.length} lines: ${text}`);
    }
  }
}

/** Maximum length of an ordinary word, in characters. Such a word must not break if it fits into half of its card. */
const maxOrdinaryLength = 20;

/** Reports words that are broken although they would fit. @param {readonly Written[]} texts @param {Report} report */
export function brokenWords(texts, report) {
  const range = document.createRange();
  for (const { node, element, lines } of texts) {
    if (lines.length < 2) continue;
    const card = element.closest('.card, .kpis, dialog, [popover], .top') ?? document.body;
    const around = element.closest('td, th, li') ?? paintedAround(element);
    const room = Math.min(card.clientWidth / 2, roomIn(around, element));
    for (const { index, 0: word } of node.data.matchAll(
      /(?<!\S)[\p{L}\p{M}]{3,}(?=[.,;:]?(?:\s|$))/gu,
    )) {
      if (word.length > maxOrdinaryLength || /\p{Script=Han}/u.test(word)) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const parts = linesIn(range);
      if (parts.length < 2) continue;
      const width = parts.reduce((sum, { left, right }) => sum + right - left, 0);
      if (width < room - 1)
        report(element, `${word} (${Math.round(width)} px in ${Math.round(room)})`);
    }
  }
}

/**
 * Returns the maximum width of a line in an element inside another, without the paddings between them.
 * @param {Element} around @param {Element} element
 */
function roomIn(around, element) {
  let room = around.clientWidth;
  /** @type {Element | null} */
  let at = element;
  for (; at && around.contains(at); at = at.parentElement) {
    const { paddingLeft, paddingRight } = styleOf(at);
    room -= Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
  }
  return room;
}

/**
 * Reports targets that are too small and too close to others (WCAG 2.5.8).
 * @param {Element} root @param {Report} report
 */
export function smallTargets(root, report) {
  const min = 24;
  const all = [
    ...root.querySelectorAll('a[href], button, input, select, textarea, summary'),
  ].filter(
    (element) =>
      element.checkVisibility() &&
      element.closest('.vh, .skip, label:has(input[type=radio])') === null,
  );
  const boxes = all.map((element) => element.getBoundingClientRect());
  for (const [index, element] of all.entries()) {
    const box = boxes[index];
    if (!box || (box.width >= min - 0.5 && box.height >= min - 0.5)) continue;
    const x = box.left + box.width / 2;
    const y = box.top + box.height / 2;
    const near = boxes.some((other, position) => {
      if (position === index || other.width === 0) return false;
      const dx = Math.max(other.left - x, 0, x - other.right);
      const dy = Math.max(other.top - y, 0, y - other.bottom);
      return Math.hypot(dx, dy) < min / 2;
    });
    if (near) report(element, `${Math.round(box.width)} x ${Math.round(box.height)} px`);
  }
}

/** Returns a selector by which a person can find an element. @param {Element} element @returns {string} */
export function nameOf(element) {
  const steps = [];
  for (let at = element; at.parentElement && steps.length < 3; at = at.parentElement) {
    const classes = [...at.classList].map((name) => `.${name}`).join('');
    steps.unshift(at.localName + (at.id ? `#${at.id}` : classes));
    if (at.id) break;
  }
  return steps.join(' > ');
}

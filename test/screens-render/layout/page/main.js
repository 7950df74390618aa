import { forget, piecesIn, textsIn } from './boxes.js';
import {
  brokenWords,
  cut,
  nameOf,
  outside,
  overlapping,
  sideways,
  smallTargets,
  squeezed,
  tooWide,
} from './faults.js';

/**
 * Returns the layout faults of `root`.
 * @param {Element} root
 * @returns {{ rule: string, selector: string, text: string }[]}
 */
export function findFaults(root) {
  forget();
  scrollTo(0, 0);
  /** @type {Map<string, { rule: string, selector: string, text: string }>} */
  const faults = new Map();
  const reporter =
    (/** @type {string} */ rule) =>
    (/** @type {Element} */ element, /** @type {string} */ text) => {
      const selector = nameOf(element);
      const key = `${rule} ${selector.replace(/\d+/g, '')}`;
      // Report only the first fault of each kind.
      if (!faults.has(key))
        faults.set(key, { rule, selector, text: text.replace(/\s+/gu, ' ').slice(0, 90) });
    };
  const texts = textsIn(root);
  const pieces = piecesIn(root, texts);
  tooWide(root, reporter('wider than the window'));
  sideways(root, reporter('scrolled sideways'));
  cut(pieces, reporter('cut'));
  outside(pieces, reporter('outside its box'));
  overlapping(pieces, reporter('overlaps'));
  squeezed(texts, reporter('squeezed'));
  brokenWords(texts, reporter('broken word'));
  // Printed pages have no targets.
  if (!matchMedia('print').matches) smallTargets(root, reporter('small target'));
  return [...faults.values()];
}

/** Disables hyphenation, because a page must be readable in browsers without it. */
export function disableHyphenation() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { hyphens: manual !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Doubles the size of all text, as readers may (WCAG 1.4.4). */
export function doubleText() {
  const sizes = [...document.querySelectorAll('body, body *')].map(
    (element) =>
      /** @type {const} */ ([element, Number.parseFloat(getComputedStyle(element).fontSize)]),
  );
  for (const [element, size] of sizes) {
    if (element instanceof HTMLElement || element instanceof SVGElement)
      element.style.fontSize = `${size * 2}px`;
  }
}

/** Increases the spacing of text as far as readers may (WCAG 1.4.12). */
export function spaceText() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

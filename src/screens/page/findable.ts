import { searchIndex } from '../text/search.js';
import { findAll } from './dom.js';
import { isTable, type Row } from './rows.js';

/** Returns a search index of the elements' texts, and of their dates in all formats. */
export function indexOf(elements: readonly Element[]): string {
  const texts: string[] = [];
  for (const element of elements) gather(element, texts);
  return searchIndex(texts.join('\n'));
}

/** Collects the texts of a node. The texts of adjacent elements stay separate, even without a space between them. */
function gather(node: Node, texts: string[]): void {
  if (!(node instanceof Element)) {
    if (node.nodeValue) texts.push(node.nodeValue);
    return;
  }
  // Skip drawings, which repeat visible text, and hidden text.
  if (node.ariaHidden || node.localName === 'svg' || node.classList.contains('vh')) return;
  if (node instanceof HTMLTimeElement) texts.push(node.dateTime);
  for (let child = node.firstChild; child; child = child.nextSibling) gather(child, texts);
}

/** Returns a row's search index, which is cached until the row changes. */
export function searchedOf(row: Row): string {
  row.searched ??= indexOf(isTable ? [row.element] : [row.element, ...readOf(row)]);
  return row.searched;
}

/** Returns the text elements of a row's pane. They contain more text than the excerpt in the list. */
function readOf({ index }: Row): readonly Element[] {
  const pane = document.getElementById(`pane-${index}`);
  return pane ? findAll('.prose, td, dd, li', pane) : [];
}

import { searchIndex } from '../text/search.js';
import { findAll } from './dom.js';
import { isTable, type Row } from './rows.js';

/** What is found of some elements: their texts, each by itself, and their dates in every way to write them. */
export function indexOf(elements: readonly Element[]): string {
  const texts: string[] = [];
  for (const element of elements) gather(element, texts);
  return searchIndex(texts.join('\n'));
}

/** Texts of different elements are different texts, also where no space stands between them. */
function gather(node: Node, texts: string[]): void {
  if (!(node instanceof Element)) {
    if (node.nodeValue) texts.push(node.nodeValue);
    return;
  }
  // Drawings repeat what stands beside them, and nobody searches for what is not seen.
  if (node.ariaHidden || node.localName === 'svg' || node.classList.contains('vh')) return;
  if (node instanceof HTMLTimeElement) texts.push(node.dateTime);
  for (let child = node.firstChild; child; child = child.nextSibling) gather(child, texts);
}

/** What a row of the list is found by; read from the page once, until the row changes. */
export function searchedOf(row: Row): string {
  row.searched ??= indexOf(isTable ? [row.element] : [row.element, ...readOf(row)]);
  return row.searched;
}

/** What is read of a line in its pane: letters are longer than the excerpt in the line. */
function readOf({ index }: Row): readonly Element[] {
  const pane = document.getElementById(`pane-${index}`);
  return pane ? findAll('.prose, td, dd, li', pane) : [];
}

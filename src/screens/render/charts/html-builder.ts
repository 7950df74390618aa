import { escapeText, Html, trusted } from '../../../base/html.js';
import type { Build } from './build.js';

/** Builds charts as HTML text. Tags and attribute names are this program's own. */
export const buildHtml: Build<Html> = (tag, attributes, ...children) => {
  let text = `<${tag}`;
  for (const [name, value] of Object.entries(attributes)) {
    text += ` ${name}="${escapeText(String(value))}"`;
  }
  text += '>';
  for (const child of children) {
    text += child instanceof Html ? child.text : escapeText(child);
  }
  return trusted(`${text}</${tag}>`);
};

import { type Content, type Html, html } from '../../base/html.js';
import { pictureAddress } from './addresses.js';

/** Pictures fill frames of one shape; what counts is that the browser knows one before they are there. */
const side = 600;

export interface PictureOptions {
  readonly image: string;
  readonly name: string;
  /** Its sizes on the page, for the browser's choice among those of a picture of ours. */
  readonly sizes: string;
  readonly srcsetOf: (image: string) => string | undefined;
  /** '' where the name stands beside the picture. */
  readonly alt?: string;
  /** Whether it is among the first things that are seen: loaded at once, before others. */
  readonly isFirst?: boolean;
  readonly className?: string;
}

/** A picture in a frame; where there is none, the first letter of the name takes its place. */
export function picture(options: PictureOptions): Html {
  const { image, name, sizes, srcsetOf, alt = '', isFirst = false, className = '' } = options;
  const address = pictureAddress(image);
  const frame = className ? `picture ${className}` : 'picture';
  if (address === undefined) {
    return html`<div class="${frame} empty"><span class="monogram" aria-hidden="true">${monogramOf(name)}</span></div>`;
  }
  const srcset = srcsetOf(address);
  return html`<div class="${frame}" data-letter="${monogramOf(name)}"><img src="${address}"${
    srcset ? html` srcset="${srcset}" sizes="${sizes}"` : null
  } alt="${alt}" width="${side}" height="${side}" decoding="async" ${
    isFirst ? html`fetchpriority="high"` : html`loading="lazy"`
  }></div>`;
}

/** The first letter of a name, as a capital. */
export function monogramOf(name: string): string {
  const [letter = '·'] = name.trim();
  return letter.toUpperCase();
}

/** A text as paragraphs; its line breaks stay. */
export function paragraphs(text: string): Html[] {
  const parts = text.trim().split(/(?:\r?\n[\t ]*){2,}/);
  return parts.filter(Boolean).map((part) => html`<p>${lines(part)}</p>`);
}

function lines(text: string): Content {
  return text.split(/\r?\n/).map((line, index) => [index > 0 ? html`<br>` : null, line]);
}

/** What is shown in place of content. */
export function notice(
  { title, text }: { readonly title: string; readonly text: Content },
  more: Content = null,
): Html {
  return html`<div class="notice"><div class="mark" aria-hidden="true"></div><h3>${title}</h3><p>${text}</p>${more}</div>`;
}

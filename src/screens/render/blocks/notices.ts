import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';

/** Tells authors (in the preview) why the screen is not the one they asked for. */
export function authorNotices(context: RenderContext): Html {
  const { screen, preview, words, say, locale, styles } = context;
  if (!preview) return html``;
  const notices = screen.degradations.flatMap(({ code, path, detail }) => {
    if (
      code !== 'archetype-unknown' &&
      code !== 'archetype-block-missing' &&
      code !== 'layout-ignored'
    ) {
      return [];
    }
    return html`<p data-at="${path}">${say(words.notices[code], { detail })}</p>`;
  });
  if (notices.length === 0) return html``;
  styles.add('author');
  return html`<aside class="author-notice" lang="${locale}">${notices}</aside>`;
}

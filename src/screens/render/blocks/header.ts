import { type Html, html } from '../../../base/html.js';
import type { RenderContext } from '../context.js';
import { chatPosition } from './chat.js';
import { initials } from './navigation.js';

/** Draws the top bar: menu, search, assistant, notifications and user. */
export function header(context: RenderContext): Html {
  const { screen, words, sprite, ownLang } = context;
  const menu =
    screen.nav.length > 0 &&
    html`<button type="button" class="button icon-button quiet menu" popovertarget="nav" aria-label="${words.menu}"${ownLang}>${sprite.icon('menu')}</button>`;
  return html`<header class="top">${menu}${searchField(context)}<div class="top-end">${assistantButton(context)}${tourButton(context)}${notifications(context)}${person(context)}</div></header>`;
}

function searchField({ screen, words, sprite, at, ownLang }: RenderContext): Html {
  const { placeholder, compact, shortcut } = screen.search;
  const badge = shortcut && !compact && html`<kbd class="js-only" aria-hidden="true">Ctrl K</kbd>`;
  const keys = shortcut ? html` aria-keyshortcuts="Control+K Meta+K"` : '';
  const lang = placeholder ? '' : ownLang;
  return html`<form class="search${compact ? ' compact' : ''}" role="search"${lang}${at('/search')}>${sprite.icon('search')}<input type="search" id="search" autocomplete="off" aria-label="${placeholder ?? words.searchLabel}" placeholder="${placeholder ?? words.searchPlaceholder}"${keys}>${badge}</form>`;
}

function assistantButton({ screen, words, sprite, at, ownLang }: RenderContext): Html {
  if (!screen.ai) return html``;
  return html`<button type="button" class="button quiet assistant js-only" data-open-chat="${chatPosition(screen)}" aria-label="${words.askAi}"${at('/ai')}${ownLang}>${sprite.icon('sparkle')}<span>${words.askAi}</span></button>`;
}

function tourButton({ screen, words, sprite, ownLang }: RenderContext): Html {
  if (screen.onboarding?.length === 0) return html``;
  return html`<button type="button" class="button icon-button quiet js-only tour" data-tour aria-label="${words.tour}"${ownLang}>${sprite.icon('help')}</button>`;
}

function notifications(context: RenderContext): Html {
  const { screen, words, sprite, at, say, ownLang, styles } = context;
  const { notifications: items } = screen;
  if (items.length === 0) return html``;
  styles.add('notices');
  const unread = items.filter((item) => item.unread).length;
  const label = unread
    ? `${words.notifications}: ${say(words.unreadCount, { n: unread })}`
    : words.notifications;
  const list = items.map(
    ({ text, time, unread: isNew = false }, index) =>
      html`<li${isNew ? html` class="unread"` : ''}${at('/notifications', index)}>${isNew && html`<span class="vh"${ownLang}>${words.unread}: </span>`}<p>${text}</p>${time && html`<p class="sub">${time}</p>`}</li>`,
  );
  return html`<button type="button" class="button icon-button quiet bell" popovertarget="notices" aria-label="${label}"${at('/notifications')}${ownLang}>${sprite.icon('bell')}${unread > 0 && html`<span class="count" aria-hidden="true">${unread}</span>`}</button><div class="popover" id="notices" popover><h2${ownLang}>${words.notifications}</h2><ul class="notices">${list}</ul></div>`;
}

function person({ screen, at, words, say, ownLang, styles }: RenderContext): Html {
  const { name, role } = screen.user ?? {};
  const shown = name ?? role;
  if (!shown) return html``;
  styles.add('user');
  const whole = [name, role].filter(Boolean).join(' – ');
  return html`<div class="user" title="${whole}"${at('/user')}><span class="initials" aria-hidden="true">${initials(shown)}</span><span class="vh"${ownLang}>${say(words.user, { name: shown })}</span><span class="user-text" aria-hidden="true"><span class="user-name">${shown}</span>${name && role && html`<span class="sub">${role}</span>`}</span></div>`;
}

/** Draws notices in the preview that explain to authors why the screen differs from their definition. */
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

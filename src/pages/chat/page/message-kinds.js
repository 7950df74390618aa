// What a text is: words, a few emoji that are shown large, or one of our own stickers.

/** The stickers there are: `/stickers/<name>.svg`. */
export const stickers = [
  'hello',
  'thanks',
  'thumbs-up',
  'heart',
  'hooray',
  'sorry',
  'bread',
  'tea',
  'apricot',
  'parcel',
  'good-morning',
  'good-night',
];

/** What the picker offers; whatever the keyboard has can be typed as well. */
export const emoji = [
  ...['😀', '😄', '😂', '🙂', '😉', '😊', '😍', '😘', '🤗', '🤔', '😎', '😐'],
  ...['😅', '😮', '😢', '😭', '😡', '😴', '🤒', '🥳', '👍', '👎', '👌', '👏'],
  ...['🙏', '💪', '👋', '🤝', '✌️', '🫶', '❤️', '🧡', '💚', '💙', '🎉', '🎁'],
  ...['🔥', '⭐', '✅', '❌', '❓', '❗', '☀️', '🌙', '🌧️', '❄️', '🌷', '🌿'],
  ...['🍞', '🥐', '🍰', '🍎', '🍇', '🍵', '☕', '🥟', '🚚', '📦', '🏠', '📞'],
];

/** Emoji and nothing else, at most this many, are shown large. */
const mostLarge = 8;
const onlyEmoji = onlyEmojiOf(mostLarge);

/** @param {number} most */
function onlyEmojiOf(most) {
  try {
    return new RegExp(`^\\s*(?:\\p{RGI_Emoji}\\s*){1,${most}}$`, 'v');
  } catch {
    // A browser that does not know this shows them as text.
    return /^(?!)/;
  }
}

/** @param {string} text @returns {'text' | 'emoji'} */
export function typeOfText(text) {
  return onlyEmoji.test(text) ? 'emoji' : 'text';
}

/**
 * How a message is shown, whatever its sender says that it is.
 *
 * @param {{ type: string, text: string }} message
 * @returns {'text' | 'emoji' | 'sticker'}
 */
export function shownAs({ type, text }) {
  if (type === 'sticker' && stickers.includes(text)) return 'sticker';
  return type === 'emoji' && onlyEmoji.test(text) ? 'emoji' : 'text';
}

/** @typedef {{ text: string, href?: string }} Piece */

/** Without the signs that could make an address read otherwise than it is. */
const address = /https?:\/\/[^\s<>"'\u200b-\u200f\u202a-\u202e\u2060-\u2069]+/gi;

/** What belongs to the sentence around an address when it stands at its end. */
const marks = '.,:;!?)]}»”';

/** @param {string} text */
function withoutMarks(text) {
  let end = text.length;
  while (end > 0 && marks.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/**
 * A text in pieces, those that are addresses with where they lead.
 *
 * @param {string} text
 * @returns {Piece[]}
 */
export function piecesOf(text) {
  /** @type {Piece[]} */
  const pieces = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    const shown = withoutMarks(found);
    const href = URL.canParse?.(shown) ? new URL(shown).href : undefined;
    if (href === undefined) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: shown, href });
    end = index + shown.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

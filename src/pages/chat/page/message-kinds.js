// The kinds of messages: text, a few emoji that are shown large, or a sticker of this site.

/** The names of all stickers. Their files are `/stickers/<name>.svg`. */
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

/** The emoji in the picker. Any other emoji can be typed. */
export const emoji = [
  ...['😀', '😄', '😂', '🙂', '😉', '😊', '😍', '😘', '🤗', '🤔', '😎', '😐'],
  ...['😅', '😮', '😢', '😭', '😡', '😴', '🤒', '🥳', '👍', '👎', '👌', '👏'],
  ...['🙏', '💪', '👋', '🤝', '✌️', '🫶', '❤️', '🧡', '💚', '💙', '🎉', '🎁'],
  ...['🔥', '⭐', '✅', '❌', '❓', '❗', '☀️', '🌙', '🌧️', '❄️', '🌷', '🌿'],
  ...['🍞', '🥐', '🍰', '🍎', '🍇', '🍵', '☕', '🥟', '🚚', '📦', '🏠', '📞'],
];

/** Maximum number of emoji that are shown large in a message without other text. */
const maxLarge = 8;
const onlyEmoji = onlyEmojiOf(maxLarge);

/** @param {number} max */
function onlyEmojiOf(max) {
  try {
    return new RegExp(`^\\s*(?:\\p{RGI_Emoji}\\s*){1,${max}}$`, 'v');
  } catch {
    // Older browsers show emoji as text.
    return /^(?!)/;
  }
}

/** @param {string} text @returns {'text' | 'emoji'} */
export function typeOfText(text) {
  return onlyEmoji.test(text) ? 'emoji' : 'text';
}

/**
 * Returns how a message is shown. A message whose content does not match its type is shown as text.
 *
 * @param {{ type: string, text: string }} message
 * @returns {'text' | 'emoji' | 'sticker'}
 */
export function shownAs({ type, text }) {
  if (type === 'sticker' && stickers.includes(text)) return 'sticker';
  return type === 'emoji' && onlyEmoji.test(text) ? 'emoji' : 'text';
}

/** @typedef {{ text: string, href?: string }} Piece */

/** Matches addresses without characters that could disguise them. */
const address = /https?:\/\/[^\s<>"'\u200b-\u200f\u202a-\u202e\u2060-\u2069]+/gi;

/** Punctuation that is not part of an address if it follows the address. */
const marks = '.,:;!?)]}»”';

/** @param {string} text */
function withoutMarks(text) {
  let end = text.length;
  while (end > 0 && marks.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/**
 * Splits a text into pieces. Pieces with an address have an `href`.
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

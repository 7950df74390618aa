/** How much text of last messages a list of chats holds. */

/** Characters of a last message in a long list of chats. @bound */
const shortText = 200;

export interface ListedText {
  readonly text: string;
  /** Bytes of the whole text in UTF-8. */
  readonly bytes: number;
}

/**
 * Shortens the texts behind the first `most` bytes (in UTF-8) of a list. It may be done while the list still grows,
 * and gives the same in the end: what is behind them stays behind them.
 */
export function shortenTexts<Item extends { readonly lastMessage?: ListedText | undefined }>(
  latestFirst: readonly Item[],
  most: number,
): Item[] {
  let sum = 0;
  return latestFirst.map((item) => {
    const { lastMessage } = item;
    if (!lastMessage) return item;
    sum += lastMessage.bytes;
    if (sum <= most) return item;
    return { ...item, lastMessage: { ...lastMessage, text: shorten(lastMessage.text) } };
  });
}

function shorten(text: string): string {
  // Cut first: taking apart a long text for a few of its characters is what this is to avoid.
  const characters = [...text.slice(0, 2 * (shortText + 2))];
  if (characters.length <= shortText + 1) return text;
  return `${characters.slice(0, shortText).join('')}…`;
}

/** Letters that are five squares high. A square is two characters wide or half a character high. */
const letters: Readonly<Record<string, readonly string[]>> = {
  A: [' # ', '# #', '###', '# #', '# #'],
  D: ['## ', '# #', '# #', '# #', '## '],
  E: ['###', '#  ', '## ', '#  ', '###'],
  I: ['###', ' # ', ' # ', ' # ', '###'],
  K: ['# #', '# #', '## ', '# #', '# #'],
  L: ['#  ', '#  ', '#  ', '#  ', '###'],
  N: ['#  #', '## #', '# ##', '#  #', '#  #'],
  O: ['###', '# #', '# #', '# #', '###'],
  P: ['###', '# #', '###', '#  ', '#  '],
  R: ['## ', '# #', '## ', '# #', '# #'],
  T: ['###', ' # ', ' # ', ' # ', ' # '],
  U: ['# #', '# #', '# #', '# #', '###'],
  W: ['#   #', '#   #', '# # #', '# # #', ' # # '],
  X: ['# #', '# #', ' # ', '# #', '# #'],
  0: ['###', '# #', '# #', '# #', '###'],
  1: ['## ', ' # ', ' # ', ' # ', '###'],
  2: ['###', '  #', '###', '#  ', '###'],
  3: ['###', '  #', '###', '  #', '###'],
  4: ['# #', '# #', '###', '  #', '  #'],
  5: ['###', '#  ', '###', '  #', '###'],
  6: ['###', '#  ', '###', '# #', '###'],
  7: ['###', '  #', '  #', '  #', '  #'],
  8: ['###', '# #', '###', '# #', '###'],
  9: ['###', '# #', '###', '  #', '###'],
  ',': [' ', ' ', ' ', ' ', '#'],
  ' ': [' ', ' ', ' ', ' ', ' '],
};

const height = 5;

/**
 * Returns text in the largest letters that fit into `columns`: five rows with squares of two characters, or three rows
 * with squares of half a character. Returns undefined if neither fits. Supports digits and the letters of the result
 * titles.
 */
export function bigText(text: string, columns: number): string[] | undefined {
  const rows = squareRows(text);
  return (rows[0]?.length ?? 0) * 2 <= columns ? rows.map(wide) : mediumText(text, columns);
}

/** Returns text in letters that are three rows high, or undefined if it does not fit. */
export function mediumText(text: string, columns: number): string[] | undefined {
  const rows = squareRows(text);
  return (rows[0]?.length ?? 0) <= columns ? halved(rows) : undefined;
}

function squareRows(text: string): string[] {
  return Array.from({ length: height }, (_, row) =>
    [...text].map((letter) => letters[letter]?.[row] ?? '').join(' '),
  );
}

function wide(row: string): string {
  return [...row].map((square) => (square === '#' ? '██' : '  ')).join('');
}

function halved(rows: readonly string[]): string[] {
  return Array.from({ length: Math.ceil(rows.length / 2) }, (_, index) => {
    const [top = '', bottom = ''] = [rows[index * 2], rows[index * 2 + 1]];
    return [...top]
      .map((square, column) => halfBlock(square === '#', bottom[column] === '#'))
      .join('');
  });
}

/** Returns the character for two stacked squares. True means drawn. */
export function halfBlock(top: boolean, bottom: boolean): string {
  if (top) return bottom ? '█' : '▀';
  return bottom ? '▄' : ' ';
}

/** Letters five squares high; a square is two characters wide or half a character high. */
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
 * Words in large letters, as large as `columns` allows: five rows, squares two characters wide, or
 * three rows, squares half as high and one wide; undefined where neither fits. Knows digits and
 * those capital letters that results are named with.
 */
export function bigText(text: string, columns: number): string[] | undefined {
  const rows = squareRows(text);
  return (rows[0]?.length ?? 0) * 2 <= columns ? rows.map(wide) : mediumText(text, columns);
}

/** The three-row form of bigText. */
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

/** Two squares, one above the other, in one character; true = drawn. */
export function halfBlock(top: boolean, bottom: boolean): string {
  if (top) return bottom ? '█' : '▀';
  return bottom ? '▄' : ' ';
}

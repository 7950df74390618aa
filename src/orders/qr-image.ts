import { encode } from 'uqr';

/** ISO/IEC 18004 asks for so many white squares around a code. */
const quiet = 4;

/**
 * A code as the address of a picture (`data:image/svg+xml,…`): black on white whatever is around it, one unit a square,
 * sharp at every size.
 */
export function qrImage(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: quiet });
  const path = data.map((row, y) => runsOf(row, y)).join('');
  const svg =
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${size} ${size}' shape-rendering='crispEdges'>` +
    `<path fill='#fff' d='M0 0h${size}v${size}H0z'/><path d='${path}'/></svg>`;
  return `data:image/svg+xml,${svg.replace(/[<>#% ]/g, encodeURIComponent)}`;
}

/** The black squares of a row, as rectangles as long as can be. */
function runsOf(row: readonly boolean[], y: number): string {
  let path = '';
  for (let start = 0; start < row.length; start += 1) {
    if (!row[start]) continue;
    let end = start;
    while (row[end]) end += 1;
    path += `M${start},${y}h${end - start}v1H${start}z`;
    start = end;
  }
  return path;
}

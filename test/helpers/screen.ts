import { PassThrough } from 'node:stream';
import headless from '@xterm/headless';

/** Opens a terminal of this size that already shows a line. Returns its text without trailing spaces. */
export function openScreen(columns: number, rows: number) {
  const screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, rows });
  const written: Promise<void>[] = [];
  const write = (text: string) =>
    written.push(new Promise((resolve) => screen.write(text, () => resolve())));
  // A terminal translates line breaks in the same way.
  stream.on('data', (chunk) => write(String(chunk).replaceAll('\n', '\r\n')));
  write('$ msgsite pay qr --amount 1500\r\n');
  return {
    stream,
    async text() {
      await Promise.all(written);
      const { active } = screen.buffer;
      return Array.from({ length: active.length }, (_, row) =>
        (active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
      )
        .join('\n')
        .trimEnd();
    },
  };
}

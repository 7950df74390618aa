import jsqrModule from 'jsqr';

// The package is CommonJS, and its types name the function "default".
const jsqr = jsqrModule as unknown as typeof jsqrModule.default;

/** A terminal cell. A half is true if it is light. */
export interface HalfCell {
  readonly top: boolean;
  readonly bottom: boolean;
}

/** Width of a half cell in pixels, large enough for the decoder. */
const scale = 4;

/** Decodes the QR code in a picture of half cells as a phone does; returns undefined if it finds no code. */
export function readQr(rows: readonly (readonly HalfCell[])[]): string | undefined {
  const width = Math.max(...rows.map((row) => row.length)) * scale;
  const height = rows.length * 2 * scale;
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    const half = Math.floor(y / scale);
    for (let x = 0; x < width; x++) {
      const cell = rows[Math.floor(half / 2)]?.[Math.floor(x / scale)];
      const light = half % 2 === 0 ? cell?.top : cell?.bottom;
      pixels.set([light ? 255 : 0, light ? 255 : 0, light ? 255 : 0, 255], (y * width + x) * 4);
    }
  }
  return jsqr(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data;
}

/** Returns the halves of a cell that a glyph fills with the foreground. */
export function filledHalves(glyph: string): HalfCell {
  return { top: glyph === '█' || glyph === '▀', bottom: glyph === '█' || glyph === '▄' };
}

import jsqrModule from 'jsqr';
import { expect, it } from 'vitest';
import { qrImage } from '../../src/orders/views.js';

// The package is CommonJS, and its types name the function "default".
const jsqr = jsqrModule as unknown as typeof jsqrModule.default;

/** Pixels per square in the picture that the test reads. */
const scale = 4;

it.each(['https://pay.example/q/1001', 'A code of some length, '.repeat(8)])(
  'the QR image of %s is readable and has a white margin of four squares',
  (text) => {
    const { size, rects } = parse(qrImage(text));
    const side = size * scale;
    const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
    for (const { x, y, width } of rects) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(4);
      expect(Math.max(x + width, y + 1)).toBeLessThanOrEqual(size - 4);
      for (let row = y * scale; row < (y + 1) * scale; row += 1) {
        for (let column = x * scale; column < (x + width) * scale; column += 1) {
          pixels.set([0, 0, 0, 255], (row * side + column) * 4);
        }
      }
    }
    expect(jsqr(pixels, side, side)?.data).toBe(text);
  },
);

it('the QR image is a data URL that needs no escaping in HTML or CSS, black on white with crisp edges', () => {
  const image = qrImage('https://pay.example/q/1001');
  expect(image).toMatch(/^data:image\/svg\+xml,[^\s"<>#]+$/);
  expect(decodeURIComponent(image)).toContain("shape-rendering='crispEdges'");
  expect(decodeURIComponent(image)).toContain("fill='#fff'");
  expect(image.length).toBeLessThan(5_000);
});

function parse(image: string) {
  const svg = decodeURIComponent(image);
  const size = Number(/viewBox='0 0 (\d+) \1'/.exec(svg)?.[1]);
  const rects = [...svg.matchAll(/M(\d+),(\d+)h(\d+)v1H(\d+)z/g)].map(([, x, y, width]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
  }));
  return { size, rects };
}

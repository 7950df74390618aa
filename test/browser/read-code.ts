import jsqrModule from 'jsqr';
import type { Page } from 'playwright-core';

// The package is CommonJS whose types call its function "default".
const jsqr = jsqrModule as unknown as typeof jsqrModule.default;

/** What the QR code on the screen says, read from a picture of the screen as a phone would. */
export async function readCode(page: Page): Promise<string | undefined> {
  const image = page.locator('#order img');
  await image.waitFor();
  const shot = await image.screenshot();
  // A page of its own: the one that is tested may have no scripts.
  const reader = await page.context().browser()?.newPage();
  const address = JSON.stringify(`data:image/png;base64,${shot.toString('base64')}`);
  const pixels = await reader?.evaluate<Pixels>(`(${readPixels})(${address})`);
  await reader?.context().close();
  if (!pixels) return undefined;
  const data = new Uint8ClampedArray(Buffer.from(pixels.data, 'base64'));
  return jsqr(data, pixels.width, pixels.height)?.data;
}

interface Pixels {
  /** Four bytes a pixel, in base64. */
  readonly data: string;
  readonly width: number;
  readonly height: number;
}

const readPixels = `async function readPixels(address) {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, picture.width, picture.height);
  let bytes = '';
  for (const byte of data) bytes += String.fromCharCode(byte);
  return { data: btoa(bytes), width, height };
}`;

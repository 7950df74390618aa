import jsqrModule from 'jsqr';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

// The package is CommonJS, and its types name the exported function "default".
const jsqr = jsqrModule as unknown as typeof jsqrModule.default;

/** Returns the text of the QR code on the page, which is read from a screenshot as a phone would read it. */
export async function readCode(page: Page): Promise<string | undefined> {
  const image = page.locator('#order img');
  await image.waitFor();
  const { data, info } = await sharp(await image.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return jsqr(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

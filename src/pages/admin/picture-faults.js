// What is wrong with a picture, in words. No page needed.

/** @typedef {{ available: boolean, mostBytes: number, types: readonly string[] }} PictureRules */

/**
 * What can be said of a file before it is sent; undefined where nothing can. The service judges by the content.
 *
 * @param {{ type: string, size: number }} file
 * @param {PictureRules} rules
 */
export function fileFault({ type, size }, { mostBytes, types }) {
  if (type !== '' && !types.includes(type)) {
    return 'This is no picture that can be taken. Use a JPEG, a PNG or a WebP.';
  }
  if (size === 0) return 'This file is empty.';
  if (size > mostBytes) {
    return `This picture is ${megabytes(size)} large; ${megabytes(mostBytes)} are the most. Save it smaller and try again.`;
  }
  return undefined;
}

/**
 * What the service said of a file.
 *
 * @param {{ status?: number, code?: string, message: string }} error
 */
export function refusal({ status, code, message }) {
  if (code === 'images_unavailable')
    return `${message} The address of a picture works all the same.`;
  if (status === 415) {
    return 'The content of this file is no JPEG, PNG or WebP, whatever its name says.';
  }
  if (status === 413) return `This picture is too large: 5 MB and 50 megapixels are the most.`;
  return message;
}

/** @param {number} bytes */
function megabytes(bytes) {
  const count = bytes / 1024 / 1024;
  return `${count < 10 && !Number.isInteger(count) ? count.toFixed(1) : Math.round(count)} MB`;
}

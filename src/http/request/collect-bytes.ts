import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/errors.js';

/**
 * Reads the bytes of a body. Throws `too_large` above `mostBytes` and `bad_request` for one that ends early; what is then
 * left of it stays unread, and the connection stays open: its client waits for the answer.
 */
export function collectBytes(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;

    function finish(): void {
      request.off('data', take).off('end', end).off('error', cut).off('close', cut);
    }

    function fail(error: AppError): void {
      finish();
      request.pause();
      reject(error);
    }

    function take(chunk: Buffer): void {
      length += chunk.length;
      if (length > mostBytes) fail(tooLarge(mostBytes));
      else chunks.push(chunk);
    }

    function end(): void {
      finish();
      const [first] = chunks;
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks, length));
    }

    function cut(cause?: Error): void {
      const message = 'The body ended before it was complete.';
      fail(new AppError('bad_request', message, cause ? { cause } : {}));
    }

    if (request.destroyed) cut();
    else if (Number(request.headers['content-length'] ?? 0) > mostBytes) fail(tooLarge(mostBytes));
    else request.on('data', take).on('end', end).on('error', cut).on('close', cut);
  });
}

function tooLarge(mostBytes: number): AppError {
  const size =
    mostBytes >= 1024 * 1024 ? `${mostBytes / 1024 / 1024} MB` : `${mostBytes / 1024} KB`;
  return new AppError('too_large', `The body is larger than ${size}.`);
}

import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/errors.js';
import { discardRest } from './body.js';

/**
 * Reads a body as it comes, whatever it is said to be. Throws `too_large` above `mostBytes`, `unsupported_media_type`
 * for one that is compressed, and `bad_request` for one that ends early.
 */
export async function readBytes(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  try {
    return await collect(request, mostBytes);
  } catch (error) {
    await discardRest(request);
    throw error;
  }
}

async function collect(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new AppError('unsupported_media_type', 'The body must be sent without compression.');
  }
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge(mostBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // The connection must outlive a body that is refused: its client waits for the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > mostBytes) throw tooLarge(mostBytes);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('bad_request', 'The body ended before it was complete.', { cause });
  }
  return Buffer.concat(chunks, length);
}

function tooLarge(mostBytes: number): AppError {
  const size =
    mostBytes >= 1024 * 1024 ? `${mostBytes / 1024 / 1024} MB` : `${mostBytes / 1024} KB`;
  return new AppError('too_large', `The body is larger than ${size}.`);
}

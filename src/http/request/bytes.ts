import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/errors.js';
import { discardRest } from './body.js';
import { collectBytes } from './collect-bytes.js';

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
  return collectBytes(request, mostBytes);
}

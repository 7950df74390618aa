import type { Readable, Writable } from 'node:stream';
import { type Connection, createConnection } from 'vscode-languageserver';
import { createProtocolConnection } from 'vscode-languageserver/node';

/** A client, as it is reached over two streams. */
export interface OpenConnection {
  readonly connection: Connection;
  /**
   * Resolves when the client is gone, to the exit code of the protocol: 0 after a request to shut down, 1
   * without; to undefined where the signal ended it.
   */
  readonly ended: Promise<number | undefined>;
}

/** The streams that the client reads and writes, and what else may end the connection. */
export interface ClientStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/**
 * Speaks the protocol over streams. The package's own way to do so ends the process by itself, and watches
 * the process that the client names, which is another one where the server runs in a container: a client
 * that is gone closes its streams, and that is enough.
 */
export function openConnection({ input, output, signal }: ClientStreams): OpenConnection {
  let end = (_code: number | undefined): void => {};
  const ended = new Promise<number | undefined>((resolve) => {
    end = resolve;
  });
  const watchDog = {
    shutdownReceived: false,
    initialize() {},
    exit: (code: number) => end(code),
  };
  const connection = createConnection((logger) => {
    const protocol = createProtocolConnection(input, output, logger);
    protocol.onError(([error]) => logger.error(`A message cannot be read: ${error.message}`));
    return protocol;
  }, watchDog);
  const leave = (): void => end(watchDog.shutdownReceived ? 0 : 1);
  input.once('end', leave).once('close', leave).once('error', leave);
  signal.addEventListener('abort', () => end(undefined), { once: true });
  if (signal.aborted) end(undefined);
  return { connection, ended };
}

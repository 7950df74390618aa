import type { Readable, Writable } from 'node:stream';
import {
  createConnection,
  ErrorCodes,
  type InitializeError,
  type InitializeParams,
  type InitializeResult,
  ResponseError,
} from 'vscode-languageserver';
import { createProtocolConnection } from 'vscode-languageserver/node';
import type { Clock } from '../../base/clock.js';
import { readPackageVersion, readSchema } from '../../base/package-files.js';
import { capabilitiesFor, readClient } from './capabilities.js';
import { createContract } from './contract.js';
import { openSession, type Session } from './session.js';

export interface ServerOptions extends ClientStreams {
  /** Size limit of documents, in bytes. */
  readonly maxBytes: number;
}

/**
 * Serves one editor over two streams until it disconnects. Resolves to the exit code that the protocol specifies, or to
 * undefined if interrupted.
 */
export async function serveEditor(options: ServerOptions): Promise<number | undefined> {
  const { clock, maxBytes } = options;
  const [version, schema]: [string, object] = await Promise.all([
    readPackageVersion(),
    readSchema('screen'),
  ]);
  const contract = createContract(schema);
  const { connection, ended } = openConnection(options);
  let session: Session | undefined;
  connection.onInitialize((params): InitializeResult | ResponseError<InitializeError> => {
    if (session) {
      const message = 'The server is already initialised.';
      return new ResponseError(ErrorCodes.InvalidRequest, message, { retry: false });
    }
    const client = readClient(params);
    session = openSession(params, { connection, client, clock, contract, maxBytes });
    return { capabilities: capabilitiesFor(client), serverInfo: { name: 'msgsite', version } };
  });
  connection.listen();
  const exitCode = await ended;
  session?.close();
  connection.dispose();
  return exitCode;
}

/** The streams of the client, and the signal that ends the connection. */
interface ClientStreams {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/**
 * Opens a protocol connection over streams. The package's own function is unsuitable, because it exits the process and
 * assumes that a client outside the server's container has exited. When the client disconnects, `ended` resolves to 0
 * after a shutdown request and to 1 otherwise. After the signal, it resolves to undefined.
 */
function openConnection({ input, output, clock, signal }: ClientStreams) {
  const closed = new AbortController();
  let end = (_code: number | undefined): void => {};
  const ended = new Promise<number | undefined>((resolve) => {
    end = (code) => {
      closed.abort();
      resolve(code);
    };
  });
  const watchDog = {
    shutdownReceived: false,
    initialize({ processId }: InitializeParams) {
      if (typeof processId !== 'number') return;
      void untilProcessEnds(processId, clock, closed.signal).then(
        (hasEnded) => hasEnded && leave(),
      );
    },
    exit: (code: number) => end(code),
  };
  const connection = createConnection((logger) => {
    const protocol = createProtocolConnection(input, output, logger);
    protocol.onError(([error]) => logger.error(`Invalid message: ${error.message}`));
    return protocol;
  }, watchDog);
  const leave = (): void => end(watchDog.shutdownReceived ? 0 : 1);
  input.once('end', leave).once('close', leave).once('error', leave);
  signal.addEventListener('abort', () => end(undefined), { once: true });
  if (signal.aborted) end(undefined);
  return { connection, ended };
}

/** Interval between polls of the client's process, in milliseconds. The protocol's package uses the same interval. */
const pollInterval = 3_000;

/**
 * Resolves to true when the client's process exits, even if another process keeps its streams open. Resolves to false
 * if the process is not visible (it may be outside the container), or after the signal.
 */
async function untilProcessEnds(
  id: number,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (!isAlive(id)) return false;
  while (!signal.aborted) {
    await clock.sleep(pollInterval, signal);
    if (!isAlive(id)) return true;
  }
  return false;
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0); // Signal 0 only checks whether the process exists.
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

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
import { type Contract, createContract } from './contract.js';
import { openSession, type Session } from './session.js';

export interface ServerOptions extends ClientStreams {
  /** Larger documents are not read, in bytes. */
  readonly mostBytes: number;
}

/**
 * Serves one editor over two streams until it is gone. Gives the exit code of the protocol, or undefined
 * where the signal ended it.
 */
export async function serveEditor(options: ServerOptions): Promise<number | undefined> {
  const { clock, mostBytes } = options;
  const [version, contract] = await Promise.all([readPackageVersion(), readContract()]);
  const { connection, ended } = openConnection(options);
  let session: Session | undefined;
  connection.onInitialize((params): InitializeResult | ResponseError<InitializeError> => {
    if (session) {
      const message = 'This client has said hello already.';
      return new ResponseError(ErrorCodes.InvalidRequest, message, { retry: false });
    }
    const client = readClient(params);
    session = openSession(params, { connection, client, clock, contract, mostBytes });
    return { capabilities: capabilitiesFor(client), serverInfo: { name: 'msgsite', version } };
  });
  connection.listen();
  const exitCode = await ended;
  session?.close();
  connection.dispose();
  return exitCode;
}

/** Reads the contract of screen definitions from the package. */
async function readContract(): Promise<Contract> {
  const schema: object = await readSchema('screen');
  return createContract(schema);
}

/** The streams that the client reads and writes, and what else may end the connection. */
interface ClientStreams {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/**
 * Speaks the protocol over streams. The package's own way to do so ends the process on its own, and takes a
 * client outside of the server's container for one that is gone.
 * `ended` resolves when the client is gone, to the exit code of the protocol: 0 after a request to shut down, 1
 * without; to undefined where the signal ended it.
 */
function openConnection({ input, output, clock, signal }: ClientStreams) {
  const over = new AbortController();
  let end = (_code: number | undefined): void => {};
  const ended = new Promise<number | undefined>((resolve) => {
    end = (code) => {
      over.abort();
      resolve(code);
    };
  });
  const watchDog = {
    shutdownReceived: false,
    initialize({ processId }: InitializeParams) {
      if (typeof processId !== 'number') return;
      void untilProcessEnds(processId, clock, over.signal).then((isGone) => isGone && leave());
    },
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

/** Milliseconds between two polls of the client's process, as the protocol's own package has it. */
const pollInterval = 3_000;

/**
 * Waits until the process of a client is gone, whose streams another process may hold open. One that cannot
 * be seen from the start runs elsewhere (outside of the container, say), and is not waited for. Gives
 * whether it is gone.
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
    return process.kill(id, 0); // Sends nothing: it asks whether there is such a process.
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

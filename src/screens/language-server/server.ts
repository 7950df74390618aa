import {
  ErrorCodes,
  type InitializeError,
  type InitializeResult,
  ResponseError,
} from 'vscode-languageserver';
import { readPackageVersion } from '../../base/package-files.js';
import { capabilitiesFor, readClient } from './capabilities.js';
import { type ClientStreams, openConnection } from './connection.js';
import { readContract } from './read-contract.js';
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

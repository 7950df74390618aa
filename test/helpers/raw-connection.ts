import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection that sends requests unchanged, and reads nothing until `resume` is called. */
export interface RawConnection {
  /** Resolves when the operating system has accepted the requests. */
  send(...requests: readonly RawRequest[]): Promise<void>;
  /** Resolves when the first bytes of a response have arrived, which remain unread. */
  answered(): Promise<void>;
  /** Reads until the connection ends. */
  resume(): void;
  close(): void;
}

export interface RawRequest {
  readonly path: string;
  readonly token: string;
}

/** Opens a connection that is closed when the test ends. */
export async function openRawConnection(url: string): Promise<RawConnection> {
  const { hostname, port, host } = new URL(url);
  const socket = await new Promise<Socket>((resolve, reject) => {
    const made = connect({ host: hostname, port: Number(port) }, () => resolve(made));
    made.once('error', reject);
  });
  socket.pause();
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return {
    send(...requests) {
      const text = requests.map(
        ({ path, token }) =>
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      return new Promise((resolve) => socket.write(text.join(''), () => resolve()));
    },
    answered: () => new Promise((resolve) => socket.once('readable', resolve)),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
  };
}

import { createConnection, type Socket } from 'node:net';
import { type DatabaseHost, writeHost } from '../../base/database-address.js';
import { isDatabaseAway, isRefusedByDatabase } from './database-errors.js';

/** A place where a server of the database may be. */
export interface Place {
  /** For people. */
  readonly name: string;
  /** A name, an IP address, or the folder of a Unix socket, which begins with a slash. */
  readonly host: string;
  readonly port: number;
}

/** What the client knows of the session on a socket. */
export interface Session {
  /** Number of the server's process, where it has told it. */
  pid(): number | null;
  /** Whether an answer is waited for. */
  isBusy(): boolean;
}

/** The client's own reading of its options, which knows the environment (`PGHOST`, `PGPORT`). */
export interface ClientOptions {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
}

/** One attempt to connect: each server is tried once. */
export interface Attempt {
  /** A socket to the next server that can be reached; rejects where none is left, with what each failed by. */
  open(session: Session): Promise<Socket>;
  /** The server that was reached last cannot be used; true where the attempt goes on. */
  refuse(fault: unknown): boolean;
  /** The server that was reached last is one to work on. */
  succeed(): void;
  hasOthers(): boolean;
}

export interface ServersOptions {
  /** Where they are; none: where the client's options say. */
  readonly places: readonly Place[];
  /** Milliseconds to reach one server. */
  readonly timeout: number;
  /** Told of every socket. */
  onSocket?(socket: Socket, place: Place, session: Session): void;
}

/** PostgreSQL's own port. */
const ownPort = 5432;

/** How a server did when it was last tried: the best is tried first. */
const standing = { works: 0, unknown: 1, refuses: 2, silent: 3 };

/** What is known of the servers of a database, for all connections to it. */
export type ServerRanks = ReturnType<typeof createServerRanks>;

export function createServerRanks() {
  const ranks = new Map<string, number>();
  return {
    rank: ({ name }: Place) => ranks.get(name) ?? standing.unknown,
    works({ name }: Place): void {
      ranks.set(name, standing.works);
    },
    refuses({ name }: Place): void {
      ranks.set(name, standing.refuses);
    },
    /** It gives no answer: asking it takes long. */
    isSilent({ name }: Place): void {
      ranks.set(name, standing.silent);
    },
  };
}

/** Finds the server of a database that can be worked on, among one or several. */
export function createServers(ranks: ServerRanks, options: ServersOptions) {
  const { timeout, onSocket } = options;
  return {
    count: options.places.length,
    begin(client: ClientOptions): Attempt {
      const places = options.places.length > 0 ? options.places : placesOf(client);
      const untried = new Set(places);
      const faults: Fault[] = [];
      let current: Place | undefined;

      function fail(place: Place, error: unknown): void {
        faults.push({ place, error });
        if (codeOf(error) === 'CONNECT_TIMEOUT') ranks.isSilent(place);
        else ranks.refuses(place);
      }

      return {
        async open(session) {
          for (;;) {
            const [next] = [...untried].sort((a, b) => ranks.rank(a) - ranks.rank(b));
            if (!next) throw faultOfAll(faults);
            untried.delete(next);
            try {
              const socket = await reach(next, timeout);
              current = next;
              onSocket?.(socket, next, session);
              return socket;
            } catch (error) {
              fail(next, error);
            }
          }
        },
        refuse(fault) {
          if (!current) return false;
          // A wrong password or name is as wrong elsewhere.
          if (isRefusedByDatabase(fault) || !isDatabaseAway(fault)) return false;
          fail(current, fault);
          return places.length > 1;
        },
        succeed() {
          if (current) ranks.works(current);
        },
        hasOthers: () => untried.size > 0,
      };
    },
  };
}

function placesOf({ host, port, path }: ClientOptions): Place[] {
  const hosts = path ? [path.slice(0, path.lastIndexOf('/'))] : host;
  return hosts.map((name, index) => createPlace({ host: name, port: port[index] }));
}

export function createPlace({ host, port = ownPort }: DatabaseHost): Place {
  return { name: writeHost(host, port), host, port };
}

/** A connected socket; rejects with `CONNECT_TIMEOUT` where that takes too long, the look-up of the name included. */
function reach({ name, host, port }: Place, timeout: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const isUnix = host.startsWith('/');
    const socket = createConnection(isUnix ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.on('error', () => {}).destroy();
      reject(error);
    };
    const timer = setTimeout(() => {
      fail(
        Object.assign(new Error(`connect CONNECT_TIMEOUT ${name}`), { code: 'CONNECT_TIMEOUT' }),
      );
    }, timeout);
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      // The client takes the name that a certificate has to have, and what it tells in errors, from here.
      resolve(Object.assign(socket, { host, port }));
    });
  });
}

interface Fault {
  readonly place: Place;
  readonly error: unknown;
}

/** The error of a single server as it is; of several, the first one's code and what each said. */
function faultOfAll(faults: readonly Fault[]): unknown {
  const [first] = faults;
  if (faults.length < 2) return first?.error;
  const told = faults.map(({ place, error }) => `${place.name}: ${messageOf(error)}`);
  return Object.assign(new Error(told.join('; ')), { code: codeOf(first?.error) });
}

function messageOf(error: unknown): string {
  // Several addresses of one name were tried: the first failure is enough.
  if (error instanceof AggregateError) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}

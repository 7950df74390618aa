import { readFile, readlink } from 'node:fs/promises';
import type { Socket } from 'node:net';

/**
 * What the kernel still keeps for the clients of these sockets, in bytes: sent or not, but not
 * acknowledged. It keeps some megabytes of an answer and takes more only when a good part of them has
 * gone, so that this alone shows a client that reads slowly. Linux reports it; elsewhere the map is empty.
 */
export async function readKernelQueues(
  sockets: readonly Socket[],
): Promise<ReadonlyMap<Socket, number>> {
  if (sockets.length === 0) return new Map();
  const [sizes, inodes] = await Promise.all([readSizes(), Promise.all(sockets.map(inodeOf))]);
  const queues = new Map<Socket, number>();
  for (const [index, socket] of sockets.entries()) {
    const size = sizes.get(inodes[index] ?? '');
    if (size !== undefined) queues.set(socket, size);
  }
  return queues;
}

/** The connections of this machine: bytes that wait to be acknowledged, by inode (proc(5)). */
async function readSizes(): Promise<ReadonlyMap<string, number>> {
  const tables = await Promise.all(['tcp', 'tcp6'].map(readTable));
  const rows = tables.flatMap((table) => table.split('\n').slice(1));
  return new Map(
    rows.map((row) => {
      const [, , , , queues = '', , , , , inode = ''] = row.trim().split(/\s+/);
      return [inode, Number.parseInt(queues, 16)] as const;
    }),
  );
}

function readTable(name: string): Promise<string> {
  return readFile(`/proc/self/net/${name}`, 'utf8').catch(() => '');
}

async function inodeOf(socket: Socket): Promise<string | undefined> {
  const { fd } = (socket as { readonly _handle?: { readonly fd?: number } | null })._handle ?? {};
  if (fd === undefined || fd < 0) return undefined;
  const link = await readlink(`/proc/self/fd/${fd}`).catch(() => '');
  return /^socket:\[(\d+)\]$/.exec(link)?.[1];
}

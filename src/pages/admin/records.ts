import { ApiError } from './api.ts';
import type { Session } from './session.ts';

export type Records = ReturnType<typeof createRecords>;
/** The stored thing, and the ETag of that version. */
interface Version<Value> {
  value: Value;
  etag: string | undefined;
}

/**
 * Reads and writes things that several people may change: a change names the edited version, and fails with status 412
 * if somebody else was faster.
 */
export function createRecords(exchange: Session['exchange']) {
  const read = async <Value>(path: string): Promise<Version<Value>> => {
    const { answer, etag } = await exchange<{ data: Value }>(path);
    return { value: answer.data, etag };
  };

  const write = async <Value>(
    path: string,
    body: unknown,
    etag: string | undefined,
  ): Promise<Version<Value>> => {
    const options = { method: 'PUT', body, ...(etag ? { ifMatch: etag } : {}) };
    const sent = await exchange<{ data: Value }>(path, options);
    return { value: sent.answer.data, etag: sent.etag };
  };

  /**
   * Changes fields whose values are `known` from the page. If they are different by now, nothing changes and this fails
   * with 412; other fields do not matter.
   */
  const change = async <Value extends object>({
    path,
    readFrom = path,
    known,
    body,
  }: {
    path: string;
    readFrom?: string;
    known: object;
    body: object;
  }) => {
    const { value, etag } = await read<Value>(readFrom);
    const isKnown = Object.entries(known).every(([name, was]) => Reflect.get(value, name) === was);
    if (isKnown) return write<Value>(path, body, etag);
    throw new ApiError({ code: 'precondition_failed', status: 412 });
  };

  return { read, write, change };
}

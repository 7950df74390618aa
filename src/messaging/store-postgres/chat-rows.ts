import type { Chat } from '../model.js';
import { chatRecord } from '../records.js';
import type { Membership } from '../store.js';

/** A row of `chats`. */
export type ChatRow = Omit<Chat, 'participantId'> & {
  readonly participantId: number | null;
  readonly memberCount: number;
};

/** A row of `members` with its chat. */
export type MembershipRow = ChatRow & {
  readonly userId: number;
  readonly startId: number | null;
  readonly readId: number | null;
};

export function toChat({ participantId, ...row }: ChatRow): Chat {
  return chatRecord(participantId === null ? row : { ...row, participantId });
}

export function toMembership(row: MembershipRow): Membership {
  return { chat: toChat(row), startId: row.startId ?? 0, readId: row.readId };
}

/** Who is in which chat. */
export interface MemberName {
  readonly chatId: number;
  readonly userId: number;
}

/** One text for several numbers, by which reads that come together are told apart, and the numbers again. */
export function keyOfNumbers(...numbers: readonly number[]): string {
  return numbers.join(' ');
}

export function columnsOf(keys: readonly string[]): number[][] {
  const rows = keys.map((key) => key.split(' ').map(Number));
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? 0));
}

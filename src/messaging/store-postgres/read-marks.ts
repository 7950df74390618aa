import { createBatch } from '../../storage/postgres/batch.js';
import type { Database } from '../../storage/postgres/database.js';
import type { Sql } from '../../storage/postgres/sql.js';
import type { Membership } from '../store.js';
import { keyOfNumbers, type MemberName, type MembershipRow, toMembership } from './chat-rows.js';

/** A member's wish to have read a chat up to a message. */
interface ReadMark extends MemberName {
  readonly messageId: number;
}

const marks = { most: 100, concurrency: 2 } as const;

/**
 * Moves read marks forward, together where several are moved at the same time. Gives the membership, or undefined
 * where the mark was there already, or the user is no member.
 */
export function createReadMarks(
  database: Database,
): (mark: ReadMark) => Promise<Membership | undefined> {
  return createBatch<ReadMark, Membership | undefined>({
    ...marks,
    async run(asked) {
      const rows = await database.run('move read marks', (sql) => moveMarks(sql, asked));
      const moved = new Map(
        rows.map((row) => [keyOfNumbers(row.id, row.userId), toMembership(row)]),
      );
      return asked.map(({ chatId, userId }) => moved.get(keyOfNumbers(chatId, userId)));
    },
  });
}

/**
 * The rows are locked in one order, so that two processes which move the same marks follow one another. One without
 * a start is of an account that has ended, maybe while this waited for the row.
 */
function moveMarks(sql: Sql, asked: readonly ReadMark[]) {
  return sql<MembershipRow[]>`
    with asked as (
      select chat_id, user_id, max(message_id) as message_id
      from unnest(${asked.map(({ chatId }) => chatId)}::bigint[],
        ${asked.map(({ userId }) => userId)}::bigint[],
        ${asked.map(({ messageId }) => messageId)}::bigint[]) as asked (chat_id, user_id, message_id)
      group by chat_id, user_id
    ), locked as materialized (
      select members.chat_id, members.user_id, asked.message_id
      from asked join msgsite.members
        on members.chat_id = asked.chat_id and members.user_id = asked.user_id
      where read_id is null or read_id < asked.message_id
      order by members.chat_id, members.user_id for update of members
    ), moved as (
      update msgsite.members set read_id = greatest(read_id, message_id)
      from locked
      where members.chat_id = locked.chat_id and members.user_id = locked.user_id
        and start_id is not null
      returning members.*
    )
    select chats.*, moved.user_id, start_id, read_id
    from moved join msgsite.chats on chats.id = moved.chat_id`;
}

import { AppError } from '../../base/errors.js';
import { createBatch } from '../../storage/postgres/batch.js';
import type { Database } from '../../storage/postgres/database.js';
import type { TransactionSql } from '../../storage/postgres/sql.js';
import type { ChatStore, Joining } from '../store.js';
import type { PostgresChanges } from './changes.js';
import { keyOfNumbers, type MemberName } from './chat-rows.js';
import { shareUserLocks } from './user-locks.js';

interface Join extends MemberName {
  /** Members that the chat may have; null = any number. */
  readonly most: number | null;
}

/** `gone`: there is no such chat by now, or the user's account has ended. */
type Outcome = Joining | 'gone';

/** One after another, so that people have joined in the order in which they asked. */
const inTurn = { most: 100, concurrency: 1 } as const;

/** Adds members to chats, together where several are asked for at the same time. */
export function createJoins(database: Database, changes: PostgresChanges): ChatStore['addMember'] {
  const join = createBatch<Join, Outcome>({
    ...inTurn,
    run: (asked) =>
      database.transaction('add members', async (sql) => {
        // A statement sees what was committed before it began, so the locks come in some of their own.
        await shareUserLocks(
          sql,
          asked.map(({ userId }) => userId),
        );
        await sql`
          select from msgsite.chats where id = any(${asked.map(({ chatId }) => chatId)}::bigint[])
          order by id for update`;
        return addMembers(sql, asked);
      }),
  });
  return async (chatId, userId, most) => {
    const outcome = await join({ chatId, userId, most: most ?? null });
    if (outcome === 'gone') {
      throw new AppError('not_found', `There is no chat ${chatId} or no user ${userId} any more.`);
    }
    if (outcome === 'added') changes.report({ chat: chatId }, { list: userId });
    return outcome;
  };
}

/** What became of each, in their order. Who is asked for twice is added by the first. */
async function addMembers(sql: TransactionSql, asked: readonly Join[]): Promise<Outcome[]> {
  const added = namesOf(await insertMembers(sql, asked));
  if (added.size === asked.length) return asked.map(() => 'added');
  const others = new Map(
    (await selectStates(sql, asked)).map((row) => [nameOf(row), row.isMember ? 'present' : 'full']),
  );
  return asked.map((member) => {
    const name = nameOf(member);
    if (added.delete(name)) return 'added';
    return (others.get(name) as Joining | undefined) ?? 'gone';
  });
}

function insertMembers(sql: TransactionSql, asked: readonly Join[]) {
  return sql<MemberName[]>`
    with asked as (
      select chat_id, user_id, min(most) as most, min(place) as place
      from unnest(${asked.map(({ chatId }) => chatId)}::bigint[],
        ${asked.map(({ userId }) => userId)}::bigint[], ${asked.map(({ most }) => most)}::int[])
        with ordinality as asked (chat_id, user_id, most, place)
      group by chat_id, user_id
    ), fresh as (
      select asked.*, member_count,
        row_number() over (partition by chat_id order by place) as number
      from asked join msgsite.chats on chats.id = chat_id
      where not exists (
        select from msgsite.members
        where members.chat_id = asked.chat_id and members.user_id = asked.user_id)
      and not exists (
        select from msgsite.users where users.id = asked.user_id and deleted_at is not null)
    ), added as (
      insert into msgsite.members (chat_id, user_id, start_id)
      select chat_id, user_id, last_id
      from fresh, (
        select case when is_called then last_value else 0 end as last_id from msgsite.message_ids
      ) as ids
      where most is null or number <= most - member_count
      order by place
      returning chat_id, user_id
    ), counted as (
      update msgsite.chats set member_count = member_count + number
      from (select chat_id, count(*) as number from added group by chat_id) as more
      where chats.id = more.chat_id
    )
    select * from added`;
}

/** Whether those asked for are members; no row where the chat is gone, or the account has ended. */
function selectStates(sql: TransactionSql, asked: readonly MemberName[]) {
  return sql<(MemberName & { isMember: boolean })[]>`
    select asked.chat_id, asked.user_id, members.user_id is not null as is_member
    from unnest(${asked.map(({ chatId }) => chatId)}::bigint[],
      ${asked.map(({ userId }) => userId)}::bigint[]) as asked (chat_id, user_id)
    join msgsite.chats on chats.id = asked.chat_id
    left join msgsite.members
      on members.chat_id = asked.chat_id and members.user_id = asked.user_id
    where not exists (
      select from msgsite.users where users.id = asked.user_id and deleted_at is not null)`;
}

function nameOf({ chatId, userId }: MemberName): string {
  return keyOfNumbers(chatId, userId);
}

function namesOf(members: readonly MemberName[]): Set<string> {
  return new Set(members.map(nameOf));
}

import { createBatch } from '../../storage/postgres/batch.js';
import type { AnySql } from '../../storage/postgres/connect.js';
import type { Database } from '../../storage/postgres/database.js';
import type { ChatStore, Joining } from '../store.js';

export interface Membership {
  readonly chatId: number;
  readonly userId: number;
}

interface Join extends Membership {
  /** Members that the chat may have; null = any number. */
  readonly most: number | null;
}

/** One after another, so that people have joined in the order in which they asked. */
const inTurn = { most: 100, concurrency: 1 } as const;

/** Adds members to chats, together where several are asked for at the same time. */
export function createJoins(database: Database): ChatStore['addMember'] {
  const join = createBatch<Join, Joining>({
    ...inTurn,
    run: (asked) => database.run('add members', (sql) => addMembers(sql, asked)),
  });
  const joinBounded = createBatch<Join, Joining>({
    ...inTurn,
    run: (asked) =>
      database.transaction('add members to full chats', async (sql) => {
        // A statement sees what was committed before it began, so the lock comes in one of its own.
        await sql`
          select from msgsite.chats where id = any(${asked.map(({ chatId }) => chatId)}::bigint[])
          order by id for update`;
        return addMembers(sql, asked);
      }),
  });
  return (chatId, userId, most) =>
    most === undefined
      ? join({ chatId, userId, most: null })
      : joinBounded({ chatId, userId, most });
}

/** What became of each, in their order. Who is asked for twice is added by the first. */
async function addMembers(sql: AnySql, asked: readonly Join[]): Promise<Joining[]> {
  const added = namesOf(await insertMembers(sql, asked));
  if (added.size === asked.length) return asked.map(() => 'added');
  const there = namesOf(await selectMembers(sql, asked));
  return asked.map((membership) => {
    const name = nameOf(membership);
    if (added.delete(name)) return 'added';
    return there.has(name) ? 'present' : 'full';
  });
}

function insertMembers(sql: AnySql, asked: readonly Join[]) {
  return sql<Membership[]>`
    with asked as (
      select chat_id, user_id, min(most) as most, min(place) as place
      from unnest(${asked.map(({ chatId }) => chatId)}::bigint[],
        ${asked.map(({ userId }) => userId)}::bigint[], ${asked.map(({ most }) => most)}::int[])
        with ordinality as asked (chat_id, user_id, most, place)
      group by chat_id, user_id
    ), fresh as (
      select asked.*, row_number() over (partition by chat_id order by place) as number
      from asked
      where not exists (
        select from msgsite.members
        where members.chat_id = asked.chat_id and members.user_id = asked.user_id)
    )
    insert into msgsite.members (chat_id, user_id)
    select chat_id, user_id from fresh
    where most is null or number <= most - (
      select count(*) from msgsite.members where members.chat_id = fresh.chat_id)
    order by place
    on conflict do nothing
    returning chat_id, user_id`;
}

/** Those of the memberships that there are. */
export function selectMembers(sql: AnySql, asked: readonly Membership[]) {
  return sql<Membership[]>`
    select chat_id, user_id from msgsite.members
    join unnest(${asked.map(({ chatId }) => chatId)}::bigint[],
      ${asked.map(({ userId }) => userId)}::bigint[]) as asked (chat_id, user_id)
    using (chat_id, user_id)`;
}

/** One text for a membership, and the membership for the text. */
export function nameOf({ chatId, userId }: Membership): string {
  return `${chatId} ${userId}`;
}

export function membershipOf(name: string): Membership {
  const [chatId = 0, userId = 0] = name.split(' ').map(Number);
  return { chatId, userId };
}

function namesOf(memberships: readonly Membership[]): Set<string> {
  return new Set(memberships.map(nameOf));
}

import {
  lastNumber,
  type PostgresRecords,
  setLastNumber,
  tableRecords,
} from '../../storage/postgres/record-table.js';
import { identifier, type TransactionSql } from '../../storage/postgres/sql.js';
import type { ChatIdsRecord, MemberRecord, MessageIdsRecord } from '../model.js';
import { revocationOfAll, revokedBefore } from '../records.js';
import { codecs, userRow } from './rows.js';

/** Reads and writes the messaging records in their tables. Omits records that have expired at `now` (milliseconds). */
export function postgresMessagingRecords(now: number): readonly PostgresRecords[] {
  const good = new Date(now);
  return [
    tableRecords({
      kind: 'user',
      table: 'msgsite.users',
      select: (sql) => sql`select * from msgsite.users order by id`,
      toRecord: codecs.user.toRecord,
      toRow: userRow,
    }),
    tableRecords({
      kind: 'revoked-token',
      table: 'msgsite.revoked_tokens',
      select: (sql) => sql`
        select * from msgsite.revoked_tokens where expires_at > ${good} order by jti collate "C"`,
      toRecord(row) {
        const token = codecs.token.toRecord(row);
        const before = revokedBefore(token);
        return before > 0 ? revocationOfAll(before) : token;
      },
      toRow: codecs.token.toRow,
    }),
    chatIds,
    tableRecords({
      kind: 'chat',
      table: 'msgsite.chats',
      select: (sql) => sql`select * from msgsite.chats order by id`,
      ...codecs.chat,
    }),
    members,
    tableRecords({
      kind: 'message',
      table: 'msgsite.messages',
      select: (sql) => sql`
        select * from msgsite.messages
        where exists (select from msgsite.chats where chats.id = chat_id) order by chat_id, id`,
      ...codecs.message,
    }),
    tableRecords({
      kind: 'message-key',
      table: 'msgsite.message_keys',
      select: (sql) => sql`
        select * from msgsite.message_keys
        where expires_at > ${good} and exists (select from msgsite.chats where chats.id = chat_id)
        order by sender_id, key collate "C"`,
      ...codecs.messageKey,
    }),
    {
      kind: 'message-ids',
      async *read(sql): AsyncGenerator<MessageIdsRecord> {
        yield { lastMessageId: await lastNumber(sql, 'msgsite.message_ids') };
      },
      insert: (sql, records) => setIds(sql, records as readonly MessageIdsRecord[]),
    },
  ];
}

const memberTable = tableRecords({
  kind: 'member',
  table: 'msgsite.members',
  select: (sql) => sql`
    select members.* from msgsite.members join msgsite.chats on chats.id = chat_id
    order by chat_id, place`,
  ...codecs.member,
});

/** The order of the rows becomes the order in which members joined. */
const members: PostgresRecords = {
  ...memberTable,
  async insert(sql, records) {
    await memberTable.insert(sql, records);
    const chatIds = (records as readonly MemberRecord[]).map(({ chatId }) => chatId);
    await sql`
      update msgsite.chats set member_count = member_count + more.number
      from (
        select chat_id, count(*) as number from unnest(${chatIds}::bigint[]) as added (chat_id)
        group by chat_id
      ) as more
      where chats.id = more.chat_id`;
  },
};

/** Sets the sequences so that the next user, chat and message receive higher IDs than all previous ones. */
async function setIds(sql: TransactionSql, [ids]: readonly MessageIdsRecord[]): Promise<void> {
  const last = ids?.lastMessageId ?? 0;
  await setLastNumber(sql, 'msgsite.message_ids', last);
  for (const table of ['msgsite.users', 'msgsite.chats']) {
    const assigned = await lastNumber(sql, `${table}_id_seq`);
    await setLastNumber(sql, `${table}_id_seq`, Math.max(assigned, await highestId(sql, table)));
  }
}

async function highestId(sql: TransactionSql, table: string): Promise<number> {
  const [row] = await sql<{ last: number }[]>`
    select coalesce(max(id), 0) as last from ${identifier(table)}`;
  return row?.last ?? 0;
}

/** The highest chat ID that was assigned, if that chat is deleted. */
const chatIds: PostgresRecords = {
  kind: 'chat-ids',
  async *read(sql): AsyncGenerator<ChatIdsRecord> {
    const lastChatId = await lastNumber(sql, 'msgsite.chats_id_seq');
    if (lastChatId > (await highestId(sql, 'msgsite.chats'))) yield { lastChatId };
  },
  async insert(sql, records) {
    for (const { lastChatId } of records as readonly ChatIdsRecord[]) {
      await setLastNumber(sql, 'msgsite.chats_id_seq', lastChatId);
    }
  },
};

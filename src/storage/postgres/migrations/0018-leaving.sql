-- Accounts end, people leave chats, chats are renamed and go. What step 2 says of foreign keys holds no longer
-- because nobody deletes, but because whatever removes a user or a chat takes the rows that refer to it along
-- in the same transaction. Locks are taken in one order everywhere: a user's advisory lock, the row in users,
-- rows of chats by rising id, a chat's advisory lock, all else.

alter table msgsite.users
  -- Null for an account that has ended: its address is free again.
  alter column email_key drop not null,
  -- The name as it is searched, as the program makes it. Null: not filled in since this step, which the
  -- program does before it serves.
  add column name_key text,
  -- Rises when all tokens of the account end.
  add column sessions bigint not null default 0,
  -- The reset code that counts, and when it ends in milliseconds since the epoch.
  add column reset_hash text,
  add column reset_expires bigint,
  add column deleted_at timestamptz,
  add column deleted_key bytea;

create index users_without_name_key on msgsite.users (id) where name_key is null;

-- 0: the token has ended; else it is good until then, in milliseconds since the epoch.
alter table msgsite.revoked_tokens add column good_until bigint not null default 0;

-- Read marks. Who is a member by now has read what is there by now. As a default, which rewrites no row.
do $$
declare
  last bigint;
begin
  select case when is_called then last_value else 0 end into last from msgsite.message_ids;
  execute format(
    'alter table msgsite.members add column start_id bigint default %s, add column read_id bigint', last);
end $$;
-- Null of an account that has ended and stays in a private chat, and while an import has not come to the highest id.
alter table msgsite.members alter column start_id drop default;

-- Counted under the lock of the chat's row: any number of people subscribe to a channel.
alter table msgsite.chats add column member_count integer not null default 0;
update msgsite.chats set member_count = counted.number
  from (select chat_id, count(*) as number from msgsite.members group by chat_id) as counted
  where chats.id = counted.chat_id;

-- Chats that are gone and had more messages than are deleted at once: the rest is deleted from time to time.
create table msgsite.removed_chats (
  chat_id bigint primary key
);

-- Who of some users is in the chat named beside them, as of now, and has not ended. A statement sees what was
-- committed when it began; this function, being volatile, sees what is committed when it is called. Whoever
-- calls it holds the users' locks, which is what `after_locks` makes the planner wait for.
create function msgsite.members_among(asked_chats bigint[], asked_users bigint[], after_locks bigint)
returns table (chat_id bigint, user_id bigint) language plpgsql volatile rows 10 as $$
begin
  return query
    select members.chat_id, members.user_id
    from unnest(asked_chats, asked_users) as asked (chat, member)
    join msgsite.members on members.chat_id = asked.chat and members.user_id = asked.member
    where start_id is not null;
end $$;

-- Which of some users have ended, as of now, in the same way.
create function msgsite.ended_among(asked_users bigint[], after_locks bigint)
returns bigint[] language plpgsql volatile as $$
begin
  return array(
    select id from msgsite.users where id = any(asked_users) and deleted_at is not null
  );
end $$;

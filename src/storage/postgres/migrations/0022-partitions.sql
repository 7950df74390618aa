-- Messages and payments in hash partitions: each is a table of its own to vacuum, to index anew and to back up.
--
-- Eight and four of them. A statement that reads one locks all, as its plan is kept for any parameters: with eight the
-- locks of most fit into the sixteen that a session has before PostgreSQL 18 without the lock table that all share. What
-- has to see all payments looks into each partition, so these are fewer. One that grows too large can be split in two
-- alone, with twice the modulus.
--
-- The rows are copied in one go, which needs room for both tables once more until it is done. Indexes and the
-- foreign key come last: made at once they are cheaper than row by row, and no check of a row waits in memory.

do $$
declare
  spread record;
  old record;
  granted record;
begin
  for spread in
    select * from (values ('messages', 'chat_id', 8), ('payments', 'key', 4)) as layout (name, key, parts)
  loop
    execute format('alter table msgsite.%I rename to %I', spread.name, spread.name || '_whole');
    -- What the database's administrator may have set: where the table lies, how it is vacuumed, who may read it.
    select table_class.relacl, coalesce(' tablespace ' || quote_ident(spcname), '') as place,
      coalesce(' with (' || nullif(array_to_string(table_class.reloptions || array(
        select 'toast.' || option from unnest(toast.reloptions) as option), ', '), '') || ')', '') as settings
    into old
    from pg_class as table_class
      left join pg_class as toast on toast.oid = table_class.reltoastrelid
      left join pg_tablespace on pg_tablespace.oid = table_class.reltablespace
    where table_class.oid = format('msgsite.%I', spread.name || '_whole')::regclass;
    execute format(
      'create table msgsite.%I (like msgsite.%I including all excluding indexes) partition by hash (%I)%s',
      spread.name, spread.name || '_whole', spread.key, old.place);
    for part in 0 .. spread.parts - 1 loop
      execute format(
        'create table msgsite.%I partition of msgsite.%I for values with (modulus %s, remainder %s)%s%s',
        spread.name || '_' || part, spread.name, spread.parts, part, old.settings, old.place);
    end loop;
    for granted in select (aclexplode(old.relacl)).* loop
      execute format('grant %s on msgsite.%I to %s%s', granted.privilege_type, spread.name,
        case granted.grantee when 0 then 'public' else granted.grantee::regrole::text end,
        case when granted.is_grantable then ' with grant option' else '' end);
    end loop;
    execute format('insert into msgsite.%I select * from msgsite.%I', spread.name, spread.name || '_whole');
    execute format('drop table msgsite.%I', spread.name || '_whole');
  end loop;
end $$;

alter table msgsite.messages add primary key (chat_id, id);

alter table msgsite.payments add primary key (key);
create index payments_by_state on msgsite.payments (state, key);
create index payments_unclaimed on msgsite.payments (key) where state = 'open' and worker is null;
create index payments_by_worker on msgsite.payments (worker) where worker is not null;
create index open_payments_by_session on msgsite.payments (session_id) where state = 'open';
create index ended_payments_by_end on msgsite.payments (ended_at, key) where state = 'ended';
create index handed_over_payments on msgsite.payments (worker) where look_at is not null;
create index payments_by_operation on msgsite.payments (operation_id);
create index payments_by_creation
  on msgsite.payments (organization_id, created_at, key collate "C");
create index payments_by_state_and_creation
  on msgsite.payments (organization_id, state, created_at, key collate "C");
alter table msgsite.payments
  add constraint payments_worker_fkey foreign key (worker) references msgsite.workers on delete set null;

-- Autovacuum looks at the partitions, at each by itself; until it has, plans go by this.
do $$
declare
  part regclass;
begin
  for part in
    select inhrelid from pg_inherits
    where inhparent in ('msgsite.messages'::regclass, 'msgsite.payments'::regclass)
  loop
    execute format('analyze %s', part);
  end loop;
end $$;

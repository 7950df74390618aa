-- What the metrics tell of all that is stored, at a cost that does not grow with it.

create index open_payments_by_creation on msgsite.payments (created_at) where state = 'open';
create index kept_sessions on msgsite.sessions (id) where record is not null;

-- How many deliveries there are: the sum of what transactions have added and taken away. Each connection
-- adds to a row of its own, mostly, so that none waits for another one's end.
create table msgsite.delivery_counts (
  state text not null,
  slot integer not null,
  number bigint not null,
  primary key (state, slot)
) with (fillfactor = 50);

create function msgsite.add_to_delivery_counts(changed_states text[], changes bigint[])
returns void language sql as $$
  insert into msgsite.delivery_counts as counts (state, slot, number)
  select state, pg_backend_pid() % 64, sum(change)
  from unnest(changed_states, changes) as changed (state, change)
  group by state having sum(change) <> 0 order by state
  on conflict (state, slot) do update set number = counts.number + excluded.number
$$;

create function msgsite.count_new_deliveries() returns trigger language plpgsql as $$
begin
  perform msgsite.add_to_delivery_counts(array_agg(state), array_agg(number))
    from (select state, count(*) as number from added group by state) as counted;
  return null;
end $$;

create function msgsite.count_removed_deliveries() returns trigger language plpgsql as $$
begin
  perform msgsite.add_to_delivery_counts(array_agg(state), array_agg(-number))
    from (select state, count(*) as number from removed group by state) as counted;
  return null;
end $$;

create function msgsite.count_changed_delivery() returns trigger language plpgsql as $$
begin
  perform msgsite.add_to_delivery_counts(array[old.state, new.state], array[-1, 1]::bigint[]);
  return null;
end $$;

create function msgsite.forget_delivery_counts() returns trigger language plpgsql as $$
begin
  delete from msgsite.delivery_counts;
  return null;
end $$;

create trigger new_deliveries after insert on msgsite.deliveries
  referencing new table as added for each statement execute function msgsite.count_new_deliveries();
create trigger removed_deliveries after delete on msgsite.deliveries
  referencing old table as removed for each statement execute function msgsite.count_removed_deliveries();
create trigger changed_deliveries after update of state on msgsite.deliveries
  for each row when (old.state is distinct from new.state)
  execute function msgsite.count_changed_delivery();
create trigger no_deliveries after truncate on msgsite.deliveries
  for each statement execute function msgsite.forget_delivery_counts();

-- No delivery comes between: the triggers hold off whoever writes until this has ended.
insert into msgsite.delivery_counts (state, slot, number)
  select state, -1, count(*) from msgsite.deliveries group by state;

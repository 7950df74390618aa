-- Webhooks: deliveries, events without one, receivers, and how many deliveries there are.

-- One event on its way to one subscription.
create table msgsite.deliveries (
  id text primary key,
  state text not null,
  -- Type and id of the payment that the event is about, and its organization where the event names one. An event that
  -- names none counts for the payment of every organization.
  payment text not null,
  organization bigint,
  -- The subscription.
  lane text not null,
  next_attempt_at timestamptz,
  -- When the delivery ended, or when its event occurred if it has not: the order in which deliveries are listed.
  listed_at timestamptz not null,
  worker text references msgsite.workers on delete set null,
  record json not null
);

-- Pending deliveries are searched one subscription after the other, so that a backlog for one receiver hides nothing that
-- is due for another, and only as far ahead as they are due.
create index pending_by_lane on msgsite.deliveries (lane, next_attempt_at)
  where state = 'pending' and worker is null;
create index deliveries_by_worker on msgsite.deliveries (worker) where worker is not null;
create index deliveries_by_time on msgsite.deliveries (state, listed_at, id);
-- Whether a payment has webhooks that were not delivered.
create index undelivered_by_payment on msgsite.deliveries (payment) where state <> 'delivered';

-- Events that no subscription wanted when they occurred, to be replayed; the deliveries of others contain the event.
create table msgsite.webhook_events (
  id text primary key,
  occurred_at timestamptz not null,
  record json not null
);

create index webhook_events_by_time on msgsite.webhook_events (occurred_at, id);

-- A row for each subscription that has ever had trouble: how many deliveries in a row were dropped, and whether the
-- receiver answered 410 and is disabled.
create table msgsite.webhook_receivers (
  id text primary key,
  record json not null
);

-- How many deliveries there are, for metrics whose cost does not grow with them: the sum of what transactions have added
-- and removed. Each connection usually adds to a row of its own, so that none waits for another transaction to end.
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

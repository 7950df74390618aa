-- Webhooks: deliveries, events without a delivery, receivers, and counts of deliveries.

-- The delivery of one event to one subscription.
create table msgsite.deliveries (
  id text primary key,
  state text not null,
  -- Type and ID of the event's payment, and its organization if the event contains one. An event without an organization
  -- counts for the payments of every organization.
  payment text not null,
  organization bigint,
  -- The subscription.
  lane text not null,
  next_attempt_at timestamptz,
  -- The time at which the delivery ended or, while it is pending, its event occurred. Deliveries are listed by it.
  listed_at timestamptz not null,
  worker text references msgsite.workers on delete set null,
  record json not null
);

-- Pending deliveries are searched by subscription, so that a backlog for one receiver does not hide due deliveries for
-- another.
create index pending_by_lane on msgsite.deliveries (lane, next_attempt_at)
  where state = 'pending' and worker is null;
create index deliveries_by_worker on msgsite.deliveries (worker) where worker is not null;
create index deliveries_by_time on msgsite.deliveries (state, listed_at, id);
-- Finds payments with undelivered webhooks.
create index undelivered_by_payment on msgsite.deliveries (payment) where state <> 'delivered';

-- Events that no subscription wanted when they occurred, kept for replays. Other events are contained in deliveries.
create table msgsite.webhook_events (
  id text primary key,
  occurred_at timestamptz not null,
  record json not null
);

create index webhook_events_by_time on msgsite.webhook_events (occurred_at, id);

-- A row for each subscription that has ever failed, with the number of deliveries dropped in a row, and whether the
-- subscription is disabled because the receiver answered 410.
create table msgsite.webhook_receivers (
  id text primary key,
  record json not null
);

-- Counts of deliveries for metrics, so that their cost does not grow with the number of rows. Each connection usually
-- updates its own row, so that transactions do not wait for each other. A count is the sum of the rows.
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

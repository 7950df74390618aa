-- Deliveries of webhooks: one event on its way to one subscription each.

create table msgsite.deliveries (
  id text primary key,
  state text not null,
  next_attempt_at timestamptz,
  -- When it ended, or arose where it has not: the order in which deliveries are listed.
  listed_at timestamptz not null,
  worker text references msgsite.workers on delete set null,
  record json not null
);

create index pending_deliveries on msgsite.deliveries (next_attempt_at)
  where state = 'pending' and worker is null;
create index deliveries_by_worker on msgsite.deliveries (worker) where worker is not null;
create index deliveries_by_time on msgsite.deliveries (state, listed_at, id);

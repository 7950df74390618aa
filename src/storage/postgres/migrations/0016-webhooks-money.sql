-- Events that no subscription wanted when they occurred, to be replayed; one with deliveries lies in those.

create table msgsite.webhook_events (
  id text primary key,
  occurred_at timestamptz not null,
  record json not null
);

create index webhook_events_by_time on msgsite.webhook_events (occurred_at, id);

-- How receivers take their deliveries, a row for each subscription that has ever had trouble: how many were
-- dropped in a row, and whether it answered 410 and is disabled.

create table msgsite.webhook_receivers (
  id text primary key,
  record json not null
);

-- A payment is named by organization, type and id. What was stored before names none: it counts for everybody's.
alter table msgsite.deliveries add column organization bigint;

-- What was done with money and by people, and what a process is doing now.

create table msgsite.audit (
  id text primary key,
  happened_at timestamptz not null,
  kind text not null,
  record json not null
);

create index audit_by_time on msgsite.audit (happened_at, id collate "C");

create table msgsite.pending_acts (
  id text primary key,
  -- The process whose act it is; null where it has died, and another may take the act over.
  worker text references msgsite.workers on delete set null,
  -- Distinguishes one start of an act from a later one under the same id.
  token text not null,
  record json not null
);

create index pending_acts_by_worker on msgsite.pending_acts (worker) where worker is not null;
create index free_pending_acts on msgsite.pending_acts (id) where worker is null;

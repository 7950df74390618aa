-- What was done with money and by people, and what a process is doing just now.

create table msgsite.audit (
  id text primary key,
  happened_at timestamptz not null,
  kind text not null,
  record json not null
);

create index audit_by_time on msgsite.audit (happened_at, id collate "C");

create table msgsite.pending_acts (
  id text primary key,
  -- Whose act it is; the act of a process that died is free.
  worker text references msgsite.workers on delete set null,
  -- Tells one beginning from a later one under the same id.
  token text not null,
  record json not null
);

create index pending_acts_by_worker on msgsite.pending_acts (worker) where worker is not null;
create index free_pending_acts on msgsite.pending_acts (id) where worker is null;

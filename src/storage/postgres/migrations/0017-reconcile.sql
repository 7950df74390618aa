-- Days that are or were compared with the provider: one process does it, another one after it where it dies.

create table msgsite.reconciliations (
  day text primary key,
  claimed_until timestamptz not null,
  is_done boolean not null default false
);

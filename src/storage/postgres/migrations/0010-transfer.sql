-- A word about the whole database: its data is still being imported, or was moved elsewhere. No row: neither.
create table msgsite.transfer (
  only_row boolean primary key default true check (only_row),
  state text not null,
  -- Where the data comes from, or where it went.
  place text not null,
  since timestamptz not null default clock_timestamp(),
  -- How much of an import is in the tables, and the digest of its lines, by which it is known again.
  records bigint not null default 0,
  digest text not null default ''
);

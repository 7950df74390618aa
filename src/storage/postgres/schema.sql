-- Tables that belong to no feature: workers, rate limits, secrets, transfers of data, facts about the deployment.
--
-- Here and in the features, a record is JSON text (`json`, which unlike `jsonb` accepts every character that a provider
-- may send), and the columns beside it are those that statements search.

-- Processes that work on payments and deliveries. A process keeps its claims while its lease lasts. Another process that
-- finds the lease expired removes the row, and with it (on delete set null) the claims.
create table msgsite.workers (
  id text primary key,
  label text not null,
  lease_until timestamptz not null,
  -- The number of payments it polls, by which processes share them out.
  load integer not null default 0
);

-- Token buckets that all processes share. Unlogged: after a crash of the database, all buckets are full.
create unlogged table msgsite.rate_limits (
  rule text not null,
  key text not null,
  tokens double precision not null,
  -- The time at which the bucket contained `tokens`.
  at timestamptz not null,
  -- The time from which the bucket is full, so that the row can be removed.
  full_at timestamptz not null,
  primary key (rule, key)
);

create index rate_limits_by_fullness on msgsite.rate_limits (full_at);

-- A secret cannot be derived from its fingerprint, but a process with a different secret detects the difference.
create table msgsite.secret_fingerprints (
  name text primary key,
  fingerprint text not null
);

-- Has a row if an import is unfinished or the data was moved.
create table msgsite.transfer (
  only_row boolean primary key default true check (only_row),
  state text not null,
  -- The source or the destination of the data.
  place text not null,
  since timestamptz not null default clock_timestamp(),
  -- The number of an import's records in the tables, and the digest of their lines, which identifies the import.
  records bigint not null default 0,
  digest text not null default ''
);

-- Facts about the deployment that outlive every process. The name of a fact determines the form of its record.
create table msgsite.state (
  name text primary key,
  record json not null
);

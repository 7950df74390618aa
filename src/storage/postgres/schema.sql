-- What belongs to no feature: who works on what, rate limits, secrets, moves of data, facts about the deployment.
--
-- Here and in the features, a record is JSON text (`json`, which unlike `jsonb` accepts every character that a provider
-- may send), and the columns beside it are those that statements search.

-- A process that works on payments and deliveries. Its claims hold while its lease does: a process that finds the lease
-- over removes the row, and with it (on delete set null) the claims.
create table msgsite.workers (
  id text primary key,
  label text not null,
  lease_until timestamptz not null,
  -- How many payments it watches: processes share them out by this.
  load integer not null default 0
);

-- Token buckets that all processes share. Not logged: after a crash of the database all buckets are full.
create unlogged table msgsite.rate_limits (
  rule text not null,
  key text not null,
  tokens double precision not null,
  -- When the bucket held `tokens`.
  at timestamptz not null,
  -- From then on the bucket is full, and its row can go.
  full_at timestamptz not null,
  primary key (rule, key)
);

create index rate_limits_by_fullness on msgsite.rate_limits (full_at);

-- Nobody can derive a secret from its fingerprint, but a process with a different secret notices.
create table msgsite.secret_fingerprints (
  name text primary key,
  fingerprint text not null
);

-- Whether the data is still being imported, or was moved elsewhere. Without a row, neither is the case.
create table msgsite.transfer (
  only_row boolean primary key default true check (only_row),
  state text not null,
  -- Where the data comes from, or where it went.
  place text not null,
  since timestamptz not null default clock_timestamp(),
  -- How many records of an import are in the tables, and the digest of its lines, which identifies the import.
  records bigint not null default 0,
  digest text not null default ''
);

-- Facts about the deployment that outlive every process. The name of a fact determines the form of its record.
create table msgsite.state (
  name text primary key,
  record json not null
);

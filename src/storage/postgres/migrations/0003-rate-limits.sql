-- Token buckets that all processes share. Not logged: after a crash of the database they begin full.

create unlogged table msgsite.rate_limits (
  rule text not null,
  key text not null,
  tokens double precision not null,
  -- When `tokens` was right.
  at timestamptz not null,
  -- From then on the bucket is full, and the same as none.
  full_at timestamptz not null,
  primary key (rule, key)
);

create index rate_limits_by_fullness on msgsite.rate_limits (full_at);

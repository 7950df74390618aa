-- Cashiers' sign-ins under way, by digests of the provider's process ids; gone after ten minutes.

create table msgsite.sign_ins (
  id text primary key,
  -- Whom a code was sent to.
  phone text not null,
  wrong_codes integer not null default 0,
  expires_at timestamptz not null
);

create index sign_ins_by_expiry on msgsite.sign_ins (expires_at);

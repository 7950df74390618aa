-- Payments, cashiers' sessions, kept answers, and who works on what.

-- A process that works on payments and deliveries. Its claims hold while its lease does: whoever finds
-- the lease over removes the row, and with it (on delete set null) the claims.
create table msgsite.workers (
  id text primary key,
  label text not null,
  lease_until timestamptz not null
);

-- Records are kept as JSON text (`json`, which unlike `jsonb` takes every character a provider may send);
-- the columns beside them are what is looked for.
create table msgsite.payments (
  key text primary key,
  state text not null,
  session_id text not null,
  ended_at timestamptz,
  worker text references msgsite.workers on delete set null,
  record json not null
);

create index payments_by_state on msgsite.payments (state, key);
create index payments_unclaimed on msgsite.payments (key) where state = 'open' and worker is null;
create index payments_by_worker on msgsite.payments (worker) where worker is not null;
create index open_payments_by_session on msgsite.payments (session_id) where state = 'open';

create table msgsite.sessions (
  id text primary key,
  -- Null once the session is erased; the row stays a while so that other processes hear of it.
  record json,
  changed_at timestamptz not null default clock_timestamp()
);

create index sessions_by_change on msgsite.sessions (changed_at);
create index erased_sessions on msgsite.sessions (changed_at) where record is null;

-- Answers under an Idempotency-Key. Without an answer the request is under way at the worker; without
-- either, that worker has died.
create table msgsite.payment_answers (
  name text primary key,
  body text not null,
  answer json,
  worker text references msgsite.workers on delete set null,
  expires_at timestamptz not null
);

create index payment_answers_by_expiry on msgsite.payment_answers (expires_at);
create index payment_answers_by_worker on msgsite.payment_answers (worker) where worker is not null;

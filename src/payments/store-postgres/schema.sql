-- Payments, cashiers' sessions, kept answers, and calls that move money.

-- Four hash partitions, fewer than messages have: a statement that has to see all payments looks into each of them.
create table msgsite.payments (
  -- Organization, type and operation id.
  key text primary key,
  organization_id bigint not null,
  operation_id text not null,
  state text not null,
  session_id text not null,
  -- Milliseconds since the epoch, as in the record.
  created_at bigint not null,
  ended_at timestamptz,
  worker text references msgsite.workers on delete set null,
  -- When the next look at the payment is due. A process that hands the payment to the one in `worker` sets it, and that
  -- one clears it when it takes the payment.
  look_at timestamptz,
  record json not null
) partition by hash (key);

create table msgsite.payments_0 partition of msgsite.payments for values with (modulus 4, remainder 0);
create table msgsite.payments_1 partition of msgsite.payments for values with (modulus 4, remainder 1);
create table msgsite.payments_2 partition of msgsite.payments for values with (modulus 4, remainder 2);
create table msgsite.payments_3 partition of msgsite.payments for values with (modulus 4, remainder 3);

create index payments_by_state on msgsite.payments (state, key);
create index payments_by_operation on msgsite.payments (operation_id);
-- Who watches what.
create index payments_unclaimed on msgsite.payments (key) where state = 'open' and worker is null;
create index payments_by_worker on msgsite.payments (worker) where worker is not null;
create index handed_over_payments on msgsite.payments (worker) where look_at is not null;
create index open_payments_by_session on msgsite.payments (session_id) where state = 'open';
-- The age of the oldest open payment, for the metrics.
create index open_payments_by_creation on msgsite.payments (created_at) where state = 'open';
-- What has been kept long enough.
create index ended_payments_by_end on msgsite.payments (ended_at, key) where state = 'ended';
-- Pages of an organization's payments, the newest first; of all of them and of a state.
create index payments_by_creation
  on msgsite.payments (organization_id, created_at, key collate "C");
create index payments_by_state_and_creation
  on msgsite.payments (organization_id, state, created_at, key collate "C");

create table msgsite.sessions (
  id text primary key,
  -- Null once the session is erased; the row stays for a while so that other processes learn of it.
  record json,
  changed_at timestamptz not null default clock_timestamp()
);

create index sessions_by_change on msgsite.sessions (changed_at);
create index erased_sessions on msgsite.sessions (changed_at) where record is null;
create index kept_sessions on msgsite.sessions (id) where record is not null;

-- Cashiers' sign-ins under way, by digests of the provider's process ids; removed after ten minutes.
create table msgsite.sign_ins (
  id text primary key,
  -- Where the code was sent.
  phone text not null,
  wrong_codes integer not null default 0,
  expires_at timestamptz not null
);

create index sign_ins_by_expiry on msgsite.sign_ins (expires_at);

-- Answers under an Idempotency-Key. Without an answer the request is under way at the worker; without either, that
-- worker has died.
create table msgsite.payment_answers (
  name text primary key,
  body text not null,
  answer json,
  worker text references msgsite.workers on delete set null,
  expires_at timestamptz not null,
  -- The deployment's running time when the answer was stored, in milliseconds: a key lives for 24 hours of running time,
  -- too. Null where it is not known.
  ran_at bigint
);

create index payment_answers_by_expiry on msgsite.payment_answers (expires_at);
create index payment_answers_by_worker on msgsite.payment_answers (worker) where worker is not null;

-- Calls that move money and whose answers were not clear, and for a while what became of them.
create table msgsite.intents (
  id text primary key,
  state text not null,
  closed_at timestamptz,
  record json not null
);

create index intents_by_state on msgsite.intents (state, id);
create index closed_intents on msgsite.intents (closed_at) where state <> 'in_doubt';

-- Amounts that were returned, or that the provider refused to return.
create table msgsite.refunds (
  intent_id text primary key,
  created_at timestamptz not null,
  record json not null
);

create index refunds_by_creation on msgsite.refunds (created_at);

-- The organizations whose payments a process compares with the provider; when the claim is over, another process may.
create table msgsite.reconciliations (
  organization_id bigint primary key,
  claimed_until timestamptz not null
);

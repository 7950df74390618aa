-- Payments are named by their organization, too; what is in doubt; refunds.

-- Until now the key was type and operation id alone. Times are milliseconds since the epoch, as in the
-- record. Both are taken from the text, since PostgreSQL's own functions for JSON fail where anything in it
-- holds U+0000: a payment is flat, and in texts the quotes before and behind such a name are escaped.
alter table msgsite.payments
  add column organization_id bigint,
  add column operation_id text,
  add column created_at bigint;
update msgsite.payments set
  key = substring(record::text from '"organizationId" *: *(-?[0-9]+)') || '-' || key,
  organization_id = substring(record::text from '"organizationId" *: *(-?[0-9]+)')::bigint,
  operation_id = substring(key from '-(.*)$'),
  created_at = substring(record::text from '"createdAt" *: *([0-9]+)')::bigint;
alter table msgsite.payments
  alter column organization_id set not null,
  alter column operation_id set not null,
  alter column created_at set not null;

create index payments_by_operation on msgsite.payments (operation_id);
-- Pages of an organization's payments, the newest first; of all of them and of a state.
create index payments_by_creation
  on msgsite.payments (organization_id, created_at, key collate "C");
create index payments_by_state_and_creation
  on msgsite.payments (organization_id, state, created_at, key collate "C");

-- Calls that move money and whose answers were not clear, and for a while what they came to.
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

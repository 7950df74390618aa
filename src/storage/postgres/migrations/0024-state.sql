-- Facts about the deployment that outlive every process. The name of a fact determines the form of its record.

create table msgsite.state (name text primary key, record json not null);

-- The deployment's running time when the record was stored, in milliseconds: an idempotency key lives for 24 hours of
-- running time, too. Records of older versions have none.
alter table msgsite.payment_answers add column ran_at bigint;
alter table msgsite.order_keys add column ran_at bigint;

-- An order is kept as long as a key refers to it.
create index order_keys_by_order on msgsite.order_keys (order_id collate "C");

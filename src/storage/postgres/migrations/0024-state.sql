-- Named facts that outlive every process: the record's form depends on its name.

create table msgsite.state (name text primary key, record json not null);

-- How long the deployment had run when it was stored, in milliseconds: what counts for 24 hours counts for 24 hours of
-- running, too. What older versions stored has none.
alter table msgsite.payment_answers add column ran_at bigint;
alter table msgsite.order_keys add column ran_at bigint;

-- An order stays for as long as a key stands for it.
create index order_keys_by_order on msgsite.order_keys (order_id collate "C");

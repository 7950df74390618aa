-- Orders of visitors, the keys that identify them, and how many pieces of products are left. A transaction that changes
-- an order locks its row before that of its key or product.

create table msgsite.orders (
  id text collate "C" primary key,
  -- Milliseconds since the epoch, as in the record.
  created_at bigint not null,
  -- Null while the order is open.
  ended_at timestamptz,
  record json not null
);

-- For pages of all orders, newest first, and for removals after the retention.
create index orders_by_creation on msgsite.orders (created_at, id);
create index ended_orders on msgsite.orders (ended_at) where ended_at is not null;

-- The order that an Idempotency-Key identifies, by the key's digest, while the key is valid.
create table msgsite.order_keys (
  key_hash text primary key,
  order_id text not null,
  expires_at timestamptz not null,
  -- The deployment's running time when the order was created, in milliseconds: a key is also valid for 24 hours of
  -- running time. Null if unknown.
  ran_at bigint
);

create index order_keys_by_expiry on msgsite.order_keys (expires_at);
-- An order is kept as long as a key refers to it.
create index order_keys_by_order on msgsite.order_keys (order_id collate "C");

create table msgsite.stock (
  product_id bigint primary key,
  -- Null once the pieces are no longer counted.
  pieces integer check (pieces >= 0)
);

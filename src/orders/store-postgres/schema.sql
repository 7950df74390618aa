-- Orders of the site's visitors, what their keys stand for, and how many pieces of products are left. A transaction that
-- changes an order locks its row before that of its key or of its product.

create table msgsite.orders (
  id text collate "C" primary key,
  -- Milliseconds since the epoch, as in the record.
  created_at bigint not null,
  -- Null while the order is not over.
  ended_at timestamptz,
  record json not null
);

-- Pages of all orders, the newest first; and what has been kept long enough.
create index orders_by_creation on msgsite.orders (created_at, id);
create index ended_orders on msgsite.orders (ended_at) where ended_at is not null;

-- The order that was made under an Idempotency-Key, by the key's digest, for as long as the key is valid.
create table msgsite.order_keys (
  key_hash text primary key,
  order_id text not null,
  expires_at timestamptz not null,
  -- The deployment's running time when the order was made, in milliseconds: a key lives for 24 hours of running time,
  -- too. Null where it is not known.
  ran_at bigint
);

create index order_keys_by_expiry on msgsite.order_keys (expires_at);
-- An order is kept as long as a key refers to it.
create index order_keys_by_order on msgsite.order_keys (order_id collate "C");

create table msgsite.stock (
  product_id bigint primary key,
  -- Null once they are not counted any more.
  pieces integer check (pieces >= 0)
);

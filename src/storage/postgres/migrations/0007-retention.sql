-- What has been kept long enough is found by these: ended payments by their end, and whether a payment
-- has webhooks that were not delivered.

create index ended_payments_by_end on msgsite.payments (ended_at, key) where state = 'ended';

-- The key of the payment that the event is about. Taken from the text: PostgreSQL's own look into JSON
-- fails where anything in it holds the character U+0000.
alter table msgsite.deliveries add column payment text;
update msgsite.deliveries set payment =
  substring(record::text from '"type":"(qr|invoice)"') || '-' ||
  substring(record::text from '"paymentId":"([^"\\]*)"')
  where state <> 'delivered';
create index undelivered_by_payment on msgsite.deliveries (payment) where state <> 'delivered';

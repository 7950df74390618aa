-- The time of a delivery's event is called occurredAt. The key stands behind the payment's facts, which may
-- hold the same name, so the last one is meant: in texts the quotes before and behind it are escaped. Taken
-- from the text, since PostgreSQL's own functions for JSON fail where anything in it holds U+0000. One pass
-- over the table, which touches no index of it; readers are not kept waiting.
update msgsite.deliveries set record =
  regexp_replace(record::text, '^(.*,)"arisenAt":', '\1"occurredAt":')::json
  where record::text like '%,"arisenAt":%';

-- Pending deliveries are looked for subscription by subscription, so that a backlog for one receiver
-- hides nothing that is due for another, and only as far ahead as they are due.

alter table msgsite.deliveries add column lane text not null default '';
update msgsite.deliveries set lane =
  coalesce(substring(record::text from '"subscription":\{"id":"([^"\\]*)"'), '')
  where state = 'pending';
create index pending_by_lane on msgsite.deliveries (lane, next_attempt_at)
  where state = 'pending' and worker is null;
drop index msgsite.pending_deliveries;

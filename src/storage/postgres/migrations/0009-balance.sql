-- Sharing open payments out among the processes that watch them.

-- How many payments a process watches.
alter table msgsite.workers add column load integer not null default 0;

-- Set by a process that hands the payment to the one in `worker`, until that one takes it: when the next
-- look at it is due.
alter table msgsite.payments add column look_at timestamptz;
create index handed_over_payments on msgsite.payments (worker) where look_at is not null;

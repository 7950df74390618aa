-- The shop's card, and what was deleted from the site and can be restored for a time.

alter table msgsite.site add column shop json;

create table msgsite.deleted_products (
  id bigint primary key,
  deleted_at timestamptz not null,
  was json not null
);

create index deleted_products_by_time on msgsite.deleted_products (deleted_at);

create table msgsite.deleted_announcements (
  id bigint primary key,
  deleted_at timestamptz not null,
  was json not null
);

create index deleted_announcements_by_time on msgsite.deleted_announcements (deleted_at);

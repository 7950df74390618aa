-- Pictures at every width, under a name derived from the uploaded file.
create table msgsite.images (
  name text collate "C" primary key,
  -- Milliseconds since the epoch; null while something refers to it.
  unused_since bigint
);

create table msgsite.image_sizes (
  name text collate "C" not null references msgsite.images on delete cascade,
  width integer not null,
  -- SHA-256 of the content in hexadecimal digits.
  sha256 text not null,
  content bytea not null,
  primary key (name, width)
);

-- Do not compress WebP again.
alter table msgsite.image_sizes alter column content set storage external;

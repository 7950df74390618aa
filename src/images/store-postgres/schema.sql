-- Pictures: each at every width, under a name that is derived from the uploaded file.
create table msgsite.images (
  name text collate "C" primary key,
  -- Milliseconds since the epoch; null while something refers to it.
  unused_since bigint
);

create table msgsite.image_sizes (
  name text collate "C" not null references msgsite.images on delete cascade,
  width integer not null,
  -- Of the content, in hexadecimal digits.
  sha256 text not null,
  content bytea not null,
  primary key (name, width)
);

-- WebP is compressed already.
alter table msgsite.image_sizes alter column content set storage external;

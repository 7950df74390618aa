-- What the processes' secrets look like from afar: from a fingerprint the secret cannot be found, but a
-- process that was given another one notices.
create table msgsite.secret_fingerprints (
  name text primary key,
  fingerprint text not null
);

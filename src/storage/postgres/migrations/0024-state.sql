-- Named facts that outlive every process: the record's form depends on its name.

create table msgsite.state (name text primary key, record json not null);

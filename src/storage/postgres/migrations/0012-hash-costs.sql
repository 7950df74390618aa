-- The cost of each password hash (`$2b$10$…`), of those costs that the program makes: signing in asks for the highest.

create index users_by_hash_cost on msgsite.users (substr(password_hash, 5, 2))
  where password_hash ~ '^[$]2[aby][$](0[4-9]|1[0-6])[$][./A-Za-z0-9]{53}$';

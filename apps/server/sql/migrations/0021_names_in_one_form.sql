-- The names that people sign in by have one form each, made by the server and checked here. No key is
-- made by lower() under a collation that knows letters beyond ASCII: there `İ` becomes `i`, and one
-- name passes for another.

-- A user name is ASCII; its key is its lower case.
alter table accounts.player drop column username_key, drop constraint player_username_check;
alter table accounts.player
  add column username_key text not null generated always as (lower(username collate "C")) stored,
  add constraint username_taken unique (username_key),
  add constraint username_is_ascii check (username collate "C" ~ '^[A-Za-z0-9_]{3,32}$');

-- An e-mail address in the one form of canonicalEmail(): a dot-string before the @, a domain of ASCII
-- labels after it, all in lower case.
create domain accounts.canonical_email as text collate "C" check (
  octet_length(value) <= 254 and position('@' in value) <= 65
  and value ~ ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
    || '@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$'));

alter table accounts.player
  alter column email_key drop expression;
alter table accounts.player drop constraint email_taken;
alter table accounts.player
  alter column email_key type accounts.canonical_email,
  add constraint email_taken unique (email_key),
  add constraint email_has_its_key check ((email is null) = (email_key is null));

-- A mailed code belongs to an address in that form, and to the network that asked for it. How often it
-- was tried is counted for whoever tries, in accounts.counter.
alter table accounts.email_code
  alter column email_key type accounts.canonical_email,
  drop column tries,
  -- A keyed hash.
  add column asked_from bytea;

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

create function pg_temp.fits(address text) returns boolean language sql
return octet_length(address) <= 254 and position('@' in address) <= 65
  and address ~ ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
    || '@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$');

-- Why an address does not lead to its account: it has not been looked at since the form was introduced
-- ('waiting'), it cannot be brought into it ('unfit'), or another account has the same ('shared'). The
-- player signs in by his user name, and mail goes to the address as it stands.
alter table accounts.player
  alter column email_key drop expression,
  add column email_conflict text check (email_conflict in ('waiting', 'unfit', 'shared'));
alter table accounts.player drop constraint email_taken;
update accounts.player set email_key = lower(email collate "C") where email is not null;
update accounts.player set email_key = null, email_conflict = 'waiting'
-- Whether a label of IDNA is a good one is not for SQL to say.
where email is not null and (position('xn--' in email_key) > 0 or not pg_temp.fits(email_key));
alter table accounts.player
  alter column email_key type accounts.canonical_email,
  add constraint email_taken unique (email_key),
  add constraint email_has_its_key check (case when email is null
    then email_key is null and email_conflict is null
    else (email_key is null) = (email_conflict is not null) end);
create index player_email_conflict on accounts.player (id) where email_conflict is not null;

-- A mailed code belongs to an address in that form, and to the network that asked for it. How often it
-- was tried is counted for whoever tries, in accounts.counter.
-- None that was mailed before is good any more: it may have gone to an address that only looks alike.
delete from accounts.email_code where not pg_temp.fits(email_key);
update accounts.email_code set expires_at = least(expires_at, app.now());
alter table accounts.email_code
  alter column email_key type accounts.canonical_email,
  drop column tries,
  -- A keyed hash; null where the code was asked for before this column.
  add column asked_from bytea;

-- Codes that a player got on the allowance of a network from which he has signed in: they do not count for others.
alter table accounts.email_code add column on_allowance boolean not null default false;

-- Seed chains: committed before their first round, one seed a round, used in order.

create schema fairness;
grant usage on schema fairness to sum28_application;

create table fairness.chain (
  id integer generated always as identity primary key,
  game_id smallint not null references games.game,
  length integer not null check (length > 0),
  commitment bytea not null unique check (octet_length(commitment) = 32),
  -- The first secret, encrypted under a key that is not in the database.
  sealed_secret bytea not null,
  key_id text not null,
  committed_at timestamptz not null default app.now(),
  -- How many rounds have taken a seed; the next takes seed number used + 1.
  used integer not null default 0 check (used between 0 and length)
);
create index chain_of_game on fairness.chain (game_id, id);

create function fairness.guard_chain() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if (new.id, new.game_id, new.length, new.commitment, new.sealed_secret, new.key_id, new.committed_at)
    is distinct from
    (old.id, old.game_id, old.length, old.commitment, old.sealed_secret, old.key_id, old.committed_at)
    or new.used not in (old.used, old.used + 1)
  then
    raise exception 'a committed chain never changes, and its seeds are used one by one'
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger chain_guarded before update on fairness.chain
  for each row execute function fairness.guard_chain();
create trigger chain_never_deleted before delete on fairness.chain
  for each row execute function app.refuse_change();
create trigger chain_never_truncated before truncate on fairness.chain
  for each statement execute function app.refuse_change();

grant select, insert on fairness.chain to sum28_application;

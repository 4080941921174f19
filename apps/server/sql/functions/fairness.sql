-- Seed chains: committed before their first round, one seed a round, used in order.

create or replace function fairness.guard_chain() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if (new.id, new.game_id, new.length, new.commitment, new.encrypted_secret, new.key_id, new.committed_at)
    is distinct from
    (old.id, old.game_id, old.length, old.commitment, old.encrypted_secret, old.key_id, old.committed_at)
    -- A database that went back to an instant leaves out the seeds that were published since.
    or new.used not in (old.used, old.used + 1, new.length)
  then
    raise exception 'a committed chain never changes, and its seeds are used one by one'
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create or replace trigger chain_guarded before update on fairness.chain
  for each row execute function fairness.guard_chain();

select app.refuse('delete', 'fairness.chain');

-- A chain comes after all that are there, with no seed used: the rest is the database's.
grant select, insert (game_id, length, commitment, encrypted_secret, key_id) on fairness.chain to sum28_engine;
grant select (id, game_id, length, commitment, committed_at, used) on fairness.chain to sum28_api, sum28_jobs;

-- Accounts that look like one which is excluded: by what they are recognised, and what staff decide.

create table protection.mark (
  player_id integer not null,
  kind text not null check (kind in ('email', 'document', 'wallet', 'card', 'device')),
  -- A keyed hash of the canonical form, and the key it was made with.
  hash bytea not null check (octet_length(hash) = 32),
  key_id text not null,
  noted_at timestamptz not null,
  primary key (player_id, kind, hash)
);
comment on table protection.mark is
  'What an account is recognised by: keyed hashes of mailbox, document, wallet, card and device.';
create index mark_by_hash on protection.mark (kind, hash);

alter table protection.player
  -- He may not bet, and deposits are held, until staff have decided.
  add column under_review boolean not null default false,
  -- The key with which the marks of all that he had were made; null: they are not all made.
  add column marked_with text;
create index player_unmarked on protection.player (player_id) where marked_with is null;

alter table protection.exclusion
  drop constraint exclusion_like_in_check,
  add constraint exclusion_like_in_check
    check (like_in in ('email', 'document', 'wallet', 'card', 'device')),
  -- Of a likeness: whether it holds the account until it is decided. One of two accounts that were both
  -- there before the exclusion is shown to staff and not held.
  add column holds boolean not null default false,
  add column decision text check (decision in ('released', 'confirmed')),
  add column decide_reason text,
  add constraint likeness_is_whole check (kind <> 'likeness' or like_player is not null and like_in is not null),
  add constraint decided_is_whole check ((decided_at is null) = (decided_by is null)
    and (decided_at is null) = (decision is null) and (decided_at is null) = (decide_reason is null));
create index likeness_open on protection.exclusion (id) where kind = 'likeness' and decided_at is null;

alter table protection.held_deposit
  drop constraint held_deposit_because_check,
  add constraint held_deposit_because_check check (because in ('limit', 'excluded', 'review'));

-- Pay methods, and withdrawals: held at the request, paid out or released.

create sequence withdrawals.withdrawal_id;

-- Bank cards and wallets of players; numbers are encrypted.
create table withdrawals.pay_method (
  id integer generated always as identity primary key,
  player_id integer not null references accounts.player,
  kind text not null check (kind in ('bank', 'wallet')),
  -- Card number or wallet address, encrypted; what may be shown of it; and the key it is under.
  encrypted_number bytea not null,
  shown_number text not null,
  key_id text not null,
  -- The keys that it was under before: it comes back under none.
  past_keys text[] not null default '{}',
  -- Bank: the holder. Wallet: the wallet's type.
  label text not null,
  bank_name text not null default '',
  branch_code text not null default '',
  branch_name text not null default '',
  note text not null default '',
  created_at timestamptz not null default app.now(),
  -- A method that was replaced stays for the withdrawals that name it.
  replaced_at timestamptz
);
create unique index one_pay_method_of_a_kind on withdrawals.pay_method (player_id, kind)
  where replaced_at is null;
create index pay_method_by_end on withdrawals.pay_method (right(shown_number, 4));

create table withdrawals.withdrawal (
  player_id integer not null references accounts.player,
  id bigint not null unique,
  pay_method_id integer not null references withdrawals.pay_method,
  amount bigint not null check (amount > 0),
  -- What earlier transactions paid of it, as the chain shows and a person says; and what is left to be paid.
  paid_part bigint not null default 0,
  rest bigint not null generated always as (amount - paid_part) stored,
  -- The day its postings are booked on.
  booked_on date not null,
  cash_after bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'rejected', 'reversed')),
  requested_at timestamptz not null default app.now(),
  -- Who of staff asked for it, of what is left in a closed account; null: the player.
  requested_by integer references staff.member,
  first_approved_by integer references staff.member,
  approved_by integer references staff.member,
  rejected_by integer references staff.member,
  reject_reason text,
  decided_at timestamptz,
  -- Whether it is in a batch for the bank whose answer is awaited.
  at_bank boolean not null default false,
  -- The transaction or bank reference of the payout, once it was made.
  payout_reference text,
  payout_key text,
  -- The batch that the bank paid it in, which may be one payment with one reference; null: it was paid by hand.
  payout_batch integer,
  payout_recorded_by integer references staff.member,
  -- Who had the payment, or had said that it was not made, each time that it was recorded; and who corrected it since.
  had_by integer[] not null default '{}',
  paid_at timestamptz,
  -- When it was sent, if it is recorded after its player was frozen or his withdrawals were put on hold.
  sent_at timestamptz,
  -- Of a payout to a wallet: whether its transaction has been read on the chain, and which of its logs pays it.
  -- awaited: not seen in a solid block yet; seen: payee, amount and time are right; wrong: payout_fault says why. Null
  -- for a bank.
  payout_chain text check (payout_chain in ('awaited', 'seen', 'wrong')),
  payout_log integer,
  payout_fault text check (payout_fault in ('failed', 'other_payee', 'other_amount', 'before_request',
    'sent_later')),
  payout_corrected_by integer references staff.member,
  -- The first of two persons who accept that its transaction pays more.
  payout_accepted_by integer references staff.member,
  -- The time of the newest solid block until which no node has the transaction.
  payout_absent_at timestamptz,
  reversed_by integer references staff.member,
  reversed_at timestamptz,
  -- The state that staff are shown.
  stage text not null generated always as (case
    when state <> 'approved' then state
    when payout_chain = 'wrong' then 'payout_wrong'
    when payout_chain = 'awaited' then 'on_chain'
    when payout_reference is not null then 'paid'
    when at_bank then 'at_bank'
    else 'to_pay' end) stored,
  -- The place in the queue: what is open, oldest first, then the rest, newest first.
  place bigint not null generated always as (case
    when state in ('rejected', 'reversed') or payout_reference is not null and coalesce(payout_chain, 'seen') = 'seen'
      then -id
    else id - 900000000000000000 end) stored,
  primary key (player_id, id),
  check ((state = 'waiting') = (decided_at is null)),
  check ((state = 'rejected') = (rejected_by is not null)),
  check (first_approved_by is null or first_approved_by is distinct from approved_by),
  check ((payout_reference is null) = (paid_at is null)),
  check ((payout_reference is null) = (payout_key is null)),
  check (payout_reference is null or state = 'approved'),
  constraint sent_before_it_is_recorded check (sent_at is null or sent_at <= paid_at),
  constraint chain_answer_is_complete check ((payout_chain is null or payout_reference is not null)
    and (payout_chain is not distinct from 'seen') = (payout_log is not null)
    and (payout_chain is not distinct from 'wrong') = (payout_fault is not null)
    and (payout_corrected_by is null or payout_reference is not null)
    and (payout_accepted_by is null or payout_chain = 'seen' or payout_fault in ('other_amount', 'sent_later'))
    and (payout_absent_at is null or payout_chain is not null)),
  constraint part_is_not_all check (paid_part >= 0 and paid_part < amount),
  -- Who approves does not record the payout.
  constraint paid_by_another check (payout_recorded_by is null
    or (payout_recorded_by is distinct from approved_by and payout_recorded_by is distinct from first_approved_by)),
  constraint approved_by_somebody check ((state in ('approved', 'reversed')) = (approved_by is not null)),
  constraint at_bank_once_approved check (not at_bank or state = 'approved'),
  constraint reversed_is_complete check ((state = 'reversed') = (reversed_by is not null)
    and (reversed_by is null) = (reversed_at is null)),
  constraint rest_approved_by_another check (requested_by is null
    or requested_by is distinct from approved_by and requested_by is distinct from first_approved_by)
);
create unique index one_waiting_withdrawal on withdrawals.withdrawal (player_id) where state = 'waiting';
create index payout_by_reference on withdrawals.withdrawal (payout_key);
create unique index payout_by_hand_once on withdrawals.withdrawal (payout_key) where payout_batch is null;
-- A transfer on the chain pays one withdrawal.
create unique index payout_by_transfer_once on withdrawals.withdrawal (payout_key, payout_log) where payout_log is not null;
-- Transfers of a payout's transaction that pay its payee another amount. counted: staff say that they pay the
-- withdrawal.
create table withdrawals.payout_transfer (
  withdrawal_id bigint not null references withdrawals.withdrawal (id),
  -- Of the transaction, as the payout's; which of its logs; and the batch that it paid.
  payout_key text not null,
  log integer not null,
  payout_batch integer,
  amount bigint not null check (amount > 0),
  counted boolean not null default false,
  primary key (payout_key, log)
);
create index payout_transfer_of_withdrawal on withdrawals.payout_transfer (withdrawal_id);
create index payout_not_seen on withdrawals.withdrawal (id) where payout_chain in ('awaited', 'wrong');
-- What a player was approved within a day, for what takes two people.
create index withdrawal_approved_by_time on withdrawals.withdrawal (player_id, decided_at)
  where state in ('approved', 'reversed');
create index withdrawal_decided on withdrawals.withdrawal (decided_at);
create index withdrawal_rejected_by_time on withdrawals.withdrawal (decided_at) where state = 'rejected';
-- Approved withdrawals that are not paid yet.
create index withdrawal_to_pay on withdrawals.withdrawal (id) where state = 'approved' and paid_at is null;
create index withdrawal_reversed_by_time on withdrawals.withdrawal (reversed_at) where reversed_at is not null;
-- The queue of all, of each stage, and of one player.
create index withdrawal_in_order on withdrawals.withdrawal (place, id);
create index withdrawal_in_stage on withdrawals.withdrawal (stage, place, id);
create index withdrawal_of_player_in_order on withdrawals.withdrawal (player_id, place, id);
create index withdrawal_in_stage_by_id on withdrawals.withdrawal (stage, id);
create index withdrawal_by_amount on withdrawals.withdrawal (amount);
create index withdrawal_by_request on withdrawals.withdrawal (requested_at);
create index withdrawal_of_method on withdrawals.withdrawal (pay_method_id);
create index withdrawal_by_payout on withdrawals.withdrawal (paid_at) where paid_at is not null;

-- One row. The owner writes hold and threshold at each start; until then, they are strict.
create table withdrawals.terms (
  only_one boolean primary key default true check (only_one),
  -- How long a change of what a thief would change holds withdrawals.
  hold interval not null check (hold >= '0'),
  -- From this amount on two people have to approve, in micro-units.
  two_persons_from bigint not null check (two_persons_from >= 0),
  -- From which sum of all withdrawals of a player they wait for his identity, in micro-units; null: never.
  identity_from bigint check (identity_from >= 0)
);

insert into withdrawals.terms (hold, two_persons_from) values ('24 hours', 10000000000);

-- The player's name, date of birth and address as he sent them last, encrypted.
create table withdrawals.identity (
  player_id integer primary key references accounts.player,
  -- waiting: to be checked by staff. A rejected one is sent again with new pictures.
  state text not null check (state in ('waiting', 'accepted', 'rejected')),
  -- Ascends with each sending, so that a decision is about what was seen.
  version integer not null check (version > 0),
  -- Name, date of birth and address, encrypted.
  encrypted_facts bytea not null,
  key_id text not null,
  sent_at timestamptz not null,
  decided_by integer references staff.member,
  decided_at timestamptz,
  reject_reason text,
  constraint decision_is_whole check ((state = 'waiting') = (decided_by is null)
    and (decided_by is null) = (decided_at is null) and (state = 'rejected') = (reject_reason is not null))
);
create index identity_waiting on withdrawals.identity (sent_at, player_id) where state = 'waiting';
create index identity_in_order on withdrawals.identity (sent_at, player_id);

-- Pictures of a player's documents, encrypted: to be sent, or sent. With a rejection they are deleted.
create table withdrawals.identity_picture (
  id integer generated always as identity primary key,
  player_id integer not null references accounts.player,
  encrypted_content bytea not null,
  key_id text not null,
  added_at timestamptz not null
);
-- Compressed already.
alter table withdrawals.identity_picture alter encrypted_content set storage external;
create index identity_picture_of_player on withdrawals.identity_picture (player_id, id);
create index identity_picture_by_age on withdrawals.identity_picture (added_at);

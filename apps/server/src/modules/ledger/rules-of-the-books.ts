/** The rules of the books, as statements that return the rows which break them. */

/**
 * A rule. `days`: its statement checks what came on the days from `$1` to `$2`, which it finds by an index; with
 * `-infinity` and `infinity` that is all of history. `rounds`: the same of the rounds and bets of these days, whose money
 * may come days later. `now`: it checks the present state, which grows with the players and not with the years. `whole`:
 * it reads all of history at once and follows from the other rules together, so only the full check runs it.
 */
export type Rule = { name: string; scope: 'days' | 'rounds' | 'now' | 'whole'; sql: string }

/** Whether a day is one of these, and whether a moment is in them. The midnight after them is too, so that all infinite are. */
const OF_DAYS = 'between $1::date and $2::date'
const IN_DAYS = 'between $1::date::timestamptz and ($2::date + 1)::timestamptz'

export const RULES: readonly Rule[] = [
  {
    name: 'each posting goes on from the one before it',
    scope: 'days',
    // From the first one of these days to the first one after them each of the holder's is read, whatever its time. If the
    // days are new, none is older by more than a day: what is dated otherwise is in no other rule. Later, this may come
    // of a clock that was wrong.
    sql: `with of_days as materialized (
        select holder_id, min(id) as first, max(id) as last from ledger.posting where posted_at ${IN_DAYS} group by holder_id
      )
      select of_days.holder_id, chained.id from of_days left join ledger.balance using (holder_id)
      left join lateral (
        select cash_after, held_after from ledger.posting
        where posting.holder_id = of_days.holder_id and id < of_days.first order by id desc limit 1
      ) before on true
      cross join lateral (
        select id, posted_at, cash_after, held_after,
          coalesce(lag(cash_after) over (order by id), before.cash_after, 0) as cash_before,
          coalesce(lag(held_after) over (order by id), before.held_after, 0) as held_before,
          case 'cash' when destination then amount when source then -amount else 0 end as cash_change,
          case 'held' when destination then amount when source then -amount else 0 end as held_change
        from ledger.posting where posting.holder_id = of_days.holder_id and id between of_days.first
          and coalesce((select min(id) from ledger.posting later
            where later.holder_id = of_days.holder_id and later.id > of_days.last), of_days.last)
      ) chained
      where (chained.cash_after, chained.held_after)
        is distinct from (cash_before + cash_change, held_before + held_change) or balance.cash is null
        or $2::date > app.now()::date - 4 and chained.posted_at < $1::date - 1`,
  },
  {
    // By this and the rule above each balance is the sum of its postings.
    name: 'each balance is what its last posting left',
    scope: 'now',
    sql: `select holder_id, cash, held, last.* from ledger.balance left join lateral (
        select cash_after, held_after from ledger.posting
        where posting.holder_id = balance.holder_id order by id desc limit 1
      ) last on true
      where (cash, held) is distinct from (coalesce(cash_after, 0), coalesce(held_after, 0))`,
  },
  {
    name: 'each mark of balances is the one before it and the postings between them',
    scope: 'days',
    sql: `with mark as (
        select at, (select max(before.at) from console_money.balance_snapshot before where before.at < mark.at) as since
        from (select distinct at from console_money.balance_snapshot where at ${IN_DAYS}) mark
      )
      select mark.at, wrong.* from mark cross join lateral (
        select account, kind from (
          select account, kind, debit, credit from console_money.balance_snapshot where at = mark.at
        ) marked full join (
          select account, kind, sum(debit) as debit, sum(credit) as credit from (
            select account, kind, debit, credit from console_money.balance_snapshot where at = mark.since
            union all
            select moved.* from console_money.moved_between(coalesce(mark.since, '-infinity'), mark.at) moved
          ) parts group by account, kind
        ) summed using (account, kind)
        where (marked.debit, marked.credit) is distinct from (summed.debit, summed.credit)
      ) wrong`,
  },
  {
    name: 'the last mark of deposits is the sum of those before it',
    scope: 'whole',
    sql: `with mark as (select * from console_money.deposit_snapshot order by at desc limit 1)
      select mark.at from mark, console_money.deposited_between('-infinity', mark.at) summed
      where (mark.by_chain, mark.by_bank) is distinct from (summed.by_chain, summed.by_bank)`,
  },
  {
    name: 'each movement is of a known kind, between the two accounts of that kind',
    scope: 'days',
    sql: `select posting.id from ledger.posting left join wallet.movement_kind known using (kind, source, destination)
      where posted_at ${IN_DAYS} and known.kind is null`,
  },
  {
    name: 'no posting left a balance below zero',
    scope: 'days',
    sql: `select holder_id from ledger.posting where posted_at ${IN_DAYS} and (cash_after < 0 or held_after < 0)`,
  },
  {
    name: 'each bet took its total once',
    scope: 'rounds',
    // A posting of another day is without its bet: see below.
    sql: `select bet.id from bets.bet
      left join lateral (
        select count(*) as stakes, sum(amount) as taken from ledger.posting
        where posting.holder_id = player_id and kind = 'stake' and reference = 'bet:' || bet.id
          and posting.booked_on = bet.booked_on
      ) stake on true
      where bet.booked_on ${OF_DAYS} and (stakes <> 1 or taken <> total)`,
  },
  {
    name: 'each won bet was paid stake x odds once, and no other was paid',
    scope: 'rounds',
    sql: `select bet.id from bets.bet
      left join rounds.draw on draw.game_id = bet.game_id and draw.issue = bet.issue
      left join lateral (
        select count(*) as payments, coalesce(sum(amount), 0) as paid from ledger.posting
        where posting.holder_id = player_id and kind = 'payout' and reference = 'bet:' || bet.id
          and posting.booked_on = bet.booked_on
      ) payment on true
      left join lateral (
        select coalesce(sum(stake * odds / 1000), 0) as due
        from unnest(rule_ids, odds_milli) selection (rule_id, odds)
        where rule_id = any (games.winning_rules(draw.total))
      ) owed on true
      where bet.booked_on ${OF_DAYS} and case status
        when 'won' then payments <> 1 or paid <> payout or payout <> due or due = 0
        when 'lost' then payments <> 0 or due <> 0
        else payments <> 0 end`,
  },
  {
    name: 'each refunded bet got its total back once, and no other did',
    scope: 'rounds',
    sql: `select bet.id from bets.bet
      left join lateral (
        select count(*) as refunds, sum(amount) as refunded from ledger.posting
        where posting.holder_id = player_id and kind = 'refund' and reference = 'bet:' || bet.id
          and posting.booked_on = bet.booked_on
      ) refund on true
      where bet.booked_on ${OF_DAYS}
        and case when status = 'refunded' then refunds <> 1 or refunded <> total else refunds <> 0 end`,
  },
  {
    name: 'no stake, payout or refund is without its bet',
    scope: 'days',
    // The offset makes PostgreSQL look for each by the index, however many bets there are.
    sql: `select posting.id from ledger.posting
      left join lateral (
        select bet.id from bets.bet where bet.player_id = holder_id and bet.booked_on = posting.booked_on
          and bet.id = app.number_in(substr(reference, 5)) and reference = 'bet:' || bet.id offset 0
      ) placed on true
      where posted_at ${IN_DAYS} and kind in ('stake', 'payout', 'refund') and placed.id is null`,
  },
  {
    name: 'no bet was accepted after the seal of its round',
    scope: 'rounds',
    sql: `select bet.id from bets.bet join rounds.round using (game_id, issue)
      where bet.booked_on ${OF_DAYS}
        and (accepted_at >= seals_at or accepted_at < opens_at or accepted_at > sealed_at)`,
  },
  {
    name: 'each closed book has every bet of its round, and its root',
    scope: 'rounds',
    sql: `select round.game_id, round.issue from rounds.round
        left join bets.book using (game_id, issue)
        left join lateral (
          select count(*) as bets from bets.bet
          where bet.game_id = round.game_id and bet.issue = round.issue and bet.booked_on = round.game_day
        ) placed on true
      where round.draws_at ${IN_DAYS} and book_root is not null
        and (bets <> book_size or bets > 0 and (book.size is distinct from book_size
          or bets.root_of(book.size, book.subtree_roots) is distinct from book_root))`,
  },
  {
    name: 'each voided round was voided for a reason that the database could see',
    scope: 'rounds',
    sql: `select round.game_id, round.issue from rounds.round
        left join rounds.value using (game_id, issue)
        left join staff.proposal on proposal.kind = 'void' and proposal.state = 'confirmed'
          and subject = 'round:' || round.game_id || ':' || round.issue
      where round.draws_at ${IN_DAYS} and round.state = 'voided' and not case void_reason
        when 'sealed_late' then voided_at >= draws_at and sealed_at is null
        when 'beacon_late' then voided_at >= voids_at
          and (stored_at is null or stored_at >= voided_at)
        when 'two_persons' then voided_at < draws_at and confirmed_by <> proposed_by
        else false end`,
  },
  {
    name: "a player's days are those of his settled bets",
    scope: 'whole',
    sql: `select * from (
        select player_id, sum(staked) as staked, sum(paid) as paid from bets.player_day group by player_id
      ) counted
      full join (
        select player_id, sum(total) as staked, sum(payout) as paid
        from bets.bet join accounts.player on player.id = player_id and accounts.is_person(player)
        where status in ('won', 'lost') group by player_id
      ) settled using (player_id)
      where (counted.staked, counted.paid) is distinct from (settled.staked, settled.paid)`,
  },
  {
    name: 'each of the largest wins is that of all the player’s bets in the round of its bet',
    scope: 'now',
    sql: `select bet_id from bets.winner left join bets.bet on bet.player_id = winner.player_id and bet.id = bet_id
        left join lateral (
          select sum(each.payout - each.total) as profit from bets.bet each
          where each.game_id = bet.game_id and each.issue = bet.issue and each.player_id = bet.player_id
            and each.booked_on = bet.booked_on and each.status <> 'refunded') of_round on true
      where winner.profit is distinct from of_round.profit or winner.settled_at < bet.settled_at
        or winner.game_id is distinct from bet.game_id or status not in ('won', 'lost')`,
  },
  {
    name: 'each credited transfer is one deposit in the journal, and each USDT deposit is a transfer',
    scope: 'days',
    sql: `select tx_id from deposits.transfer left join ledger.posting
        on posting.holder_id = player_id and kind in ('deposit', 'deposit_held')
          and reference = deposits.reference_of(tx_id, log_index, assignment)
      where credited_at ${IN_DAYS} and posting.amount is distinct from transfer.amount
      union all
      select posting.reference from ledger.posting left join deposits.transfer
        on transfer.player_id = holder_id and credited_at is not null and tx_id = split_part(posting.reference, ':', 2)
          and posting.reference = deposits.reference_of(tx_id, log_index, assignment)
        left join deposits.by_persons assigned on assigned.id = app.number_in(split_part(posting.reference, ':', 4))
          and assigned.player_id = holder_id and assigned.reference = posting.reference
      where posted_at ${IN_DAYS} and posting.kind in ('deposit', 'deposit_held')
        and posting.reference like 'usdt:%' and posting.amount is distinct from coalesce(transfer.amount,
          case when deposits.taken_back(posting.reference) > 0 then assigned.amount end)`,
  },
  {
    name: 'each withdrawal set its amount aside once, and that was paid out, released or reversed once as decided',
    scope: 'days',
    sql: `select withdrawal.id from withdrawals.withdrawal
      left join lateral (
        select count(*) filter (where kind = 'withdrawal') as held,
          count(*) filter (where kind = 'withdrawal_paid') as paid,
          count(*) filter (where kind = 'withdrawal_released') as released,
          count(*) filter (where kind = 'withdrawal_reversed') as reversed,
          bool_and(posting.amount = case kind when 'withdrawal_reversed' then rest else withdrawal.amount end)
            as of_its_amount
        from ledger.posting where posting.holder_id = player_id and reference = 'withdrawal:' || withdrawal.id
          and kind in ('withdrawal', 'withdrawal_paid', 'withdrawal_released', 'withdrawal_reversed')
      ) moved on true
      where (state = 'waiting' or decided_at ${IN_DAYS} or reversed_at ${IN_DAYS})
        and (held <> 1 or of_its_amount is not true
          or paid <> (state in ('approved', 'reversed'))::integer or released <> (state = 'rejected')::integer
          or reversed <> (state = 'reversed')::integer)`,
  },
  {
    name: 'each withdrawal that was reversed after its approval was so by two people, and neither paid nor at the bank',
    scope: 'days',
    sql: `select withdrawal.id from withdrawals.withdrawal
      where reversed_at ${IN_DAYS} and (not exists (select from staff.proposal
          where kind = 'reversal' and subject = 'withdrawal:' || withdrawal.id and proposal.state = 'confirmed'
            and confirmed_by = reversed_by and confirmed_by <> proposed_by)
        or payout_reference is not null or at_bank
        or exists (select from console_money.bank_payment
          where withdrawal_id = withdrawal.id and state in ('sent', 'paid')))`,
  },
  {
    name: 'what is held is what waiting withdrawals have set aside, and deposits that came against a limit',
    scope: 'now',
    sql: `select holder_id from ledger.balance left join (
        select player_id, sum(amount) as waiting from (
          select player_id, amount from withdrawals.withdrawal where state = 'waiting'
          union all
          select player_id, amount from protection.held_deposit where state = 'held'
        ) each group by player_id
      ) reserved on player_id = holder_id
      where held <> coalesce(waiting, 0)`,
  },
  {
    name: 'each held deposit was held once, and then released or refunded once as decided',
    scope: 'days',
    sql: `select deposit.id from protection.held_deposit deposit
      left join lateral (
        select count(*) filter (where kind = 'deposit_held') as held,
          count(*) filter (where kind = 'deposit_released') as released,
          count(*) filter (where kind = 'deposit_refunded') as refunded,
          bool_and(posting.amount = deposit.amount) as of_its_amount
        from ledger.posting where posting.holder_id = player_id and posting.reference = deposit.reference
      ) moved on true
      where (state = 'held' or decided_at ${IN_DAYS}) and (held <> 1 or of_its_amount is not true
        or released <> (state = 'released')::integer or refunded <> (state = 'refunded')::integer)`,
  },
  {
    name: 'no movement of a held deposit is without one',
    scope: 'days',
    sql: `select posting.id from ledger.posting
      left join protection.held_deposit deposit
        on deposit.player_id = holder_id and deposit.reference = posting.reference
      where posted_at ${IN_DAYS} and kind in ('deposit_held', 'deposit_released', 'deposit_refunded')
        and deposit.id is null`,
  },
  {
    name: 'a deposit is taken back by a confirmed correction, no more of it than it was, and whole if held or assigned',
    scope: 'days',
    sql: `select back.id from deposits.taking_back back
      left join deposits.by_persons booked on booked.id = deposit and booked.player_id = back.player_id
      left join protection.held_deposit held on held.reference = booked.reference
      where back.state = 'confirmed' and back.confirmed_at ${IN_DAYS} and (booked.id is null
        or deposits.taken_back(booked.reference) > booked.amount
        or (booked.kind = 'assignment' or held.state = 'taken_back') and back.amount <> booked.amount
        or held.state in ('held', 'refunded')
        or (back.subject = 'held_deposit:' || held.id) is distinct from (held.state = 'taken_back'))
      union all
      select id from protection.held_deposit deposit
      where state = 'taken_back' and decided_at ${IN_DAYS} and not exists (select from staff.proposal
        where subject = 'held_deposit:' || deposit.id and kind = 'debit' and proposal.state = 'confirmed'
          and confirmed_by = deposit.decided_by)`,
  },
  {
    name: 'each deposit that was refunded was so by two people, once and with a reference of its own',
    scope: 'days',
    sql: `select id from protection.held_deposit deposit
      where state = 'refunded' and decided_at ${IN_DAYS}
        and (refund_reference is null
          or not exists (select from staff.proposal where kind = 'refund' and subject = 'held_deposit:' || deposit.id
            and proposal.state = 'confirmed' and confirmed_by = deposit.decided_by and confirmed_by <> proposed_by)
          or exists (select from protection.held_deposit other
            where other.id <> deposit.id and other.refund_key = deposit.refund_key)
          or exists (select from withdrawals.withdrawal where payout_key = deposit.refund_key))`,
  },
  {
    name: 'payouts with one reference are of one batch of the bank',
    scope: 'days',
    sql: `select withdrawal.id from withdrawals.withdrawal
        join withdrawals.withdrawal other using (payout_key)
      where withdrawal.paid_at ${IN_DAYS} and other.id <> withdrawal.id
        and (other.payout_batch = withdrawal.payout_batch) is not true`,
  },
  {
    name: 'the part of a withdrawal that earlier transactions paid is the sum of their transfers, each of which pays it alone',
    scope: 'now',
    sql: `select withdrawal.id from withdrawals.withdrawal join withdrawals.payout_transfer on withdrawal_id = withdrawal.id
      group by withdrawal.id, paid_part, withdrawal.payout_key
      having withdrawal.paid_part <> coalesce(sum(payout_transfer.amount) filter (where counted
          and payout_transfer.payout_key is distinct from withdrawal.payout_key), 0)
        or bool_or(counted and exists (select from withdrawals.withdrawal other where other.id <> withdrawal.id
          and other.payout_key = payout_transfer.payout_key and other.payout_log = log))`,
  },
  {
    name: 'no payout of a withdrawal is also the payment of a refunded deposit',
    scope: 'days',
    sql: `select withdrawal.id from withdrawals.withdrawal
        join protection.held_deposit on refund_key = payout_key
      where paid_at ${IN_DAYS}`,
  },
  {
    name: 'each confirmed adjustment moved its amount once and by two people, and no other did',
    scope: 'days',
    sql: `select adjustment.id from staff.proposal adjustment
      left join lateral (
        select count(*) as moves, bool_and(posting.amount = (content ->> 'amount')::bigint and posting.kind
          = case when adjustment.kind = 'bonus' then 'bonus'
            when not content ? 'deposit' then 'adjustment_' || adjustment.kind
            when subject like 'held_deposit:%' then 'held_taken_back' else 'deposit_taken_back' end) as as_proposed
        from ledger.posting where posting.holder_id = player_id and reference = 'adjustment:' || adjustment.id
      ) moved on true
      where adjustment.kind in ('bonus', 'credit', 'debit')
        and (state = 'proposed' or coalesce(ended_at, confirmed_at) ${IN_DAYS})
        and (moves <> (state = 'confirmed')::integer or as_proposed is false
          or state = 'confirmed' and proposed_by is not distinct from confirmed_by)`,
  },
  {
    name: "the house's bonus account moves, and deposits are taken back, by confirmed adjustments alone",
    scope: 'days',
    sql: `select posting.id from ledger.posting
      left join staff.proposal adjustment on player_id = holder_id and reference = 'adjustment:' || adjustment.id
        and adjustment.kind in ('bonus', 'credit', 'debit') and state = 'confirmed'
      where posted_at ${IN_DAYS} and adjustment.id is null
        and ('house:bonus' in (source, destination) or posting.kind = 'bonus' or posting.kind like 'adjustment%'
          or posting.kind like '%taken_back')`,
  },
  {
    name: 'no movement of a withdrawal is without one',
    scope: 'days',
    sql: `select posting.id from ledger.posting
      left join withdrawals.withdrawal on player_id = holder_id and reference = 'withdrawal:' || withdrawal.id
      where posted_at ${IN_DAYS} and kind like 'withdrawal%' and withdrawal.id is null`,
  },
  {
    name: 'each confirmed bank deposit was credited once by two people, and no other was',
    scope: 'days',
    sql: `select deposit.id::text from staff.proposal deposit left join ledger.posting
        on posting.holder_id = player_id and posting.kind in ('deposit', 'deposit_held') and reference = 'bank:' || deposit.id
      where deposit.kind = 'bank_deposit' and state = 'confirmed' and confirmed_at ${IN_DAYS}
        and (posting.amount is distinct from (content ->> 'amount')::bigint or proposed_by is not distinct from confirmed_by)
      union all
      select reference from ledger.posting left join deposits.bank_deposit deposit
        on state = 'confirmed' and holder_id = player_id
        and deposit.id = substring(reference from '^bank:(\\d{1,18})$')::bigint
      where posted_at ${IN_DAYS} and kind in ('deposit', 'deposit_held') and reference like 'bank:%'
        and posting.amount is distinct from deposit.amount`,
  },
  {
    name: 'each deposit came by the chain or by the bank',
    scope: 'days',
    sql: `select reference from ledger.posting
      where posted_at ${IN_DAYS} and kind in ('deposit', 'deposit_held') and reference !~ '^(usdt|bank):'`,
  },
  {
    name: 'each game day counts the rounds that were drawn or voided in it',
    scope: 'rounds',
    sql: `select game_id, game_day from (select * from rounds.day where game_day ${OF_DAYS}) day full join (
        select game_id, game_day, count(*) as expected from rounds.round
        where state in ('drawn', 'settled', 'voided') and game_day ${OF_DAYS} group by game_id, game_day
      ) counted using (game_id, game_day)
      where results is distinct from expected`,
  },
  {
    name: 'a transfer is credited exactly when it reached a member’s address or was assigned to him, and to him',
    scope: 'days',
    sql: `select tx_id from deposits.transfer left join deposits.member_address address on address = to_address
          and deposits.is_owners(block_at, given_at)
        left join deposits.by_persons assigned on assigned.id = assignment and kind = 'assignment'
          and subject = deposits.subject_of(tx_id, log_index)
      where (block_at ${IN_DAYS} or credited_at ${IN_DAYS}) and ((transfer.player_id is null) <> (credited_at is null)
        or (transfer.player_id is not null
          and transfer.player_id is distinct from case when assignment is null then address.player_id
            else assigned.player_id end))`,
  },
  {
    name: 'each address of a member is derived from the account key, at the latest a day after it is given',
    scope: 'now',
    sql: `select player_id from deposits.address where address is not null and given_at < app.now() - interval '1 day'
        and player_id not in (select player_id from deposits.member_address)`,
  },
  {
    name: 'each transfer is dismissed or assigned to one player, and not both, and to none from whom it was taken back',
    scope: 'days',
    sql: `select tx_id from deposits.dismissal join deposits.transfer using (tx_id, log_index)
      where player_id is not null and (dismissed_at ${IN_DAYS} or credited_at ${IN_DAYS})
      union all
      select subject from deposits.by_persons assigned
      left join deposits.transfer on tx_id = split_part(subject, ':', 2) and assignment = assigned.id
      where kind = 'assignment' and (assigned.confirmed_at ${IN_DAYS} or assigned.id in (
          select deposit from deposits.taking_back where state = 'confirmed' and confirmed_at ${IN_DAYS}))
        and (tx_id is null) <> (deposits.taken_back(assigned.reference) > 0)`,
  },
  {
    name: "robots' money comes from the house's robots account alone, and only theirs does",
    scope: 'days',
    sql: `select posting.id from ledger.posting join accounts.player on player.id = holder_id
      where posted_at ${IN_DAYS} and posting.kind not in ('stake', 'payout', 'refund')
        and ((not accounts.is_person(player)) <> (posting.kind in ('robot_funding', 'robot_sweep'))
          or ('house:robots' in (source, destination)) <> (not accounts.is_person(player)))`,
  },
  {
    name: "what the house's robots account gave is what robots have, have at stake, and have lost",
    scope: 'now',
    sql: `with mark as (select max(at) as at from console_money.balance_snapshot), moved as (
        select account, debit - credit as total from console_money.balance_snapshot where at = (select at from mark)
        union all
        select account, debit - credit from mark, console_money.moved_between(coalesce(at, '-infinity'), 'infinity')
      )
      select * from (
        select (select coalesce(-sum(total), 0) from moved where account = 'house:robots') as given,
          (select coalesce(sum(cash + held), 0) from ledger.balance
            join accounts.player on id = holder_id and not accounts.is_person(player)) as left_over,
          (select coalesce(sum(total), 0) from moved where account = 'robots:house:game') as lost
      ) sums where given <> left_over + lost`,
  },
  {
    name: 'no figure about players counts a robot',
    scope: 'rounds',
    sql: `select player_id from bets.winner join accounts.player on id = player_id where not accounts.is_person(player)
      union all
      select player_id from bets.player_day join accounts.player on id = player_id
      where not accounts.is_person(player) and day ${OF_DAYS}`,
  },
  {
    name: 'a robot has no session, password, address, deposit or withdrawal',
    scope: 'now',
    sql: `select id from accounts.player where not accounts.is_person(player) and (password_hash is not null or email is not null
        or exists (select from accounts.session where player_id = player.id)
        or exists (select from deposits.address where player_id = player.id)
        or exists (select from deposits.transfer where player_id = player.id)
        or exists (select from deposits.bank_deposit where player_id = player.id)
        or exists (select from withdrawals.withdrawal where player_id = player.id))`,
  },
  {
    name: 'each row of the audit log follows from the one before',
    scope: 'whole',
    sql: `select broken_id as id from staff.audit_check(0, sha256(''), null) where broken_id is not null`,
  },
]

/** What is always true of the books, whatever happened: checked after every test that moves money. */
import { expect } from 'vitest'
import type { Queryable } from '#src/db/database.ts'

type Check = { name: string; sql: string }

/** Each statement gives the rows that break the rule. */
const ALWAYS_TRUE: readonly Check[] = [
  {
    name: 'the sum of all accounts is zero',
    sql: `select sum(total) from ledger.account_total having coalesce(sum(total), 0) <> 0`,
  },
  {
    name: 'each balance is the sum of its postings',
    sql: `select holder_id, cash, held, moved.* from ledger.balance left join lateral (
        select coalesce(sum(case 'cash' when destination then amount when source then -amount else 0 end), 0) as cash_sum,
          coalesce(sum(case 'held' when destination then amount when source then -amount else 0 end), 0) as held_sum
        from ledger.posting where posting.holder_id = balance.holder_id
      ) moved on true
      where (cash, held) is distinct from (cash_sum, held_sum)`,
  },
  {
    name: 'no balance is below zero, and none ever was',
    sql: `select holder_id from ledger.posting where cash_after < 0 or held_after < 0`,
  },
  {
    name: 'each bet took its total once',
    sql: `select bet.id from bets.bet left join ledger.posting
        on posting.holder_id = player_id and kind = 'stake' and reference = 'bet:' || bet.id
      group by bet.player_id, bet.id, bet.booked_on, bet.total
      having count(posting.id) <> 1 or sum(amount) <> bet.total`,
  },
  {
    name: 'each won bet was paid stake x odds once, and no other was paid',
    sql: `select bet.id from bets.bet
      left join rounds.draw on draw.game_id = bet.game_id and draw.issue = bet.issue
      left join lateral (
        select count(*) as payments, coalesce(sum(amount), 0) as paid from ledger.posting
        where posting.holder_id = player_id and kind = 'payout' and reference = 'bet:' || bet.id
      ) payment on true
      left join lateral (
        select coalesce(sum(stake * odds / 1000), 0) as due
        from unnest(rule_ids, odds_milli) selection (rule_id, odds)
        where rule_id = any (games.winning_rules(draw.total))
      ) owed on true
      where case status
        when 'won' then payments <> 1 or paid <> payout or payout <> due or due = 0
        when 'lost' then payments <> 0 or due <> 0
        else payments <> 0 end`,
  },
  {
    name: 'each refunded bet got its total back once, and no other did',
    sql: `select bet.id from bets.bet left join ledger.posting
        on posting.holder_id = player_id and kind = 'refund' and reference = 'bet:' || bet.id
      group by bet.player_id, bet.id, bet.booked_on, bet.total, bet.status
      having case when status = 'refunded' then count(posting.id) <> 1 or sum(amount) <> bet.total
        else count(posting.id) <> 0 end`,
  },
  {
    name: 'no bet was accepted after the seal of its round',
    sql: `select bet.id from bets.bet join rounds.round using (game_id, issue)
      where accepted_at >= seals_at or accepted_at < opens_at or accepted_at > sealed_at`,
  },
  {
    name: "a player's days and total are those of his settled bets",
    sql: `select player_id, staked, paid from bets.player_total
      except
      select player_id, sum(total), sum(payout) from bets.bet where status in ('won', 'lost') group by player_id
      union all
      (select player_id, sum(staked), sum(paid) from bets.player_day group by player_id
       except select player_id, staked, paid from bets.player_total)`,
  },
  {
    name: 'each credited transfer is one deposit in the journal, and each USDT deposit is a transfer',
    sql: `select coalesce(transfer.tx_id, posting.reference) from
        (select * from deposits.transfer where credited_at is not null) transfer
        full join (select * from ledger.posting where kind = 'deposit' and reference like 'usdt:%') posting
        on posting.reference = 'usdt:' || tx_id || ':' || log_index and holder_id = player_id
      where transfer.amount is distinct from posting.amount`,
  },
]

/** Expects every rule to hold, as the owner sees the database. */
export async function expectAlwaysTrue(owner: Queryable): Promise<void> {
  for (const { name, sql } of ALWAYS_TRUE) {
    expect(await owner.query(sql), name).toEqual([])
  }
}

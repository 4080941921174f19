import { MICRO } from '@sum28/domain/money.ts'
import { addDays } from '@sum28/domain/schedule.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { queryable } from '#src/db/database.ts'
import { settleRound } from '#src/modules/bets/round-bets.ts'
import {
  addPlayer,
  giveAddress,
  openTestRound,
  orderFor,
  placeAccepted,
  settleTestRound,
  takeBlock,
  voidTestRound,
} from '#testing/database/fixtures.ts'
import {
  createTestDatabase,
  rolledBack,
  shareTestDatabase,
  type TestDatabase,
} from '#testing/database/test-database.ts'
import { addPayMethod, askWithdrawal } from '#testing/people/cash-desk.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { checkAllBooks, checkNewBooks, rowsAgainst } from './check-books.ts'
import { RULES } from './rules-of-the-books.ts'

const AT = Date.UTC(2026, 10, 20, 12)
const TODAY = '2026-11-20'

let blocks = 0

/** Brings a player, who has an address of his name, so many u by the chain. */
async function bring({ owner }: TestDatabase, playerId: number, u: number): Promise<void> {
  blocks += 1
  const tx = String(blocks).padStart(64, '0')
  const transfer = { tx, to: `T${playerId}`, amount: BigInt(u) * MICRO }
  await owner.query(
    `insert into deposits.watcher_height (chain, block) values ('c', $1) on conflict (chain) do nothing`,
    [blocks - 1],
  )
  await takeBlock(owner, { block: blocks, transfers: [transfer] })
}

/** A player who has brought so many u by the chain. */
async function addDepositor(database: TestDatabase, u: number): Promise<number> {
  const id = await addPlayer(database, { u: 0 })
  await giveAddress(database.owner, id, `T${id}`)
  await bring(database, id, u)
  return id
}

/** A proposal that was confirmed: by another person, or by its maker alone. */
const confirmed = (kind: string, subject: string, content: string, by = 2) =>
  `insert into staff.proposal (kind, subject, player_id, content, reason, state, proposed_by, proposed_at, confirmed_by,
     confirmed_at, alone)
   select '${kind}', ${subject}, holder_id, ${content}, 'why', 'confirmed', 1, app.now(), ${by}, app.now(), ${by === 1}
   from ledger.posting where kind = 'deposit' and amount = 1000000000`

/** A deposit that is paid back by the payment 'k'. */
const REFUNDED = `insert into protection.held_deposit (player_id, amount, reference, because, held_at, state, decided_by,
    decided_at, refund_reference, refund_key)
  select min(holder_id), 1, 'bank:1', 'limit', app.now(), 'refunded', 1, app.now(), 'k', 'k' from ledger.balance`

/** Withdrawals of one player that batches have paid by the payment 'k'. */
const paid = (withdrawals: number) =>
  `insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, state, approved_by,
     decided_at, payout_reference, payout_key, payout_batch, paid_at)
   select min(holder_id), 900 + n, 1, 5, app.now()::date, 0, 'approved', 1, app.now(), 'k', 'k', n, app.now()
   from ledger.balance, generate_series(1, ${withdrawals}) n group by n`

/**
 * For each rule what somebody with the rights of the database's owner could do behind the triggers, and this rule has
 * to find, whether others do or not.
 */
const ALTERATIONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'each balance is what its last posting left': {
    'a balance': [`update ledger.balance set cash = cash + 1`],
    'a balance without postings': [
      `insert into ledger.balance (holder_id, cash) select min(holder_id) - 1, 1 from ledger.balance`,
    ],
  },
  'each posting goes on from the one before it': {
    'a balance taken out': [`delete from ledger.balance`],
    'what a player had after a stake': [
      `update ledger.posting set cash_after = cash_after + 1 where kind = 'stake'`,
    ],
    'a stake that is dated otherwise, and is not in what came later': [
      `update ledger.posting later set cash_after = later.cash_after + stake.amount from ledger.posting stake
     where stake.kind = 'stake' and later.holder_id = stake.holder_id and later.id > stake.id and later.kind <> 'stake'`,
      `update ledger.posting set posted_at = posted_at - interval '9 days' where kind = 'stake'`,
    ],
  },
  'each mark of balances is the one before it and the postings between them': {
    'a mark': [
      `insert into console_money.balance_snapshot values (app.now(), 'cash', 'deposit', 1, 0)`,
    ],
  },
  'the last mark of deposits is the sum of those before it': {
    'a mark': [`insert into console_money.deposit_snapshot values (app.now(), 1, 0)`],
  },
  'each movement is of a known kind, between the two accounts of that kind': {
    'a kind': [`update ledger.posting set kind = 'gift' where kind = 'deposit'`],
    'an account': [`update ledger.posting set source = 'house:game' where kind = 'deposit'`],
  },
  'no posting left a balance below zero': {
    'a balance that was': [
      `alter table ledger.posting drop constraint posting_cash_after_check`,
      `update ledger.posting set cash_after = -1 where kind = 'stake'`,
    ],
  },
  'each bet took its total once': {
    'a stake taken out': [`delete from ledger.posting where kind = 'stake'`],
    'a stake': [`update ledger.posting set amount = amount + 1 where kind = 'stake'`],
  },
  'each won bet was paid stake x odds once, and no other was paid': {
    'a payout taken out': [`delete from ledger.posting where kind = 'payout'`],
    'a lost bet': [`update bets.bet set status = 'lost', payout = 0 where status = 'won'`],
  },
  'each refunded bet got its total back once, and no other did': {
    'a refund taken out': [`delete from ledger.posting where kind = 'refund'`],
  },
  'no stake, payout or refund is without its bet': {
    'a payout of no bet': [
      `update ledger.posting set reference = 'bet:999999999' where kind = 'payout'`,
    ],
    'a refund for no cause': [`update ledger.posting set reference = 'x' where kind = 'refund'`],
    'a bet taken out': [`delete from bets.bet where status = 'lost'`],
    'a payout to another player': [
      `update ledger.posting set holder_id = (select player_id from bets.bet where status = 'lost') where kind = 'payout'`,
    ],
  },
  'no bet was accepted after the seal of its round': {
    'a time of acceptance': [`update bets.bet set accepted_at = accepted_at + interval '1 hour'`],
  },
  'each closed book has every bet of its round, and its root': {
    'a book taken out': [`delete from bets.book`],
    'the size of a book': [`update bets.book set size = size + 1`],
    'a root': [`update rounds.round set book_root = sha256('x') where book_size > 0`],
    'all bets taken out': [`delete from bets.bet`],
  },
  'each voided round was voided for a reason that the database could see': {
    'a reason': [`update rounds.round set void_reason = 'two_persons' where state = 'voided'`],
    'a void without one': [
      `update rounds.round set void_reason = null, voided_at = null where state = 'voided'`,
    ],
  },
  "a player's days are those of his settled bets": {
    'a day': [`update bets.player_day set staked = staked + 1`],
  },
  'each of the largest wins is that of all the player’s bets in the round of its bet': {
    'a win': [`update bets.winner set profit = profit + 1`],
  },
  'each credited transfer is one deposit in the journal, and each USDT deposit is a transfer': {
    'a transfer taken out': [`delete from deposits.transfer`],
    'a deposit taken out': [`delete from ledger.posting where kind = 'deposit'`],
  },
  'each withdrawal set its amount aside once, and that was paid out, released or reversed once as decided':
    {
      'a posting taken out': [`delete from ledger.posting where kind = 'withdrawal'`],
    },
  'each withdrawal that was reversed after its approval was so by two people, and neither paid nor at the bank':
    {
      'a reversal by nobody': [
        `update withdrawals.withdrawal set state = 'reversed', approved_by = 1, decided_at = app.now(), reversed_by = 2, reversed_at = app.now()`,
      ],
    },
  'what is held is what waiting withdrawals have set aside, and deposits that came against a limit':
    {
      'a hold': [`update ledger.balance set held = held + 1`],
    },
  'each held deposit was held once, and then released or refunded once as decided': {
    'a held deposit put in': [REFUNDED],
  },
  'no movement of a held deposit is without one': {
    'a kind': [`update ledger.posting set kind = 'deposit_held' where kind = 'deposit'`],
  },
  'a deposit is taken back by a confirmed correction, no more of it than it was, and whole if held or assigned':
    {
      'a correction of no deposit': [
        confirmed('debit', `'player:1'`, `'{"deposit": 999, "amount": 1}'`),
      ],
    },
  'each deposit that was refunded was so by two people, once and with a reference of its own': {
    'a refund by nobody': [REFUNDED],
    'a refund by one person': [
      REFUNDED,
      confirmed('refund', `'held_deposit:' || (select id from protection.held_deposit)`, `'{}'`, 1),
    ],
  },
  'payouts with one reference are of one batch of the bank': {
    'a second batch': [paid(2)],
  },
  'the part of a withdrawal that earlier transactions paid is the sum of their transfers, each of which pays it alone':
    {
      'a transfer that counts': [
        paid(1),
        `insert into withdrawals.payout_transfer (withdrawal_id, payout_key, log, amount, counted) values (901, 'a', 0, 1, true)`,
      ],
    },
  'no payout of a withdrawal is also the payment of a refunded deposit': {
    'one payment of both': [REFUNDED, paid(1)],
  },
  'each confirmed adjustment moved its amount once and by two people, and no other did': {
    'a bonus that moved nothing': [confirmed('bonus', `'player:1'`, `'{"amount": 1}'`)],
  },
  "the house's bonus account moves, and deposits are taken back, by confirmed adjustments alone": {
    'a bonus by nobody': [`update ledger.posting set kind = 'bonus' where kind = 'deposit'`],
  },
  'no movement of a withdrawal is without one': {
    'a withdrawal taken out': [`delete from withdrawals.withdrawal`],
  },
  'each confirmed bank deposit was credited once by two people, and no other was': {
    'a deposit that was not credited': [confirmed('bank_deposit', `'player:1'`, `'{"amount": 1}'`)],
    'a deposit by nobody': [
      `update ledger.posting set reference = 'bank:1' where kind = 'deposit'`,
    ],
    'a deposit by one person': [
      confirmed('bank_deposit', `'player:1'`, `'{"amount": 1000000000}'`, 1),
      `update ledger.posting set reference = 'bank:' || (select id from staff.proposal) where kind = 'deposit' and amount = 1000000000`,
    ],
  },
  'each deposit came by the chain or by the bank': {
    'a deposit for no cause': [`update ledger.posting set reference = 'x' where kind = 'deposit'`],
  },
  'each game day counts the rounds that were drawn or voided in it': {
    'a count': [`update rounds.day set results = results + 1`],
  },
  'a transfer is credited exactly when it reached a member’s address or was assigned to him, and to him':
    {
      'an address': [`update deposits.transfer set to_address = 'T'`],
    },
  'each address of a member is derived from the account key, at the latest a day after it is given':
    {
      'an address': [
        `update deposits.address set address = 'T' || address, given_at = given_at - interval '2 days'`,
      ],
    },
  'each transfer is dismissed or assigned to one player, and not both, and to none from whom it was taken back':
    {
      'a credited one that is dismissed': [
        `insert into deposits.dismissal select tx_id, log_index, 'x', 1, app.now() from deposits.transfer`,
      ],
    },
  "robots' money comes from the house's robots account alone, and only theirs does": {
    'a person’s': [`update ledger.posting set kind = 'robot_funding' where kind = 'deposit'`],
  },
  "what the house's robots account gave is what robots have, have at stake, and have lost": {
    'a balance': [`update ledger.balance set cash = cash + 1`],
  },
  'no figure about players counts a robot': {
    'a day of one': [
      `insert into bets.player_day select id, app.now()::date, 1, 1 from accounts.player where kind = 'robot'`,
    ],
  },
  'a robot has no session, password, address, deposit or withdrawal': {
    'an address': [
      `insert into deposits.address (player_id, address) select id, 'T' from accounts.player where kind = 'robot'`,
    ],
    'a bank deposit': [
      `insert into staff.proposal (kind, subject, player_id, content, proposed_by, proposed_at)
       select 'bank_deposit', 'player:1', id, '{}', 1, app.now() from accounts.player where kind = 'robot'`,
    ],
    'a transfer': [
      `update deposits.transfer set player_id = (select id from accounts.player where kind = 'robot')`,
    ],
  },
  'each row of the audit log follows from the one before': {
    'an end taken out': [`update staff.audit_head set id = id + 1`],
  },
}

describe('the daily check of the books', () => {
  const database = shareTestDatabase()

  /** A bet that is won, one that is lost and one that is refunded, a withdrawal that waits, and a robot. */
  beforeAll(async () => {
    await database.freezeClock(AT)
    const [ann, bob] = [await addDepositor(database, 1000), await addDepositor(database, 500)]
    await addPlayer(database, { u: 7, robot: true })
    const drawn = await openTestRound(database)
    const voided = await openTestRound(database, { gameId: 2 })
    await placeAccepted(database, [orderFor(ann, drawn), orderFor(bob, drawn, { ruleIds: [2] })])
    await placeAccepted(database, [orderFor(ann, voided)])
    await settleTestRound(database, drawn)
    await voidTestRound(database, voided)
    await settleRound(database.db, voided, TODAY)
    const to = await addPayMethod(database, ann)
    await askWithdrawal(database.owner, { playerId: ann, to, u: 200n })
  })

  it('finds them right through the login of jobs', async () => {
    const db = database.jobs
    const { log, lines } = captureLog()
    expect(await checkAllBooks({ db, log })).toEqual([])
    expect(await checkNewBooks({ db, log })).toEqual([])
    expect(lines.join()).toContain('the books are right')
  })

  it('has an alteration for each rule that this rule finds', () => {
    expect(Object.keys(ALTERATIONS).sort()).toEqual(RULES.map(({ name }) => name).sort())
    expect(Object.values(ALTERATIONS)).not.toContainEqual({})
  })

  it.each(
    RULES.flatMap((rule) =>
      Object.entries(ALTERATIONS[rule.name] ?? {}).map(([what, steps]) => ({
        name: rule.name,
        rule,
        what,
        steps,
      })),
    ),
  )('“$name” finds $what, among new rows too', async ({ rule, steps }) => {
    await rolledBack(database, async (tx) => {
      expect(await rowsAgainst(tx, rule)).toEqual([])
      await tx.query('set local session_replication_role = replica')
      for (const step of steps) await tx.query(step)
      expect(await rowsAgainst(tx, rule, { from: TODAY, to: TODAY })).not.toEqual([])
      expect(await rowsAgainst(tx, rule)).not.toEqual([])
    })
  })

  it('finds a new posting with an old time, and the balance that fits', async () => {
    await rolledBack(database, async (tx) => {
      await tx.query('update app.books_checked set through = app.now()')
      await tx.query('set local session_replication_role = replica')
      await tx.query(
        `with given as (update ledger.balance set cash = cash + 5
           where holder_id = (select player_id from bets.bet where status = 'lost') returning *)
         insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination, amount, cash_after,
           held_after, reference)
         select holder_id, nextval('ledger.posting_id'), '2026-01-01', '2026-01-01', kind, source, destination, 5, cash,
           held, 'adjustment:1' from given, wallet.movement_kind where kind = 'adjustment_credit'`,
      )
      expect(await checkNewBooks({ db: tx, log: captureLog().log })).toEqual([
        'each posting goes on from the one before it',
      ])
    })
  })

  it('logs each broken rule with its first rows', async () => {
    await rolledBack(database, async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query('update ledger.posting set amount = amount + 1')
      const { log, lines } = captureLog()
      const broken = await checkAllBooks({ db: tx, log })
      expect(broken).toContain('each bet took its total once')
      const logged = lines.filter((line) => line.includes('the books are wrong'))
      expect(logged).toHaveLength(broken.length)
      expect(await checkNewBooks({ db: tx, log })).not.toEqual([])
    })
  })

  it('checks the rows since they were right, and broken ones again', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    const { log } = captureLog()
    const player = await addDepositor(database, 100)
    const checked = async () => {
      return owner.value<number>('select through from app.books_checked')
    }
    expect(await checkNewBooks({ db, log })).toEqual([])
    const first = await checked()
    const old = `update ledger.posting set amount = amount + 1 where id = (select min(id) from ledger.posting)`
    const alter = (statement: string) =>
      owner.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(statement)
      })
    // Rows that were found right long ago are not read again; the full check reads them.
    await database.shiftClock(10 * 86_400_000)
    expect(await checkNewBooks({ db, log })).toEqual([])
    await alter(old)
    expect(await checkNewBooks({ db, log })).toEqual([])
    expect(await checkAllBooks({ db, log })).not.toEqual([])
    await alter(old.replace('+ 1', '- 1'))
    expect(await checkAllBooks({ db, log })).toEqual([])
    // Later rows are compared with it.
    await addDepositor(database, 50)
    await bring(database, player, 5)
    await alter(`update ledger.posting set cash_after = cash_after + 1 where amount = 5000000`)
    const before = await checked()
    expect(before).toBeGreaterThan(first)
    expect(await checkNewBooks({ db, log })).toEqual([
      'each posting goes on from the one before it',
      'each balance is what its last posting left',
    ])
    // As long as it is wrong, the position stays.
    expect(await checked()).toBe(before)
  })

  describe('of many days', () => {
    const CHAIN = RULES.find(({ name }) => name.startsWith('each posting goes on'))?.sql
    const BALANCES = RULES.find(({ name }) => name.startsWith('each balance is'))?.sql
    const day = (number: number) => addDays(TODAY, number)

    /** Books of sixteen days after the first round. */
    async function longBooks() {
      const database = await createTestDatabase()
      const { owner } = database
      await database.freezeClock(AT)
      await openTestRound(database)
      const robot = await addPlayer(database, { u: 7, robot: true })
      await owner.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(
          `insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination, amount, cash_after,
             held_after, reference)
           select holder_id, nextval('ledger.posting_id'), at::date, at, kind, source, destination, 1, cash + after, 0,
             'test:' || n
           from ledger.balance, generate_series(1, 16) n, lateral (select app.now() + n * interval '1 day') moment (at),
             (values ('robot_funding', 'house:robots', 'cash', 1), ('robot_sweep', 'cash', 'house:robots', 0))
               move (kind, source, destination, after)
           where holder_id = $1 order by n, after desc`,
          [robot],
        )
      })
      await database.freezeClock(AT + 17 * 86_400_000)
      /** Connections that break at a day, or at the present state, and the days that were asked for until then. */
      const breaking = (at: string | null) => {
        const asked: string[] = []
        const db = queryable(async (text, values, options) => {
          if (text === CHAIN) asked.push(String(values?.[0]))
          if (text === CHAIN && values?.[0] === at) throw new Error('the connection broke')
          if (text === BALANCES && at === 'now') throw new Error('the connection broke')
          return database.jobs.query(text, values, options)
        })
        return { db, asked, log }
      }
      return { database, owner, breaking }
    }

    const { log } = captureLog()

    it('goes on after the last right day, as a whole for the same order alone', async () => {
      const { owner, breaking } = await longBooks()
      const deps = breaking(day(6))
      await expect(checkAllBooks(deps, 'a')).rejects.toThrow('broke')
      expect(deps.asked).toEqual(['-infinity', ...Array.from({ length: 6 }, (_, n) => day(n + 1))])
      const { log, lines } = captureLog()
      const again = { ...breaking(null), log }
      expect(await checkAllBooks(again, 'a')).toEqual([])
      expect(again.asked).toEqual(Array.from({ length: 12 }, (_, n) => day(n + 6)))
      // The line says for which order, and since when.
      expect(lines.at(-1)).toContain(`"order":"a","since":"${day(6)}"`)
      await expect(checkAllBooks(breaking(day(6)), 'b')).rejects.toThrow('broke')
      const other = breaking(null)
      expect(await checkAllBooks(other, 'c')).toEqual([])
      expect(other.asked[0]).toBe('-infinity')
      // What was wrong before it was interrupted is found again.
      await owner.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(
          `update ledger.posting set amount = 2 where reference = 'test:5' and kind = 'robot_sweep'`,
        )
      })
      await expect(checkAllBooks(breaking(day(6)), 'c')).rejects.toThrow('broke')
      const wrong = breaking(null)
      expect(await checkAllBooks(wrong, 'c')).toContain(
        'each posting goes on from the one before it',
      )
      expect(wrong.asked[0]).toBe(day(5))
    })

    it('was right up to the day before that at which the daily check was interrupted', async () => {
      const { owner, breaking } = await longBooks()
      await owner.query(`update app.books_checked set through = $1`, [day(4)])
      const deps = breaking(day(6))
      await expect(checkNewBooks(deps)).rejects.toThrow('broke')
      expect(deps.asked[0]).toBe(day(2))
      expect(await owner.value('select through::text from app.books_checked')).toContain(day(6))
      expect(await checkNewBooks(breaking(null))).toEqual([])
      expect(await owner.value('select through = app.now() as now from app.books_checked')).toBe(
        true,
      )
    })

    it('was not right today if the present state was not checked', async () => {
      const { owner, breaking } = await longBooks()
      await expect(checkNewBooks(breaking('now'))).rejects.toThrow('broke')
      const through = 'select through = app.now()::date as midnight from app.books_checked'
      expect(await owner.value(through)).toBe(true)
    })
  })
})

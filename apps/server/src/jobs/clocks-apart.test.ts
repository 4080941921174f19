/** What would do too much, or too early, by a clock that is ahead waits until the clocks agree. */
import { readFileSync } from 'node:fs'
import { askReturn, confirmLimit, setLimit } from '@sum28/contract/protection-routes.ts'
import { expect, it, onTestFinished } from 'vitest'
import { exclude, isHeld, lastBreakEnds } from '#src/modules/protection/protection-store.ts'
import { addPlayer, giveAddress, takeDeposit } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { useWorkersApi } from '#testing/product/test-app.ts'
import { workerOn } from '#testing/product/worker-on.ts'
import { eventually } from '#testing/requests/patience.ts'

// Without an engine: its own comparison would find that the clocks agree.
const test = useWorkersApi()

const DAY_MS = 24 * 3_600_000

const JOBS = [
  ...['release-deposits', 'tell-of-limits', 'find-signs', 'snapshot-balances', 'check-books'],
  ...['count-owed', 'count-rounds', 'house-keeping'],
]

it('no deposit is released, no raise announced, no day of signs begun, no balance noted, no round or debt counted, and nothing deleted', async () => {
  const database = await createTestDatabase()
  const { owner } = database
  const playerId = await addPlayer(database, { u: 0 })
  await giveAddress(owner, playerId, 'TTo')
  await owner.query(`update games.house set clocks_apart_since = app.now();
    insert into protection.player_limit (player_id, kind, period, amount, set_at, raise_asked_at, raise_amount)
    values (${playerId}, 'stake', 'day', 1, app.now(), app.now() - interval '25 hours', 2);
    update protection.player set under_review = true;
    insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount, player_id, credited_at)
    values ('a', 0, 1, app.now(), 'TFrom', 'TTo', 1000000, ${playerId}, app.now());
    select protection.credit_deposits(
      array[row(${playerId}, current_date, 1000000, 'usdt:a:0')::wallet.movement], array['TFrom']);
    update protection.player set under_review = false;
    insert into app.sent_mail select 'm', app.now() - interval '40 days'`)
  await database.shiftClock(3 * 3_600_000)
  let counted = 0
  const countOwed = async () => ++counted
  await workerOn(database, { now: Date.now, timeZone: 'UTC', countOwed })
  const done = async () => {
    await owner.query('select graphile_worker.add_job(task) from unnest($1::text[]) task', [JOBS])
    const waiting = `select from graphile_worker.jobs where task_identifier = any ($1)
      and (attempts = 0 or locked_at is not null)`
    await eventually(async () => !(await owner.exists(waiting, [JOBS])))
    return owner.one(
      `select (select state from protection.held_deposit) = 'released' as deposit,
         (select raise_told_for is not null from protection.player_limit) as told,
         exists (select from console_players.signs_day) as signs,
         exists (select from console_money.balance_snapshot) as balances,
         exists (select from console_start.counted) as rounds,
         not exists (select from app.sent_mail) as mail,
         (select through > app.now() - interval '1 hour' from app.books_checked) as books`,
    )
  }
  const each = ['deposit', 'told', 'signs', 'balances', 'rounds', 'mail', 'books']
  expect(await done()).toEqual(Object.fromEntries(each.map((name) => [name, false])))
  expect(counted).toBe(0)
  // What comes once a day does not wait for the next one.
  const waiting = `select distinct task_identifier from graphile_worker.jobs
    where attempts > 0 and task_identifier = any ($1) order by 1`
  expect(await owner.column(waiting, [JOBS])).toEqual(['check-books', 'count-owed'])
  await owner.query('update games.house set clocks_apart_since = null')
  expect(await done()).toEqual(Object.fromEntries(each.map((name) => [name, true])))
  expect(counted).toBeGreaterThan(0)
})

it('no higher limit is asked for or confirmed, no return begun, and a lower limit applies', async () => {
  const { owner } = test.database
  const player = await addSeatedPlayer(test.database)
  const apart = (since: string) =>
    owner.query(`update games.house set clocks_apart_since = ${since}`)
  const tried = async () => {
    const limit = { kind: 'stake', period: 'day' } as const
    const replies = [
      await test.call(setLimit, { ...limit, money: '20.00' }, player),
      await test.call(confirmLimit, limit, player),
      await test.call(askReturn, {}, player),
    ]
    return replies.map(({ msg, data }) => [(data as { reason?: string } | null)?.reason, msg])
  }
  const lowered = { kind: 'stake', period: 'day', money: '10.00' } as const
  await apart('app.now()')
  expect(await test.call(setLimit, lowered, player)).toMatchObject({ data: { outcome: 'lowered' } })
  onTestFinished(() => apart('null').then(() => undefined))
  const away = ['too_early', expect.stringMatching(/^The service is not available right now/)]
  expect(await tried()).toEqual([away, away, away])
  await apart('null')
  expect(await tried()).toMatchObject([
    [undefined, 'Done'],
    ['too_early', expect.stringMatching(/^It is too early/)],
    ['not_excluded', expect.any(String)],
  ])
})

it('what a clock that was far ahead has dated keeps nobody out once its statements have run', async () => {
  const database = await createTestDatabase()
  const { owner } = database
  const now = Date.UTC(2026, 10, 20, 4)
  const playerId = await addPlayer(database, { u: 0 })
  await owner.query(`insert into protection.house_limit values ('law', 'deposit', 'day', 5000000);
    insert into accounts.security_code (player_id, code_hash, locked_until)
    values (${playerId}, 'x', '2027-11-21');
    update protection.house set keeps_deposits_until = '2027-11-21'`)
  const deposit = async (reference: string) => {
    await takeDeposit(owner, { playerId, micro: 5_000_000n, reference })
    return isHeld(database.db, reference)
  }
  await database.freezeClock(now + 365 * DAY_MS)
  expect(await deposit('test:1')).toBe(false)
  await owner.query('select accounts.note_sensitive_change($1)', [playerId])
  await giveAddress(owner, playerId, 'TTo')
  const [resting, away] = [await addPlayer(database), await addPlayer(database)]
  for (const asked of [
    { playerId: resting, kind: 'time_out', lasting: '24 hours' },
    { playerId: away, kind: 'self_exclusion', lasting: '6 months' },
  ] as const)
    expect(await exclude(database.db, asked)).toBe('begun')
  await database.freezeClock(now)
  const file = new URL('../../../../deploy/clock-was-ahead.sql', import.meta.url)
  const statements = readFileSync(file, 'utf8')
  await owner.query(statements)
  const states = () =>
    owner.one(
      `select withdrawals.hold_until($1) is not null as held,
         (select locked_until > app.now() from accounts.security_code) as locked,
         protection.keeps_deposits() as kept,
         (select deposits.is_owners(app.now(), given_at) from deposits.address) as his,
         (select excluded_until > app.now() from protection.player where player_id = $2) as rests,
         (select excluded_until = 'infinity' from protection.player where player_id = $3) as away`,
      [playerId, resting, away],
    )
  const always = { locked: null, his: true, away: true }
  expect(await states()).toEqual({ ...always, held: true, kept: true, rests: true })
  expect(await lastBreakEnds(database.db, away)).toBe(Date.UTC(2027, 4, 21, 4))
  expect(await deposit('test:2')).toBe(true)
  await database.freezeClock(now + DAY_MS)
  expect(await states()).toEqual({ ...always, held: false, kept: false, rests: false })
  expect(await deposit('test:3')).toBe(false)
  // Run again, it changes nothing that is right.
  await owner.query(statements)
  expect(await deposit('test:4')).toBe(true)
})

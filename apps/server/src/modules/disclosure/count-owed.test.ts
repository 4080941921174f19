/** Counts of what the house owes: who is in them, what the tree proves, and what stands in the public log. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { reserves } from '@sum28/contract/fairness-routes.ts'
import { owed } from '@sum28/contract/own-routes.ts'
import { confirmProposal, listProposals } from '@sum28/contract/staff-proposal-routes.ts'
import {
  addReserveAddress,
  proposeBankBalance,
  readReserves,
  removeReserveAddress,
  reserveStatement,
} from '@sum28/contract/staff-reserve-routes.ts'
import { addDays } from '@sum28/domain/schedule.ts'
import { verifyOwed } from '@sum28/fairness/sum-tree.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  signTronMessage,
  tronAddressOfPrivateKey,
  USDT_MAINNET_CONTRACT,
} from '#src/adapters/chain/tron-address.ts'
import { callFunction } from '#src/db/database.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  addRefund,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAccepted,
} from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { failNext } from '#testing/hosts/local-node-failures.ts'
import { serveLocalNode } from '#testing/hosts/served-local-node.ts'
import { payByHand } from '#testing/people/cash-desk.ts'
import { addStaff, staffToken } from '#testing/people/staff.ts'
import { SECRET_KEY } from '#testing/product/secret-key.ts'
import {
  createTestApp,
  deposit,
  eventually,
  registerMember,
  shareTestApp,
} from '#testing/product/test-app.ts'
import { settleRound } from '../bets/round-bets.ts'
import { addOwnAddress, countOwed } from './count-owed.ts'
import { lastCounts, owedProof } from './disclosure-store.ts'

const U = 1_000_000n
const NO_CHAIN = { contract: USDT_MAINNET_CONTRACT, node: null as never }

async function move({ owner }: TestDatabase, call: string, playerId: number, u: number) {
  await owner.query(
    `select wallet.move('${call}', array[row($1, app.now()::date, $2, $3)::wallet.movement])`,
    [playerId, u * 1e6, `${call}:${playerId}`],
  )
}

/** A player's proof of the last count, and the names of the steps that do not hold. */
async function prove({ db }: TestDatabase, playerId: number) {
  const [count] = await lastCounts(db, 1)
  if (!count) throw new Error('nothing was counted')
  const proof = await owedProof(db, count, playerId)
  if (!proof) return null
  const { number, size, root, owed } = count
  const steps = verifyOwed(proof, { count: { number, size, root, total: String(owed) }, playerId })
  return { leaf: proof.leaf, failed: steps.filter(({ ok }) => !ok).map(({ name }) => name) }
}

describe('a count of what is owed', () => {
  it('has cash, held money and stakes at risk of people, and nothing of robots and of those to whom nothing is owed', async () => {
    const database = await createTestDatabase()
    const [rich, poor] = [await addPlayer(database), await addPlayer(database, { u: 0 })]
    const robot = await addPlayer(database, { u: 500, robot: true })
    await move(database, 'withdrawal', rich, 100)
    const round = await openTestRound(database)
    const orders = [orderFor(rich, round, { ruleIds: [1, 2], u: 200 }), orderFor(robot, round)]
    await placeAccepted(database, orders)

    expect(await countOwed(database.db, NO_CHAIN)).toBe(1)
    expect(await lastCounts(database.db)).toMatchObject([
      { number: 1, size: 256, owed: 1_000n * U, onChain: 0n, block: null, atBank: null },
    ])
    const proof = await prove(database, rich)
    expect(proof).toMatchObject({ failed: [] })
    expect(proof?.leaf).toMatch(
      new RegExp(`^1\\|1\\|${rich}\\|500000000\\|100000000\\|400000000\\|`),
    )
    // With a hundred such leaves somebody would read the balances beside them.
    expect(await prove(database, poor)).toBeNull()
    expect(await prove(database, robot)).toBeNull()

    // What was at risk was paid or lost, and the next count has it so.
    await drawTestRound(database, round, [7, 8, 0])
    await settleRound(database.db, round, '2026-11-20')
    expect(await countOwed(database.db, NO_CHAIN)).toBe(2)
    const [{ cash }] = (await database.owner.query(
      'select cash + held as cash from ledger.balance where holder_id = $1',
      [rich],
    )) as [{ cash: bigint }]
    expect((await lastCounts(database.db, 1))[0]?.owed).toBe(cash)
  })

  it.each([
    ['awaited', 100],
    ['wrong', 100],
    ['seen', 0],
  ] as const)('has a deposit that goes back while its payment is %s: %i u', async (chain, u) => {
    const database = await createTestDatabase()
    const playerId = await addPlayer(database, { u: 0 })
    await addRefund(database, { playerId, chain })
    await countOwed(database.db, NO_CHAIN)
    expect((await lastCounts(database.db, 1))[0]?.owed).toBe(BigInt(u) * U)
  })

  it('has an approved withdrawal until it is paid: to a wallet, until its payment is seen on the chain', async () => {
    const database = await createTestDatabase()
    const { owner } = database
    const player = await addPlayer(database, { u: 500 })
    const [ann, bob, cat] = await Promise.all(
      [1, 2, 3].map(() => staffToken(database, { role: 'finance' })),
    )
    await owner.query(
      `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
       values ($1, 'bank', '', '4242', 'test', ''), ($1, 'wallet', '', 'T…', 'test', '')`,
      [player],
    )
    const request = async (kind: string, u: number) => {
      return owner.value<bigint>(
        `select withdrawal_id as id from withdrawals.request($1,
           (select id from withdrawals.pay_method where kind = $2), $3, '2026-11-20', null, null)`,
        [player, kind, BigInt(u) * U],
      )
    }
    const counted = async () => {
      await countOwed(database.db, NO_CHAIN)
      const proof = await prove(database, player)
      expect(proof?.failed).toEqual([])
      expect(proof?.leaf.split('|')[3]).toBe(String(320n * U))
      const [count] = await lastCounts(database.db, 1)
      const held = BigInt(proof?.leaf.split('|')[4] ?? 0)
      expect(count?.owed).toBe(320n * U + held)
      return held / U
    }
    const pay = (id: bigint, reference: string) =>
      payByHand(database.db, { id, by: String(bob), reference })

    const toBank = await request('bank', 100)
    await callFunction(database.db, 'withdrawals.approve', toBank, ann)
    const toWallet = await request('wallet', 80)
    expect(await counted()).toBe(180n)
    await callFunction(database.db, 'withdrawals.approve', toWallet, ann)
    expect(await counted()).toBe(180n)
    await callFunction(database.db, 'console_money.make_batch', 10, bob)
    expect(await counted()).toBe(180n)
    const transaction = 'ab'.repeat(32)
    expect(await pay(toWallet, transaction)).toBe('paid')
    expect(await counted()).toBe(180n)
    const answer = (reference: string, logs: number[], fault: string | null) =>
      callFunction(database.db, 'withdrawals.take_chain_answer', toWallet, reference, logs, fault)
    expect(await answer(transaction, [], 'other_payee')).toBe('wrong')
    expect(await counted()).toBe(180n)
    const right = 'cd'.repeat(32)
    expect(
      await callFunction(database.db, 'console_money.correct_payout', toWallet, cat, right),
    ).toBe('corrected')
    expect(await answer(right, [0], null)).toBe('seen')
    expect(await counted()).toBe(100n)
    const paid = { line: 1, withdrawal: String(toBank), amount: String(100n * U), state: 'paid' }
    const answers = JSON.stringify([{ ...paid, reference: 'R 1' }])
    await callFunction(database.db, 'console_money.answer_batch', 1, answers, bob)
    expect(await counted()).toBe(0n)
    await expectAlwaysTrue(owner)
  })

  it('stands in the public log, with the root and total that proofs lead to', async () => {
    const database = await createTestDatabase()
    await addPlayer(database, { u: 7 })
    await countOwed(database.db, NO_CHAIN)
    const [count] = await lastCounts(database.db)
    const text = await database.owner.value<string>(
      `select text from public_log.entry where subject = 'liabilities 1'`,
    )
    expect(text.split('\n')).toEqual([
      'sum28/1 liabilities',
      'count=1',
      expect.stringMatching(/^counted_at=\d+$/),
      'size=256',
      `root=${count?.root}`,
      'total=7000000',
      'on_chain=0',
      'block=none',
      'at_bank=none',
      'addresses=none',
      '',
    ])
  })

  it('proves each of many players through tiles, in places by chance, with new salts each time', async () => {
    const database = await createTestDatabase()
    await database.owner.query(
      `insert into accounts.player (username, email, email_key, group_id)
       select 'mem' || n, 'm' || n || '@example.org', 'm' || n || '@example.org', 1 from generate_series(1, 700) n`,
    )
    await database.owner.query('update ledger.balance set cash = holder_id')
    await countOwed(database.db, NO_CHAIN)
    const players = await database.owner.query<{ id: number }>(
      'select id from accounts.player where id % 60 = 0',
    )
    const leaves = new Map<number, string>()
    for (const { id } of players) {
      const proof = await prove(database, id)
      expect(proof).toMatchObject({ failed: [] })
      leaves.set(id, proof?.leaf ?? '')
    }
    expect((await lastCounts(database.db))[0]).toMatchObject({ size: 1_024 })
    await countOwed(database.db, NO_CHAIN)
    const salt = (leaf: string | undefined) => leaf?.split('|').at(-1)
    const [first] = players
    const again = await prove(database, first?.id ?? 0)
    expect(salt(again?.leaf)).not.toBe(salt(leaves.get(first?.id ?? 0)))
    const places = await database.owner.query<{ moved: number }>(
      `select count(*)::integer as moved from disclosure.owed_leaf one join disclosure.owed_leaf other
         using (player_id) where one.number = 1 and other.number = 2 and one.position <> other.position`,
    )
    expect(places[0]?.moved).toBeGreaterThan(600)
  })

  it('keeps the leaves of the last three, and each count and its total for ever', async () => {
    const database = await createTestDatabase()
    const player = await addPlayer(database, { u: 1 })
    for (let time = 0; time < 4; time += 1) await countOwed(database.db, NO_CHAIN)
    const kept = await database.owner.query(
      'select distinct number from disclosure.owed_leaf order by 1',
    )
    expect(kept).toEqual([{ number: 2 }, { number: 3 }, { number: 4 }])
    const counts = await lastCounts(database.db)
    expect(counts.map(({ number }) => number)).toEqual([4, 3, 2, 1])
    const [, , , oldest] = counts
    expect(oldest && (await owedProof(database.db, oldest, player))).toBeNull()
    await expect(
      database.owner.query('update disclosure.owed_count set total = 0, cash = 0'),
    ).rejects.toThrow('its rows are history')
  })

  it('fails as a whole if a sum would overflow, or a player were counted twice', async () => {
    const database = await createTestDatabase()
    const [one, other] = [await addPlayer(database), await addPlayer(database)]
    await database.owner.query('update ledger.balance set cash = 9223372036854775807')
    await expect(countOwed(database.db, NO_CHAIN)).rejects.toThrow(/out of range/)
    expect(await lastCounts(database.db)).toEqual([])
    await expect(
      database.owner.query(
        `insert into disclosure.owed_leaf values (1, 0, $1, 1, 0, 0), (1, 1, $1, 1, 0, 0)`,
        [one],
      ),
    ).rejects.toThrow('player_counted_once')
    await expect(
      database.owner.query('insert into disclosure.owed_leaf values (1, 0, $1, -1, 0, 0)', [other]),
    ).rejects.toThrow('owed_leaf_cash_check')
  })

  it('made by two at once is two counts', async () => {
    const database = await createTestDatabase()
    await addPlayer(database)
    const both = await Promise.all([1, 2].map(() => countOwed(database.db, NO_CHAIN)))
    expect(both.sort()).toEqual([1, 2])
  })
})

describe('what the house holds', () => {
  it('is read from the chain in solid blocks, for the demo’s own address with its signed statement', async () => {
    const database = await createTestDatabase()
    const served = await serveLocalNode({ startAt: Date.UTC(2030, 0) })
    onTestFinished(() => served.close())
    await addPlayer(database, { u: 10_000_001 })
    const own = { local: served.local, secretKey: 'a key', host: 'play.example', day: '2026-11-20' }
    await addOwnAddress(database.db, own)
    await addOwnAddress(database.db, own)
    const chain = { node: served.node, contract: USDT_MAINNET_CONTRACT }
    await countOwed(database.db, chain)
    served.growSolid()
    await countOwed(database.db, chain)
    const counts = await lastCounts(database.db)
    expect(counts.map(({ onChain }) => onChain)).toEqual([10_000_000n * U, 0n])
    expect(counts[0]?.block).toBe(BigInt(served.local.solidHeight()))
    // It owes one more than it holds.
    expect(await readNeeds(database.db, ['reserves_short'])).toMatchObject([{ count: 1 }])
    const text = await database.owner.value<string>(
      `select text from public_log.entry where subject = 'liabilities 2'`,
    )
    expect(text).toMatch(/\non_chain=10000000000000\n[\s\S]*\naddresses=T\w{33}:10000000000000\n/)
  })

  it('fails the count while the chain cannot be read, and staff are told after a day', async () => {
    const database = await createTestDatabase()
    const served = await serveLocalNode({ startAt: Date.UTC(2030, 0) })
    onTestFinished(() => served.close())
    const own = { local: served.local, secretKey: 'a key', host: 'play.example', day: '2026-11-20' }
    await addOwnAddress(database.db, own)
    failNext(served.local, { kind: 'error200', call: 'triggerconstantcontract' })
    const chain = { node: served.node, contract: USDT_MAINNET_CONTRACT }
    await expect(countOwed(database.db, chain)).rejects.toThrow('the balance of T')
    const blockTime = new Date(Date.now() - 2 * 3_600_000)
    const solidHead = async () => ({ ok: true as const, value: { blockNumber: 1, blockTime } })
    const old = { ...chain, node: { ...served.node, solidHead } }
    await expect(countOwed(database.db, old)).rejects.toThrow('stands still')
    expect(await lastCounts(database.db)).toEqual([])
    expect(await readNeeds(database.db, ['owed_uncounted'])).toEqual([])
    await database.freezeClock(Date.now() + 27 * 3_600_000)
    expect(await readNeeds(database.db, ['owed_uncounted'])).toMatchObject([{ count: 1 }])
    await countOwed(database.db, chain)
    expect(await readNeeds(database.db, ['owed_uncounted', 'reserves_short'])).toEqual([])
  })
})

const test = shareTestApp({ ROLE: 'api', DATABASE_URL: 'postgres://unused', SEED_KEY: '' })

describe('the calls', () => {
  it('show a player the proof of his balance, and none while he has nothing or before the first count', async () => {
    const { database } = test
    const member = await registerMember(test)
    const { token, id } = member
    const read = async () => (await test.call(owed, {}, { token })).data
    const nothing = { count: null, proof: null, log: null }
    expect(await read()).toMatchObject(nothing)
    await countOwed(database.db, NO_CHAIN)
    expect(await read()).toMatchObject({ count: { number: 1 }, proof: null })
    await deposit(test, member, 5)
    await countOwed(database.db, NO_CHAIN)
    const { count, proof, log, player_id: playerId } = await read()
    if (!count || !proof) throw new Error('he is not in the count')
    expect(playerId).toBe(id)
    expect(verifyOwed(proof, { count, playerId }).filter(({ ok }) => !ok)).toEqual([])
    // A job gives the count its place in the log.
    expect(log).toBeNull()
  })

  it('count the bank’s balance that two persons entered, for a week and as not proved', async () => {
    const { database } = test
    const [one, other] = [await addStaff(test, 'finance'), await addStaff(test, 'owner')]
    const { data: before } = await test.call(readReserves, {}, one)
    const day = before.today
    const enter = async (of: object = {}) =>
      (await test.call(proposeBankBalance, { money: '250.00', day, reason: 'No. 7', ...of }, one))
        .data
    expect(await enter({ day: '2020-01-01' })).toMatchObject({ fields: { day: expect.anything() } })
    expect(await enter()).toBeNull()
    expect(await enter()).toMatchObject({ reason: 'already_proposed' })
    const { data: waiting } = await test.call(listProposals, { kind: 'bank_balance' }, other)
    const [proposal] = waiting.list
    expect(proposal).toMatchObject({
      ...{ subject: 'reserves:bank', name: 'reserves:bank', state: 'proposed' },
      changes: [
        { what: 'at_bank', before: null, after: '250.00' },
        { what: 'day', before: null, after: day },
      ],
    })
    const id = proposal?.id ?? 0
    expect((await test.call(confirmProposal, { id }, one)).data).toMatchObject({
      reason: 'second_person_needed',
    })
    await countOwed(database.db, NO_CHAIN)
    expect((await lastCounts(database.db, 1))[0]).toMatchObject({ atBank: null })
    expect((await test.call(confirmProposal, { id }, other)).data).toEqual({ state: 'confirmed' })
    await countOwed(database.db, NO_CHAIN)
    expect((await lastCounts(database.db, 1))[0]).toMatchObject({ atBank: 250n * U, onChain: 0n })
    // An older statement does not replace a newer one unseen.
    const yesterday = addDays(day, -1)
    expect(await enter({ day: yesterday, money: '200.00' })).toBeNull()
    const { data: next } = await test.call(listProposals, { kind: 'bank_balance' }, other)
    expect(next.list[0]?.changes).toEqual([
      { what: 'at_bank', before: '250.00', after: '200.00' },
      { what: 'day', before: day, after: yesterday },
    ])
    await database.owner.query('alter table disclosure.bank_balance disable trigger user')
    await database.owner.query('update disclosure.bank_balance set day = day - 8')
    await countOwed(database.db, NO_CHAIN)
    expect((await lastCounts(database.db, 1))[0]).toMatchObject({ atBank: null })
  })

  it('list an address only with its own key’s statement of these days, once, by an owner', async () => {
    const owner = await addStaff(test, 'owner')
    const key = new Uint8Array(32).fill(9)
    const address = tronAddressOfPrivateKey(key)
    const { data: before } = await test.call(readReserves, {}, owner)
    const { host, today } = before
    const signed = (of: { day?: string; host?: string; address?: string }) =>
      signTronMessage(reserveStatement({ host, address, day: today, ...of }), key)
    const add = async (of: object, by = owner) =>
      (
        await test.call(
          addReserveAddress,
          { address, day: today, signature: signed({}), ...of },
          by,
        )
      ).data
    const fields = (name: string) => ({
      reason: 'invalid_input',
      fields: { [name]: expect.anything() },
    })
    expect(await add({ address: `${address.slice(0, -1)}x` })).toMatchObject(fields('address'))
    expect(await add({ day: '2020-01-01' })).toMatchObject(fields('day'))
    for (const other of [{ day: '2020-01-01' }, { host: 'other.example' }, { address: 'T' }]) {
      expect(await add({ signature: signed(other) })).toMatchObject(fields('signature'))
    }
    expect(await add({}, await addStaff(test, 'finance'))).toMatchObject({ reason: 'forbidden' })
    expect(await add({ signature: `0x${signed({})}` })).toBeNull()
    expect(await add({})).toMatchObject(fields('address'))
    const { data: shown } = await test.call(reserves, {})
    expect(shown.addresses).toMatchObject([
      { address, statement: reserveStatement({ host, address, day: today }), quantity: null },
    ])
    const id = shown.addresses[0]?.id ?? 0
    expect((await test.call(removeReserveAddress, { id }, owner)).data).toBeNull()
    expect((await test.call(removeReserveAddress, { id }, owner)).data).toMatchObject({
      reason: 'not_found',
    })
    expect((await test.call(reserves, {})).data.addresses).toEqual([])
    const audit = await test.database.owner.column<string>(
      `select action from staff.audit where action like 'reserve_address%' order by id`,
    )
    expect(audit).toEqual(['reserve_address_added', 'reserve_address_removed'])
  })
})

it('a new demo counts what it owes, and npm run count:owed has it count again', async () => {
  const test = await createTestApp()
  await test.addBlocks()
  const atFirstStart = await eventually(async () => (await lastCounts(test.database.db))[0])
  expect(atFirstStart).toMatchObject({ number: 1, owed: 0n, onChain: 10_000_000n * U })
  await test.restart()
  await test.addBlocks()
  const command = fileURLToPath(new URL('../../commands/count-owed.ts', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'sum28-count-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const login = { DATABASE_URL: test.database.addresses.jobs, SECRET_KEY, DATA_DIR: folder }
  const env = { PATH, NODE_COMPILE_CACHE, ROLE: 'jobs', ...login }
  const { stdout } = await promisify(execFile)(process.execPath, [command], { env })
  const [count] = await lastCounts(test.database.db, 1)
  expect(stdout).toMatch(/^Count 2: [0-9.]+ owed, [0-9.]+ on the chain\. Root [0-9a-f]{64} of 256/)
  expect(stdout).toContain(String(count?.root))
})

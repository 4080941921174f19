/** Counts of what the house owes: who is in them, what the tree proves, and what stands in the public log. */
import { reserves } from '@sum28/contract/fairness-routes.ts'
import { owed } from '@sum28/contract/own-routes.ts'
import {
  confirmProposal,
  endProposal,
  listProposals,
} from '@sum28/contract/staff-proposal-routes.ts'
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
import type { TronNode } from '#src/adapters/chain/tron-node.ts'
import { callFunction } from '#src/db/database.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  addRefund,
  drawTestRound,
  giveMoney,
  moveMoney,
  openTestRound,
  orderFor,
  placeAccepted,
} from '#testing/database/fixtures.ts'
import { readBy } from '#testing/database/table-reads.ts'
import {
  cloneUnusedDatabase,
  eachTestDatabase,
  type TestDatabase,
} from '#testing/database/test-database.ts'
import { failNext } from '#testing/hosts/local-node-failures.ts'
import { PUBLISHED_ADDRESSES, serveLocalNode } from '#testing/hosts/served-local-node.ts'
import { addPayMethod, askWithdrawal, payByHand } from '#testing/people/cash-desk.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { addStaff, staffToken } from '#testing/people/staff.ts'
import {
  API_ALONE,
  answerTo,
  createTestApp,
  expectSuccess,
  faultsOf,
  shareTestApp,
} from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { settleRound } from '../bets/round-bets.ts'
import { addOwnAddress, countOwed } from './count-owed.ts'
import { lastCounts, owedProof, PLACE_OF_PLAYER } from './disclosure-store.ts'

const U = 1_000_000n
const NO_CHAIN = { contract: USDT_MAINNET_CONTRACT, node: null as never }

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

/** The entry of a count in the public log. */
function logged({ owner }: TestDatabase, number: number): Promise<string> {
  return owner.value<string>('select text from public_log.entry where subject = $1', [
    `liabilities ${number}`,
  ])
}

describe('a count of what is owed', () => {
  const { database, db, owner } = eachTestDatabase()

  it('has cash, held money and stakes at risk of people, and nothing of robots and of those to whom nothing is owed, and stands in the public log', async () => {
    const [rich, poor] = [await addPlayer(database), await addPlayer(database, { u: 0 })]
    const robot = await addPlayer(database, { u: 500, robot: true })
    await moveMoney(owner, 'withdrawal', { playerId: rich, micro: 100n * U, reference: 'test' })
    const round = await openTestRound(database)
    const orders = [orderFor(rich, round, { ruleIds: [1, 2], u: 200 }), orderFor(robot, round)]
    await placeAccepted(database, orders)

    expect(await countOwed(db, NO_CHAIN)).toBe(1)
    const [count] = await lastCounts(db)
    expect(count).toMatchObject({ number: 1, size: 256, owed: 1_000n * U })
    const proof = await prove(database, rich)
    expect(proof).toMatchObject({ failed: [] })
    expect(proof?.leaf).toMatch(
      new RegExp(`^1\\|1\\|${rich}\\|500000000\\|100000000\\|400000000\\|`),
    )
    // With a hundred such leaves somebody would read the balances beside them.
    expect(await prove(database, poor)).toBeNull()
    expect(await prove(database, robot)).toBeNull()
    expect((await logged(database, 1)).split('\n')).toEqual([
      ...['sum28/1 liabilities', 'count=1', expect.stringMatching(/^counted_at=\d+$/), 'size=256'],
      ...[`root=${count?.root}`, 'total=1000000000', 'on_chain=0', 'block=none', 'at_bank=none'],
      ...['addresses=none', ''],
    ])

    // What was at risk was paid or lost, and the next count has it so.
    await drawTestRound(database, round, [7, 8, 0])
    await settleRound(db, round, '2026-11-20')
    expect(await countOwed(db, NO_CHAIN)).toBe(2)
    const cash = await owner.value<bigint>(
      'select cash + held from ledger.balance where holder_id = $1',
      [rich],
    )
    expect((await lastCounts(db, 1))[0]?.owed).toBe(cash)
  })

  it.each([
    ['awaited', 100],
    ['wrong', 100],
    ['seen', 0],
  ] as const)('has a deposit that goes back while its payment is %s: %i u', async (chain, u) => {
    const playerId = await addPlayer(database, { u: 0 })
    await addRefund(database, { playerId, chain })
    await countOwed(db, NO_CHAIN)
    expect((await lastCounts(db, 1))[0]?.owed).toBe(BigInt(u) * U)
  })

  it('has an approved withdrawal until it is paid: to a wallet, until its payment is seen on the chain', async () => {
    const player = await addPlayer(database, { u: 500 })
    const finance = () => staffToken(database, { role: 'finance' })
    const [ann, bob, cat] = [await finance(), await finance(), await finance()]
    const request = async (kind: 'bank' | 'wallet', u: bigint) => {
      const to = await addPayMethod(database, player, kind)
      return askWithdrawal(owner, { playerId: player, to, u })
    }
    const counted = async () => {
      await countOwed(db, NO_CHAIN)
      const proof = await prove(database, player)
      expect(proof?.failed).toEqual([])
      expect(proof?.leaf.split('|')[3]).toBe(String(320n * U))
      const [count] = await lastCounts(db, 1)
      const held = BigInt(proof?.leaf.split('|')[4] ?? 0)
      expect(count?.owed).toBe(320n * U + held)
      return held / U
    }

    const toBank = await request('bank', 100n)
    await callFunction(db, 'withdrawals.approve', toBank, ann)
    const toWallet = await request('wallet', 80n)
    expect(await counted()).toBe(180n)
    await callFunction(db, 'withdrawals.approve', toWallet, ann)
    await callFunction(db, 'console_money.make_batch', 10, bob)
    expect(await counted()).toBe(180n)
    const [wrong, right] = ['ab'.repeat(32), 'cd'.repeat(32)]
    expect(await payByHand(db, { id: toWallet, by: bob, reference: wrong })).toBe('paid')
    expect(await counted()).toBe(180n)
    const answer = (reference: string, logs: number[], fault: string | null) =>
      callFunction(db, 'withdrawals.take_chain_answer', toWallet, reference, logs, fault)
    expect(await answer(wrong, [], 'other_payee')).toBe('wrong')
    expect(await counted()).toBe(180n)
    const correction = [toWallet, cat, right, wrong] as const
    const corrected = await callFunction(db, 'console_money.correct_payout', ...correction)
    expect(corrected).toBe('corrected')
    // A part of it is owed no more, whether anybody has judged it or not.
    const part = ['withdrawals.take_chain_answer', toWallet, right, [], 'other_amount'] as const
    expect(await callFunction(db, ...part, [0], [String(79n * U)])).toBe('wrong')
    expect(await counted()).toBe(101n)
    const accepted = await callFunction(db, 'console_money.accept_payout', toWallet, ann, right)
    expect(accepted).toBe('part')
    expect(await counted()).toBe(101n)
    const rest = 'ef'.repeat(32)
    expect(await payByHand(db, { id: toWallet, by: bob, reference: rest })).toBe('paid')
    expect(await answer(rest, [0], null)).toBe('seen')
    expect(await counted()).toBe(100n)
    const paid = {
      line: 1,
      withdrawal: String(toBank),
      amount: String(100n * U),
      state: 'paid',
      reference: 'R 1',
    }
    await callFunction(db, 'console_money.answer_batch', 1, JSON.stringify([paid]), bob)
    expect(await counted()).toBe(0n)
    await expectAlwaysTrue(owner)
  })

  it('proves each of many players through tiles, in places by chance, with new salts each time', async () => {
    await owner.query(
      `insert into accounts.player (username, email, email_key, group_id)
       select 'mem' || n, 'm' || n || '@example.org', 'm' || n || '@example.org', 1 from generate_series(1, 700) n`,
    )
    await owner.query('update ledger.balance set cash = holder_id')
    await countOwed(db, NO_CHAIN)
    const players = await owner.column<number>('select id from accounts.player where id % 60 = 0')
    const [first = 0] = players
    const saltOfFirst = async () => (await prove(database, first))?.leaf.split('|').at(-1)
    for (const id of players) expect(await prove(database, id)).toMatchObject({ failed: [] })
    expect((await lastCounts(db))[0]).toMatchObject({ size: 1_024 })
    const salt = await saltOfFirst()
    await countOwed(db, NO_CHAIN)
    expect(await saltOfFirst()).not.toBe(salt)
    const moved = await owner.value<number>(
      `select count(*)::integer from disclosure.owed_leaf one join disclosure.owed_leaf other
         using (player_id) where one.number = 1 and other.number = 2 and one.position <> other.position`,
    )
    expect(moved).toBeGreaterThan(600)
  })

  it('reads each leaf by its place, although no statistics know the new count', async () => {
    const PLAYERS = 2_000
    const database = await cloneUnusedDatabase()
    onTestFinished(() => database.drop())
    await database.owner.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(
        `insert into accounts.player (id, username, group_id) overriding system value
         select n, 'name' || n, 2 from generate_series(1, $1::integer) n`,
        [PLAYERS],
      )
      await tx.query(
        'insert into ledger.balance (holder_id, cash) select id, 1 from accounts.player',
      )
    })
    for (let time = 0; time < 3; time += 1) await countOwed(database.db, NO_CHAIN)
    await database.owner.query('analyze')
    const leavesRead = (statement: string, values: number[] = []) =>
      database.owner.transaction(async (tx) => {
        const reads = await readBy(tx, () => tx.query(statement, values))
        const leaves = reads.find(({ name }) => name === 'disclosure.owed_leaf')
        return (leaves?.rows ?? 0) + (leaves?.fetches ?? 0)
      })
    // To count the places, join the leaves, add them up, and delete those of the first count.
    expect(await leavesRead(`select disclosure.count_owed('{}', '{}', null)`)).toBeLessThan(
      5 * PLAYERS,
    )
    expect(await leavesRead('select disclosure.tile_of_leaves(4, 0)')).toBeLessThanOrEqual(256)
    // Those of the player in the last three counts, and the one that was deleted just now.
    expect(await leavesRead(PLACE_OF_PLAYER, [4, 7])).toBeLessThanOrEqual(4)
  })

  it('keeps the leaves of the last three, and each count and its total for ever', async () => {
    const player = await addPlayer(database, { u: 1 })
    for (let time = 0; time < 4; time += 1) await countOwed(db, NO_CHAIN)
    const kept = await owner.query('select distinct number from disclosure.owed_leaf order by 1')
    expect(kept).toEqual([{ number: 2 }, { number: 3 }, { number: 4 }])
    const counts = await lastCounts(db)
    expect(counts.map(({ number }) => number)).toEqual([4, 3, 2, 1])
    const [, , , oldest] = counts
    expect(oldest && (await owedProof(db, oldest, player))).toBeNull()
    await expect(
      owner.query('update disclosure.owed_count set total = 0, cash = 0'),
    ).rejects.toThrow('its rows are history')
  })

  it('fails as a whole if a sum would overflow, or a player were counted twice', async () => {
    const [one, other] = [await addPlayer(database), await addPlayer(database)]
    await owner.query('update ledger.balance set cash = 9223372036854775807')
    await expect(countOwed(db, NO_CHAIN)).rejects.toThrow(/out of range/)
    expect(await lastCounts(db)).toEqual([])
    await expect(
      owner.query(
        `insert into disclosure.owed_leaf values (1, 0, $1, 1, 0, 0), (1, 1, $1, 1, 0, 0)`,
        [one],
      ),
    ).rejects.toThrow('player_counted_once')
    await expect(
      owner.query('insert into disclosure.owed_leaf values (1, 0, $1, -1, 0, 0)', [other]),
    ).rejects.toThrow('owed_leaf_cash_check')
  })

  it('made by two at once is two counts', async () => {
    await addPlayer(database)
    const both = await Promise.all([1, 2].map(() => countOwed(db, NO_CHAIN)))
    expect(both.sort()).toEqual([1, 2])
  })

  it('ordered once is made once, however often its job runs, and not kept from being made by a count of a clock that was ahead', async () => {
    const now = await db.value<number>('select app.now()')
    const countFor = (at: number) => countOwed(db, NO_CHAIN, { orderedAt: new Date(at) })
    expect([await countFor(now), await countFor(now)]).toEqual([1, 1])
    const entries = `select from public_log.entry where subject like 'liabilities %'`
    expect(await owner.query(entries)).toHaveLength(1)
    const [count] = await lastCounts(db)
    expect(await countFor((count?.countedAt ?? 0) + 1)).toBe(2)
    await database.freezeClock(now - 3_600_000)
    expect(await countFor(now - 3_600_000)).toBe(3)
  })
})

describe('what the house holds', () => {
  /** A house with the demo's own address, and its chain. */
  async function demo() {
    const served = await serveLocalNode()
    const { database } = served
    const own = { local: served.local, secretKey: 'a key', host: 'play.example', day: '2026-11-20' }
    for (const _start of [1, 2]) await addOwnAddress(database.db, own)
    return { database, served, chain: { node: served.node, contract: USDT_MAINNET_CONTRACT } }
  }
  it('is read from the chain in solid blocks, for the demo’s own address with its signed statement', async () => {
    const { database, served, chain } = await demo()
    await addPlayer(database, { u: 10_000_001 })
    await countOwed(database.db, chain)
    await served.growSolid()
    await countOwed(database.db, chain)
    const counts = await lastCounts(database.db)
    expect(counts.map(({ onChain }) => onChain)).toEqual([10_000_000n * U, 0n])
    expect(counts[0]?.block).toBe(BigInt(await served.local.solidHeight()))
    // It owes one more than it holds.
    expect(await readNeeds(database.db, ['reserves_short'])).toMatchObject([{ count: 1 }])
    expect(await logged(database, 2)).toMatch(
      /\non_chain=10000000000000\n[\s\S]*\naddresses=T\w{33}:10000000000000\n/,
    )
  })

  it('fails the count if money moves from one address to another meanwhile, or the second node says another sum', async () => {
    const { database, served, chain } = await demo()
    const [other = ''] = PUBLISHED_ADDRESSES
    const signed = ['a statement', '0'.repeat(130)]
    await callFunction(database.db, 'disclosure.add_own_address', other, ...signed)
    await served.growSolid()
    const { node } = chain
    const [own = ''] = await database.owner.column<string>(
      'select address from deposits.house_address order by id',
    )
    const moving: TronNode = {
      ...node,
      async solidBalance(ask, signal) {
        const answer = await node.solidBalance(ask, signal)
        await served.local.transfer({ from: own, to: other, amountMicro: U })
        await served.growSolid()
        return answer
      },
    }
    await expect(countOwed(database.db, { ...chain, node: moving })).rejects.toThrow('changed')
    const lying: TronNode = {
      ...node,
      solidBalance: async () => ({ ok: true, value: 10_000_000_000n * U }),
    }
    for (const nodes of [{ second: lying }, { node: lying, second: node }]) {
      await expect(countOwed(database.db, { ...chain, ...nodes })).rejects.toThrow('the same')
    }
    expect(await lastCounts(database.db)).toEqual([])
    await countOwed(database.db, { ...chain, second: node })
    expect(await lastCounts(database.db)).toMatchObject([
      { onChain: 10_000_000n * U, block: BigInt(await served.local.solidHeight()) },
    ])
  })

  it('fails the count while the chain cannot be read, and staff are told after a day', async () => {
    const { database, served, chain } = await demo()
    failNext(served.local, { kind: 'error200', call: 'triggerconstantcontract' })
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

const test = shareTestApp(API_ALONE)

describe('the calls', () => {
  it('show a player no proof of his balance before the first count, and while he has nothing', async () => {
    const member = await addSeatedPlayer(test.database, { u: 0 })
    const read = async () => (await test.call(owed, {}, member)).data
    expect(await read()).toMatchObject({ count: null, proof: null, log: null })
    await countOwed(test.database.db, NO_CHAIN)
    expect(await read()).toMatchObject({ count: { number: 1 }, proof: null })
    await giveMoney(test.database.owner, { playerId: member.id, u: 5 })
    await countOwed(test.database.db, NO_CHAIN)
    // A job gives the count its place in the log.
    expect(await read()).toMatchObject({ count: { number: 2 }, player_id: member.id, log: null })
  })

  it('count the bank’s balance that two persons entered, for a week and as not proved', async () => {
    const { db, owner } = test.database
    const [one, other] = [await addStaff(test, 'finance'), await addStaff(test, 'owner')]
    const { today: day } = (await test.call(readReserves, {}, one)).data
    const enter = (money: string, of = day) =>
      test.call(proposeBankBalance, { money, day: of, reason: 'No. 7' }, one)
    const waiting = async () =>
      (await test.call(listProposals, { kind: 'bank_balance' }, other)).data.list[0]
    const confirm = async () =>
      expectSuccess(await test.call(confirmProposal, { id: (await waiting())?.id ?? 0 }, other))
    const counted = async () => {
      await countOwed(db, NO_CHAIN)
      return (await lastCounts(db, 1))[0]?.atBank
    }
    expect(await faultsOf(enter('250.00', '2020-01-01'))).toEqual(['day'])
    expectSuccess(await enter('250.00'))
    expect(await waiting()).toMatchObject({
      subject: 'reserves:bank',
      name: 'reserves:bank',
      state: 'proposed',
      changes: [
        { what: 'at_bank', before: null, after: '250.00' },
        { what: 'day', before: null, after: day },
      ],
    })
    expect(await counted()).toBeNull()
    await confirm()
    expect(await counted()).toBe(250n * U)
    // An older statement does not replace a newer one unseen.
    const yesterday = addDays(day, -1)
    expectSuccess(await enter('200.00', yesterday))
    expect((await waiting())?.changes).toEqual([
      { what: 'at_bank', before: '250.00', after: '200.00' },
      { what: 'day', before: day, after: yesterday },
    ])
    await owner.query('alter table disclosure.bank_balance disable trigger user')
    const age = (days: number) =>
      owner.query('update disclosure.bank_balance set day = day - $1::integer', [days])
    const asked = async () => (await readNeeds(db, ['bank_balance_old'])).length
    await age(4)
    expect(await asked()).toBe(0)
    await age(1)
    // Another person still has to confirm yesterday's.
    expect(await asked()).toBe(0)
    const end = { id: (await waiting())?.id ?? 0, reason: 'no' }
    expectSuccess(await test.call(endProposal, end, other))
    expect(await asked()).toBe(1)
    expect(await counted()).toBe(250n * U)
    await age(3)
    expect(await counted()).toBeNull()
    // A balance that was replaced does not come back when the one that replaced it is a week old.
    for (const [money, of] of [
      ['300.00', day],
      ['200.00', addDays(day, -5)],
    ] as const) {
      expectSuccess(await enter(money, of))
      await confirm()
    }
    expect(await counted()).toBe(200n * U)
    await age(3)
    expect(await counted()).toBeNull()
  })

  it('list an address only with its own key’s statement of these days, once, by an owner', async () => {
    const owner = await addStaff(test, 'owner')
    const key = new Uint8Array(32).fill(9)
    const address = tronAddressOfPrivateKey(key)
    const { host, today } = (await test.call(readReserves, {}, owner)).data
    const signed = (of: { day?: string; host?: string; address?: string } = {}) =>
      signTronMessage(reserveStatement({ host, address, day: today, ...of }), key)
    const add = (of: object = {}, by = owner) =>
      test.call(addReserveAddress, { address, day: today, signature: signed(), ...of }, by)
    const old = { day: '2020-01-01' }
    for (const [field, wrong] of [
      ['address', { address: `${address.slice(0, -1)}x` }],
      ['day', old],
      ['signature', { signature: signed(old) }],
      ['signature', { signature: signed({ host: 'other.example' }) }],
      ['signature', { signature: signed({ address: 'T' }) }],
    ] as const) {
      expect(await faultsOf(add(wrong))).toEqual([field])
    }
    // What the house sends to one for deposits is credited to a player.
    const { owner: database } = test.database
    await database.query(
      `insert into deposits.spare_address (account, derivation_index, address) values ('a', 9, $1)`,
      [address],
    )
    expect((await add()).data).toMatchObject({
      fields: { address: expect.stringContaining('for deposits') },
    })
    await database.query(`delete from deposits.spare_address where account = 'a'`)
    expect(await answerTo(add({}, await addStaff(test, 'finance')))).toBe('forbidden')
    expectSuccess(await add({ signature: `0x${signed()}` }))
    expect(await faultsOf(add())).toEqual(['address'])
    const { data: shown } = await test.call(reserves, {})
    expect(shown.addresses).toMatchObject([
      { address, statement: reserveStatement({ host, address, day: today }), quantity: null },
    ])
    const id = shown.addresses[0]?.id ?? 0
    const remove = () => answerTo(test.call(removeReserveAddress, { id }, owner))
    expect([await remove(), await remove()]).toEqual(['done', 'not_found'])
    expect((await test.call(reserves, {})).data.addresses).toEqual([])
    const audit = await test.database.owner.column<string>(
      `select action from staff.audit where action like 'reserve_address%' order by id`,
    )
    expect(audit).toEqual(['reserve_address_added', 'reserve_address_removed'])
  })
})

it('a new demo counts what it owes at its first start, once its own address has its money', async () => {
  const demo = await createTestApp()
  await demo.addBlocks()
  const first = await eventually(async () => (await lastCounts(demo.database.db))[0])
  expect(first).toMatchObject({ number: 1, owed: 0n, onChain: 10_000_000n * U })
})

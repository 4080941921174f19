/** The comparison of the chain's transfers with records and bookings, on rows made for it. */
import { describe, expect, it } from 'vitest'
import { callFunction } from '#src/db/database.ts'
import { addPlayer, giveAddress, moveMoney } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { confirm, end, proposeAssignment } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'

const DAY = '2026-11-20'
const tx = (letter: string) => letter.repeat(64)

type Row = { of: string; log?: number; block?: number; to?: string; amount?: number }

/** A member with the address T1, a spare address T2, and functions that make rows and compare blocks 11 and 12. */
async function house() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const [ann, bob] = [await staffToken(database), await staffToken(database)]
  const player = await addPlayer(database, { u: 0 })
  await giveAddress(owner, player, 'T1')
  await owner.query(
    `insert into deposits.spare_address (account, derivation_index, address) values ('a', 9, 'T2')`,
  )
  const onChain = (rows: Row[]) =>
    JSON.stringify(
      rows.map(({ of, log = 0, block = 11, to = 'T1', amount = 5 }) => ({
        tx_id: tx(of),
        log_index: log,
        block,
        to_address: to,
        amount,
      })),
    )
  return {
    database,
    db,
    owner,
    player,
    async record(rows: (Row & { player?: number | null })[]) {
      for (const each of rows) {
        const { of, log = 0, block = 11, to = 'T1', amount = 5, player: whose = player } = each
        await owner.query(
          `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
             player_id, credited_at)
           values ($1, $2, $3, app.now(), 'T0', $4, $5, $6, case when $6::integer is not null then app.now() end)`,
          [tx(of), log, block, to, amount, whose],
        )
      }
    },
    async book(
      { of, log = 0, amount = 5 }: Row,
      { by = 'deposit', on = DAY, reference = `usdt:${tx(of)}:${log}` } = {},
    ) {
      await moveMoney(owner, by, { playerId: player, day: on, micro: BigInt(amount), reference })
    },
    /** Notes that a booking was reported. */
    async report({ of, log = 0 }: Row) {
      await owner.query(
        `insert into deposits.chain_difference (kind, tx_id, log_index, details)
         values ('missing_on_chain', $1, $2, '{}')`,
        [tx(of), log],
      )
    },
    async assign({ of, log = 0 }: Row, then: 'open' | 'confirmed' | 'refused', to = player) {
      const transfer = { txId: tx(of), logIndex: log, playerId: to, session: ann }
      const id = Number(await proposeAssignment(db, transfer))
      if (then === 'confirmed') await confirm(db, id, bob)
      if (then === 'refused') await end(db, id, bob)
    },
    dismiss: ({ of, log = 0 }: Row) =>
      callFunction(db, 'deposits.dismiss_transfer', tx(of), log, bob, 'x'),
    /** What is known of each transfer, as `letter:log index`, in order. */
    compared: (rows: Row[]) =>
      db.query<{ name: string }>(
        `select left(tx_id, 1) || ':' || log_index as name, is_on_chain as chain, is_recorded as recorded,
           booked_amount::text as booked, is_dismissed as dismissed
         from deposits.compared_transfers($1::jsonb, 10, 12) order by 1, 2, 3`,
        [onChain(rows)],
      ),
    differences: (rows: Row[]) =>
      db.query<{ name: string; kind: string; details: object }>(
        `select left(tx_id, 1) || ':' || log_index as name, kind, details
         from deposits.compare_with_chain($1::jsonb, 10, 12) order by 1, 2`,
        [onChain(rows)],
      ),
    stray: (since: string) =>
      db.query<{ name: string; details: object }>(
        `select left(tx_id, 1) || ':' || log_index as name, details from deposits.stray_deposits($1) order by 1`,
        [since],
      ),
  }
}

describe('the compared transfers', () => {
  it('are the recorded ones above the first block up to the last, and those in another block of the chain', async () => {
    const { record, compared } = await house()
    await record([
      { of: 'a', block: 10 },
      { of: 'b', block: 11 },
      { of: 'c', block: 12 },
      { of: 'd', block: 13 },
      { of: 'e', block: 5 },
      { of: 'e', log: 1, block: 5 },
    ])
    expect((await compared([])).map(({ name }) => name)).toEqual(['b:0', 'c:0'])
    // No other one of its transaction.
    expect(await compared([{ of: 'e' }])).toMatchObject([
      {},
      {},
      { name: 'e:0', chain: true, recorded: true },
    ])
  })

  it('are those on the chain to a member or a spare address, and two if the record names another address', async () => {
    const { record, compared } = await house()
    const onChain = ['T1', 'T2', 'T9'].map((to, at) => ({ of: 'abc'[at] ?? '', to }))
    expect((await compared(onChain)).map(({ name }) => name)).toEqual(['a:0', 'b:0'])
    await record([{ of: 'd', to: 'T2' }])
    expect(await compared([{ of: 'd', to: 'T1' }])).toMatchObject([
      { name: 'd:0', chain: false, recorded: true },
      { name: 'd:0', chain: true, recorded: false },
    ])
  })

  it('are explained by their own dismissal, or by a booking for the player to whom they are assigned', async () => {
    const { database, record, book, assign, dismiss, compared } = await house()
    const rows = ['a', 'b', 'c', 'd'].map((of) => ({ of, to: 'T2', player: null }))
    const next = { of: 'a', log: 1, to: 'T2', player: null }
    // Its address was given to a member later, and it was another's.
    const others = { of: 'e', to: 'T1', player: null }
    await record([...rows, next, others])
    await dismiss({ of: 'a' })
    for (const letter of ['c', 'd']) await book({ of: letter })
    await assign({ of: 'b' }, 'confirmed')
    await assign({ of: 'c' }, 'open')
    await assign({ of: 'd' }, 'refused')
    await assign({ of: 'e' }, 'confirmed', await addPlayer(database, { u: 0 }))
    expect(await compared([...rows, next, others])).toMatchObject([
      { name: 'a:0', dismissed: true, booked: null },
      { name: 'a:1', dismissed: false },
      { name: 'b:0', dismissed: false, booked: '5' },
      { name: 'c:0', dismissed: false, booked: null },
      { name: 'd:0', dismissed: false, booked: null },
      { name: 'e:0', dismissed: false, booked: '5' },
    ])
  })

  it('are booked with what came in, and not again with what was released', async () => {
    const { record, book, compared } = await house()
    await record([{ of: 'a' }, { of: 'b' }])
    await book({ of: 'a' }, { by: 'deposit_held' })
    await book({ of: 'a' }, { by: 'deposit_released' })
    await book({ of: 'b' })
    expect(await compared([{ of: 'a' }, { of: 'b' }])).toMatchObject([
      { name: 'a:0', booked: '5' },
      { name: 'b:0', booked: '5' },
    ])
  })
})

it('each difference of chain, record and booking has its kind and its amounts', async () => {
  const { player, record, book, differences } = await house()
  const expected: { name: string; kind: string; details: object }[] = []
  const onChain: Row[] = []
  for (const [of, chain, recorded, booked, kind] of [
    ['a', 5, 5, 5, null],
    ['b', null, 5, 5, 'missing_on_chain'],
    ['c', null, 5, null, 'missing_on_chain'],
    ['d', 5, null, 5, 'missing_in_ledger'],
    ['e', 5, 6, 5, 'amount_differs'],
    ['f', 5, 5, null, 'missing_in_ledger'],
    ['0', 5, 5, 6, 'amount_differs'],
    ['1', 5, 6, null, 'amount_differs'],
    ['2', 5, null, null, 'missing_in_ledger'],
  ] as const) {
    if (chain !== null) onChain.push({ of, amount: chain })
    if (recorded !== null) await record([{ of, amount: recorded }])
    if (booked !== null) await book({ of, amount: booked })
    const details = {
      block: 11,
      player_id: player,
      ...(chain !== null && { chain_amount: String(chain) }),
      ...(recorded !== null && { recorded_amount: String(recorded) }),
      ...(booked !== null && { booked_amount: String(booked) }),
    }
    if (kind !== null) expected.push({ name: `${of}:0`, kind, details })
  }
  const result = await differences(onChain)
  const byName = (one: { name: string }, other: { name: string }) =>
    one.name < other.name ? -1 : 1
  expect(result.toSorted(byName)).toEqual(expected.toSorted(byName))
})

it('a booking without a transfer of its player is found from the given day on, and once reported not again', async () => {
  const { database, player, record, book, report, stray } = await house()
  await record([{ of: 'a' }, { of: 'c', player: await addPlayer(database, { u: 0 }) }])
  for (const letter of ['a', 'c']) await book({ of: letter })
  for (const log of [1, 2]) await book({ of: 'a', log })
  await book({ of: 'b' }, { on: '2026-11-19' })
  // By an assignment that there is not, or was not taken back.
  await book({ of: 'd' }, { reference: `usdt:${tx('d')}:0:999` })
  // Of no transfer.
  const name = `usdt:${tx('e')}`
  for (const reference of [
    ...['bank:1', name, `${name}:`, `${name}:x`, `${name.slice(0, -1)}:0`, `x:${name}:0`],
  ]) {
    await book({ of: 'e' }, { reference })
  }
  const details = { player_id: player, booked_amount: '5' }
  expect(await stray(DAY)).toEqual(
    ['a:1', 'a:2', 'c:0', 'd:0'].map((each) => ({ name: each, details })),
  )
  expect((await stray('2026-11-19')).map((each) => each.name)).toContain('b:0')
  await report({ of: 'f' })
  expect(await stray(DAY)).toHaveLength(4)
  // By that no other one of its transaction.
  await report({ of: 'a', log: 1 })
  expect((await stray(DAY)).map((each) => each.name)).toEqual(['a:2', 'c:0', 'd:0'])
})

it('a difference names no member who got the address after the transfer', async () => {
  const { owner, record, differences } = await house()
  await owner.query(`update deposits.address set given_at = app.now() + interval '11 minutes'`)
  await record([{ of: 'a', player: null }])
  expect(await differences([{ of: 'a' }])).toEqual([
    {
      name: 'a:0',
      kind: 'unmatched',
      details: { block: 11, chain_amount: '5', recorded_amount: '5' },
    },
  ])
})

it('a difference is explained if its transfer is in the books, and matched', async () => {
  const { database, db, owner } = await house()
  const session = await staffToken(database)
  const explain = (id: bigint) =>
    callFunction<string>(db, 'deposits.explain_difference', id, session, 'a fee')
  for (const [kind, of, answer] of [
    ['amount_differs', 'chain_amount', 'explained'],
    ['missing_on_chain', 'recorded_amount', 'explained'],
    ['missing_in_ledger', 'recorded_amount', 'explained'],
    ['missing_in_ledger', 'booked_amount', 'explained'],
    ['missing_in_ledger', 'chain_amount', 'not_found'],
    ['unmatched', 'recorded_amount', 'not_found'],
  ] as const) {
    const id = await owner.value<bigint>(
      `insert into deposits.chain_difference (kind, tx_id, log_index, details)
       values ($1, $2::text, 0, jsonb_build_object($2::text, '5')) returning id`,
      [kind, of],
    )
    expect(await explain(id), `${kind} ${of}`).toBe(answer)
  }
})

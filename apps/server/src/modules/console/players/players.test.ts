/** The console's list of players and the page of one of them. */
import { setLimit } from '@sum28/contract/protection-routes.ts'
import { freezeAccount } from '@sum28/contract/staff-house-routes.ts'
import * as wire from '@sum28/contract/staff-players-routes.ts'
import { expect, it } from 'vitest'
import { bankReference } from '#src/modules/deposits/bank-deposit.ts'
import { closeAccount } from '#src/modules/own-account/close-account.ts'
import { addPlayer, orderFor, placeAccepted } from '#testing/database/fixtures.ts'
import { addPayMethod } from '#testing/people/cash-desk.ts'
import { approvedWithdrawal, memberWithMoney } from '#testing/people/cashier.ts'
import { propose } from '#testing/people/proposals.ts'
import { addStaff, staffSession, staffToken } from '#testing/people/staff.ts'
import { openIssueFor } from '#testing/product/play-round.ts'
import {
  answerTo,
  depositByChain,
  usdtAddressOf,
  useWorkersApp,
} from '#testing/product/test-app.ts'

const test = useWorkersApp()

async function idsFound(q: string): Promise<number[]> {
  const reply = await test.call(wire.listPlayers, { q }, await staffSession(test))
  return reply.data.list.map(({ id }) => id)
}

/** A running round of the product, for an order. */
async function openRound(gameId: number) {
  return { gameId, issue: await openIssueFor(test, 60), opensAt: 0, sealsAt: 0, drawsAt: 0 }
}

it('a player is found by any part of name or address, and by number, deposit address, order number, transaction, payee and bank reference', async () => {
  const { owner } = test.database
  const ann = await memberWithMoney(test, 'Seekzq_ann', 1_000)
  await addPlayer(test.database, { u: 0, name: 'seekzqXann' })
  const address = await usdtAddressOf(test, ann)
  await placeAccepted(test.database, [orderFor(ann.id, await openRound(2))])
  const orderNo = await owner.value<string>('select order_no from bets.bet where player_id = $1', [
    ann.id,
  ])
  await depositByChain(test, ann, 5)
  const hash = await owner.value<string>(
    'select tx_id from deposits.transfer where player_id = $1',
    [ann.id],
  )
  await addPayMethod(test.database, ann.id, 'bank', '•••• QZ91')
  await propose(test.database.db, {
    kind: 'bank_deposit',
    subject: `player:${ann.id}`,
    content: { amount: 1_000_000, reference: 'ft 26-ann' },
    session: await staffToken(test.database),
  })
  // `_` and `%` are ordinary characters.
  for (const q of [
    ...['seekzq_a', 'SEEKZQ_ANN', 'seekzq_ann@example.o', 'eekzq_ann', 'Q_Ann@exam', ` ${ann.id} `],
    ...[address, orderNo, hash, hash.toUpperCase(), ann.wallet, 'QZ91', 'FT26-Ann'],
    ...[bankReference(ann.id), bankReference(ann.id).toLowerCase()],
  ]) {
    expect(await idsFound(q), q).toEqual([ann.id])
  }
  for (const q of [
    ...['%', '_', '\\', 'q%ann', 'qXa_n', 'zq', '99999999999999999999'],
    ...[`${orderNo}0`, `RF00${ann.id}`],
  ]) {
    expect(await idsFound(q), q).toEqual([])
  }
  const staff = await staffSession(test)
  for (const [q, found] of [
    [orderNo, [orderNo]],
    [`${orderNo}0`, []],
    [orderNo.slice(0, 8), []],
    ['%', []],
  ] as const) {
    const { list } = (await test.call(wire.playerBets, { user_id: ann.id, q }, staff)).data
    expect(list.map(({ order_no }) => order_no)).toEqual(found)
  }
})

it('the player of exactly this number, name or address is found alone, whoever else contains it', async () => {
  const id = await addPlayer(test.database, { u: 0, name: 'Wholeqz' })
  await addPlayer(test.database, { u: 0, name: `wholeqz_${id}` })
  const owner = await staffSession(test)
  const found = async (q: string) => {
    const { data } = await test.call(wire.listPlayers, { q, match: 'whole' }, owner)
    return data.list.map((player) => player.id)
  }
  expect(await idsFound('wholeqz')).toHaveLength(2)
  expect([await found('WHOLEQZ'), await found(String(id)), await found('wholeq')]).toEqual([
    ...[[id], [id], []],
  ])
})

it('a player is found by his address as he writes it', async () => {
  const id = await addPlayer(test.database, { u: 0, name: 'idnqz' })
  const stored = `update accounts.player set email = $2::text, email_key = $2::text where id = $1`
  await test.database.owner.query(stored, [id, 'idnqz@xn--mnchen-3ya.example'])
  for (const q of ['Idnqz@MÜNCHEN.example', 'idnqz@xn--mnchen-3ya.example']) {
    expect(await idsFound(q), q).toEqual([id])
    const whole = { q, match: 'whole' } as const
    const { data } = await test.call(wire.listPlayers, whole, await staffSession(test))
    expect(data.list, q).toMatchObject([{ id }])
  }
})

it('the list is filtered, continues where a page ended, and has no robots, nor have they a page', async () => {
  const owner = await staffSession(test)
  const robot = await addPlayer(test.database, { u: 0, robot: true, name: 'row_robot' })
  const [a, b, c] = [
    await addPlayer(test.database, { u: 5, name: 'row_a' }),
    await addPlayer(test.database, { u: 5, name: 'row_b' }),
    await addPlayer(test.database, { u: 5, name: 'row_c' }),
  ]
  await test.call(freezeAccount, { user_id: b, reason: 'test' }, owner)
  expect(await closeAccount(test.database.db, { playerId: c, session: null })).toBeNull()
  const ask = { q: 'row_', sort: 'username', order: 'asc', limit: 2 } as const
  const first = (await test.call(wire.listPlayers, ask, owner)).data
  expect(first.list).toMatchObject([
    { id: a, username: 'row_a', email: 'row_a@example.org', cash: '5.00', state: 'active' },
    { id: b, state: 'frozen', held: '0.00', group_id: 1 },
  ])
  const second = (await test.call(wire.listPlayers, { ...ask, after: first.next ?? '' }, owner))
    .data
  // A closed account keeps its name and its booked balance.
  expect(second).toMatchObject({
    list: [{ id: c, username: 'row_c', state: 'closed', cash: '5.00' }],
    next: null,
  })
  for (const [filter, found] of [
    [{ state: 'active' }, [a]],
    [{ state: 'frozen' }, [b]],
    [{ state: 'closed' }, [c]],
    [{ group_id: 2 }, []],
    [{ from_day: '2999-01-01' }, []],
  ] as const) {
    const { data } = await test.call(wire.listPlayers, { q: 'row_', ...filter }, owner)
    expect(data.list.map(({ id }) => id)).toEqual(found)
  }
  expect(await idsFound(String(robot))).toEqual([])
  for (const user_id of [999_999, robot])
    expect(await answerTo(test.call(wire.onePlayer, { user_id }, owner))).toBe('not_found')
  expect(await test.call(wire.listPlayers, { after: 'x' }, owner)).toMatchObject({ code: 400 })
  const { data: page } = await test.call(wire.onePlayer, { user_id: b }, owner)
  expect(page).toMatchObject({ state: 'frozen', freeze: { reason: 'test', by: 'owner' } })
})

it('the page of a player shows money, limits and his lists, and nothing secret', async () => {
  const support = await addStaff(test, 'support')
  const bob = await memberWithMoney(test, 'page_bob', 1_000, depositByChain)
  await test.call(setLimit, { kind: 'stake', period: 'day', money: 500 }, bob)
  const round = await openRound(3)
  await placeAccepted(test.database, [orderFor(bob.id, round, { ruleIds: [1, 4] })])
  const request = { user_id: bob.id }

  const { data: page } = await test.call(wire.onePlayer, request, support)
  expect(page).toMatchObject({
    id: bob.id,
    email: 'page_bob@example.org',
    state: 'active',
    freeze: null,
    security_code: { is_set: true, locked_until: null },
    figures: { cash: '800.00', deposited: '1000.00', withdrawn: '0.00', staked: '0.00' },
    exclusion: null,
    pay_methods: [{ kind: 'wallet' }],
    sessions: [{ ended_at: null, network: '127.0.0.1', device: expect.any(String) }],
    devices: [],
  })
  expect(page.limits).toContainEqual({
    kind: 'stake',
    period: 'day',
    own: '500.00',
    amount: '500.00',
    by: 'player',
    used: '200.00',
  })
  expect(JSON.stringify({ ...page, deposit_address: null })).not.toMatch(/hash|secret|argon|sealed/)

  const statement = (await test.call(wire.playerStatement, request, support)).data
  expect(statement.list).toMatchObject([
    { kind: 'stake', source: 'cash', quantity: '200.00', cash_after: '800.00' },
    { kind: 'deposit', quantity: '1000.00' },
  ])
  expect((await test.call(wire.playerBets, request, support)).data.list).toMatchObject([
    { status: 'accepted', outcomes: ['long', 'even'], stake: '100.00', total: '200.00' },
  ])
  expect((await test.call(wire.playerDeposits, request, support)).data.list).toMatchObject([
    { by: 'chain', state: 'credited', quantity: '1000.00' },
  ])
})

it('a wallet that is to be paid is shown shortened on the page of its player and in his withdrawals', async () => {
  const finance = await staffSession(test, 'finance')
  const { member } = await approvedWithdrawal(test, { to: 'wallet', by: finance })
  const request = { user_id: member.id }
  const { data: page } = await test.call(wire.onePlayer, request, finance)
  expect(page.pay_methods).toMatchObject([{ kind: 'wallet', number: 'TUEZ…GWYdH' }])
  const { list } = (await test.call(wire.playerWithdrawals, request, finance)).data
  expect(list).toMatchObject([{ state: 'to_pay', payee: 'TUEZ…GWYdH' }])
})

it('the accounts that share a card, wallet, device or network are named, and crowds are only counted', async () => {
  const { database } = test
  const support = await addStaff(test, 'support')
  const ids: number[] = []
  for (let at = 0; at < 24; at += 1)
    ids.push(await addPlayer(database, { u: 0, name: `link_${at}` }))
  const [own, other, third] = ids
  const mark = (kind: string, text: string, players: (number | undefined)[]) =>
    database.owner.query(
      `insert into protection.mark (player_id, kind, hash, key_id, noted_at)
       select id, $2, sha256($3), 'test', app.now() from unnest($1::integer[]) id`,
      [players, kind, Buffer.from(text)],
    )
  const network = (text: string, players: (number | undefined)[], age: string) =>
    database.owner.query(
      `insert into accounts.known_network (player_id, network_hash, last_at)
       select id, sha256($2), app.now() - $3::interval from unnest($1::integer[]) id`,
      [players, Buffer.from(text), age],
    )
  await mark('card', 'linked card', [own, other])
  await mark('wallet', 'linked wallet', [own, third])
  await mark('wallet', 'other wallet', [own, third])
  await mark('device', 'of nobody else', [own])
  await mark('email', 'mailbox', [own, other])
  await network('home', [own, other], '1 day')
  await network('long ago', [own, third], '31 days')
  await network('hotel', ids, '1 day')
  const { data } = await test.call(wire.playerLinks, { user_id: own ?? 0 }, support)
  expect(data.list.map(({ by, username }) => [by, username])).toEqual([
    ['card', 'link_1'],
    ['network', 'link_1'],
    ['wallet', 'link_2'],
  ])
  expect(data.crowded).toEqual([{ by: 'network', count: 1 }])
})

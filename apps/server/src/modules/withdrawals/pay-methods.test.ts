/** Pay methods through the API. */
import { payInfo, setPayInfo, withdrawInfo } from '@sum28/contract/money-routes.ts'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { isTronAddress, USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import type { Transaction } from '#src/db/database.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { newWallet, TEST_CARD, TEST_WALLET } from '#testing/people/cashier.ts'
import {
  addSeatedPlayer,
  changePlayer,
  heldSince,
  type SeatedPlayer,
} from '#testing/people/seated-player.ts'
import { answerTo, faultsOf, usdtAddressOf, useWorkersApp } from '#testing/product/test-app.ts'
import { METHOD_CHANGES_A_DAY, payeeMark, payeeText, savePayMethod } from './pay-methods.ts'

const test = useWorkersApp()
const CARD = { type: 0, acc: 'NGUYỄN MINH ANH', acc_name: TEST_CARD, acc_bank: 'Bank of Hanoi' }
const WALLET = { type: 1, acc: TEST_WALLET, acc_name: 'TRC20' }

describe('a pay method', () => {
  let ann: SeatedPlayer
  beforeEach(async () => {
    ann = await addSeatedPlayer(test.database, { u: 0 })
  })

  it('is refused if its wallet is the contract of USDT, nobody’s, his own deposit address or one of the house', async () => {
    const { owner } = test.database
    const own = await usdtAddressOf(test, ann)
    const ours = [newWallet(), newWallet()]
    onTestFinished(async () => {
      await owner.query('delete from deposits.house_address where address = any ($1)', [ours])
    })
    await owner.query(
      `insert into deposits.house_address (address, statement, signature, added_at, removed_at)
       select address, 'x', repeat('0', 130), app.now(), case number when 2 then app.now() end
       from unnest($1::text[]) with ordinality listed (address, number)`,
      [ours],
    )
    for (const acc of [USDT_MAINNET_CONTRACT, 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', own, ...ours]) {
      expect(isTronAddress(acc)).toBe(true)
      expect(await test.call(setPayInfo, { ...WALLET, acc }, ann), acc).toMatchObject({
        http: 400,
        data: { fields: { acc: expect.stringContaining('not a wallet of your own') } },
      })
    }
  })

  it('may be one card and one wallet, whose statuses are the other way round than their types', async () => {
    expect((await test.call(payInfo, { type: 0 }, ann)).data).toBeNull()
    expect((await test.call(withdrawInfo, {}, ann)).data).toMatchObject({
      money: '0.00',
      pay_list: [],
      min: '100.00',
      hold_until: null,
      pending: null,
    })
    const branch = { sub: '0123', sub_name: 'Old Quarter' }
    const card = await test.call(setPayInfo, { ...CARD, ...branch }, ann)
    const { acc, acc_bank } = CARD
    const shown = { acc, acc_name: '•••• 4242', acc_bank, ...branch, status: '1' }
    expect(card.data).toMatchObject(shown)
    const wallet = await test.call(setPayInfo, WALLET, ann)
    expect(wallet.data).toMatchObject({
      acc: TEST_WALLET,
      acc_name: 'TRC20',
      acc_bank: '',
      status: '0',
    })
    expect((await test.call(payInfo, { type: 0 }, ann)).data).toEqual(card.data)
    expect((await test.call(payInfo, { type: '1' }, ann)).data).toEqual(wallet.data)
    const { pay_list } = (await test.call(withdrawInfo, {}, ann)).data
    expect(pay_list).toEqual([wallet.data, card.data])
  })

  it('that is saved again, or with another note, causes no notice and no hold', async () => {
    const first = (await test.call(setPayInfo, { ...CARD, mark: 'salary' }, ann)).data
    const { owner } = test.database
    await changePlayer({ owner }, ann.id, 'sensitive_changed_at = null')
    for (const mark of ['salary', 'savings', 'savings']) {
      const again = { ...CARD, acc_name: '4242424242424242', mark }
      expect((await test.call(setPayInfo, again, ann)).data).toEqual(first)
    }
    const ofAnn = (column: string, table: string) =>
      owner.column(`select ${column} from ${table} where player_id = $1`, [ann.id])
    expect(await ofAnn('note', 'withdrawals.pay_method')).toEqual(['savings'])
    expect(await ofAnn('kind', 'inbox.message')).toEqual(['pay_method_changed'])
    expect(await heldSince(test.database, ann.id)).toBeNull()
  })

  it('can be replaced a limited number of times a day, and a refused one leaves no row and no mail', async () => {
    const { owner } = test.database
    const label = (n: number) => test.call(setPayInfo, { ...CARD, acc: `HOLDER ${n}` }, ann)
    for (let n = 0; n < METHOD_CHANGES_A_DAY; n += 1) {
      expect(await label(n)).toMatchObject({ code: 1 })
    }
    const left = () =>
      owner.query(
        `select (select count(*) from withdrawals.pay_method where player_id = $1) as methods,
           (select count(*) from inbox.message where player_id = $1) as mails`,
        [ann.id],
      )
    const all = BigInt(METHOD_CHANGES_A_DAY)
    expect(await left()).toEqual([{ methods: all, mails: all }])
    expect(await answerTo(label(99))).toBe('too_many_requests')
    expect(await left()).toEqual([{ methods: all, mails: all }])
    // What is saved already may be saved again.
    expect(await label(METHOD_CHANGES_A_DAY - 1)).toMatchObject({ code: 1 })
  })

  it('is one when two are saved at once', async () => {
    const numbers = ['4242424242424242', '5555555555554444', '378282246310005', '6011111111111117']
    const saved = await Promise.all(
      numbers.map((acc_name) => test.call(setPayInfo, { ...CARD, acc_name }, ann)),
    )
    expect(saved.map(({ code }) => code)).toEqual([1, 1, 1, 1])
    expect((await test.call(withdrawInfo, {}, ann)).data.pay_list).toHaveLength(1)
  })

  it('waits for its balance before it locks its player, as a freeze does', async () => {
    const lock = (what: string) => (tx: Transaction) =>
      tx.query(`select from ${what} = $1 for no key update nowait`, [ann.id])
    const saved = await answerAfter(test.database, {
      first: lock('ledger.balance where holder_id'),
      second: () => answerTo(test.call(setPayInfo, CARD, ann)),
      whileWaiting: lock('accounts.player where id'),
    })
    expect(saved).toBe('done')
  })

  it('of a short account number, whose zeros stay, identifies nobody without its bank, and a card does', async () => {
    const japanese = await test.call(setPayInfo, { ...CARD, acc_name: '001 2345' }, ann)
    expect(japanese.data.acc_name).toBe('•••• 2345')
    // Accounts in Indonesia and India whose numbers begin like a card's, but with a branch; their last digit checks nothing.
    for (const acc_name of ['370401012345533', '4060000100123456']) {
      const saved = await test.call(setPayInfo, { ...CARD, acc_name }, ann)
      expect(saved.data.acc_name).toBe(`•••• ${acc_name.slice(-4)}`)
    }
    const bank = { kind: 'bank', bankName: 'Ｍizuho Bank', branchCode: '001' } as const
    const mark = (number: string, other = {}) => payeeMark({ ...bank, ...other }, number).value
    expect(mark('0012345')).toBe(mark('0012345', { bankName: 'MIZUHO  bank' }))
    expect(mark('0012345')).not.toBe(mark('0012345', { bankName: 'MUFG' }))
    expect(mark('0012345')).not.toBe(mark('0012345', { branchCode: '002' }))
    expect(mark('4242424242424242')).toBe(mark('4242424242424242', { bankName: 'MUFG' }))
  })
})

describe('a pay method that is mistyped', () => {
  let ann: SeatedPlayer
  beforeAll(async () => {
    ann = await addSeatedPlayer(test.database, { u: 0 })
  })

  it.each([
    ['a card number that is short', { ...CARD, acc_name: '424242' }, 'acc_name'],
    ['no bank', { ...CARD, acc_bank: '' }, 'acc_bank'],
    ['no holder', { ...CARD, acc: ' ' }, 'acc'],
    ['a wrong character', { ...WALLET, acc: TEST_WALLET.replace('S', 's') }, 'acc'],
    ['an Ethereum address', { ...WALLET, acc: `0x${'7'.repeat(40)}` }, 'acc'],
    ['no wallet type', { ...WALLET, acc_name: '' }, 'acc_name'],
    ['an unknown type', { ...WALLET, type: 2 }, 'type'],
  ])('with %s is refused by its field', async (_what, request, field) => {
    expect(await faultsOf(test.call(setPayInfo, request, ann))).toEqual([field])
  })
})

it('addresses are tried a limited number of times a day, so that nobody finds players by theirs', async () => {
  const seat = () => addSeatedPlayer(test.database, { u: 0 })
  const [ann, bob] = [await seat(), await seat()]
  const address = await usdtAddressOf(test, bob)
  const save = (acc: string) => answerTo(test.call(setPayInfo, { ...WALLET, acc }, ann))
  const tried = [address]
  // Of other wallets, the first six are saved: the refusals after them are counted too.
  while (tried.length < METHOD_CHANGES_A_DAY) tried.push(newWallet())
  const answers = new Set()
  for (const acc of tried) answers.add(await save(acc))
  expect([...answers]).toEqual(['invalid_input', 'done', 'too_many_numbers'])
  for (const acc of [address, newWallet()]) expect(await save(acc)).toBe('too_many_requests')
})

it('a wallet that is the configured contract of USDT is refused', async () => {
  const database = await createTestDatabase()
  const playerId = await addPlayer(database)
  const wallet = { number: TEST_WALLET, label: 'TRC20', bankName: '', branchCode: '' }
  const saving = (usdtContract: string) =>
    savePayMethod(
      {
        db: database.db,
        usdtContract,
        noteMark: async () => null,
        cipher: secretCipher('a key of this test, long enough'),
      },
      { ...wallet, playerId, kind: 'wallet', branchName: '', note: '', network: '10.0.0.1' },
    )
  expect(await saving(TEST_WALLET)).toMatchObject({ faults: { acc: 'tron_not_a_wallet' } })
  expect(await saving(USDT_MAINNET_CONTRACT)).toMatchObject({ shownNumber: TEST_WALLET })
})

it('the name of a bank that is written from right to left turns no number after it', () => {
  const card = { kind: 'bank', shownNumber: '•••• 4242' } as const
  expect(payeeText({ ...card, bankName: 'Bank of Hanoi' })).toBe('Bank of Hanoi •••• 4242')
  expect(payeeText({ ...card, bankName: 'בנק לאומי' })).toBe('\u2068בנק לאומי\u2069 •••• 4242')
})

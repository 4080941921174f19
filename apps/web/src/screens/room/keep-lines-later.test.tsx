import type { ReplyOf } from '@sum28/contract/route.ts'
import { orderInfo } from '@sum28/contract/user-routes.ts'
import { formatVerifierKey, type SigningKey, signingKey } from '@sum28/fairness/signed-note.ts'
import { logged, logKey, signedReceipt } from '@sum28/fairness/testing/logged.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { trustKeys } from '#src/data/kept-keys.ts'
import { keptLine } from '#src/data/kept-lines.ts'
import { dropKeptLines } from '#src/data/session.ts'
import { beginSession, dropSession } from '#src/data/session-watch.ts'
import { activateLanguage, loadAllTexts } from '#src/i18n/load.tsx'
import { hideToast, toastStore } from '#src/parts/toast-store.ts'
import { keepLineLater } from '#src/screens/room/keep-lines-later.ts'
import { CheckWorker } from '#src/testing/check-worker.ts'
import { type ContractMock, mockContract } from '#src/testing/contract-mock.ts'
import { sampleOf } from '#src/testing/sample-of.ts'
import { USERINFO } from '#src/testing/usual-replies.ts'

let server: ContractMock
/** Calls that have no answer yet, and the most of them at once. */
let open = 0
let openMax = 0
/** What the player was told. */
let told: string[] = []
toastStore.subscribe(() => told.push(toastStore.get()?.text ?? ''))

beforeEach(async () => {
  await activateLanguage('en')
  await loadAllTexts('en')
  vi.useFakeTimers()
  server = mockContract()
  answerLines()
  open = openMax = 0
  told = []
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
    open += 1
    openMax = Math.max(openMax, open)
    await new Promise((resolve) => setTimeout(resolve, 50))
    open -= 1
    return server.fetch(...given)
  })
  vi.stubGlobal('Worker', CheckWorker)
  beginSession(USERINFO)
})

afterEach(async () => {
  // Leaves nothing to the next test.
  dropSession()
  hideToast()
  await vi.runAllTimersAsync()
  localStorage.clear()
  vi.useRealTimers()
  expect(server.faults).toEqual([])
})

type Line = ReplyOf<typeof orderInfo>

const lineOf = (orderNo: string) => `2|${orderNo}|4|[1]|1920|3|100000000|${'ab'.repeat(16)}`

/** @param changes of receipts that the log's key has signed; `of`: whose line it is, if not of the bet itself */
function answerLines(
  changes: Partial<Line['proof']> = {},
  { of, settledAt = null, ...log }: Answered = {},
): void {
  const sample = sampleOf(orderInfo.reply) as Line
  const odds = { class: 1, class_name: 'long', odds: '1.92', stake: '100.00' }
  const selections = [{ ...odds, payout: '0.00', hit: false }]
  const { game_id, issue } = sample.proof
  const ends_at = Math.floor(Date.now() / 1_000) + 7_200
  const signed = (leaf: string) => signedReceipt({ game_id, issue, leaf, player_id: 7 }, log.key)
  server.answer(orderInfo, ({ input: { orderNo } }) => ({
    ...sample,
    orderNo,
    settled_at: settledAt,
    game_id,
    issue,
    plan_id: 4,
    play_type: '[1]',
    quantity: '100.00',
    lottery_code: '',
    rules_version: 3,
    selections,
    proof: {
      ...sample.proof,
      ...logged({ ...sample.proof, ends_at, leaf: lineOf(of ?? orderNo), player_id: 7 }, log),
      signed: signed(lineOf(of ?? orderNo)),
      ...changes,
    },
  }))
}

type Answered = { of?: string; settledAt?: number | null; key?: SigningKey }

const asked = () => server.inputsOf(orderInfo).map((input) => input.orderNo)

it('asks for the line of each of some bets, one after another', async () => {
  for (const orderNo of ['B1', 'B2', 'B3']) keepLineLater(orderNo)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(asked()).toEqual([])
  await vi.advanceTimersByTimeAsync(60)
  expect(asked()).toEqual(['B1'])
  await vi.advanceTimersByTimeAsync(1_200)
  expect(asked()).toEqual(['B1', 'B2', 'B3'])
  expect(openMax).toBe(1)
  for (const orderNo of asked()) expect(keptLine(orderNo), orderNo).not.toBeNull()
})

it('asks again for a line that was refused, when it may', async () => {
  const refused = { reason: 'too_many_requests', msg: 'Later', data: { retry_after: 60 } } as const
  server.refuse(orderInfo, { ...refused, code: 429 })
  for (const orderNo of ['B1', 'B2']) keepLineLater(orderNo)
  await vi.advanceTimersByTimeAsync(69_000)
  expect(asked()).toEqual(['B1'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked()).toEqual(['B1', 'B2'])
  answerLines()
  await vi.advanceTimersByTimeAsync(62_000)
  expect(asked()).toEqual(['B1', 'B2', 'B1', 'B2'])
  expect(keptLine('B1')).not.toBeNull()
})

const HOUR_MS = 3_600_000

describe('a line of a server that is away', () => {
  beforeEach(() => {
    server.cutOff(orderInfo)
    keepLineLater('B1')
  })

  it('is asked for until it comes, within an hour of the bet', async () => {
    await vi.advanceTimersByTimeAsync(HOUR_MS / 2)
    expect(told).toEqual([])
    // The log is not there yet either.
    answerLines({ log: null })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(told).toEqual([])
    answerLines()
    await vi.advanceTimersByTimeAsync(21_000)
    expect(keptLine('B1')?.leaf).toBe(lineOf('B1'))
  })

  it('is told after that, once an hour, and is asked for all the same', async () => {
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    expect(told.filter((each) => each !== '')).toEqual([
      expect.stringContaining('Bet B1: this device has no signed receipt of it'),
    ])
    answerLines()
    await vi.advanceTimersByTimeAsync(21_000)
    expect(keptLine('B1')?.leaf).toBe(lineOf('B1'))
  })

  it('is not told at one try of a page that was asleep for that hour', async () => {
    await vi.advanceTimersByTimeAsync(11_000)
    vi.setSystemTime(Date.now() + 2 * HOUR_MS)
    await vi.advanceTimersByTimeAsync(21_000)
    expect(asked()).toEqual(['B1', 'B1'])
    answerLines()
    await vi.advanceTimersByTimeAsync(21_000)
    expect(told).toEqual([])
    expect(keptLine('B1')?.leaf).toBe(lineOf('B1'))
  })

  it('is told by the time of the bet, also if another session began within the hour', async () => {
    await vi.advanceTimersByTimeAsync(HOUR_MS - 60_000)
    dropSession()
    beginSession(USERINFO)
    await vi.advanceTimersByTimeAsync(360_000)
    expect(told.join()).toContain('Bet B1: this device has no signed receipt of it')
  })
})

it('tells a receipt that is not signed, and keeps a line once the log can show its keys', async () => {
  answerLines({ signed: '' })
  keepLineLater('B1')
  await vi.advanceTimersByTimeAsync(11_000)
  expect(toastStore.get()?.text).toContain('Bet B1: its receipt is not signed by')
  expect(keptLine('B1')).toBeNull()
  answerLines({ log: null })
  keepLineLater('B2')
  await vi.advanceTimersByTimeAsync(11_000)
  expect(keptLine('B2')).toBeNull()
  answerLines()
  await vi.advanceTimersByTimeAsync(21_000)
  expect(asked()).toEqual(['B1', 'B2', 'B2'])
  expect(keptLine('B2')?.leaf).toBe(lineOf('B2'))
})

const shamKey = signingKey(logKey.name, 'log', new Uint8Array(32).fill(9))
it.each<[string, () => void, string]>([
  ['is of a key that it does not know', () => answerLines({}, { key: shamKey }), 'not signed by a'],
  [
    'is unsigned, of a bet that the house calls settled',
    () => answerLines({ signed: '' }, { settledAt: 1 }),
    'not signed by a',
  ],
  ['is of another bet', () => answerLines({}, { of: 'B0' }), 'not signed by a'],
  [
    'is of a bet that the house does not know any more',
    () => server.refuse(orderInfo, { reason: 'not_found', code: 0, msg: '', data: {} }),
    'has no signed receipt',
  ],
])('keeps no line and tells the player when it %s', async (_, answer, words) => {
  // The log's key is the first that this device sees.
  keepLineLater('B0')
  await vi.advanceTimersByTimeAsync(11_000)
  expect(keptLine('B0')?.leaf).toBe(lineOf('B0'))
  answer()
  keepLineLater('B1')
  await vi.advanceTimersByTimeAsync(11_000)
  expect(told.join()).toContain(words)
  expect(keptLine('B1')).toBeNull()
})

it('tells of several bets in one toast, until a press has taken that away', async () => {
  answerLines({ signed: '' })
  keepLineLater('B1')
  await vi.advanceTimersByTimeAsync(11_000)
  server.refuse(orderInfo, { reason: 'not_found', code: 0, msg: '', data: {} })
  for (const orderNo of ['B2', 'B3', 'B4', 'B5']) keepLineLater(orderNo)
  await vi.advanceTimersByTimeAsync(20_000)
  const shown = () => toastStore.get()?.text ?? ''
  expect(shown()).toContain('Bet B1: its receipt is not signed by')
  expect(shown()).toContain('4 bets (B2 · B3 · B4 …): this device has no signed receipt of them')
  window.dispatchEvent(new Event('click'))
  expect(shown()).toBe('')
  for (const orderNo of ['B6', 'B7']) keepLineLater(orderNo)
  await vi.advanceTimersByTimeAsync(12_000)
  expect(shown()).toMatch(/^2 bets \(B6 · B7\): this device has no signed receipt of them/)
})

it('keeps a line by a log of another name, as after a restore, with its key, and tells that once', async () => {
  const anew = signingKey(`${logKey.name}/2`, 'log', new Uint8Array(32).fill(9))
  const key = `log ${formatVerifierKey(anew)}`
  keepLineLater('B0')
  await vi.advanceTimersByTimeAsync(11_000)
  expect(keptLine('B0')?.key).toBeUndefined()
  answerLines({}, { key: anew })
  for (const orderNo of ['B1', 'B2']) keepLineLater(orderNo)
  await vi.advanceTimersByTimeAsync(12_000)
  for (const orderNo of ['B1', 'B2'])
    expect(keptLine(orderNo)).toMatchObject({ leaf: lineOf(orderNo), key })
  const words = 'Bet B1: its receipt is signed by the key of a log that is new here.'
  expect(told.filter((each) => each !== '')).toEqual([expect.stringContaining(words)])
  // A line that neither this key nor a trusted one has signed is none.
  answerLines({ signed: '' }, { key: anew })
  keepLineLater('B3')
  await vi.advanceTimersByTimeAsync(11_000)
  expect(told.join()).toContain('Bet B3: its receipt is not signed by')
  // Once the player has compared the key, another one of this name is a stranger's.
  trustKeys([key])
  const sham = signingKey(anew.name, 'log', new Uint8Array(32).fill(8))
  for (const [orderNo, by] of [
    ['B4', anew],
    ['B5', sham],
  ] as const) {
    answerLines({}, { key: by })
    keepLineLater(orderNo)
    await vi.advanceTimersByTimeAsync(11_000)
  }
  expect([keptLine('B4')?.leaf, keptLine('B5')]).toEqual([lineOf('B4'), null])
})

it('keeps a line that comes when the round is over', async () => {
  answerLines({ ends_at: 1 }, { settledAt: 1 })
  keepLineLater('B1')
  await vi.advanceTimersByTimeAsync(11_000)
  expect(keptLine('B1')?.leaf).toBe(lineOf('B1'))
})

it('tells the player that the log shows no key for as long as it is asked', async () => {
  answerLines({ log: null })
  keepLineLater('B1')
  await vi.advanceTimersByTimeAsync(189_000)
  expect(asked()).toHaveLength(9)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(told.join()).toContain('Bet B1: this device has no signed receipt of it')
})

describe('a line that is due when the page goes away', () => {
  beforeEach(async () => {
    keepLineLater('B1')
    await vi.advanceTimersByTimeAsync(5_000)
  })

  it('is asked for once the page is loaded anew, though the round is over', async () => {
    vi.clearAllTimers()
    vi.resetModules()
    answerLines({ ends_at: 1 }, { settledAt: 1 })
    await import('#src/screens/room/keep-lines-later.ts')
    await vi.advanceTimersByTimeAsync(9_000)
    expect(asked()).toEqual([])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(asked()).toEqual(['B1'])
    expect(keptLine('B1')?.leaf).toBe(lineOf('B1'))
  })

  it('is asked for in the player’s next session, and in no other player’s', async () => {
    for (const userId of [8, USERINFO.user_id]) {
      dropSession()
      beginSession({ ...USERINFO, user_id: userId })
      await vi.advanceTimersByTimeAsync(11_000)
      expect(asked()).toEqual(userId === 8 ? [] : ['B1'])
    }
    expect(keptLine('B1')).not.toBeNull()
  })

  it('is asked for no more once the player has signed out', async () => {
    dropSession()
    dropKeptLines()
    await vi.advanceTimersByTimeAsync(11_000)
    beginSession(USERINFO)
    await vi.advanceTimersByTimeAsync(11_000)
    expect(asked()).toEqual([])
  })

  it('is asked for no more once the player was told of it', async () => {
    answerLines({ signed: '' })
    await vi.advanceTimersByTimeAsync(6_000)
    expect(told.join()).toContain('Bet B1: its receipt is not signed by')
    dropSession()
    beginSession(USERINFO)
    await vi.advanceTimersByTimeAsync(11_000)
    expect(asked()).toEqual(['B1'])
  })

  it('pushes out no line that the device has', async () => {
    await vi.advanceTimersByTimeAsync(6_000)
    server.cutOff(orderInfo)
    for (let at = 2; at < 202; at += 1) keepLineLater(`B${at}`)
    await vi.advanceTimersByTimeAsync(11_000)
    expect(keptLine('B1')?.leaf).toBe(lineOf('B1'))
    expect(keptLine('B201')).toBeNull()
    vi.clearAllTimers()
  })
})

it('asks for those alone that the device would keep, of a thousand bets at once', async () => {
  for (let at = 0; at < 1_000; at += 1) keepLineLater(`B${at}`)
  await vi.advanceTimersByTimeAsync(10_000 + 101 * 550)
  expect(asked()).toEqual(['B0', ...Array.from({ length: 100 }, (_, at) => `B${900 + at}`)])
  expect(openMax).toBe(1)
})

it('asks for two a second at most while a program places twenty', async () => {
  for (let at = 0; at < 1_200; at += 1) {
    keepLineLater(`B${at}`)
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(asked().length).toBeLessThanOrEqual(100)
  expect(asked().length).toBeGreaterThan(80)
})

it('asks for nothing for the next player of the device', async () => {
  for (const orderNo of ['B1', 'B2']) keepLineLater(orderNo)
  beginSession({ ...USERINFO, user_id: 8 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked()).toEqual([])
})

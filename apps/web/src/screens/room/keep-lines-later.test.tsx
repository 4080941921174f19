import type { ReplyOf } from '@sum28/contract/route.ts'
import { orderInfo } from '@sum28/contract/user-routes.ts'
import { logged } from '@sum28/fairness/testing/logged.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keptLine } from '#src/data/kept-lines.ts'
import { beginSession, dropSession } from '#src/data/session-watch.ts'
import { activateLanguage, loadAllTexts } from '#src/i18n/load.tsx'
import { toastStore } from '#src/parts/toast-store.ts'
import { keepLineLater } from '#src/screens/room/keep-lines-later.ts'
import { CheckWorker } from '#src/testing/check-worker.ts'
import { type ContractMock, mockContract } from '#src/testing/contract-mock.ts'
import { sampleOf } from '#src/testing/sample-of.ts'
import { USERINFO } from '#src/testing/usual-replies.ts'

let server: ContractMock
/** Calls that have no answer yet, and the most of them at once. */
let open = 0
let openMax = 0

beforeEach(() => {
  vi.useFakeTimers()
  server = mockContract()
  answerLines()
  open = openMax = 0
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
  await vi.runAllTimersAsync()
  localStorage.clear()
  vi.useRealTimers()
  expect(server.faults).toEqual([])
})

const LINE = `2|O1|4|[1]|1920|3|100|${'ab'.repeat(16)}`

/** @param signed by the log's key, if it is not told otherwise */
function answerLines(changes: { signed?: string; log?: null } = {}): void {
  const sample = sampleOf(orderInfo.reply) as ReplyOf<typeof orderInfo>
  const proof = logged({ ...sample.proof, ends_at: 1_800_000_000, leaf: LINE, player_id: 7 })
  server.answer(orderInfo, ({ input: { orderNo } }) => ({
    ...{ ...sample, orderNo, settled_at: null },
    proof: { ...sample.proof, ...proof, ...changes },
  }))
}

const asked = () => server.requestsOf(orderInfo).map(({ input }) => input.orderNo)

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

it('asks again for a line that was refused, when it may, and gives up in the end', async () => {
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
  server.cutOff(orderInfo)
  keepLineLater('B3')
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(asked().filter((orderNo) => orderNo === 'B3')).toHaveLength(10)
})

it('tells a receipt that is not signed, and keeps a line once the log can show its keys', async () => {
  await activateLanguage('en')
  await loadAllTexts('en')
  answerLines({ signed: '' })
  keepLineLater('B1')
  await vi.advanceTimersByTimeAsync(11_000)
  expect(toastStore.get()?.text).toContain('Bet B1: its receipt is not signed')
  expect(keptLine('B1')).toBeNull()
  answerLines({ log: null })
  keepLineLater('B2')
  await vi.advanceTimersByTimeAsync(11_000)
  expect(keptLine('B2')).toBeNull()
  answerLines()
  await vi.advanceTimersByTimeAsync(21_000)
  expect(asked()).toEqual(['B1', 'B2', 'B2'])
  expect(keptLine('B2')?.leaf).toBe(LINE)
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

import { heart, oddsList, playOrder } from '@sum28/contract/lottery-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type StreamRound, stream } from '@sum28/contract/stream.ts'
import { orderInfo, orderList } from '@sum28/contract/user-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { queryClient } from '#src/data/query-client.ts'
import type { PastRound } from '#src/data/rounds/past-round.ts'
import { beginSession } from '#src/data/session-watch.ts'
import { href } from '#src/navigation/routes.ts'
import { type OwnBet, ownRounds, unshownLoss } from '#src/screens/room/own-bets.ts'
import { keepUnanswered } from '#src/screens/room/use-order.ts'
import { YourBets } from '#src/screens/room/your-bets.tsx'
import { sampleOf } from '#src/testing/sample-of.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { showComponent } from '#src/testing/show-component.tsx'
import { ANOTHERS_BET, GAME, ISSUE, ODDS, OWN, USERINFO } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const [LAST, DRAWING, RUNNING] = ['20261120041', '20261120042', '20261120043'] as const

const betOf = (roundId: string, differing: Partial<OwnBet> = {}): OwnBet => ({
  orderNo: roundId,
  game: 'BTC',
  roundId,
  outcomes: ['long', '13'],
  staked: 200n * MICRO,
  profit: 0n,
  result: 'pending',
  odds: [1_920, 12_800],
  ...differing,
})

const drawOf = (roundId: string, digits: PastRound['digits']): PastRound => ({
  roundId,
  digits,
  labels: [],
  voided: digits === null,
  drawnAt: 0,
  witnessed: null,
})

describe('the player’s rounds', () => {
  it('show each outcome once, with its stake and possible return over all bets', () => {
    const bets = [betOf(RUNNING), betOf(RUNNING, { outcomes: ['long'], odds: [2_000] })]
    const { running } = ownRounds(bets, { game: 'BTC', running: RUNNING, lastDraw: null })
    expect(running.selections).toEqual([
      { outcome: 'long', stake: 300n * MICRO, returns: 592n * MICRO, hit: null },
      { outcome: '13', stake: 100n * MICRO, returns: 1_280n * MICRO, hit: null },
    ])
  })

  it('state no return where the odds of one bet are not known', () => {
    const bets = [betOf(RUNNING), betOf(RUNNING, { odds: null })]
    const { running } = ownRounds(bets, { game: 'BTC', running: RUNNING, lastDraw: null })
    expect(running.selections.map(({ returns }) => returns)).toEqual([null, null])
  })

  it('say of each outcome whether the draw hit it, and what the settled bets came to', () => {
    const lost: Partial<OwnBet> = { result: 'lost', profit: -200n * MICRO }
    const won: Partial<OwnBet> = { outcomes: ['short-even'], result: 'won', profit: 355_500_000n }
    const { last } = ownRounds([betOf(LAST, lost), betOf(LAST, won)], {
      game: 'BTC',
      running: RUNNING,
      lastDraw: drawOf(LAST, [0, 5, 3]),
    })
    expect(last?.selections.map(({ outcome, hit }) => [outcome, hit])).toEqual([
      ['short-even', true],
      ['long', false],
      ['13', false],
    ])
    expect(last?.result).toEqual({ kind: 'profit', amount: 155_500_000n })
  })

  it('have no result while a bet is not settled, or the draw is not shown yet', () => {
    const settled = betOf(DRAWING, { result: 'lost', profit: -200n * MICRO })
    const shown = { game: 'BTC', running: RUNNING, lastDraw: drawOf(DRAWING, [0, 5, 3]) }
    expect(ownRounds([settled, betOf(DRAWING)], shown).last?.result).toBeNull()
    const { last } = ownRounds([settled], { ...shown, lastDraw: drawOf(LAST, [1, 1, 1]) })
    expect(last).toMatchObject({ roundId: DRAWING, result: null, draw: null })
    expect(last?.selections.every(({ hit }) => hit === null)).toBe(true)
  })

  it('return the stakes of a voided round', () => {
    const { last } = ownRounds([betOf(LAST, { result: 'refunded' })], {
      game: 'BTC',
      running: RUNNING,
      lastDraw: drawOf(LAST, null),
    })
    expect(last?.result).toEqual({ kind: 'returned', amount: 200n * MICRO })
  })

  it('are those of their game', () => {
    const shown = { game: 'DOT', running: RUNNING, lastDraw: null }
    expect(ownRounds([betOf(RUNNING)], shown).running.bets).toEqual([])
  })

  it('have stakes at risk until their draw is shown', () => {
    const lost = betOf(DRAWING, { result: 'lost', profit: -200n * MICRO })
    const lastDraw = drawOf(LAST, [1, 1, 1])
    expect(unshownLoss([betOf(RUNNING), lost], { lastDraw })).toBe(400n * MICRO)
    expect(unshownLoss([lost], { lastDraw: drawOf(DRAWING, [1, 1, 1]) })).toBe(0n)
  })

  it('are left out of the session until their draw is shown, with what they won or got back', () => {
    const lastDraw = drawOf(LAST, [1, 1, 1])
    const refunded = betOf(DRAWING, { result: 'refunded' })
    expect(unshownLoss([refunded], { lastDraw })).toBe(0n)
    const won = betOf(DRAWING, { result: 'won', profit: 155_500_000n })
    expect(unshownLoss([won, betOf(RUNNING)], { lastDraw })).toBe(44_500_000n)
  })

  it('are never out of sight between the end of a round and its draw', () => {
    const { running, last } = ownRounds([betOf(DRAWING)], {
      game: 'BTC',
      running: RUNNING,
      lastDraw: drawOf(LAST, [1, 1, 1]),
    })
    expect(running.bets).toEqual([])
    expect(last?.roundId).toBe(DRAWING)
    expect(last?.bets).toHaveLength(1)
  })
})

const NEXT = '20261122101'

const ROUND: StreamRound = {
  game_status: 1,
  issue: { ...GAME.issue, issue: ISSUE, last_issue: '20261122099', openTime1: 120 },
  last_issue: null,
}

const DRAWN: StreamRound = {
  game_status: 1,
  issue: { ...ROUND.issue, issue: NEXT, last_issue: ISSUE },
  last_issue: {
    issue: ISSUE,
    site_1: 0,
    site_2: 5,
    site_3: 3,
    code: 8,
    base: ['short', 'even'],
    join: 'short-even',
    status: 'drawn',
    drawn_at: 1_795_000_000,
    witnessed: true,
  },
}

const RECORD = {
  orderNo: 'B502',
  createtime: 1_795_000_000,
  game_id: 2,
  name: 'BCH',
  plan_name: 'Basic',
  status: 0,
  whether_hit: 0,
  profit: '0.00',
  issue: ISSUE,
  quantity: '10.00',
  lottery_code: '',
  play_method: 'long',
  play_type: '[1]',
  witnessed: null,
}

/** Enters the room; returns how its stream sends a round. A beat tells the same. */
async function enterRoom() {
  const opened = Promise.withResolvers<(round: StreamRound) => void>()
  const money = { money: '100.00', version: '1', buy: '0.00', buy_issue: ISSUE }
  let round = ROUND
  server().answer(heart, () => ({ ...round, user_quantity: money, hit_notice: [], message: [] }))
  server().onOpen(stream, ({ send }) => {
    send('round', round)
    send('money', money)
    opened.resolve((next) => {
      round = next
      send('round', next)
      send('own', { ...OWN, bets: 'settled' })
    })
  })
  const { person } = await showApp(href('room', { id: '21', game_id: '2', name: '', title: '' }))
  return { person, send: await opened.promise }
}

/** Holds timers of this length back; returns how they run now, and how many did. Others run at their own time. */
function holdTimersOf(heldMs: number): () => number {
  const held: (() => void)[] = []
  const start = globalThis.setTimeout
  const holding = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => holding.mockRestore())
  holding.mockImplementation(((run: () => void, ms?: number) => {
    if (ms !== heldMs) return start(run, ms)
    held.push(run)
    return 0
  }) as unknown as typeof setTimeout)
  return () => {
    const due = held.splice(0)
    act(() => {
      for (const run of due) run()
    })
    return due.length
  }
}

const listed = (...list: (typeof RECORD)[]) => ({ list, total: list.length, page: 1 })

const strip = (words: RegExp) => screen.findByRole('button', { name: words })

describe('the strip of the room', () => {
  it('says that the bets could not be loaded, and a tap loads them again', async () => {
    server().refuse(orderList, { reason: 'unavailable', msg: 'Please try again later' })
    const { person } = await enterRoom()
    const failed = await strip(/^Your bets: This could not be loaded/)
    server().answer(orderList, listed(RECORD))
    await person.click(failed)
    await strip(/^Your bets: Round 100: Long/)
  })

  it('shows a bet with its possible return as soon as it is accepted', async () => {
    server().answer(orderList, () =>
      server().requestsOf(playOrder).length === 0 ? listed() : listed(RECORD),
    )
    const own = { user_id: 7, orderNo: 'B502', after_quantity: '90.00', version: '2' }
    server().answer(playOrder, { ...ANOTHERS_BET, id: 502, ...own })
    const { person } = await enterRoom()
    await strip(/^Your bets: Your bets of this round/)
    await person.click(screen.getByRole('button', { name: 'Buy' }))
    const panel = within(await screen.findByRole('dialog'))
    await person.click(await panel.findByRole('button', { name: 'Long 2' }))
    await person.click(panel.getByRole('button', { name: '+10 Add to the amount' }))
    await person.click(panel.getByRole('button', { name: /^Buy 1 for/ }))
    await strip(/^Your bets: Round 100: Long 10.00\u00a0u, may pay 20.00\u00a0u/)
    expect(server().requestsOf(orderInfo)).toEqual([])
  })

  it('keeps the focus in the panel when a button goes with its press, or bets are closed', async () => {
    server().answer(orderList, listed(RECORD))
    const { person, send } = await enterRoom()
    await strip(/^Your bets: Round 100: Long/)
    await person.click(screen.getByRole('button', { name: 'Buy' }))
    const panel = within(await screen.findByRole('dialog'))
    const press = async (name: string) => {
      const button = await panel.findByRole('button', { name })
      button.focus()
      await person.keyboard('{Enter}')
      expect(button.isConnected).toBe(false)
      return document.activeElement
    }
    expect((await press('Same again'))?.textContent).toMatch(/^1 chosen/)
    expect(await press('Clear the amount')).toBe(panel.getByRole('textbox'))
    await person.click(panel.getByRole('button', { name: '+10 Add to the amount' }))
    // A tap opens no keyboard on the screen.
    await person.click(panel.getByRole('button', { name: 'Clear the amount' }))
    expect(document.activeElement).not.toBe(panel.getByRole('textbox'))
    await person.click(panel.getByRole('button', { name: '+10 Add to the amount' }))
    const buy = panel.getByRole('button', { name: /^Buy 1 for/ })
    buy.focus()
    send({ ...ROUND, issue: { ...ROUND.issue, openTime1: 0 } })
    expect(await panel.findByRole('button', { name: 'Sealed' })).toBe(buy)
    expect(document.activeElement).toBe(buy)
    await person.keyboard('{Enter}')
    expect(server().requestsOf(playOrder)).toEqual([])
  })

  it('asks for the signed line of an accepted bet once, some time after it, and does without it', async () => {
    const own = { user_id: 7, orderNo: 'B502', after_quantity: '90.00', version: '2' }
    server().answer(playOrder, { ...ANOTHERS_BET, id: 502, ...own })
    server().refuse(orderInfo, { reason: 'fault', msg: 'Not today' })
    const { person } = await enterRoom()
    await person.click(await screen.findByRole('button', { name: 'Buy' }))
    const panel = within(await screen.findByRole('dialog'))
    await person.click(await panel.findByRole('button', { name: 'Long 2' }))
    await person.click(panel.getByRole('button', { name: '+10 Add to the amount' }))
    const later = holdTimersOf(10_000)
    await person.click(panel.getByRole('button', { name: /^Buy 1 for/ }))
    await screen.findByText('Bet placed. Order B502')
    expect(server().requestsOf(orderInfo)).toEqual([])
    later()
    await expect.poll(() => server().requestsOf(orderInfo)).toHaveLength(1)
    expect(server().requestsOf(orderInfo)[0]?.input).toEqual({ orderNo: 'B502' })
    await expect.poll(later).toBe(0)
    expect(server().requestsOf(orderInfo)).toHaveLength(1)
    expect(screen.queryByText('Not today')).toBeNull()
  })

  it('asks after a reload for the receipts of the newest bets alone, and for none whose line the device kept', async () => {
    const bets = Array.from({ length: 60 }, (_, at) => ({ ...RECORD, orderNo: `B${at}` }))
    server().answer(orderList, ({ input: { page = 1 } }) => ({
      list: bets.slice((page - 1) * 50, page * 50),
      total: bets.length,
      page,
    }))
    const leaf = `2|B3|21|[1]|1920|1|10000000|${'ab'.repeat(16)}`
    localStorage.setItem('sum28-kept-lines', JSON.stringify([['B3', { leaf, signed: '' }]]))
    const asked = () =>
      server()
        .inputsOf(orderInfo)
        .map((input) => input.orderNo)
    const { person, send } = await enterRoom()
    await strip(/^Your bets: Round 100: Long/)
    const newest = bets.slice(0, 24).map(({ orderNo }) => orderNo)
    expect(asked().sort()).toEqual(newest.filter((orderNo) => orderNo !== 'B3').sort())
    await person.click(await strip(/^Your bets/))
    const sheet = within(await screen.findByRole('dialog', { name: 'Your bets' }))
    await sheet.findByRole('link', { name: /10\.00 → 19\.20.*B3\b/ })
    const lists = server().requestsOf(orderList).length
    send(ROUND)
    await expect.poll(() => server().requestsOf(orderList).length).toBeGreaterThan(lists)
    expect(asked()).toHaveLength(23)
  })

  it('names the return of a bet that was sent again at its own odds, not at those of now', async () => {
    const order = { gameId: 2, roomId: 21, roundId: ISSUE, ruleIds: [1], followedId: null }
    const sent = { ...order, stake: 10n * MICRO, rulesVersion: 3 }
    keepUnanswered('7', { order: sent, key: 'a'.repeat(32) })
    server().answer(oddsList, { ...ODDS, rules_version: 4 })
    const own = { user_id: 7, orderNo: 'B502', after_quantity: '90.00', version: '2' }
    server().answer(playOrder, { ...ANOTHERS_BET, id: 502, ...own })
    const sample = sampleOf(orderInfo.reply) as ReplyOf<typeof orderInfo>
    const long = { class: 1, class_name: 'long', odds: '1.92', stake: '10.00', payout: '0.00' }
    server().answer(orderInfo, { ...sample, selections: [{ ...long, hit: null }] })
    const { person } = await enterRoom()
    await person.click(await screen.findByRole('button', { name: 'Buy' }))
    await screen.findByRole('button', { name: 'Long 2' })
    await person.keyboard('{Escape}')
    server().answer(orderList, listed(RECORD))
    await person.click(await screen.findByRole('button', { name: 'Send again' }))
    await person.click(await strip(/^Your bets: Round 100: Long/))
    const sheet = within(await screen.findByRole('dialog', { name: 'Your bets' }))
    await sheet.findByRole('link', { name: /10\.00 → 19\.20.*B502/ })
  })

  it('says at the draw what each bet came to, aloud too, and leads to the receipt', async () => {
    server().answer(orderList, listed(RECORD))
    const { person, send } = await enterRoom()
    await strip(/^Your bets: Round 100: Long/)
    const settled = { ...RECORD, status: 1, profit: '-10.00', lottery_code: '0 5 3 8' }
    server().answer(orderList, listed(settled))
    send(DRAWN)
    const words = 'Round 100: 0 5 3 = 8. Long missed. −10.00 u'
    const news = await screen.findByText(words, { selector: '[role=status]' })
    expect(news).toBeTruthy()
    await person.click(await strip(/^Your bets: Round 100: 0 5 3 = 8. Long missed/))
    const sheet = within(await screen.findByRole('dialog', { name: 'Your bets' }))
    const receipt = await sheet.findByRole('link', { name: /Long missed.*−10.00/ })
    expect(receipt.getAttribute('href')).toBe(href('bet', { item: '{"orderNo":"B502"}' }))
  })

  it('says the draw too while its list is open, which hides the room from screen readers', async () => {
    server().answer(orderList, listed(RECORD))
    const { person, send } = await enterRoom()
    await person.click(await strip(/^Your bets: Round 100: Long/))
    await screen.findByRole('dialog', { name: 'Your bets' })
    const settled = { ...RECORD, status: 1, profit: '-10.00', lottery_code: '0 5 3 8' }
    server().answer(orderList, listed(settled))
    send(DRAWN)
    const words = 'Round 100: 0 5 3 = 8. Long missed. −10.00 u'
    const news = await screen.findByText(words, { selector: '[role=status]' })
    expect(news.closest('[aria-hidden=true]')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Buy' })).toBeNull()
  })

  it('says the draw alone while the player’s bets cannot be loaded', async () => {
    server().refuse(orderList, { reason: 'fault', msg: 'Not today' })
    const { send } = await enterRoom()
    await strip(/^Your bets: This could not be loaded/)
    send(DRAWN)
    await screen.findByText('Round 100: 0 5 3 = 8.', { selector: '[role=status]' })
  })

  it('says each draw once, when it comes, and nothing between the seal and the draw', async () => {
    server().answer(orderList, listed())
    type Shown = { running: string; drawn: string; sealed: boolean }
    beginSession(USERINFO)
    let show = (_: Shown) => {}
    function Strip() {
      const [{ drawn, ...shown }, setShown] = useState({
        running: '20261120042',
        drawn: '20261120041',
        sealed: false,
      })
      show = (next) => act(() => setShown(next))
      const lastDraw = drawOf(drawn, [0, 5, 3])
      return <YourBets game={{ name: 'BTC' }} drawn={drawn} lastDraw={lastDraw} {...shown} />
    }
    await showComponent(
      <QueryClientProvider client={queryClient}>
        <Strip />
      </QueryClientProvider>,
    )
    await strip(/^Your bets: Your bets of this round/)
    const said = [42, 43].flatMap((round) => {
      const [drawn = '', running = '', next = ''] = [-1, 0, 1].map((by) => `202611200${round + by}`)
      const moments = [
        { running, drawn, sealed: true },
        // Its draw is due, and comes with the next round.
        { running, drawn, sealed: false },
        { running: next, drawn, sealed: false },
        { running: next, drawn: running, sealed: false },
      ]
      return moments.map((moment) => {
        show(moment)
        return screen.getByRole('status').textContent
      })
    })
    const draws = (round: string) => ['Sealed', '', '', `Round ${round}: 0 5 3 = 8.`]
    expect(said).toEqual(['042', '043'].flatMap(draws))
  })

  it('says that the stake of a voided round came back', async () => {
    server().answer(orderList, listed({ ...RECORD, status: 2 }))
    const { send } = await enterRoom()
    const nothing = { site_1: null, site_2: null, site_3: null, code: null, join: '' }
    send({
      ...DRAWN,
      last_issue: {
        issue: ISSUE,
        drawn_at: 1_795_000_000,
        witnessed: null,
        ...nothing,
        base: ['', ''],
        status: 'voided',
      },
    })
    await strip(/^Your bets: Round 100 was voided. 10.00\u00a0u refunded$/)
  })
})

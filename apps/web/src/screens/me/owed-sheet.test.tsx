import { logGrowth, reserves, returns } from '@sum28/contract/fairness-routes.ts'
import { owed } from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import type { DatedCount } from '@sum28/fairness/logged-owed.ts'
import { formatVerifierKey } from '@sum28/fairness/signed-note.ts'
import {
  leafNode,
  type OwedLeaf,
  owedLeafText,
  sumLevels,
  sumPath,
} from '@sum28/fairness/sum-tree.ts'
import {
  loggedCount,
  logKey,
  secondWitnessKey,
  witnessKey,
} from '@sum28/fairness/testing/logged.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { keepKeys } from '#src/data/kept-keys.ts'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { PROFILE } from '#src/testing/usual-replies.ts'

const server = useMockServer()
/** When the last count was made: an hour before the time of these tests. */
const AT = Date.parse('2026-11-20T11:00:00Z') / 1_000
const HOUR_S = 3_600

type ListedCount = ReplyOf<typeof reserves>['counts'][number]

/** A count in the public list. */
function listed(count: Pick<DatedCount, 'number' | 'counted_at' | 'root' | 'size'>): ListedCount {
  const { number, counted_at, root, size } = count
  const held = { owed: '200.00', on_chain: '150.00', at_bank: '49.99', block: 7 }
  return { number, counted_at, root, size, ...held }
}

/** A house's answer, in which a place of the tree is a player's. */
function answerOwed({
  playerId = PROFILE.id,
  total,
  proof = true,
  counted = true,
  since = AT - 1,
  countedAt = AT,
  log = (count) => loggedCount(count),
  list = (count) => [listed(count)],
}: {
  playerId?: number
  total?: string
  proof?: boolean
  counted?: boolean
  since?: number
  countedAt?: number
  /** What the house shows of its log. */
  log?: (count: DatedCount) => ReplyOf<typeof owed>['log']
  /** The counts that everybody is shown. */
  list?: (count: DatedCount) => ListedCount[]
}) {
  const leaves: OwedLeaf[] = [0, 1, 2, 3].map((at) => ({
    count: 4,
    playerId: at === 2 ? playerId : 0,
    salt: 'ab'.repeat(16),
    cash: at === 2 ? 12_500_000n : 0n,
    held: 0n,
    atRisk: at === 2 ? 500_000n : 0n,
  }))
  const levels = sumLevels(leaves.map(leafNode))
  const [root] = levels.at(-1) ?? []
  const [, , mine] = leaves
  if (!root || !mine) throw new Error('a tree has a root')
  const count = {
    number: 4,
    counted_at: countedAt,
    size: 4,
    total: total ?? String(root.sum),
    root: Buffer.from(root.hash).toString('hex'),
  }
  server().answer(owed, {
    player_id: playerId,
    since,
    count: counted ? count : null,
    proof: proof ? { leaf: owedLeafText(mine), index: 2, path: sumPath(levels, 2) } : null,
    log: log(count),
  })
  server().answer(reserves, () => ({ counts: list(count), addresses: [] }))
}

async function openCheck() {
  const { person } = await showApp(href('me'))
  await person.click(await screen.findByRole('button', { name: 'Is my balance counted?' }))
  return person
}

describe('the check of the balance', () => {
  it('says that it holds, with the amounts of the player’s own line', async () => {
    answerOwed({})
    const person = await openCheck()
    await screen.findByText('Your balance is in the count')
    screen.getByText(/12\.50/)
    screen.getByText(/13\.00/)
    screen.getByText('Witnessed')
    // The document would go to the file's address.
    const saving = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
    onTestFinished(() => saving.mockRestore())
    await person.click(screen.getByRole('button', { name: 'Save the proof' }))
    screen.getByText(/^sum28-balance-4\.json was handed to the browser to save/)
    screen.getByRole('button', { name: 'Copy' })
    const said = await screen.findByText(/^Your balance is in the count: /, {
      selector: '[aria-live]',
    })
    expect(said.closest('[aria-hidden="true"], [inert]')).toBeNull()
  })

  const edited = (edit: (text: string) => string) => ({
    log: (count: DatedCount) => loggedCount(count, { edit }),
  })
  it.each<[string, Parameters<typeof answerOwed>[0], string]>([
    [
      'a line that is another player’s, whatever number the server says is his',
      { playerId: 77 },
      'your line of the count',
    ],
    ['a total that is not that of the tree', { total: '1' }, 'the total'],
    [
      'another total in the public log',
      edited((text) => text.replace(/total=.*/, 'total=1')),
      'the count in the public log',
    ],
    [
      'another fingerprint in the public log',
      edited((text) => text.replace(/root=../, 'root=00')),
      'the count in the public log',
    ],
    [
      'a checkpoint that the log has not signed',
      { log: (count) => ({ ...loggedCount(count), checkpoint: '' }) },
      'the count in the public log · the log’s signature',
    ],
    [
      'a count that is not in the log ten minutes later',
      { log: () => null },
      'the count is not in the public log after ten minutes',
    ],
    [
      'an earlier count than the newest that everybody is shown',
      {
        list: (count) => [
          listed({ ...count, number: 5, counted_at: AT + 60, root: 'cd'.repeat(32) }),
          listed(count),
        ],
      },
      'the count is not the newest that everybody is shown',
    ],
    [
      'another count of that number than everybody is shown',
      { list: (count) => [listed({ ...count, root: 'cd'.repeat(32) })] },
      'the count is not the newest that everybody is shown',
    ],
    [
      'a count that nobody else is shown',
      { list: () => [] },
      'the count is not the newest that everybody is shown',
    ],
  ])('does not take %s', async (_, answer, parts) => {
    answerOwed(answer)
    await openCheck()
    await screen.findByText('Your proof does not fit')
    screen.getByText(`Does not hold: ${parts}. Save the proof, and contact support.`)
  })

  it('says of a new count that it is not in the log yet', async () => {
    answerOwed({ countedAt: Math.floor(Date.now() / 1_000), log: () => null })
    await openCheck()
    await screen.findByText('Not in the public log yet')
  })

  it('says that no witness has signed the log', async () => {
    answerOwed({ log: (count) => loggedCount(count, { witnessedAt: null }) })
    await openCheck()
    await screen.findByText('In the count, but not witnessed')
  })

  it('says that its keys are none of the first that this device saw, until they are compared', async () => {
    keepKeys([`witness ${formatVerifierKey(witnessKey)}`, `log ${formatVerifierKey(logKey)}`])
    answerOwed({ log: (count) => loggedCount(count, { by: [secondWitnessKey] }) })
    const person = await openCheck()
    await screen.findByText('Fits, by keys that are new here')
    expect(screen.queryByText('Your balance is in the count')).toBeNull()
    await person.click(screen.getByRole('button', { name: 'They are the same: trust them' }))
    await screen.findByText('Your balance is in the count')
  })

  it('does not take a count in another log than this device saw, and says nothing while it cannot ask', async () => {
    keepKeys([`witness ${formatVerifierKey(witnessKey)}`, `log ${formatVerifierKey(logKey)}`])
    const kept = { size: 7, root: 'ab'.repeat(32) }
    localStorage.setItem('sum28-log-state', JSON.stringify(kept))
    answerOwed({})
    server().cutOff(logGrowth)
    const person = await openCheck()
    const again = await screen.findByRole('button', { name: 'Try again' })
    server().refuse(logGrowth, { reason: 'not_found', msg: 'Not found', code: 404 })
    await person.click(again)
    await screen.findByText('Your proof does not fit')
    screen.getByText('Does not hold: The log only grew. Save the proof, and contact support.')
    expect(server().requestsOf(logGrowth).at(-1)?.input.sizes).toEqual([3, 7])
  })

  it('asks again when a count was made between the two replies', async () => {
    const isLater = () => server().requestsOf(reserves).length > 1
    answerOwed({ list: (count) => (isLater() ? [listed(count)] : []) })
    await openCheck()
    await screen.findByText('Your balance is in the count')
    expect(server().requestsOf(owed)).toHaveLength(2)
  })

  it.each<[string, number]>([
    ['27 hours', 27],
    ['months', 24 * 100],
  ])(
    'does not take a count that is %s old, though it is logged and witnessed',
    async (_, hours) => {
      answerOwed({ countedAt: AT - hours * HOUR_S, since: 0 })
      await openCheck()
      await screen.findByText('No count of the last 26 hours')
      expect(screen.queryByText('Your balance is in the count')).toBeNull()
    },
  )

  it.each<[string, Parameters<typeof answerOwed>[0]]>([
    ['an old count', { countedAt: AT - 27 * HOUR_S, since: 0 }],
    ['a count that is not in the log', { countedAt: AT, log: () => null }],
    ['an old count in which he is not', { countedAt: AT - 27 * HOUR_S, proof: false }],
  ])(
    'does not take %s when the server’s clock alone is so late that it fits',
    async (_, answer) => {
      answerOwed(answer)
      server().setClockAhead(-(answer.countedAt === AT ? 1 : 24) * HOUR_S * 1_000)
      await openCheck()
      await screen.findByText('Your clock and ours differ')
      screen.getByText(/by one of the two clocks everything is in time, by the other it is not/i, {
        selector: 'p',
      })
    },
  )

  it.each([-5, 5])('accuses nobody when the phone’s clock is wrong by %s days', async (days) => {
    answerOwed({})
    vi.setSystemTime((AT + days * 24 * HOUR_S) * 1_000)
    server().setClockAhead(-days * 24 * HOUR_S * 1_000)
    await openCheck()
    await screen.findByText('Your clock and ours differ')
    screen.getByText(/If your device’s date and time are wrong, set them/, { selector: 'p' })
  })

  it('is the same by a phone’s clock that is wrong by an hour', async () => {
    answerOwed({})
    server().setClockAhead(-HOUR_S * 1_000 + 60_000)
    await openCheck()
    await screen.findByText('Your balance is in the count')
  })

  it('does not call an answer old that came yesterday, while it asks again', async () => {
    answerOwed({})
    const person = await openCheck()
    await screen.findByText('Your balance is in the count')
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByText('Your balance is in the count')).toBeNull())
    vi.setSystemTime((AT + 28 * HOUR_S) * 1_000)
    server().hold(owed)
    await person.click(screen.getByRole('button', { name: 'Is my balance counted?' }))
    await screen.findByText('Your balance is in the count')
  })

  it('says to a player without a line that nothing was owed to him, by the house’s books', async () => {
    answerOwed({ proof: false })
    await openCheck()
    await screen.findByText('Nothing was owed to you then')
    screen.getByText(/If you had money with us then, contact support/, { selector: 'p' })
    expect(screen.queryByRole('button', { name: 'Save the proof' })).toBeNull()
  })

  it('tells a player that he is left out when he is shown no count, and others are', async () => {
    answerOwed({ counted: false, proof: false })
    await openCheck()
    await screen.findByText('You are not in the count')
  })

  it('says of a younger account that this is the house’s word', async () => {
    answerOwed({ proof: false, since: AT + 1 })
    await openCheck()
    await screen.findByText('Not proved: you are not in the count yet')
    screen.getByText(/only our word for it/, { selector: 'p' })
    screen.getByText('Count 4')
  })

  it('does not take an account for younger than a count of more than a day ago', async () => {
    answerOwed({ proof: false, countedAt: AT - 27 * HOUR_S, since: AT })
    await openCheck()
    await screen.findByText('No count of the last 26 hours')
  })

  it('says that nothing was counted only if nobody is shown a count', async () => {
    answerOwed({ counted: false, proof: false, list: () => [] })
    await openCheck()
    await screen.findByText('Nothing was counted yet')
  })

  it('says nothing of the count when the public list cannot be read', async () => {
    answerOwed({})
    server().refuse(reserves, { reason: 'fault', msg: 'Fault' })
    await openCheck()
    await screen.findByRole('button', { name: 'Try again' })
    expect(screen.queryByText('Your balance is in the count')).toBeNull()
  })
})

describe('the house’s money at /fairness', () => {
  const count = listed({ number: 2, counted_at: AT, root: 'ab'.repeat(32), size: 256 })
  async function showHouse({ counts, addresses = [] }: Partial<ReplyOf<typeof reserves>>) {
    server().answer(reserves, { counts: counts ?? [count], addresses })
    server().answer(returns, { day: null, tests: 0, unlikely: 0, list: [] })
    await showApp(href('fairness'))
  }

  it('is what is held by what is owed, rounded down, and what nothing proves is said', async () => {
    await showHouse({ counts: [count, { ...count, number: 1 }] })
    // 199.99 of 200.
    await screen.findByText('99.9%')
    screen.getByText('At the bank, not proved')
    screen.getByRole('img', { name: 'Held, as a share of what is owed: between 99.9% and 99.9%' })
  })

  it('is exact to a tenth of a percent, and has no share of a count of which nothing was owed', async () => {
    const counts = [
      { ...count, number: 3, owed: '1000.00', on_chain: '951.01' },
      { ...count, number: 2, owed: '0.00' },
      { ...count, number: 1 },
    ]
    await showHouse({ counts })
    await screen.findByText('100.1%')
    screen.getByRole('img', { name: 'Held, as a share of what is owed: between 99.9% and 100.1%' })
    screen.getByText('The last 2 counts')
  })

  it('has no share of nothing, as in a new house', async () => {
    const none = { ...count, owed: '0.00' }
    await showHouse({ counts: [none, { ...none, number: 1 }] })
    await screen.findByText('Nothing is owed to players now.')
    await screen.findByText(/are reported for this period. Each day is reported after its end/)
    expect(screen.queryByRole('img', { name: /^Held, as a share/ })).toBeNull()
  })

  it('names an address that is newer than the last count without an amount', async () => {
    const address = { id: 1, address: 'TUEZ', statement: 'It is ours', signature: 'ab' }
    await showHouse({ addresses: [{ ...address, quantity: null }] })
    await screen.findByText('It is ours')
    expect(screen.queryByText('Held')).toBe(null)
  })

  it('is shown beside the returns, with each deviation that luck does not explain', async () => {
    server().answer(reserves, { counts: [], addresses: [] })
    const row = {
      rule_id: 1,
      rounds: 200,
      wins: 200,
      turnover: '100.00',
      payouts: '192.00',
      expected: '96.00',
      deviation: '4.00',
      chance: 1e-9,
    }
    server().answer(returns, {
      day: '2026-11-20',
      tests: 9,
      unlikely: 1,
      list: [
        row,
        { ...row, rule_id: 2, payouts: '100.00', chance: 1 },
        { ...row, rule_id: 3, payouts: '84.00', chance: 0.2 },
      ],
    })
    await showApp(href('fairness'))
    await screen.findByText('Nothing was counted yet.')
    await screen.findByText('192% paid back, 96% in theory · 200 rounds')
    screen.getByText(/1 of 9 comparisons/)
    const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '')
    const saidOf = (fact: string) => rows.find((words) => words.includes(`${fact} paid back`))
    expect(saidOf('192%')).toMatch(/More than luck explains$/)
    expect(saidOf('100%')).toMatch(/Ordinary luck$/)
    expect(saidOf('84%')).toMatch(/Outside the band, but luck can explain it$/)
  })
})

import { reserves, returns } from '@sum28/contract/fairness-routes.ts'
import { owed } from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import type { DatedCount } from '@sum28/fairness/logged-owed.ts'
import {
  leafNode,
  type OwedLeaf,
  owedLeafText,
  sumLevels,
  sumPath,
} from '@sum28/fairness/sum-tree.ts'
import { loggedCount } from '@sum28/fairness/testing/logged.ts'
import { screen } from '@testing-library/react'
import { describe, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { PROFILE } from '#src/testing/usual-replies.ts'

const server = useMockServer()
const AT = 1_795_000_000

/** A house's answer, in which a place of the tree is a player's. */
function answerOwed({
  playerId = PROFILE.id,
  total,
  proof = true,
  since = AT - 1,
  countedAt = AT,
  log = (count) => loggedCount(count),
}: {
  playerId?: number
  total?: string
  proof?: boolean
  since?: number
  countedAt?: number
  /** What the house shows of its log. */
  log?: (count: DatedCount) => ReplyOf<typeof owed>['log']
}) {
  const leaves: OwedLeaf[] = [0, 1, 2, 3].map((at) => ({
    ...{ count: 4, playerId: at === 2 ? playerId : 0, salt: 'ab'.repeat(16) },
    ...{ cash: at === 2 ? 12_500_000n : 0n, held: 0n, atRisk: at === 2 ? 500_000n : 0n },
  }))
  const levels = sumLevels(leaves.map(leafNode))
  const [root] = levels.at(-1) ?? []
  const [, , mine] = leaves
  if (!root || !mine) throw new Error('a tree has a root')
  const count = {
    ...{ number: 4, counted_at: countedAt, size: 4, total: total ?? String(root.sum) },
    root: Buffer.from(root.hash).toString('hex'),
  }
  server().answer(owed, {
    ...{ player_id: playerId, since, count },
    proof: proof ? { leaf: owedLeafText(mine), index: 2, path: sumPath(levels, 2) } : null,
    log: log(count),
  })
}

async function openCheck() {
  const { person } = await showApp(href('me'))
  await person.click(await screen.findByRole('button', { name: 'My balance is counted' }))
}

describe('the check of the balance', () => {
  it('says that it holds, with the amounts of the player’s own line', async () => {
    answerOwed({})
    await openCheck()
    await screen.findByText('Your balance is in the count')
    screen.getByText(/12\.50/)
    screen.getByText(/13\.00/)
    screen.getByText('Witnessed')
    screen.getByRole('button', { name: 'Save the proof' })
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

  it('tells a left-out player from one whose account is younger than the count', async () => {
    answerOwed({ proof: false })
    await openCheck()
    await screen.findByText('You are not in the count')
  })

  it('tells a new player to wait for the next count', async () => {
    answerOwed({ proof: false, since: AT + 1 })
    await openCheck()
    await screen.findByText('Your account is newer than the count')
  })
})

describe('the house’s money at /fairness', () => {
  const count = {
    ...{ number: 2, counted_at: AT, root: 'ab'.repeat(32), size: 256, block: 7 },
    ...{ owed: '200.00', on_chain: '150.00', at_bank: '49.99' },
  }

  it('is what is held by what is owed, rounded down, and what nothing proves is said', async () => {
    server().answer(reserves, { counts: [count, { ...count, number: 1 }], addresses: [] })
    server().answer(returns, { day: null, tests: 0, unlikely: 0, list: [] })
    await showApp(href('fairness'))
    // 199.99 of 200.
    await screen.findByText('99.9%')
    screen.getByText('At the bank, not proved')
    screen.getByRole('img', { name: 'Held for what is owed: between 99.9% and 99.9%' })
  })

  it('has no share of nothing, as in a new house', async () => {
    server().answer(reserves, { counts: [{ ...count, owed: '0.00' }], addresses: [] })
    server().answer(returns, { day: null, tests: 0, unlikely: 0, list: [] })
    await showApp(href('fairness'))
    await screen.findByText('Nothing is owed to players now.')
  })

  it('is shown beside the returns, with each deviation that luck does not explain', async () => {
    server().answer(reserves, { counts: [], addresses: [] })
    server().answer(returns, {
      ...{ day: '2026-11-20', tests: 9, unlikely: 1 },
      list: [
        {
          ...{ rule_id: 1, rounds: 200, wins: 200, turnover: '100.00', payouts: '192.00' },
          ...{ expected: '96.00', deviation: '4.00', chance: 1e-9 },
        },
      ],
    })
    await showApp(href('fairness'))
    await screen.findByText('Nothing was counted yet.')
    await screen.findByText('192% paid back, 96% in theory · 200 rounds')
    screen.getByText(/1 of 9 comparisons/)
  })
})

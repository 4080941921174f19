import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { hashSeed, makeSeedChain, seedForRound } from '../src/seed-chain.ts'
import { entry } from '../testing/logged.ts'
import { type LoggedRound, logFacts } from './log-facts.ts'

// Counts the calls of what they do.
vi.mock('../src/seed-chain.ts', { spy: true })

const ROUNDS = 300
const chain = makeSeedChain(new Uint8Array(32).fill(4), ROUNDS)

const named = (index: number) => ({ game: 1, issue: `20261120${index + 100}` })

function announcement(index: number): string {
  return entry('announcement', {
    ...named(index),
    chain: 1,
    index,
    beacon: 'ab',
    beacon_genesis: 0,
    beacon_period: 1,
    beacon_round: index * 10 + 1,
    opens: index * 10 - 2,
    seals: index * 10 - 1,
    draws: index * 10,
    voids_at: index * 10 + 5,
    rules: '11:1',
  })
}

function voided(index: number): string {
  return entry('void', { ...named(index), reason: 'sealed_late', voided_at: index * 10 })
}

const seed = (index: number, of = index) =>
  entry('seed', { ...named(index), seed: seedForRound(chain, of) })

it('hashes the seeds of a long log no more often than it has rounds, or twice', () => {
  const facts = logFacts({})
  let place = 0
  const take = (text: string) => facts.take({ text, index: place++, notAt: null, at: 0 })
  take(entry('chain', { chain: 1, game: 1, length: ROUNDS, commitment: chain.commitment }))
  take(entry('rules', { game: 1, room: 11, version: 1, odds: '1:1920' }))
  vi.mocked(hashSeed).mockClear()
  // A void’s seed may come after that of the next round.
  for (let first = 1; first < ROUNDS; first += 2) {
    for (const text of [announcement(first), announcement(first + 1)]) take(text)
    for (const text of [voided(first), voided(first + 1), seed(first + 1)]) take(text)
    expect(() => take(seed(first, first + 1))).toThrow('is not of the chain that was committed')
    take(seed(first))
  }
  const hashes = vi.mocked(hashSeed).mock.calls.reduce((sum, [, distance]) => sum + distance, 0)
  expect(hashes).toBeLessThanOrEqual(2 * ROUNDS)
})

it('keeps no round whose day’s returns were taken and whose seed was shown, and takes nothing more of it', async () => {
  const facts = logFacts({ returns: ({ day = '' }, _, days) => void days.delete(day) })
  let place = 0
  const take = (text: string) => facts.take({ text, index: place++, notAt: null, at: 0 })
  take(entry('chain', { chain: 1, game: 1, length: ROUNDS, commitment: chain.commitment }))
  take(entry('rules', { game: 1, room: 11, version: 1, odds: '1:1920' }))
  const rounds = [1, 2, 3].map((index) => {
    const round = new WeakRef(take(announcement(index)) as LoggedRound)
    take(voided(index))
    return round
  })
  take(seed(1))
  take(seed(3))
  take(entry('returns', { day: '2026-11-20' }))
  setFlagsFromString('--expose-gc')
  const kept = async () => {
    // What was looked up is held until then.
    await nextTurn()
    runInNewContext('gc')()
    return rounds.map((round) => round.deref()?.issue)
  }
  expect(await kept()).toEqual([undefined, '20261120102', undefined])
  for (const text of [voided(1), seed(1)]) {
    expect(() => take(text)).toThrow('goes on after the returns of its day')
  }
  expect(() => take(announcement(1))).toThrow('was announced twice')
  take(seed(2))
  expect(await kept()).toEqual([undefined, undefined, undefined])
  take(announcement(4))
  take(voided(4))
  take(seed(4))
})

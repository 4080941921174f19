import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  beaconRoundAt,
  publicKeyOf,
  randomnessOf,
  signRound,
  verifySignature,
} from '../src/beacon.ts'
import { deriveBeaconKey } from '../src/beacon-key.ts'
import { drawDigits } from '../src/draw-digits.ts'
import { formatKeyChanges, keyChangeText } from '../src/key-change.ts'
import { formatBundle, readTilePath } from '../src/log-tiles.ts'
import { hashLeaf, rootOfLeaves } from '../src/merkle-tree.ts'
import { QUICKNET } from '../src/quicknet.ts'
import { makeSeedChain, seedForRound } from '../src/seed-chain.ts'
import {
  checkpointText,
  cosign,
  formatNote,
  formatVerifierKey,
  signingKey,
  signNote,
} from '../src/signed-note.ts'
import { entry } from '../testing/logged.ts'
import { logFollower } from './follow-log.ts'
import { runMonitor, silenceWatch } from './run-monitor.ts'

// Counts the calls of what they do.
vi.mock('../src/beacon.ts', { spy: true })

const log = signingKey('house.example/tlog', 'log', new Uint8Array(32).fill(1))
const witness = signingKey('w.example/1', 'witness', new Uint8Array(32).fill(2))
const secondWitness = signingKey('w.example/2', 'witness', new Uint8Array(32).fill(5))
const beacon = deriveBeaconKey(new Uint8Array(32).fill(3))
const beaconKey = publicKeyOf(beacon)
const chain = makeSeedChain(new Uint8Array(32).fill(4), 50)
const GENESIS = 1_800_000_000

/** The instants of a round, in unix seconds, and its beacon round. */
function timesOf(number: number) {
  const draws = GENESIS + number * 210
  return {
    opens: draws - 210,
    seals: draws - 30,
    draws,
    voidsAt: draws + 600,
    value: number * 70 + 1,
  }
}

type Changes = Record<string, string | number>

const CHAIN = entry('chain', {
  chain: 1,
  game: 1,
  length: 50,
  commitment: chain.commitment,
  committed_at: 1,
})
const ODDS = ['1:1920', ...Array.from({ length: 28 }, (_, sum) => `${400 + sum}:1900`)].join()
const RULES = entry('rules', { game: 1, room: 11, version: 1, odds: ODDS })

const issueOf = (number: number) => `2026112000${number}`
const named = (number: number) => ({ game: 1, issue: issueOf(number) })

function announcement(number: number, changes: Changes = {}): string {
  const { opens, seals, draws, voidsAt, value } = timesOf(number)
  return entry('announcement', {
    ...named(number),
    chain: 1,
    index: number,
    beacon: 'ab'.repeat(32),
    beacon_key: beaconKey,
    beacon_genesis: GENESIS,
    beacon_period: 3,
    beacon_round: value,
    opens,
    seals,
    draws,
    voids_at: voidsAt,
    rules: '11:1',
    ...changes,
  })
}

/** A round's beacon, if it is drand's. */
function byDrand(number: number): Changes {
  const { chainHash, publicKey, genesisTime, period } = QUICKNET
  const beacon_round = beaconRoundAt(QUICKNET, timesOf(number).draws * 1_000)
  const clock = { beacon_genesis: genesisTime, beacon_period: period }
  return { beacon: chainHash, beacon_key: publicKey, ...clock, beacon_round }
}

function book(number: number, changes: Changes = {}): string {
  const sealed = timesOf(number).seals
  return entry('book', {
    ...named(number),
    root: 'cd'.repeat(32),
    size: 3,
    sealed_at: sealed,
    beacon_seen: 60,
    ...changes,
  })
}

function draw(number: number, changes: Changes = {}): string {
  const { value } = timesOf(number)
  const signature = signRound(beacon, value)
  const seed = seedForRound(chain, number)
  const randomness = randomnessOf(signature)
  const digits = drawDigits({ gameId: 1, issue: issueOf(number), seed, randomness })
  return entry('draw', {
    ...named(number),
    beacon_round: value,
    signature,
    seed,
    digits: digits.join(','),
    ...changes,
  })
}

function voided(number: number, reason: string, at: number): string {
  return entry('void', { ...named(number), reason, voided_at: at })
}

const seedOf = (number: number) =>
  entry('seed', { ...named(number), seed: seedForRound(chain, number) })

/** The same of another game, with a chain and a room of its own. */
function other(text: string): string {
  const chained = text.replace('game=1', 'game=2').replace('chain=1', 'chain=2')
  return chained.replace('rules=11', 'rules=12').replace('room=11', 'room=12')
}

/** A log with a round that is announced, closed, and drawn. */
const ANNOUNCED = [CHAIN, RULES, announcement(1)]
const CLOSED = [...ANNOUNCED, book(1)]
const FIRST = [...CLOSED, draw(1)]

const ADDRESS = `T${'a'.repeat(33)}`
const COUNTED_AT = GENESIS + 100
const DAY_S = 86_400

/** A count of what is owed, a day after the one before it. */
function counted(number: number, changes: Changes = {}): string {
  return entry('liabilities', {
    count: number,
    counted_at: COUNTED_AT + (number - 1) * DAY_S,
    size: 256,
    root: 'ef'.repeat(32),
    total: 5_000_000,
    on_chain: 7_000_000,
    block: 12,
    at_bank: 'none',
    addresses: `${ADDRESS}:7000000`,
    ...changes,
  })
}

/** The sum of the first round's digits. */
const SUM = (/digits=(.*)\n/.exec(draw(1))?.[1] ?? '')
  .split(',')
  .reduce((sum, digit) => sum + Number(digit), 0)

/** Figures of an outcome: rounds, wins, staked, paid, expected, variance, largest. */
function outcome(rule: number, figures = figuresOf(rule)) {
  return `1:${rule}:${figures}`
}

/** A stake of 1 at odds of 1.9, which won. */
function figuresOf(rule: number): string {
  const sums = Array.from({ length: 1_000 }, (_, at) =>
    [...String(at)].reduce((a, b) => a + Number(b), 0),
  )
  const ways = sums.filter((sum) => 400 + sum === rule).length
  const figures = [1_900 * ways, 1_900_000 ** 2 * (ways / 1_000) * (1 - ways / 1_000)].map(
    Math.round,
  )
  return `1:1:1000000:1900000:${figures.join(':')}:1900000`
}

/** The returns of the first round's day, on the outcome that won. */
function returned(day = '2026-11-20', changes: Changes = {}): string {
  return entry('returns', { day, tests: 3, unlikely: 0, returns: outcome(400 + SUM), ...changes })
}

/** The first round's log with such returns of its day. */
const withReturns = (returns: string) => [...FIRST, returned(undefined, { returns })]

/** A log whose first announcement says something else. */
const announcedAs = (changes: Changes) => [CHAIN, RULES, announcement(1, changes)]

/** A reply of `/api/fairness/returns`. */
type ShownReturns = { day: string | null; list: Record<string, unknown>[] }

/** A house whose log and whose answers to players the test writes. */
async function startHouse(entries: readonly string[] = []) {
  const house = {
    entries: [...entries],
    signedBy: log,
    /** What the house lists of changes of the log's key; those of the log by default. */
    listed: null as string[] | null,
    /** The log's name in its checkpoint. */
    origin: log.name,
    /** Unix seconds; null: no witness signs. */
    witnessedAt: null as number | null,
    /** Of a second witness, beside the first. */
    alsoWitnessedAt: null as number | null,
    /** What players are shown of the first round, instead of what the log says. */
    shown: {} as Record<string, unknown>,
    /** The same of the counts and of the last returns. */
    counts: (counts: Record<string, unknown>[]) => counts,
    returns: (reply: ShownReturns, _days: number): object => reply,
    /** The beacon’s rounds that were asked for, and what it answers. */
    values: [] as number[],
    beaconSignature: (round: number) => signRound(beacon, round),
    away: false,
    /** Which addresses it answers with 503 besides. */
    silent: (_: string): boolean => false,
    /** At most, of each bundle. */
    entriesSent: Number.POSITIVE_INFINITY,
    /** The paths that were asked for. */
    asked: [] as string[],
    /** How many more requests are answered. */
    left: Number.POSITIVE_INFINITY,
    /** The path of a file that does not end, and how much of it was sent. */
    endless: '',
    sent: 0,
    /** The first state that a witness has signed with the first round's book, or its void: its entries, and his time in unix seconds. */
    firstWitnessed: null as { entries: string[]; at: number; of?: typeof log } | null,
    url: '',
  }
  function checkpoint(entries = house.entries, witnessedAt = house.witnessedAt, of = log): string {
    const root = rootOfLeaves(entries.map((text) => hashLeaf(Buffer.from(text))))
    const origin = of === log ? house.origin : of.name
    const text = checkpointText({ origin, size: entries.length, root })
    const { alsoWitnessedAt } = house
    const times = witnessedAt === null ? [] : [cosign(text, witness, witnessedAt)]
    if (alsoWitnessedAt !== null) times.push(cosign(text, secondWitness, alsoWitnessedAt))
    const key = of === log ? house.signedBy : of
    return formatNote({ text, signatures: [signNote(text, key), ...times] })
  }
  function fieldsOf(kind: string, about = '') {
    return house.entries
      .filter((text) => text.startsWith(`sum28/1 ${kind}\n`) && text.includes(about))
      .map((text) => Object.fromEntries(text.split('\n').map((line) => line.split('='))))
  }
  const units = (micro: string) => (micro === 'none' ? null : `${Number(micro) / 1e6}.00`)
  function reserves() {
    const counts = fieldsOf('liabilities').map(({ count, size, root, counted_at, ...rest }) => ({
      number: Number(count),
      size: Number(size),
      root,
      counted_at: Number(counted_at),
      owed: units(rest.total),
      on_chain: units(rest.on_chain),
      at_bank: units(rest.at_bank),
      block: Number(rest.block),
    }))
    return { counts: house.counts(counts.toReversed()), addresses: [] }
  }
  function returns(url: URL) {
    const { day = null, tests, unlikely, returns } = fieldsOf('returns').at(-1) ?? {}
    const list = String(returns ?? '')
      .split(',')
      .flatMap((row) => {
        const [rule, rounds, wins, staked, paid, expected, variance] = row
          .split(':')
          .slice(1)
          .map(Number)
        if (rule === undefined) return []
        const [turnover, payouts, theory] = [staked, paid, expected].map((each = 0) =>
          (each / 1e6).toFixed(6),
        )
        const deviation = (Math.sqrt(variance ?? 0) / 1e6).toFixed(6)
        const amounts = { turnover, payouts, expected: theory, deviation }
        return { rule_id: rule, rounds, wins, ...amounts, chance: 1 }
      })
    const reply = { day, tests: Number(tests), unlikely: Number(unlikely), list }
    return house.returns(reply, Number(url.searchParams.get('days')))
  }
  function round(url: URL) {
    const issue = `issue=${url.searchParams.get('issue')}\n`
    const kinds = ['announcement', 'book', 'draw', 'void', 'seed']
    const [announced, closed, drawn, voided, opened] = kinds.map((kind) => fieldsOf(kind, issue)[0])
    return {
      commitment: chain.commitment,
      index: Number(announced?.index),
      seed: drawn?.seed ?? opened?.seed ?? null,
      digits: drawn?.digits?.split(',').map(Number) ?? null,
      book: { root: closed?.root ?? null, size: closed?.size ?? null },
      void: voided?.reason ? { reason: voided.reason } : null,
      ...house.shown,
    }
  }
  const replies: Record<string, (url: URL) => object> = {
    'api/fairness/round': round,
    'api/fairness/reserves': reserves,
    'api/fairness/returns': returns,
  }
  function proofPath(): string {
    const [voided] = fieldsOf('void', `issue=${issueOf(1)}\n`)
    return `tlog/${voided ? 'voided' : 'witnessed'}/1/${issueOf(1)}`
  }
  // Ends at last, so that a reader who takes all of it can be told from one who stops.
  function sendWithoutEnd(response: ServerResponse): void {
    const part = Buffer.alloc(1024 * 1024)
    while (house.sent < 192 * 1024 * 1024 && !response.destroyed) {
      house.sent += part.length
      if (!response.write(part)) {
        response.once('drain', () => sendWithoutEnd(response))
        return
      }
    }
    response.end()
  }
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    house.asked.push(request.url ?? '')
    const path = url.pathname.slice(1)
    const tile = readTilePath(path.replace('tlog/', ''))
    house.left -= 1
    if (path.startsWith(`beacon/${'ab'.repeat(32)}/public/`)) {
      const round = Number(path.split('/').at(-1))
      house.values.push(round)
      response.end(JSON.stringify({ round, signature: house.beaconSignature(round) }))
    } else if (house.away || house.left < 0 || house.silent(request.url ?? ''))
      response.writeHead(503).end()
    else if (path === house.endless) sendWithoutEnd(response)
    else if (path === proofPath() && house.firstWitnessed) {
      const { entries, at, of } = house.firstWitnessed
      response.end(checkpoint(entries, at, of))
    } else if (path === 'tlog/vkeys') response.end(`${formatVerifierKey(log)}\n`)
    else if (path === 'tlog/keys') {
      const logged = house.entries.filter((text) => text.startsWith('sum28/1 key\n'))
      response.end(formatKeyChanges(house.listed ?? logged))
    } else if (path === 'tlog/checkpoint') response.end(checkpoint())
    else if (replies[path]) response.end(JSON.stringify({ code: 1, data: replies[path](url) }))
    else if (tile) {
      const first = tile.index * 256
      const some = house.entries.slice(first, first + tile.width).slice(0, house.entriesSent)
      response.end(formatBundle(some.map((text) => Buffer.from(text))))
    } else response.writeHead(404).end()
  }).listen(0)
  onTestFinished(() => void server.close())
  house.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return house
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'sum28-monitor-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A monitor that looks at moments which the test sets, in unix seconds. */
function monitorOf(
  house: { url: string },
  {
    kept = folder(),
    witnesses = [] as (typeof witness)[],
    beacon = undefined as string | undefined,
    largestLook = undefined as number | undefined,
  } = {},
) {
  let moment = GENESIS
  const follower = logFollower({
    address: house.url,
    folder: kept,
    witnesses,
    beacon,
    now: () => moment * 1_000,
    ...(largestLook !== undefined && { largestLook }),
  })
  return {
    kept,
    lookAt: (seconds: number) => {
      moment = seconds
      return follower.look()
    },
  }
}

type House = Awaited<ReturnType<typeof startHouse>>

/** A house, and a monitor of it. */
async function followed(entries: readonly string[], options?: Parameters<typeof monitorOf>[1]) {
  const house = await startHouse(entries)
  return { house, monitor: monitorOf(house, options) }
}

const NOT_WITNESSED = 'was not shown before the beacon’s value existed: not witnessed'
const lateBook = `the book of game 1, round ${issueOf(1)} ${NOT_WITNESSED}`
const lateVoid = `the void by two persons of game 1, round ${issueOf(1)} ${NOT_WITNESSED}`
const VOID = voided(1, 'two_persons', timesOf(1).draws - 1)

describe('a monitor', () => {
  it('checks each round as it comes, and keeps its copy', async () => {
    const { house, monitor } = await followed([CHAIN, RULES])
    expect(await monitor.lookAt(GENESIS)).toEqual({
      size: 2,
      ended: [],
      counts: [],
      changes: [],
      delays: [],
    })
    for (const number of [1, 2]) {
      const { seals, draws } = timesOf(number)
      house.entries.push(announcement(number))
      await monitor.lookAt(seals - 5)
      house.entries.push(book(number))
      await monitor.lookAt(seals + 5)
      house.entries.push(draw(number))
      const { ended, delays } = await monitor.lookAt(draws + 5)
      expect(ended).toMatchObject([{ game: 1, issue: issueOf(number), witnessed: true }])
      expect(delays).toEqual([])
    }
    expect(readdirSync(monitor.kept).filter((name) => name.startsWith('entries'))).toHaveLength(7)
    vi.mocked(verifySignature).mockClear()
    const again = monitorOf(house, { kept: monitor.kept })
    expect(verifySignature).not.toHaveBeenCalled()
    expect(await again.lookAt(timesOf(3).opens)).toMatchObject({
      size: house.entries.length,
      ended: [],
    })
  })

  it('takes the time of a witness for that of a book', async () => {
    const { draws } = timesOf(1)
    const { house, monitor } = await followed(CLOSED, { witnesses: [witness] })
    house.witnessedAt = draws - 20
    const { delays } = await monitor.lookAt(draws + 100)
    expect(delays).toEqual([])
    house.entries.push(draw(1))
    house.witnessedAt = draws + 101
    expect((await monitor.lookAt(draws + 102)).ended).toMatchObject([{ witnessed: true }])
    expect((await monitor.lookAt(draws + 500)).delays).toEqual([
      `${witness.name} has signed nothing for five minutes`,
    ])
  })

  it('names a book that was shown after the value existed, whatever time it states', async () => {
    const { seals, draws } = timesOf(1)
    const { house, monitor } = await followed(ANNOUNCED)
    await monitor.lookAt(draws - 2)
    // Bets after the value, with the house's clock set back.
    house.entries.push(book(1, { sealed_at: seals }))
    const { delays } = await monitor.lookAt(draws + 3)
    expect(delays).toEqual([lateBook])
  })

  it('names a voided round whose seed is not published', async () => {
    const { draws, voidsAt } = timesOf(1)
    const { house, monitor } = await followed([...ANNOUNCED, voided(1, 'sealed_late', draws)])
    await monitor.lookAt(voidsAt)
    expect((await monitor.lookAt(voidsAt + 900)).delays).toEqual([])
    expect((await monitor.lookAt(voidsAt + 901)).delays).toEqual([
      `game 1, round ${issueOf(1)} was voided, and its seed is not published`,
    ])
    const late = await startHouse([...CLOSED, voided(1, 'beacon_late', voidsAt + 3_600)])
    const restarted = monitorOf(late)
    await restarted.lookAt(voidsAt + 3_600)
    expect((await restarted.lookAt(voidsAt + 4_500)).delays).toEqual([])
    expect((await restarted.lookAt(voidsAt + 4_501)).delays).toEqual([
      `game 1, round ${issueOf(1)} was voided, and its seed is not published`,
    ])
    const opened = await startHouse([...house.entries, seedOf(1)])
    const other = monitorOf(opened)
    await other.lookAt(voidsAt)
    expect((await other.lookAt(voidsAt + 901)).delays).toEqual([])
  })

  it.each([
    [50, ['takes its seed of another chain, and 49 of the one before are left']],
    [1, []],
  ])('names a chain that is left before its %i seeds are used up', async (length, sentences) => {
    const second = CHAIN.replace('chain=1', 'chain=2')
    const chains = [CHAIN.replace('length=50', `length=${length}`), second]
    const next = announcement(2, { chain: 2, index: 1 })
    const house = await startHouse([...chains, RULES, ...FIRST.slice(2), next])
    const { delays } = await monitorOf(house).lookAt(GENESIS + 300)
    expect(delays).toEqual(sentences.map((words) => expect.stringContaining(words)))
  })

  it('names a deadline so short that a known value can be called late', async () => {
    const { house, monitor } = await followed([CHAIN, RULES])
    house.entries.push(announcement(1, { voids_at: timesOf(1).draws + 60 }))
    expect((await monitor.lookAt(GENESIS)).delays).toEqual([])
    house.entries.push(announcement(2, { voids_at: timesOf(2).draws + 59 }))
    expect((await monitor.lookAt(GENESIS + 1)).delays).toEqual([
      expect.stringContaining(`round ${issueOf(2)} may be voided 59 seconds after its end`),
    ])
  })

  it('names a deadline so far that a round can be left undecided', async () => {
    const { house, monitor } = await followed([CHAIN, RULES])
    house.entries.push(announcement(1, { voids_at: timesOf(1).draws + DAY_S }))
    expect((await monitor.lookAt(GENESIS)).delays).toEqual([])
    house.entries.push(announcement(2, { voids_at: timesOf(2).draws + DAY_S + 1 }))
    expect((await monitor.lookAt(GENESIS + 1)).delays).toEqual([
      expect.stringContaining(`round ${issueOf(2)} need not be decided for 86401 seconds after`),
    ])
  })

  it.each([
    ['20261120005', 'rounds 20261120002–20261120004 of game 1 were never announced'],
    ['20261120003', 'round 20261120002 of game 1 was never announced'],
    ['20261121003', 'rounds 20261121001–20261121002 of game 1 were never announced'],
    ['20261120002', null],
    ['20261121001', null],
  ])('names the rounds between that of its log and %s', async (issue, sentence) => {
    const house = await startHouse([...FIRST, announcement(2, { issue })])
    const { delays } = await monitorOf(house).lookAt(GENESIS + 300)
    expect(delays).toEqual(sentence === null ? [] : [sentence])
  })

  it('names a game that announces nothing more while another goes on, once', async () => {
    const { house, monitor } = await followed([CHAIN, RULES, other(CHAIN), other(RULES)])
    house.entries.push(announcement(1), other(announcement(1)))
    const told: boolean[] = []
    for (const number of [2, 3, 4, 5, 6]) {
      house.entries.push(announcement(number))
      const { delays } = await monitor.lookAt(timesOf(number).opens)
      told.push(
        delays.includes(
          `no round of game 2 was announced after ${issueOf(1)}, and other games went on`,
        ),
      )
    }
    expect(told).toEqual([false, false, false, true, false])
  })

  const { seals } = timesOf(1)
  it.each<[string, number | null, number, boolean]>([
    ['in the same watch', seals - 3, seals + 2, true],
    ['after a look at which it was not there', seals + 1, seals + 900, true],
    ['before it', seals - 5, seals - 1, false],
    ['when nobody had looked just before', seals - 60, seals + 2, false],
    ['at the first look', null, seals + 2, false],
  ])('names an announcement that is first shown after the end of betting: %s', async (...row) => {
    const [, before, at, isTold] = row
    const { house, monitor } = await followed([CHAIN, RULES])
    if (before !== null) await monitor.lookAt(before)
    house.entries.push(announcement(1))
    const sentence = `game 1, round ${issueOf(1)} was not announced before its betting had ended`
    const { delays } = await monitor.lookAt(at)
    expect(delays.filter((delay) => delay === sentence)).toHaveLength(isTold ? 1 : 0)
  })

  it('takes the first round of a day after the thousandth of the day before', async () => {
    const busy = announcement(1, { issue: '202611201440' })
    const house = await startHouse([CHAIN, RULES, busy, announcement(2, { issue: '20261121001' })])
    expect(await monitorOf(house).lookAt(GENESIS)).toMatchObject({ size: 4, delays: [] })
  })

  it('names a round that has no end', async () => {
    const { monitor } = await followed(CLOSED)
    await monitor.lookAt(timesOf(1).draws)
    expect((await monitor.lookAt(timesOf(1).voidsAt + 119)).delays).toEqual([])
    const late = await monitor.lookAt(timesOf(1).voidsAt + 121)
    expect(late.delays).toEqual([
      `game 1, round ${issueOf(1)} has neither a draw nor a void after its deadline`,
    ])
    expect((await monitor.lookAt(timesOf(1).voidsAt + 130)).delays).toEqual([])
  })

  it('continues after a look that was cut off', async () => {
    const { house, monitor } = await followed(FIRST)
    await monitor.lookAt(GENESIS + 500)
    writeFileSync(join(monitor.kept, 'entries-000000000005'), formatBundle([Buffer.from('half')]))
    writeFileSync(join(monitor.kept, 'checkpoint.new'), 'half')
    house.entries.push(announcement(2))
    expect(await monitorOf(house, { kept: monitor.kept }).lookAt(GENESIS + 501)).toMatchObject({
      size: 6,
    })
  })

  it('reads a long log in several looks when the house does not answer to the end', async () => {
    const house = await startHouse([CHAIN])
    house.entries.push(
      ...Array.from({ length: 600 }, (_, at) => RULES.replace('version=1', `version=${at + 1}`)),
    )
    const monitor = monitorOf(house)
    for (house.left of [2, 3]) await expect(monitor.lookAt(GENESIS)).rejects.toThrow('503')
    house.left = 4
    expect(await monitor.lookAt(GENESIS)).toMatchObject({ size: 601 })
  })

  it('does not begin on a copy that was changed', async () => {
    const { house, monitor } = await followed(FIRST)
    await monitor.lookAt(GENESIS + 500)
    const changed = FIRST.with(1, RULES.replace('1920', '1930')).map((text) => Buffer.from(text))
    writeFileSync(join(monitor.kept, 'entries-000000000000'), formatBundle(changed))
    expect(() => monitorOf(house, { kept: monitor.kept })).toThrow('is not that of its checkpoint')
  })

  it('keeps all entries if it cannot read its checkpoint', async () => {
    const { house, monitor } = await followed(FIRST)
    await monitor.lookAt(GENESIS + 500)
    writeFileSync(join(monitor.kept, 'checkpoint'), 'half')
    expect(() => monitorOf(house, { kept: monitor.kept })).toThrow('keep it')
    expect(readdirSync(monitor.kept)).toContain('entries-000000000000')
  })
})

describe('a monitor of a house that does not answer everything', () => {
  it('names what it found in the log, and compares as soon as the house answers', async () => {
    const { draws } = timesOf(1)
    const { house, monitor } = await followed(ANNOUNCED)
    await monitor.lookAt(draws - 2)
    house.entries.push(book(1), draw(1))
    // The log answers, and what players are shown does not.
    house.left = 2
    const found = await monitor.lookAt(draws + 3)
    expect(found.ended).toMatchObject([{ issue: issueOf(1), witnessed: false }])
    expect(found.delays).toEqual([lateBook])
    expect(found.unanswered).toContain('api/fairness/round')
    expect(found.unanswered).toContain('503')
    house.left = Number.POSITIVE_INFINITY
    house.shown = { digits: [1, 2, 3] }
    await expect(monitor.lookAt(draws + 8)).rejects.toThrow('the digits')
  })

  it('compares after a restart what it could not compare before it', async () => {
    const { house, monitor } = await followed(FIRST)
    house.left = 3
    expect((await monitor.lookAt(GENESIS + 300)).unanswered).toContain('503')
    house.left = Number.POSITIVE_INFINITY
    house.shown = { digits: [1, 2, 3] }
    const again = monitorOf(house, { kept: monitor.kept })
    await expect(again.lookAt(GENESIS + 400)).rejects.toThrow('the digits')
    house.shown = {}
    const third = monitorOf(house, { kept: monitor.kept })
    expect(await third.lookAt(GENESIS + 500)).toMatchObject({ ended: [], delays: [] })
    // It is compared once: a later answer is not asked for again.
    house.shown = { digits: [1, 2, 3] }
    expect((await monitorOf(house, { kept: monitor.kept }).lookAt(GENESIS + 600)).size).toBe(5)
  })

  it('names a book that came while nothing was seen, if it can ask no witness', async () => {
    const { draws } = timesOf(1)
    const { house, monitor } = await followed(ANNOUNCED)
    await monitor.lookAt(draws - 28)
    house.away = true
    await expect(monitor.lookAt(draws - 23)).rejects.toThrow('503')
    house.away = false
    house.entries.push(book(1), draw(1))
    const { ended, delays } = await monitor.lookAt(draws + 3)
    expect(ended).toMatchObject([{ witnessed: null }])
    const [from, to] = [draws - 28, draws + 3].map((time) => new Date(time * 1_000).toISOString())
    expect(delays).toEqual([
      `the book of game 1, round ${issueOf(1)} came while the house was not seen, from ${from} to ${to}, when the beacon’s value came to exist: not watched`,
    ])
  })

  it('names a book that was not there after the value existed, however long it did not look', async () => {
    const { draws } = timesOf(1)
    const { house, monitor } = await followed(ANNOUNCED)
    await monitor.lookAt(draws)
    house.entries.push(book(1), draw(1))
    expect((await monitor.lookAt(draws + 3_000)).delays).toEqual([lateBook])
  })

  const { draws } = timesOf(1)
  const VOIDED = [...CLOSED, VOID, seedOf(1)]
  const ofBook = { entries: CLOSED, at: draws - 20 }
  const ofVoid = { entries: VOIDED, at: draws - 1 }
  const of = signingKey('house.example/earlier', 'log', new Uint8Array(32).fill(7))
  const reordered = [...FIRST.slice(1, 4), CHAIN]
  it.each<[string, string[], House['firstWitnessed'], boolean]>([
    ['he signed a book in time', FIRST, ofBook, true],
    ['he signed a book late', FIRST, { ...ofBook, at: draws }, false],
    ['he signed only what was before', FIRST, { ...ofBook, entries: ANNOUNCED }, false],
    ['he signed nothing of a book', FIRST, null, false],
    ['he signed a log that this one continues', FIRST, { ...ofBook, of }, true],
    ['he signed another log', FIRST, { ...ofBook, entries: reordered, of }, false],
    ['he signed a void in time', VOIDED, ofVoid, true],
    ['he signed a void late', VOIDED, { ...ofVoid, at: draws }, false],
    ['he signed only its book', VOIDED, ofBook, false],
    ['he signed nothing of a void', VOIDED, null, false],
  ])('asks the witness that is named for what it did not see come: %s', async (...row) => {
    const [, entries, state, inTime] = row
    const { house, monitor } = await followed(entries, { witnesses: [witness] })
    house.firstWitnessed = state
    house.witnessedAt = GENESIS + 2_999
    const { ended, delays } = await monitor.lookAt(GENESIS + 3_000)
    expect(ended).toMatchObject([{ witnessed: inTime }])
    expect(delays).toEqual(inTime ? [] : [entries === FIRST ? lateBook : lateVoid])
  })

  it.each<[string, number | null, boolean]>([
    ['both signed a book in time', draws - 5, true],
    ['the second signed it late', draws, false],
    ['the second has not signed it', null, false],
  ])('takes the later of two witnesses that are named: %s', async (_, alsoAt, inTime) => {
    const { house, monitor } = await followed(FIRST, { witnesses: [witness, secondWitness] })
    house.firstWitnessed = ofBook
    Object.assign(house, { witnessedAt: GENESIS + 2_999, alsoWitnessedAt: alsoAt })
    const { ended } = await monitor.lookAt(GENESIS + 3_000)
    expect(ended).toMatchObject([{ witnessed: inTime }])
    // The same of what it sees come, by their clocks.
    const seen = await startHouse(CLOSED)
    Object.assign(seen, { witnessedAt: draws - 20, alsoWitnessedAt: alsoAt })
    const other = monitorOf(seen, { witnesses: [witness, secondWitness] })
    await other.lookAt(draws + 100)
    seen.firstWitnessed = ofBook
    seen.entries.push(draw(1))
    expect((await other.lookAt(draws + 102)).ended).toMatchObject([{ witnessed: inTime }])
  })

  it('asks each of two witnesses with one name, and one that is named twice once', async () => {
    const namesake = signingKey(witness.name, 'witness', new Uint8Array(32).fill(6))
    for (const [named, inTime] of [
      [namesake, false],
      [{ ...witness }, true],
    ] as const) {
      const { house, monitor } = await followed(FIRST, { witnesses: [witness, named] })
      house.firstWitnessed = ofBook
      house.witnessedAt = GENESIS + 2_999
      const { ended, delays } = await monitor.lookAt(GENESIS + 3_000)
      expect(ended).toMatchObject([{ witnessed: inTime }])
      const silent = (key: typeof witness) =>
        `${formatVerifierKey(key)} has signed nothing for five minutes`
      expect(delays).toEqual(inTime ? [] : [lateBook, silent(namesake)])
      const { delays: later } = await monitor.lookAt(GENESIS + 3_300)
      expect(later).toContain(silent(witness))
    }
  })

  it('finds a second log in what a witness signed of a book', async () => {
    const { house, monitor } = await followed(FIRST, { witnesses: [witness] })
    const other = CLOSED.with(3, book(1, { size: 4 }))
    house.firstWitnessed = { entries: other, at: timesOf(1).draws - 20 }
    house.witnessedAt = GENESIS + 300
    await expect(monitor.lookAt(GENESIS + 300)).rejects.toThrow('is of another log than this one')
    const proof = readFileSync(join(monitor.kept, 'difference.txt'), 'utf8')
    expect(proof.match(/^house\.example\/tlog$/gm)).toHaveLength(2)
  })

  it('asks again for a witness’s proof that did not come', async () => {
    const { house, monitor } = await followed(FIRST, { witnesses: [witness] })
    house.witnessedAt = GENESIS + 300
    house.left = 3
    const first = await monitor.lookAt(GENESIS + 300)
    expect(first).toMatchObject({ ended: [{ witnessed: null }], delays: [] })
    expect(first.unanswered).toContain('tlog/witnessed')
    house.left = Number.POSITIVE_INFINITY
    expect(await monitor.lookAt(GENESIS + 305)).toMatchObject({ ended: [], delays: [lateBook] })
  })

  it('compares the other rounds, and money, while one is not answered, and asks for that one again', async () => {
    const { house, monitor } = await followed(FIRST)
    await monitor.lookAt(GENESIS + 300)
    house.silent = (path) => path.includes(issueOf(2)) || path.includes(issueOf(3))
    for (const number of [2, 3, 4])
      house.entries.push(announcement(number), book(number), draw(number))
    house.entries.push(counted(1))
    house.asked.length = 0
    const { draws } = timesOf(4)
    const { unanswered } = await monitor.lookAt(draws + 3)
    expect(unanswered).toMatch(/issue=20261120002 is answered with 503; 2 rounds are not compared$/)
    expect(house.asked).toContainEqual(expect.stringContaining(`issue=${issueOf(4)}`))
    expect(house.asked).toContain('/api/fairness/reserves')
    // Also for a later one that players are shown otherwise, and for these after a restart.
    house.silent = (path) => path.includes(issueOf(2))
    house.shown = { digits: [1, 2, 3] }
    for (const each of [monitor, monitorOf(house, { kept: monitor.kept })])
      await expect(each.lookAt(draws + 8)).rejects.toThrow(
        `round ${issueOf(3)}: the log has the digits`,
      )
  })

  it('tells that rounds are not compared since the house answers late', async () => {
    const { house, monitor } = await followed(FIRST)
    await monitor.lookAt(GENESIS + 300)
    for (const number of [2, 3, 4, 5])
      house.entries.push(announcement(number), book(number), draw(number))
    const { draws } = timesOf(5)
    let clock = 0
    const clockOfTest = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 6_000))
    const { unanswered } = await monitor.lookAt(draws + 3)
    clockOfTest.mockRestore()
    expect(unanswered).toBe('the house answers late; 3 rounds are not compared')
    expect(await monitor.lookAt(draws + 8)).not.toHaveProperty('unanswered')
  })

  it('counts a round that is not witnessed once, also if it is compared again after a restart', async () => {
    const house = await startHouse(FIRST)
    house.silent = (path) => path.includes('api/fairness/round')
    const { kept, lookAt } = monitorOf(house, { witnesses: [witness] })
    await lookAt(GENESIS + 300)
    await monitorOf(house, { kept, witnesses: [witness] }).lookAt(GENESIS + 305)
    const noted = readFileSync(join(kept, 'not-witnessed'), 'utf8')
    expect(noted).toBe(`1 ${timesOf(1).draws}\n`)
  })

  it('finds it different when the log has signed for a witness what does not come', async () => {
    const { house, monitor } = await followed(FIRST, { witnesses: [witness] })
    house.firstWitnessed = { entries: [...FIRST, announcement(2)], at: timesOf(1).draws - 20 }
    house.witnessedAt = GENESIS + 300
    expect((await monitor.lookAt(GENESIS + 300)).unanswered).toContain('which have not come')
    // A still longer one does not take its place.
    house.firstWitnessed.entries.push(announcement(3), announcement(4))
    await expect(monitor.lookAt(GENESIS + 305)).rejects.toThrow(
      '6 entries, which have not come since',
    )
    const proof = readFileSync(join(monitor.kept, 'difference.txt'), 'utf8')
    expect(proof.match(/^house\.example\/tlog\n[56]$/gm)).toHaveLength(2)
  })

  it('judges by a witness’s proof of a longer log when that log has come', async () => {
    const { house, monitor } = await followed(FIRST, { witnesses: [witness] })
    const entries = [...FIRST, announcement(2)]
    house.firstWitnessed = { entries, at: timesOf(1).draws - 20 }
    house.witnessedAt = GENESIS + 300
    expect((await monitor.lookAt(GENESIS + 300)).unanswered).toContain('which have not come')
    house.entries = entries
    const next = await monitor.lookAt(GENESIS + 305)
    expect(next).toMatchObject({ size: 6, ended: [], delays: [] })
    expect(next.unanswered).toBeUndefined()
  })

  it('ends with what a house has signed when its entries take more than fits', async () => {
    const house = await startHouse([CHAIN, ...Array.from({ length: 600 }, () => RULES)])
    // More than the first 256 take, and less than the first 512.
    const largestLook = 400 * (RULES.length + 256)
    const monitor = monitorOf(house, { largestLook })
    await expect(monitor.lookAt(GENESIS)).rejects.toThrow(`take more than ${largestLook} bytes`)
    expect(readFileSync(join(monitor.kept, 'difference.txt'), 'utf8')).toContain('\n601\n')
    expect(readFileSync(join(monitor.kept, 'checkpoint.new'), 'utf8')).toContain('\n601\n')
    // It did not ask for the rest.
    expect(house.asked.filter((path) => path.includes('entries'))).toHaveLength(2)
  })

  it('compares all rounds after a restart, some at each look', async () => {
    const ROUNDS = 250
    const { house, monitor } = await followed([CHAIN.replace('length=50', 'length=300'), RULES])
    await monitor.lookAt(GENESIS)
    for (let number = 1; number <= ROUNDS; number += 1) {
      const issue = `20261120${String(number).padStart(3, '0')}`
      const of = { game: 1, issue, reason: 'two_persons', voided_at: GENESIS }
      house.entries.push(announcement(number, { issue }), entry('void', of))
    }
    house.left = 4
    expect((await monitor.lookAt(GENESIS + 1)).unanswered).toContain('api/fairness/round')
    house.left = Number.POSITIVE_INFINITY
    const again = monitorOf(house, { kept: monitor.kept })
    house.asked.length = 0
    const compared = () => new Set(house.asked.filter((path) => path.includes('issue='))).size
    await again.lookAt(GENESIS + 2)
    expect(compared()).toBe(200)
    await monitorOf(house, { kept: monitor.kept }).lookAt(GENESIS + 3)
    expect(compared()).toBeGreaterThanOrEqual(ROUNDS - 1)
  })

  it('reads no file without end', async () => {
    const house = await startHouse(FIRST)
    house.endless = 'tlog/checkpoint'
    await expect(monitorOf(house).lookAt(GENESIS)).rejects.toThrow(
      'tlog/checkpoint is longer than 33554432 bytes',
    )
    expect(house.sent).toBeLessThan(96 * 1024 * 1024)
  })
})

describe('a void by two persons', () => {
  it('is taken if it was shown before the beacon’s value existed', async () => {
    const { draws } = timesOf(1)
    const { house, monitor } = await followed(CLOSED)
    await monitor.lookAt(draws - 20)
    house.entries.push(VOID)
    expect(await monitor.lookAt(draws - 1)).toMatchObject({
      ended: [{ witnessed: true }],
      delays: [],
    })
  })

  it('is named if it came after the value, although it states a time before it', async () => {
    const { draws } = timesOf(1)
    const { house, monitor } = await followed(CLOSED)
    await monitor.lookAt(draws - 2)
    house.entries.push(VOID)
    const { ended, delays } = await monitor.lookAt(draws + 3)
    expect(ended).toMatchObject([{ witnessed: false }])
    expect(delays).toEqual([lateVoid])
    // It is named once, also when its seed is published.
    house.entries.push(seedOf(1), announcement(2))
    await monitor.lookAt(draws + 6)
    expect((await monitor.lookAt(draws + 8)).delays).toEqual([])
  })
})

describe('a void for want of the beacon’s value', () => {
  const { draws, voidsAt } = timesOf(1)
  const word = 'that the operator could not store it in time is his word'

  it('is told with the time when that value was public, as the monitor saw it', async () => {
    const house = await startHouse(CLOSED)
    const monitor = monitorOf(house, { beacon: `${house.url}/beacon` })
    await monitor.lookAt(draws - 1)
    expect(house.values).toEqual([])
    for (const second of [2, 7]) await monitor.lookAt(draws + second)
    expect(house.values).toEqual([timesOf(1).value])
    house.entries.push(voided(1, 'beacon_late', voidsAt))
    const at = new Date((draws + 2) * 1_000).toISOString()
    expect((await monitor.lookAt(voidsAt + 3)).delays).toEqual([
      `game 1, round ${issueOf(1)} was voided for want of its beacon’s value, which this monitor had at ${at}, 598 seconds before the deadline: ${word}`,
    ])
  })

  it('is told with it also if the house answered nothing while the value was awaited', async () => {
    const house = await startHouse(CLOSED)
    const monitor = monitorOf(house, { beacon: `${house.url}/beacon` })
    await monitor.lookAt(draws - 1)
    house.away = true
    await expect(monitor.lookAt(draws + 2)).rejects.toThrow('503')
    house.away = false
    house.entries.push(voided(1, 'beacon_late', voidsAt))
    expect((await monitor.lookAt(voidsAt + 3)).delays).toEqual([
      expect.stringContaining('which this monitor had at'),
    ])
  })

  it.each([
    ['was not asked for', undefined],
    ['was another', (round: number) => signRound(beacon, round + 1)],
  ])('is told without such a time if the value %s', async (_, answer) => {
    const house = await startHouse(CLOSED)
    if (answer) house.beaconSignature = answer
    const monitor = monitorOf(house, { beacon: answer && `${house.url}/beacon` })
    await monitor.lookAt(draws + 2)
    house.entries.push(voided(1, 'beacon_late', voidsAt))
    expect((await monitor.lookAt(voidsAt + 3)).delays).toEqual([
      `game 1, round ${issueOf(1)} was voided for want of its beacon’s value: ${word}`,
    ])
  })
})

describe('a void for want of a book', () => {
  const { seals, draws } = timesOf(1)
  const late = voided(1, 'sealed_late', draws)
  const wentOn = `game 1, round ${issueOf(1)} closed no book although its log went on between its seal and its beacon’s value`
  const noBook = expect.stringContaining('was voided without a book')

  it.each([
    ['after the seal', seals + 1, seals + 6, [wentOn, noBook]],
    ['before the seal', seals - 10, seals - 5, [noBook]],
    ['when the value existed', seals + 1, draws, [noBook]],
  ])('is told apart if the log grew %s', async (_, before, after, sentences) => {
    const { house, monitor } = await followed(ANNOUNCED)
    await monitor.lookAt(before)
    house.entries.push(counted(1, { counted_at: before }))
    await monitor.lookAt(after)
    house.entries.push(late)
    const { delays } = await monitor.lookAt(draws + 2)
    expect(delays).toEqual(expect.arrayContaining(sentences))
    expect(delays).toHaveLength(sentences.length)
  })

  it('is told apart if another game’s book of the same time was shown', async () => {
    const { house, monitor } = await followed([
      CHAIN,
      RULES,
      ...[CHAIN, RULES].map(other),
      ...[announcement(1)].flatMap((text) => [text, other(text)]),
    ])
    await monitor.lookAt(seals - 2)
    house.entries.push(other(book(1)))
    house.shown = { book: { root: null, size: null } }
    await monitor.lookAt(seals + 3)
    house.entries.push(late)
    expect((await monitor.lookAt(draws + 2)).delays).toContain(wentOn)
  })

  it('is counted with the others of its game, also after a restart', async () => {
    const { house, monitor } = await followed(ANNOUNCED)
    await monitor.lookAt(draws)
    house.entries.push(book(1), draw(1))
    await monitor.lookAt(draws + 3)
    const second = [announcement(2), voided(2, 'sealed_late', timesOf(2).draws)]
    house.entries.push(...second)
    await monitor.lookAt(timesOf(2).draws + 3)
    const days = 10 * DAY_S
    const far = announcement(3, {
      opens: timesOf(3).opens + days,
      seals: timesOf(3).seals + days,
      draws: timesOf(3).draws + days,
      voids_at: timesOf(3).voidsAt + days,
      beacon_round: timesOf(3).value + days / 3,
    })
    house.entries.push(far, voided(3, 'sealed_late', timesOf(3).draws + days))
    const again = monitorOf(house, { kept: monitor.kept })
    expect((await again.lookAt(timesOf(3).draws + days)).ended).toMatchObject([
      { odd: '1 day: 1 sealed_late; 30 days: 1 not witnessed, 2 sealed_late' },
    ])
  })
})

describe('what a house says of money', () => {
  it('is followed: its counts, and the returns of its days', async () => {
    const { house, monitor } = await followed([...FIRST, counted(1), returned()])
    expect(await monitor.lookAt(GENESIS + 300)).toMatchObject({
      size: 7,
      delays: [],
      counts: [{ number: '1', total: '5000000' }],
    })
    house.entries.push(counted(2))
    expect(await monitorOf(house, { kept: monitor.kept }).lookAt(COUNTED_AT + DAY_S)).toMatchObject(
      { delays: [], counts: [{ number: '2' }] },
    )
  })

  it.each<[string, string[], number, string]>([
    [
      'a count that does not come',
      [...FIRST, returned(), counted(1)],
      COUNTED_AT + 27 * 3_600,
      'nothing that is owed was counted for a day',
    ],
    [
      'a house that never counts',
      [...FIRST, returned()],
      GENESIS + 210 + 27 * 3_600,
      'nothing that is owed was counted for a day',
    ],
    [
      'a day without a count',
      [...FIRST, returned(), counted(1), counted(2, { counted_at: COUNTED_AT + 2 * DAY_S })],
      COUNTED_AT + 2 * DAY_S,
      'between count 1 and count 2 of what is owed a day is missing',
    ],
    [
      'a count that comes too early',
      [...FIRST, returned(), counted(1), counted(2, { counted_at: COUNTED_AT + 22 * 3_600 - 1 })],
      COUNTED_AT + DAY_S,
      'count 2 of what is owed was made less than 22 hours after count 1: a player may be in one of them alone, and has to look in both',
    ],
    [
      'returns that do not come',
      [...FIRST, counted(1), counted(2)],
      GENESIS + 810 + 27 * 3_600,
      'the returns of 2026-11-20 are not in the log',
    ],
  ])('is late or too early: %s is named, once', async (_, entries, at, delay) => {
    const { monitor } = await followed(entries)
    expect((await monitor.lookAt(at)).delays).toEqual([delay])
    expect((await monitor.lookAt(at + 5)).delays).toEqual([])
  })

  it('is named where a count was made later than it says', async () => {
    const { house, monitor } = await followed(FIRST)
    await monitor.lookAt(COUNTED_AT + 700)
    house.entries.push(counted(1))
    expect((await monitor.lookAt(COUNTED_AT + 705)).delays).toEqual([
      'count 1 of what is owed states a time more than ten minutes before it was shown',
    ])
  })

  it('is named where players are shown a count that is not in the log', async () => {
    const { house, monitor } = await followed([...FIRST, counted(1)])
    house.counts = (counts) => [{ ...counts[0], number: 2 }, ...counts]
    expect((await monitor.lookAt(COUNTED_AT + 500)).delays).toEqual([])
    expect((await monitor.lookAt(COUNTED_AT + 1_200)).delays).toEqual([
      'players are shown count 2 of what is owed, which is not in the log',
    ])
  })

  it('is named where players are shown returns that are not in the log, also of a later day each time', async () => {
    const { house, monitor } = await followed([...FIRST, counted(1), returned()])
    const at = GENESIS + 300
    const delays: string[] = []
    for (const [place, day] of ['2026-11-21', '2026-11-22', '2026-11-20', '2999-01-01'].entries()) {
      house.returns = (reply, days) => (days === 30 ? { ...reply, day } : reply)
      delays.push(...(await monitor.lookAt(at + place * 700)).delays)
    }
    expect(delays).toEqual([
      'players are shown the returns of 2026-11-22, which are not in the log',
    ])
  })

  it('is asked for one reply of returns after another', async () => {
    const house = await startHouse([...FIRST, counted(1), returned()])
    house.silent = (path) => path.includes('api/fairness/returns')
    const fetched = vi.spyOn(globalThis, 'fetch')
    onTestFinished(() => fetched.mockRestore())
    await monitorOf(house).lookAt(GENESIS + 300)
    expect(fetched.mock.calls.filter(([address]) => house.silent(String(address)))).toHaveLength(1)
  })

  it('is named where players are not shown a count, not even later', async () => {
    const { house, monitor } = await followed([...FIRST, counted(1), counted(2)])
    house.counts = (counts) => counts.slice(0, 1)
    expect(await monitor.lookAt(COUNTED_AT + DAY_S)).toMatchObject({ size: 7 })
    house.counts = (counts) => counts.slice(1)
    await expect(monitor.lookAt(COUNTED_AT + DAY_S + 600)).rejects.toThrow(
      'count 2 of what is owed is in the log, and players are not shown it',
    )
  })
})

describe('a house that', () => {
  it('begins with a beacon of its own is followed when it takes drand’s', async () => {
    const entries = [...ANNOUNCED, announcement(2, byDrand(2))]
    const house = await startHouse(entries)
    expect(await monitorOf(house).lookAt(GENESIS)).toMatchObject({ size: 4, delays: [] })
  })

  it.each<[string, string[], string]>([
    ['draws other digits', [...CLOSED, draw(1, { digits: '1,2,3' })], 'and seed and beacon give'],
    [
      'uses a seed that it did not commit',
      [...CLOSED, draw(1, { seed: 'ef'.repeat(32) })],
      'not of the chain',
    ],
    [
      'uses another value',
      [...CLOSED, draw(1, { signature: signRound(beacon, 72) })],
      'not the beacon’s',
    ],
    [
      'uses another beacon round',
      [...CLOSED, draw(1, { beacon_round: 72 })],
      'another beacon round',
    ],
    ['draws without a book', [...ANNOUNCED, draw(1)], 'drawn without a book'],
    ['draws twice', [...FIRST, draw(1)], 'two ends'],
    ['shows two books', [...CLOSED, book(1, { size: 2 })], 'has two books'],
    [
      'closes a book after the value',
      [...ANNOUNCED, book(1, { sealed_at: GENESIS + 210 })],
      'closed after',
    ],
    [
      'closes a book after it has seen the value, with its clock set back',
      [...ANNOUNCED, book(1, { beacon_seen: 71 })],
      'after its beacon’s value had been seen',
    ],
    [
      'announces a round twice',
      [...ANNOUNCED, announcement(1, { index: 2 })],
      'was announced twice',
    ],
    [
      'announces an earlier round later',
      [CHAIN, RULES, announcement(2, { index: 1 }), announcement(1, { index: 2 })],
      'after a later round',
    ],
    [
      'may void before the value exists',
      announcedAs({ voids_at: timesOf(1).draws }),
      'a deadline before its beacon',
    ],
    [
      'states a time that no calendar has',
      announcedAs({ voids_at: 253_402_300_800 }),
      'a time that no calendar has',
    ],
    ['picks a seed', announcedAs({ index: 2 }), 'not the next one'],
    ['uses a chain that nobody knew', [RULES, announcement(1)], 'not committed before it'],
    ['commits a chain twice', [CHAIN, CHAIN], 'committed twice'],
    ['picks a beacon round', announcedAs({ beacon_round: 72 }), 'not the first after its end'],
    [
      'gives drand another key',
      announcedAs({
        beacon: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
      }),
      'drand another key',
    ],
    [
      'takes a beacon of its own after drand',
      [CHAIN, RULES, announcement(1, byDrand(1)), announcement(2)],
      'round 20261120002 announces a beacon of the operator’s own',
    ],
    ['has rules that nobody knew', [CHAIN, announcement(1)], 'were not said of its game before'],
    [
      'says two odds of one outcome',
      [RULES.replace('odds=', 'odds=1:2000,')],
      'the rules 11:1 have odds that are none, or two of one outcome',
    ],
    ['says odds in another form', [RULES.replace('=1:1920', '=01:1920')], 'odds that are none'],
    [
      'announces two versions of one room',
      [
        CHAIN,
        RULES,
        RULES.replace('version=1', 'version=2'),
        announcement(1, { rules: '11:1,11:2' }),
      ],
      'has rules that are none, or two of one room',
    ],
    [
      'has rules of another game',
      [CHAIN, RULES.replace('game=1', 'game=2'), announcement(1)],
      'has the rules 11:1, which were not said of its game before',
    ],
    ['takes a draw back', [...FIRST, voided(1, 'two_persons', GENESIS)], 'two ends'],
    [
      'voids without a reason',
      [...CLOSED, voided(1, 'beacon_late', GENESIS + 211)],
      'allow no void',
    ],
    [
      'publishes a seed too early',
      [...CLOSED, entry('seed', { ...named(1), seed: 'ab'.repeat(32) })],
      'out of turn',
    ],
    ['states a count twice', [counted(1), counted(1, { total: 6 })], 'is stated twice'],
    ['leaves a count out', [counted(1), counted(3)], 'and count 2 was left out'],
    [
      'dates a count before an earlier one',
      [counted(1), counted(2, { counted_at: COUNTED_AT - 1 })],
      'was made before the one before it',
    ],
    [
      'dates a count ahead',
      [counted(1, { counted_at: GENESIS + 901 })],
      'a time that had not come',
    ],
    ['counts without a total', [counted(1).replace(/total=.*\n/, '')], 'a count has the fields'],
    ['states a second total', [counted(1, { total_again: 5 })], 'a count has the fields'],
    ['counts less than nothing', [counted(1, { total: -1 })], 'and no amount'],
    ['counts more than there can be', [counted(1, { total: '9'.repeat(19) })], 'and no amount'],
    ['counts without a root', [counted(1, { root: 'ef' })], 'has no root'],
    ['counts in a tree that is none', [counted(1, { size: 300 })], 'no power of two'],
    [
      'holds more than its addresses do',
      [counted(1, { on_chain: 8_000_000 })],
      'another sum than its addresses hold',
    ],
    [
      'lists an address twice',
      [counted(1, { on_chain: 14, addresses: `${ADDRESS}:7,${ADDRESS}:7` })],
      'has an address twice',
    ],
    ['states the returns of a day twice', [...FIRST, returned(), returned()], 'are stated twice'],
    [
      'states the returns of a day after those of a later one',
      [...FIRST, returned(), returned('2026-11-19', { tests: 0, returns: '' })],
      'after those of a later day',
    ],
    [
      'leaves the returns of a day out',
      [...FIRST, returned('2026-11-21', { tests: 0, returns: '' })],
      'and those of 2026-11-20 were left out',
    ],
    [
      'states returns before the rounds have ended',
      [...CLOSED, returned()],
      'before all rounds of the day had ended',
    ],
    [
      'states a win that the draws do not have',
      withReturns(outcome(401 + SUM)),
      'the log’s draws have 0 of 1',
    ],
    [
      'hides that an outcome won',
      withReturns(outcome(400 + SUM, '1:0:1:0:1:1:1')),
      'the log’s draws have 1 of 1',
    ],
    [
      'states more rounds than there were',
      withReturns(outcome(400 + SUM, '2:1:1:0:1:1:1')),
      'state 1 of 2 rounds',
    ],
    [
      'pays on what did not win',
      withReturns(outcome(401 + SUM, '1:0:1:1:1:1:1')),
      'that did not win',
    ],
    ['states an outcome twice', withReturns(`${outcome(404)},${outcome(404)}`), 'an outcome twice'],
    ...(
      [
        ['expected', 4, 0n],
        ['variance', 5, 1_000_000n],
        ['largest', 6, 2n],
        ['paid', 3, 0n],
      ] as const
    ).map(([figure, place, times]): [string, string[], string] => {
      const figures = figuresOf(400 + SUM)
        .split(':')
        .map(BigInt)
      figures[place] = (figures[place] ?? 0n) * times
      const returns = outcome(400 + SUM, figures.join(':'))
      const words = `a figure that no odds allow: ${figure} of game 1`
      return [`states returns whose ${figure} no odds allow`, withReturns(returns), words]
    }),
    [
      'makes more comparisons than there are, so that fewer are unlikely',
      [...FIRST, returned(undefined, { tests: 300 })],
      'of 300 comparisons, and 3 follow',
    ],
    ['writes returns in another form', withReturns('1:1'), 'a row that is none'],
    ['leaves a field out', [CHAIN.replace(/commitment=.*\n/, '')], 'lacks commitment'],
    ['says a field twice', [CHAIN.replace('game=1\n', 'game=1\ngame=2\n')], 'no field'],
    [
      'gives a game no number',
      [CHAIN.replace('game=1', 'game=0x1'), RULES, announcement(1, { game: '0x1' })],
      'no number of a game',
    ],
    ['begins an entry with a mark of its encoding', [`\ufeff${CHAIN}`], 'of no kind'],
    ['writes what is no entry', ['hello'], 'of no kind'],
    ['writes a kind of another language’s object', ['sum28/1 constructor\n'], 'of no kind'],
  ])('%s is named', async (_, entries, words) => {
    const house = await startHouse(entries)
    await expect(monitorOf(house).lookAt(GENESIS + 300)).rejects.toThrow(words)
  })

  it.each<[string, (house: House) => void, string]>([
    ['makes its log shorter', (house) => house.entries.pop(), 'had 5 entries and now has 4'],
    [
      'changes what it has said',
      (house) =>
        (house.entries = [...FIRST.with(1, RULES.replace('1920', '1930')), announcement(2)]),
      'do not lead to its signed root',
    ],
    [
      'shows another log of the same size',
      (house) => (house.entries = FIRST.with(1, RULES.replace('1920', '1930'))),
      'do not lead to its signed root',
    ],
    [
      'signs with another key',
      (house) => (house.signedBy = witness),
      'not signed by the log’s key',
    ],
    [
      'sends fewer entries than it has signed',
      (house) => {
        house.entries.push(announcement(2))
        house.entriesSent = 1
      },
      'has not the 6 entries',
    ],
  ])('%s is named, and what proves it is kept', async (_, deceive, words) => {
    const { house, monitor } = await followed(FIRST)
    await monitor.lookAt(GENESIS + 300)
    deceive(house)
    await expect(monitor.lookAt(GENESIS + 305)).rejects.toThrow(words)
    const proof = readFileSync(join(monitor.kept, 'difference.txt'), 'utf8')
    expect(proof).toContain(words)
    expect(proof.match(/^house\.example\/tlog$/gm)).toHaveLength(2)
  })

  it('deceives twice leaves the first proof, and the entries that are one', async () => {
    const { house, monitor } = await followed(FIRST)
    await monitor.lookAt(GENESIS + 300)
    house.entries.push(book(1))
    await expect(monitor.lookAt(GENESIS + 305)).rejects.toThrow('two books')
    const again = monitorOf(house, { kept: monitor.kept })
    house.signedBy = witness
    await expect(again.lookAt(GENESIS + 310)).rejects.toThrow('not signed by the log')
    const read = (name: string) => readFileSync(join(monitor.kept, name), 'utf8')
    expect(read('difference.txt')).toContain('two books')
    expect(read('difference.entries')).toContain(book(1))
    expect(read('difference-2.txt')).toContain('not signed by the log')
  })
})

describe('the key of a log', () => {
  const [second, third] = [6, 7].map((byte) =>
    signingKey(log.name, 'log', new Uint8Array(32).fill(byte)),
  ) as [typeof log, typeof log]
  const changed = (before: typeof log, after: typeof log) =>
    keyChangeText({ before, after, changedAt: GENESIS + 290 })

  it('is followed from one that signed the next, and each change is told once', async () => {
    const house = await startHouse(FIRST)
    const first = monitorOf(house)
    expect((await first.lookAt(GENESIS + 300)).changes).toEqual([])
    for (const [before, after] of [
      [log, second],
      [second, third],
      // Back again.
      [third, second],
    ] as const) {
      house.entries.push(changed(before, after))
      house.signedBy = after
      const { changes } = await monitorOf(house, { kept: first.kept }).lookAt(GENESIS + 305)
      const [own, next] = [before, after].map(formatVerifierKey)
      expect(changes).toEqual([
        `the log’s key was changed at 2027-01-15T08:04:50.000Z: it is ${next} now, signed by ${own}`,
      ])
    }
    const { changes } = await monitorOf(house, { kept: first.kept }).lookAt(GENESIS + 310)
    expect(changes).toEqual([])
  })

  it('is that of a log whose earlier changes a new monitor reads', async () => {
    const house = await startHouse([...FIRST, changed(second, log)])
    expect((await monitorOf(house).lookAt(GENESIS + 300)).changes).toHaveLength(1)
  })

  it('signs on its own from its change on, also while the one before signs too', async () => {
    const house = await startHouse(FIRST)
    const { kept, lookAt } = monitorOf(house)
    await lookAt(GENESIS + 300)
    house.entries.push(changed(log, second))
    await expect(lookAt(GENESIS + 305)).rejects.toThrow('by another key than its entries name')
    expect(readFileSync(join(kept, 'difference.entries'), 'utf8')).toContain('sum28/1 key')
  })

  it.each<[string, (house: House) => void, string]>([
    [
      'which the key before did not sign',
      (house) => house.entries.push(changed(third, second)),
      'nor by one that it leads to',
    ],
    [
      'which the log does not state',
      (house) => (house.listed = [changed(log, second)]),
      'by another key than its entries name',
    ],
    [
      'whose change is signed by nobody',
      (house) => {
        house.listed = [changed(log, second)]
        house.entries.push(changed(log, second).replace('changed_at=1', 'changed_at=2'))
      },
      'is not signed by the key before it',
    ],
    [
      'which is one of two that follow',
      (house) => house.entries.push(changed(log, second), changed(log, third)),
      'is changed, and',
    ],
    [
      'whose change has a time that no calendar has',
      (house) => {
        const changedAt = 999_999_999_999_999
        house.entries.push(keyChangeText({ before: log, after: second, changedAt }))
      },
      'a time that no calendar has',
    ],
    ['of another name', (house) => (house.origin = 'house.example/tlog/2'), 'was begun anew as'],
  ])('%s is told', async (_, change, words) => {
    const { house, monitor } = await followed(FIRST)
    await monitor.lookAt(GENESIS + 300)
    change(house)
    house.signedBy = second
    await expect(monitor.lookAt(GENESIS + 305)).rejects.toThrow(words)
  })
})

describe('players who are shown another', () => {
  const inCount = (change: object) => (house: House) => {
    house.counts = (counts) => counts.map((count) => ({ ...count, ...change }))
  }
  const inReturns = (change: object) => (house: House) => {
    house.returns = (reply) => ({ ...reply, ...change })
  }
  const inOutcome = (change: object, of: number) => (house: House) => {
    house.returns = ({ list, ...reply }, days) => ({
      ...reply,
      list: days === of ? list.map((row) => ({ ...row, ...change })) : list,
    })
  }
  const inRound = (shown: House['shown']) => (house: House) => Object.assign(house, { shown })
  const book = { root: 'cd'.repeat(32), size: '3' }

  it.each<[string, (house: House) => void, string]>([
    ['total', inCount({ owed: '4.00' }), 'the total 5000000, and players are shown 4000000'],
    ['root of a count', inCount({ root: 'ab'.repeat(32) }), 'the root'],
    ['amount on the chain', inCount({ on_chain: '8.00' }), 'the amount on the chain'],
    ['amount at the bank', inCount({ at_bank: '8.00' }), 'the amount at the bank none'],
    ['time', inCount({ counted_at: COUNTED_AT + 1 }), 'the time'],
    ['size', inCount({ size: 512 }), 'the number of places'],
    ['block', inCount({ block: 13 }), 'the block'],
    [
      'day',
      inReturns({ day: '2026-11-19' }),
      'the day 2026-11-20, and players are shown 2026-11-19',
    ],
    ['number of comparisons', inReturns({ tests: 4 }), 'the number of comparisons'],
    ['number of unlikely ones', inReturns({ unlikely: 1 }), 'the number of unlikely ones'],
    ['list', inReturns({ list: [] }), 'the number of outcomes'],
    ['win', inOutcome({ wins: 0 }, 1), 'the number of wins'],
    [
      'turnover of a month',
      inOutcome({ turnover: '2.00' }, 30),
      'in 30 days: the log has the turnover 1000000, and players are shown 2000000',
    ],
    [
      'payout of a year',
      inOutcome({ payouts: '1.91' }, 365),
      'in 365 days: the log has the payouts',
    ],
    ['expected payout', inOutcome({ expected: '1.90' }, 1), 'the expected payouts'],
    ['deviation', inOutcome({ deviation: '9.00' }, 1), 'the deviation'],
    ['chance of luck', inOutcome({ chance: 0.0001 }, 1), 'luck brings this'],
    ['root of a book', inRound({ book: { ...book, root: 'ef'.repeat(32) } }), 'the root'],
    ['size of a book', inRound({ book: { ...book, size: '2' } }), 'the size of the book'],
    ['result', inRound({ digits: [1, 2, 3] }), 'the digits'],
    ['commitment', inRound({ commitment: 'ab' }), 'the commitment'],
    ['void', inRound({ void: { reason: 'two_persons' } }), 'the reason of the void'],
  ])('%s than the log has are told', async (_, show, words) => {
    const house = await startHouse([...FIRST, counted(1), returned()])
    show(house)
    await expect(monitorOf(house).lookAt(GENESIS + 300)).rejects.toThrow(words)
  })
})

describe('npm run monitor', () => {
  async function run(...args: string[]): Promise<{ code: number; text: string }> {
    const lines: string[] = []
    const told = (['log', 'error'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((line) => void lines.push(String(line))),
    )
    try {
      const code = await runMonitor(args)
      return { code, text: lines.join('\n') }
    } finally {
      for (const spy of told) spy.mockRestore()
    }
  }

  it('looks once and says that nothing differs', async () => {
    const house = await startHouse(FIRST)
    const { code, text } = await run(`${house.url}/`, '--once', '--folder', folder())
    expect(text).toMatch(/round 20261120001: \d \d \d holds, by a beacon of the operator’s own/)
    expect(text).toContain('5 entries, and nothing differs')
    expect(code).toBe(0)
  })

  it('reads the log of fifty days with little memory, and tells its last rounds', async () => {
    const [DAYS, ROUNDS] = [50, 200]
    const seeds = makeSeedChain(new Uint8Array(32).fill(6), DAYS * ROUNDS)
    const of = { chain: 1, length: DAYS * ROUNDS, commitment: seeds.commitment, committed_at: 1 }
    const house = await startHouse([entry('chain', { game: 1, ...of }), RULES])
    house.silent = (path) => path.includes('api/')
    for (let number = 1; number <= DAYS * ROUNDS; number += 1) {
      const day = new Date(Date.UTC(2026, 10, 20 + Math.floor((number - 1) / ROUNDS)))
      const place = String(((number - 1) % ROUNDS) + 1).padStart(3, '0')
      const named = {
        game: 1,
        issue: day.toISOString().slice(0, 10).replaceAll('-', '') + place,
      }
      const ended = { reason: 'two_persons', voided_at: timesOf(number).seals }
      house.entries.push(
        announcement(number, named),
        entry('void', { ...named, ...ended }),
        entry('seed', { ...named, seed: seedForRound(seeds, number) }),
      )
      if (number % ROUNDS === 0)
        house.entries.push(
          entry('returns', {
            day: day.toISOString().slice(0, 10),
            tests: 0,
            unlikely: 0,
            returns: '',
          }),
        )
    }
    const child = spawn(process.execPath, [
      ...['--max-old-space-size=46', join(import.meta.dirname, 'run-monitor.ts')],
      ...[house.url, '--once', '--folder', folder()],
    ])
    const text: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => void text.push(String(data)))
    const [code] = await once(child, 'close')
    expect(text.join('')).toContain(`${DAYS * ROUNDS - 200} rounds ended before the following`)
    // Players are shown nothing, which is a delay.
    expect(code).toBe(3)
  })

  it('that cannot write says so, and calls only a difference one', async () => {
    const house = await startHouse(FIRST)
    const kept = folder()
    expect((await run(house.url, '--once', '--folder', kept)).code).toBe(0)
    // As with a full disk: the two files cannot be written.
    for (const name of ['checkpoint.new', 'difference-2.txt']) mkdirSync(join(kept, name))
    const failed = await run(house.url, '--once', '--folder', kept)
    expect(failed.text).toMatch(
      /^The monitor itself failed, which says nothing of the house: EISDIR/,
    )
    expect(failed.code).toBe(4)
    house.entries = FIRST.slice(0, 2)
    const { code, text } = await run(house.url, '--once', '--folder', kept)
    expect(text).toMatch(
      /^DIFFERENCE: the log had 5 entries and now has 2\n[\s\S]*could not be kept: Error: EISDIR/,
    )
    expect(code).toBe(1)
  })

  it('tells after a minute what the house does not answer, and again every ten minutes', () => {
    const silence = silenceWatch(0)
    const late = { size: 5, unanswered: 'x does not come' }
    const told = [60_000, 60_001, 660_000, 660_001].map((now) => silence(late, now))
    expect(told).toEqual([null, 'DELAY: x does not come.', null, 'DELAY: x does not come.'])
    const answered = { size: 5 }
    expect(silence(answered, 700_000)).toBe('the house answers again')
    expect([silence(answered, 700_001), silence(late, 760_001)]).toEqual([null, null])
  })

  it('tells at once that a house has never answered', () => {
    const silence = silenceWatch(0)
    const away = { size: 0, unanswered: 'x does not answer' }
    const told = [0, 5_000, 600_000].map((now) => silence(away, now))
    expect(told).toEqual(['DELAY: x does not answer.', null, 'DELAY: x does not answer.'])
    expect(silence({ size: 5 }, 605_000)).toBe('the house answers again')
  })

  it.each([
    [
      'two_persons',
      3,
      GENESIS,
      'the void by two persons of game 1',
      '1 not witnessed, 1 two_persons',
    ],
    ['sealed_late', 3, timesOf(1).draws, 'was voided without a book', '1 sealed_late'],
    ['beacon_late', 4, timesOf(1).voidsAt, 'was voided for want of its beacon', '1 beacon_late'],
  ])('marks a void for %s that nobody saw in time', async (...row) => {
    const [reason, before, at, delay, counted] = row
    vi.useFakeTimers({ toFake: ['Date'], now: (Math.max(at, timesOf(1).draws) + 60) * 1_000 })
    onTestFinished(() => void vi.useRealTimers())
    const house = await startHouse([...FIRST.slice(0, before), voided(1, reason, at)])
    house.witnessedAt = timesOf(1).draws
    const keys = reason === 'two_persons' ? ['--witness', formatVerifierKey(witness)] : []
    const { code, text } = await run(house.url, '--once', '--folder', folder(), ...keys)
    expect(text).toContain(
      `round ${issueOf(1)}: voided, ${reason}, not witnessed. Of its game, 1 day: ${counted}; 30 days: ${counted}\n`,
    )
    expect(text).toMatch(new RegExp(`^DELAY: .*${delay}`, 'm'))
    expect(code).toBe(3)
  })

  it('ends with the first difference', async () => {
    const house = await startHouse([...FIRST, book(1)])
    const { code, text } = await run(house.url, '--once', '--folder', folder())
    expect(text).toContain(`DIFFERENCE: game 1, round ${issueOf(1)} has two books`)
    expect(code).toBe(1)
  })

  it('names a house that is away, and what is wrong with the command', async () => {
    const house = await startHouse()
    house.away = true
    const away = await run(house.url, '--once', '--folder', folder())
    expect(away).toMatchObject({
      code: 3,
      text: expect.stringContaining('DELAY: tlog/vkeys is answered with 503'),
    })
    house.away = false
    house.entries.push(...FIRST)
    house.left = 3
    const kept = folder()
    const half = await run(house.url, '--once', '--folder', kept)
    expect(half.text).toMatch(/\d \d \d holds/)
    expect(half.text).toContain('DELAY: api/fairness/round')
    expect(half.code).toBe(3)
    house.left = Number.POSITIVE_INFINITY
    expect(await run(house.url, '--once', '--folder', kept)).toMatchObject({ code: 0 })
    expect(await run('hello')).toMatchObject({ code: 2 })
    expect((await run(house.url, '--witness', 'x')).text).toContain('not the key of a witness')
    expect((await run('--nonsense')).code).toBe(2)
  })
})

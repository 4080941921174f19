/**
 * What a public log says of chains and rounds, checked entry by entry: each fact once, each from what was said before,
 * each draw computed again. Pure: the same entries give the same finding.
 */
import { beaconRoundAt, randomnessOf, timeOfRound, verifySignature } from '../src/beacon.ts'
import { drawDigits } from '../src/draw-digits.ts'
import { isLaterIssue, placeOfIssue } from '../src/issue-order.ts'
import { type KeyChange, readKeyChange } from '../src/key-change.ts'
import { DEADLINE_MAX_S } from '../src/log-times.ts'
import { readPairs } from '../src/logged-entry.ts'
import { QUICKNET } from '../src/quicknet.ts'
import { hashSeed } from '../src/seed-chain.ts'
import { formatVerifierKey, type VerifierKey } from '../src/signed-note.ts'
import { leftOutRounds } from './left-out-rounds.ts'

export type Fields = Readonly<Record<string, string>>

/** A round as the log tells it. */
export type LoggedRound = {
  readonly game: number
  readonly issue: string
  readonly announcement: Fields
  book: Fields | null
  draw: Fields | null
  void: Fields | null
  seed: string | null
  /** When the beacon's value exists, in milliseconds since 1970. */
  readonly valueAt: number
  /** How its book came, or its void: what a known value must not have decided. */
  decided: Shown | null
  /** Whether that was shown before the value existed; null before it is known. */
  witnessed: boolean | null
  /** How many rounds of its game were voided or not witnessed, if it was voided: see `oddRounds`. */
  odd: string | null
}

/** An entry, and between which moments it was shown for the first time; milliseconds since 1970. */
export type Shown = {
  readonly text: string
  /** Its place in the log, from 0. */
  readonly index: number
  /** The last look at which it was not there; null if there was none. */
  readonly notAt: number | null
  /** By the reader's clock, or by that of a witness if it is earlier. */
  readonly at: number
  /** Whether it is of the reader's own copy, and its beacon's signature was checked when it came. */
  readonly isKept?: boolean
}

/** A sentence that says what is wrong. */
export class LogDifference extends Error {}

/** Looks this near to one another are one watch: what was not there at the first came between them. */
const WATCHING_MS = 30_000

/** How long after its deadline a round may be without its end. */
const END_PATIENCE_MS = 120_000

/** How long after its deadline a voided round may be without its seed. */
const SEED_PATIENCE_MS = 900_000

/** Some hours of them are kept: a round without a book is voided soon. */
const GROWTHS_KEPT = 10_000

/** The least deadline after a round's end that the product takes in production: a shorter one is told, in seconds. */
const DEADLINE_MIN_S = 60

/** The end of the year 9999: a later time of an entry is none. */
const LATEST_S = 253_402_300_799

/**
 * What takes entries that are not about one round, by their kinds. `days`: the rounds of each day, YYYY-MM-DD. `rules`: of
 * each version, `room:version`.
 */
export type EntryKinds = Readonly<
  Record<
    string,
    (
      fields: Fields,
      shown: Shown,
      days: Map<string, LoggedRound[]>,
      rules: ReadonlyMap<string, LoggedRules>,
    ) => void
  >
>

export type LoggedRules = {
  readonly game: string
  /** Of each outcome, in thousandths. */
  readonly odds: ReadonlyMap<string, string>
}

export function logFacts(others: EntryKinds) {
  const chains = new Map<
    string,
    {
      game: string
      length: number
      used: number
      /** The seeds that were shown, by their places; at 0 the commitment. */
      seeds: Map<number, string>
    }
  >()
  /** By room and version. */
  const rules = new Map<string, LoggedRules>()
  /** By game and issue; null once nothing more can come of one: see `forget`. */
  const rounds = new Map<string, LoggedRound | null>()
  const leftOut = leftOutRounds()
  const unfinished = new Set<LoggedRound>()
  /** Voided, and without a seed that shows what would have been drawn. */
  const seedless = new Set<LoggedRound>()
  /** The chain of each game's last round. */
  const lastChain = new Map<string, string>()
  const days = new Map<string, LoggedRound[]>()
  const keyChanges: KeyChange[] = []
  let delays: string[] = []
  let changes: string[] = []
  /** That the log grew: not before a moment, and seen at another one; milliseconds since 1970. */
  let growths: { since: number; at: number }[] = []
  let firstEnd: number | null = null
  let hasDrand = false

  const kinds: Record<string, (fields: Fields, shown: Shown) => LoggedRound | null> = {
    key(_, { text }) {
      const change = readKeyChange(text)
      demand(change, 'a change of the log’s key is not signed by the key before it')
      const [present, before, after] = [
        keyOf(change.before.name) ?? change.before,
        ...[change.before, change.after],
      ].map(formatVerifierKey)
      demand(present === before, `the log’s key ${before} is changed, and ${present} signs it`)
      demand(
        change.changedAt <= LATEST_S,
        'a change of the log’s key has a time that no calendar has',
      )
      keyChanges.push(change)
      const at = new Date(change.changedAt * 1_000).toISOString()
      changes.push(`the log’s key was changed at ${at}: it is ${after} now, signed by ${before}`)
      return null
    },
    chain(fields) {
      const id = need(fields, 'chain')
      demand(!chains.has(id), `chain ${id} is committed twice`)
      chains.set(id, {
        game: need(fields, 'game'),
        length: wholeNumber(fields, 'length'),
        used: 0,
        seeds: new Map([[0, need(fields, 'commitment')]]),
      })
      return null
    },
    rules(fields) {
      const version = `${need(fields, 'room')}:${need(fields, 'version')}`
      demand(!rules.has(version), `the rules ${version} are said twice`)
      const odds = readPairs(need(fields, 'odds'))
      demand(odds, `the rules ${version} have odds that are none, or two of one outcome`)
      rules.set(version, { game: need(fields, 'game'), odds })
      return null
    },
    announcement(fields, shown) {
      const round = announced(fields)
      const sealsAt = wholeNumber(fields, 'seals') * 1_000
      if (wasShownBefore(sealsAt, shown) === false)
        delays.push(`${nameOf(round)} was not announced before its betting had ended`)
      rounds.set(`${round.game} ${round.issue}`, round)
      unfinished.add(round)
      firstEnd ??= Number(round.announcement.draws)
      const day = dayOf(round)
      const played = days.get(day) ?? []
      played.push(round)
      days.set(day, played)
      return round
    },
    book(fields, shown) {
      const round = roundOf(fields)
      demand(!round.book, `${nameOf(round)} has two books`)
      demand(!round.draw && !round.void, `${nameOf(round)} got its book after its end`)
      demand(
        /^[0-9a-f]{64}$/.test(need(fields, 'root')),
        `${nameOf(round)} has a book without a root`,
      )
      wholeNumber(fields, 'size')
      const sealedAt = wholeNumber(fields, 'sealed_at') * 1_000
      demand(
        sealedAt < round.valueAt,
        `${nameOf(round)} was closed after the beacon’s value existed`,
      )
      demand(
        wholeNumber(fields, 'beacon_seen') < wholeNumber(round.announcement, 'beacon_round'),
        `${nameOf(round)} was closed after its beacon’s value had been seen`,
      )
      round.book = fields
      growths.push({ since: sealedAt, at: shown.at })
      decide(round, shown)
      return round
    },
    draw(fields, { isKept }) {
      const round = roundOf(fields)
      demand(!round.draw && !round.void, `${nameOf(round)} has two ends`)
      demand(round.book, `${nameOf(round)} was drawn without a book`)
      const { announcement } = round
      const beaconRound = wholeNumber(announcement, 'beacon_round')
      demand(
        wholeNumber(fields, 'beacon_round') === beaconRound,
        `${nameOf(round)} was drawn by another beacon round than announced`,
      )
      const signature = need(fields, 'signature')
      const publicKey = need(announcement, 'beacon_key')
      demand(
        isKept || verifySignature({ publicKey, round: beaconRound, signature }),
        `${nameOf(round)} was drawn by a value that is not the beacon’s`,
      )
      const seed = seedOf(round, fields)
      const { game: gameId, issue } = round
      const digits = drawDigits({ gameId, issue, seed, randomness: randomnessOf(signature) })
      demand(
        need(fields, 'digits') === digits.join(','),
        `${nameOf(round)} has the digits ${fields.digits}, and seed and beacon give ${digits.join(',')}`,
      )
      round.draw = fields
      unfinished.delete(round)
      return round
    },
    void(fields, shown) {
      const round = roundOf(fields)
      demand(!round.draw && !round.void, `${nameOf(round)} has two ends`)
      const reason = onlyReason(round, wholeNumber(fields, 'voided_at'))
      demand(
        need(fields, 'reason') === reason,
        `${nameOf(round)} was voided for ${fields.reason}, and its times allow ${reason ?? 'no void'}`,
      )
      round.void = fields
      if (reason === 'two_persons') decide(round, shown)
      // Whether somebody kept back its book until the value was known, or the value itself, nobody saw.
      else Object.assign(round, { decided: shown, witnessed: false })
      seedless.add(round)
      if (reason === 'sealed_late') noteWhetherLogWentOn(round)
      unfinished.delete(round)
      return round
    },
    seed(fields) {
      const round = roundOf(fields)
      demand(round.void && !round.seed, `the seed of ${nameOf(round)} is published out of turn`)
      seedOf(round, fields)
      seedless.delete(round)
      // The returns of its day were taken before it.
      if (!days.get(dayOf(round))?.includes(round)) forget(round)
      return round
    },
  }

  /** The key that signs a log since its last change; null if it was never changed. */
  function keyOf(name: string): VerifierKey | null {
    return keyChanges.findLast(({ after }) => after.name === name)?.after ?? null
  }

  /** A book that is held back until its value is known can be told from a house that stood still. */
  function noteWhetherLogWentOn(round: LoggedRound): void {
    const sealsAt = wholeNumber(round.announcement, 'seals') * 1_000
    if (growths.some(({ since, at }) => since >= sealsAt && at < round.valueAt))
      delays.push(
        `${nameOf(round)} closed no book although its log went on between its seal and its beacon’s value`,
      )
  }

  function noteGrowth({ notAt, at }: Shown): void {
    if (notAt !== null && growths.at(-1)?.since !== notAt) growths.push({ since: notAt, at })
    if (growths.length > 2 * GROWTHS_KEPT) growths = growths.slice(-GROWTHS_KEPT)
  }

  function announced(fields: Fields): LoggedRound {
    const [game, issue] = [need(fields, 'game'), need(fields, 'issue')]
    const name = `game ${game}, round ${issue}`
    demand(/^[1-9][0-9]{0,4}$/.test(game), `${name} has no number of a game`)
    demand(placeOfIssue(issue), `${name} has no number of a day`)
    demand(!rounds.has(`${game} ${issue}`), `${name} was announced twice`)
    const last = leftOut.newestIssue(game)
    demand(!last || isLaterIssue(issue, last), `${name} was announced after a later round`)
    const chain = chains.get(need(fields, 'chain'))
    demand(chain && chain.game === game, `${name} uses a chain that was not committed before it`)
    const index = wholeNumber(fields, 'index')
    demand(
      chain && index === chain.used + 1 && index <= chain.length,
      `${name} takes seed ${index} of its chain, which is not the next one`,
    )
    const versions = readPairs(need(fields, 'rules'))
    demand(versions, `${name} has rules that are none, or two of one room`)
    const unsaid = [...versions]
      .map((version) => version.join(':'))
      .find((version) => rules.get(version)?.game !== game)
    demand(
      unsaid === undefined,
      `${name} has the rules ${unsaid}, which were not said of its game before`,
    )
    const clock = {
      genesisTime: wholeNumber(fields, 'beacon_genesis'),
      period: wholeNumber(fields, 'beacon_period'),
    }
    if (isByDrand(fields)) {
      demand(
        need(fields, 'beacon_key') === QUICKNET.publicKey &&
          clock.genesisTime === QUICKNET.genesisTime &&
          clock.period === QUICKNET.period,
        `${name} gives drand another key or clock`,
      )
    } else {
      demand(
        !hasDrand,
        `${name} announces a beacon of the operator’s own, and earlier rounds were by drand`,
      )
    }
    const drawsAt = wholeNumber(fields, 'draws') * 1_000
    const beaconRound = wholeNumber(fields, 'beacon_round')
    demand(
      clock.period > 0 &&
        drawsAt >= clock.genesisTime * 1_000 &&
        beaconRoundAt(clock, drawsAt) === beaconRound,
      `${name} announces a beacon round that is not the first after its end`,
    )
    demand(
      wholeNumber(fields, 'opens') < wholeNumber(fields, 'seals') &&
        wholeNumber(fields, 'seals') * 1_000 < drawsAt,
      `${name} has times that are not in order`,
    )
    demand(wholeNumber(fields, 'voids_at') <= LATEST_S, `${name} has a time that no calendar has`)
    const valueAt = timeOfRound(clock, beaconRound)
    const voidsAt = wholeNumber(fields, 'voids_at') * 1_000
    demand(voidsAt > valueAt, `${name} has a deadline before its beacon’s value exists`)
    if (voidsAt - drawsAt < DEADLINE_MIN_S * 1_000)
      delays.push(
        `${name} may be voided ${(voidsAt - drawsAt) / 1_000} seconds after its end: in so short a time a value that everybody has can be called late`,
      )
    if (voidsAt - drawsAt > DEADLINE_MAX_S * 1_000)
      delays.push(
        `${name} need not be decided for ${(voidsAt - drawsAt) / 1_000} seconds after its end: of so long a time nothing is late`,
      )
    hasDrand ||= isByDrand(fields)
    const left = chains.get(lastChain.get(game) ?? '')
    if (left && left !== chain && left.used < left.length)
      delays.push(
        `${name} takes its seed of another chain, and ${left.length - left.used} of the one before are left`,
      )
    lastChain.set(game, need(fields, 'chain'))
    chain.used = index
    const opens = wholeNumber(fields, 'opens')
    delays.push(...leftOut.add({ game, issue, opens, draws: drawsAt / 1_000 }))
    const empty = {
      book: null,
      decided: null,
      witnessed: null,
      draw: null,
      void: null,
      seed: null,
      odd: null,
    }
    return { game: Number(game), issue, announcement: fields, valueAt, ...empty }
  }

  function roundOf(fields: Fields): LoggedRound {
    const name = `${need(fields, 'game')} ${need(fields, 'issue')}`
    const round = rounds.get(name)
    demand(round !== undefined, `game ${fields.game}, round ${fields.issue} was never announced`)
    demand(round, `game ${fields.game}, round ${fields.issue} goes on after the returns of its day`)
    return round
  }

  /** Keeps of a round that there was one: the returns of its day are taken, and its seed was shown. */
  function forget({ game, issue, announcement, seed }: LoggedRound): void {
    if (!seed) return
    rounds.set(`${game} ${issue}`, null)
    const chain = chains.get(need(announcement, 'chain'))
    const index = wholeNumber(announcement, 'index')
    // The next seed leads to the last one.
    if (chain && index < chain.used) chain.seeds.delete(index)
  }

  /** The seed of a round, which leads to the commitment of its chain: by the nearest seed before it that was shown. */
  function seedOf(round: LoggedRound, fields: Fields): string {
    const seed = need(fields, 'seed')
    const seeds = chains.get(need(round.announcement, 'chain'))?.seeds
    const index = wholeNumber(round.announcement, 'index')
    let before = index - 1
    while (before > 0 && !seeds?.has(before)) before -= 1
    demand(
      seeds && hashSeed(seed, index - before) === seeds.get(before),
      `the seed of ${nameOf(round)} is not of the chain that was committed`,
    )
    seeds.set(index, seed)
    round.seed = seed
    return seed
  }

  return {
    /** Of the days that were not taken away from it. */
    days: days as ReadonlyMap<string, readonly LoggedRound[]>,
    /**
     * Takes the next entry.
     * @returns the round that it is about, if it is about one
     * @throws LogDifference
     */
    take(shown: Shown): LoggedRound | null {
      const [first = '', ...lines] = shown.text.split('\n')
      const kind = /^sum28\/1 ([a-z]+)$/.exec(first)?.[1] ?? ''
      demand(
        lines.pop() === '' && (Object.hasOwn(kinds, kind) || Object.hasOwn(others, kind)),
        `an entry of no kind: ${JSON.stringify(shown.text.slice(0, 80))}`,
      )
      const fields: Record<string, string> = {}
      for (const line of lines) {
        const [, name = '', value = ''] = /^([a-z_]+)=(.*)$/.exec(line) ?? []
        demand(
          name !== '' && !(name in fields),
          `an entry has a line that is no field: ${JSON.stringify(line.slice(0, 80))}`,
        )
        fields[name] = value
      }
      noteGrowth(shown)
      if (Object.hasOwn(kinds, kind)) return kinds[kind]?.(fields, shown) ?? null
      const day = fields.day ?? ''
      const played = days.get(day) ?? []
      others[kind]?.(fields, shown, days, rules)
      if (!days.has(day)) played.forEach(forget)
      return null
    },
    /** What the entries since the last call say of delays; sentences. */
    newDelays(): string[] {
      const found = delays
      delays = []
      return found
    },
    /** What the entries since the last call say of changes of the log's key; sentences. */
    newChanges(): string[] {
      const found = changes
      changes = []
      return found
    },
    keyOf,
    keyChanges: keyChanges as readonly KeyChange[],
    /** When the first round ends, in unix seconds; null before it. */
    firstEnd: () => firstEnd,
    /** The games that have rounds in the log. */
    games: leftOut.games,
    /** Sentences about games that announce nothing while others do. */
    silent: leftOut.silent,
    /** The commitment of a round's chain. */
    commitmentOf: (round: LoggedRound) =>
      chains.get(round.announcement.chain ?? '')?.seeds.get(0) ?? null,
    /** Rounds whose beacon's value exists, and which may still be drawn by it. */
    awaiting(now: number): LoggedRound[] {
      return [...unfinished].filter(
        ({ announcement, valueAt }) =>
          now >= valueAt && now < Number(announcement.voids_at) * 1_000,
      )
    },
    /** Voided rounds whose seed is due: it shows what would have been drawn. */
    unopened(now: number): LoggedRound[] {
      return [...seedless].filter((round) => {
        // After an outage a round may be voided late, but not after this was read.
        const voidedAt = Math.min(Number(round.void?.voided_at) * 1_000, round.decided?.at ?? now)
        const due = Math.max(Number(round.announcement.voids_at) * 1_000, voidedAt)
        return now > due + SEED_PATIENCE_MS
      })
    },
    /** Rounds whose deadline has passed and which have neither a draw nor a void. */
    late(now: number): LoggedRound[] {
      return [...unfinished].filter(
        ({ announcement }) => now > Number(announcement.voids_at) * 1_000 + END_PATIENCE_MS,
      )
    },
  }
}

export function isVoidedByTwo(round: LoggedRound): boolean {
  return round.void?.reason === 'two_persons'
}

export function nameOf({ game, issue }: Pick<LoggedRound, 'game' | 'issue'>): string {
  return `game ${game}, round ${issue}`
}

function dayOf({ issue }: LoggedRound): string {
  return issue.replace(/^(....)(..)(..).*$/, '$1-$2-$3')
}

/** Whether an announcement is of drand's beacon, which no operator can know before others. */
export function isByDrand(announcement: Fields): boolean {
  return need(announcement, 'beacon') === QUICKNET.chainHash
}

function decide(round: LoggedRound, shown: Shown): void {
  round.decided = shown
  round.witnessed = wasShownBefore(round.valueAt, shown)
}

/** Whether an entry was shown before a moment; null if nobody looked just before it came. */
function wasShownBefore(moment: number, { at, notAt }: Shown): boolean | null {
  if (at < moment) return true
  return notAt !== null && (notAt >= moment || at - notAt < WATCHING_MS) ? false : null
}

function onlyReason({ announcement, book }: LoggedRound, voidedAt: number): string | null {
  if (voidedAt < wholeNumber(announcement, 'draws')) return 'two_persons'
  if (!book) return 'sealed_late'
  return voidedAt >= wholeNumber(announcement, 'voids_at') ? 'beacon_late' : null
}

export function need(fields: Fields, name: string): string {
  const value = fields[name]
  demand(value, `an entry lacks ${name}`)
  return value
}

export function wholeNumber(fields: Fields, name: string): number {
  const value = need(fields, name)
  demand(
    /^[0-9]{1,15}$/.test(value),
    `${name} is ${JSON.stringify(value.slice(0, 40))}, and no whole number`,
  )
  return Number(value)
}

export function demand(holds: unknown, otherwise: string): asserts holds {
  if (!holds) throw new LogDifference(otherwise)
}

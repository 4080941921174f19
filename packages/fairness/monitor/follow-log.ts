/**
 * Follows a house's public log from outside: keeps a copy of every entry and of the last signed checkpoint, so that
 * nothing that was shown once can be shown otherwise later, and checks each round, count and return as it comes.
 */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { followKeys, readKeyChanges } from '../src/key-change.ts'
import { formatBundle, readBundle, TILE_WIDTH, tilePath } from '../src/log-tiles.ts'
import { EMPTY_ROOT, hashLeaf, hashNode, sameHash } from '../src/merkle-tree.ts'
import {
  formatVerifierKey,
  openCheckpoint,
  readCheckpoint,
  readNote,
  readVerifierKey,
  type SignedCheckpoint,
  type VerifierKey,
} from '../src/signed-note.ts'
import {
  isVoidedByTwo,
  LogDifference,
  type LoggedRound,
  logFacts,
  nameOf,
  type Shown,
} from './log-facts.ts'
import { type LoggedCount, moneyFacts } from './money-facts.ts'
import { oddRounds } from './odd-rounds.ts'
import { readUpTo } from './read-up-to.ts'
import { beaconWatch } from './watch-beacon.ts'

export { LogDifference }

/** A file of the house that did not come: nothing is wrong yet. */
export class Unreachable extends Error {
  /** Of HTTP, if there was an answer. */
  readonly status: number | null

  constructor(message: string, status: number | null = null) {
    super(message)
    this.status = status
  }
}

export type Look = {
  /** Entries in the log. */
  readonly size: number
  /** Rounds that ended since the last look. */
  readonly ended: readonly LoggedRound[]
  /** Counts of what is owed that came since the last look. */
  readonly counts: readonly LoggedCount[]
  /** Changes of the log's key that came since the last look; sentences. */
  readonly changes: readonly string[]
  /** What came too late, or did not come; sentences. */
  readonly delays: readonly string[]
  /** A sentence if what players are shown, or a witness's proof, did not come: it is asked for again at later looks. */
  readonly unanswered?: string
}

/** A witness that signed nothing for so long. */
const WITNESS_PATIENCE_MS = 300_000

/** How often what players are shown of money is compared without a new entry. */
const MONEY_EVERY_MS = 600_000

/**
 * So many rounds are compared with what players are shown at a look; the others at the next ones. Of the long past before
 * a monitor's first look so many are compared in all; all are checked.
 */
const COMPARED_AT_ONCE = 200

/** What is answered later than that keeps the monitor from the log, and a look waits so long for it in all. */
const PROMPT_MS = 1_000
const WAITED_AT_ONCE_MS = 5_000

const NOT_WITNESSED = 'not witnessed'

const LONGEST_FILE = 32 * 1024 * 1024

/** Of a house that does not end: what the new entries of one look may take here, in bytes. */
const LARGEST_LOOK = 8 * 2 ** 30
/** What an entry takes besides its own bytes. */
const ENTRY_COST = 256

/**
 * @param address of the house, without a slash at its end
 * @param folder belongs to this monitor and this house
 * @param witnesses who must have signed, each of them; signatures of others are ignored
 * @param beacon where the beacon's values are asked for; see `beaconWatch`
 * @throws LogDifference if the copy in the folder contradicts itself
 */
export function logFollower({
  address,
  folder,
  witnesses,
  beacon,
  now = Date.now,
  largestLook = LARGEST_LOOK,
}: {
  address: string
  folder: string
  witnesses: readonly VerifierKey[]
  beacon?: string | undefined
  now?: () => number
  largestLook?: number
}) {
  mkdirSync(folder, { recursive: true })
  const file = (name: string) => join(folder, name)
  const money = moneyFacts()
  const facts = logFacts(money.kinds)
  const values = beaconWatch({ address: beacon, now })
  const odd = oddRounds()
  const tree = growingTree()
  let log: VerifierKey | null = null
  let last: SignedCheckpoint | null = null
  let lookedAt: number | null = null
  let told = new Set<string>()
  /**
   * Rounds that are still to be compared with what players are shown, and the place of an entry about each. The folder has
   * the size up to which all are.
   */
  let toCompare: Ended[] = []
  /** Those of them that had no answer: they are asked for again after the others. */
  let toAskAgain: Ended[] = []
  /** Rounds that are kept as not witnessed: lines of a game and the end of its round. */
  const notWitnessed = new Set<string>()
  /** Proofs of witnesses that the log has signed with more entries than had come, by the rounds that they are of. */
  const ahead = new Map<LoggedRound, string>()
  /** What was in the log when money was last compared with what players are shown, and when that was. */
  let moneyCompared = { at: Number.NEGATIVE_INFINITY, upTo: '' }
  /** Full bundles of a look that was cut off: a long log is read in several looks. */
  const fetched = new Map<string, Uint8Array[]>()
  reopen()

  function reopen(): void {
    const keys = readIfThere(file('vkeys'))
    const note = readIfThere(file('checkpoint'))
    if (!keys || !note) return
    const known = logKeyOf(keys)
    const stated = readCheckpoint(readNote(note)?.text ?? '')
    const size = stated?.size ?? 0
    const entries = readEntries(file, size)
    const comparedUpTo = Number(readIfThere(file('compared')) ?? size)
    // What was kept after the last checkpoint is asked for again.
    const kept = entries.slice(0, size)
    for (const entry of kept) tree.add(hashLeaf(entry))
    const notIts = `the copy in ${folder} is not that of its checkpoint: keep it, and begin another folder`
    if (!stated || !sameHash(tree.root(), stated.root)) throw new LogDifference(notIts)
    const rounds = kept.map((entry, index) => {
      const round = take(entry, { index, notAt: null, at: Number.POSITIVE_INFINITY, isKept: true })
      return index < comparedUpTo ? null : round
    })
    log = keyAfter(known)
    last = log && openCheckpoint(note, { log, witnesses })
    if (!last) throw new LogDifference(notIts)
    toCompare = endedOf(rounds, 0)
    for (const line of readIfThere(file('not-witnessed'))?.split('\n') ?? []) {
      notWitnessed.add(line)
      const [game = 0, at = 0] = line.split(' ').map(Number)
      odd.add({ game, at, why: NOT_WITNESSED })
    }
    // What came late then was told then.
    money.late(0, new Map(), null)
    facts.newDelays()
    facts.newChanges()
  }

  function take(entry: Uint8Array, shown: Omit<Shown, 'text'>): LoggedRound | null {
    let text: string
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(entry)
    } catch {
      throw new LogDifference('an entry is not UTF-8')
    }
    const round = facts.take({ text, ...shown })
    if (round?.void && text.startsWith('sum28/1 void\n'))
      odd.add({ ...timeOf(round), why: round.void.reason ?? '' })
    return round
  }

  async function fetchFile(path: string): Promise<Uint8Array> {
    let status: number
    let bytes: Uint8Array | null
    try {
      const response = await fetch(`${address}/${path}`, { signal: AbortSignal.timeout(10_000) })
      status = response.status
      bytes = await readUpTo(LONGEST_FILE, response)
    } catch (error) {
      throw new Unreachable(
        `${path} does not come: ${error instanceof Error ? error.message : error}`,
      )
    }
    if (status !== 200) throw new Unreachable(`${path} is answered with ${status}`, status)
    if (!bytes) throw new Unreachable(`${path} is longer than ${LONGEST_FILE} bytes`)
    return bytes
  }

  async function fetchText(path: string): Promise<string> {
    return new TextDecoder().decode(await fetchFile(path))
  }

  /** @returns null if the house has no such file */
  async function fetchIfThere(path: string): Promise<string | null> {
    return fetchText(path).catch((error: unknown) => {
      if (error instanceof Unreachable && error.status === 404) return null
      throw error
    })
  }

  /** The data of a reply that players get. */
  async function fetchReply(path: string): Promise<unknown> {
    const text = await fetchText(path)
    try {
      return (JSON.parse(text) as { data?: unknown } | null)?.data
    } catch {
      throw new Unreachable(`${path} is answered with what is no JSON`)
    }
  }

  async function logKey(): Promise<VerifierKey> {
    if (log) return log
    const keys = await fetchText('tlog/vkeys')
    log = logKeyOf(keys)
    writeFileSync(file('vkeys'), keys)
    return log
  }

  /** @throws LogDifference with the first difference; {@link Unreachable} if a file does not come */
  async function look(): Promise<Look> {
    // Also of a house that does not answer: when the value was public tells what its voids are worth.
    const awaiting = facts.awaiting(now())
    await values.look(awaiting)
    const key = await logKey()
    const askedAt = now()
    const note = await fetchText('tlog/checkpoint')
    const next = openCheckpoint(note, { log: key, witnesses }) ?? (await openByLaterKey(note, key))
    const size = last?.size ?? 0
    if (next.size < size)
      throw different(`the log had ${size} entries and now has ${next.size}`, note)
    const at = Math.min(now(), signedByAll(next) * 1_000)
    // What the house has signed is on disk before it can send more than fits in memory.
    writeFileSync(file('checkpoint.new'), note, { flush: true })
    const entries = await entriesFrom(size, next.size, note)
    for (const entry of entries) tree.add(hashLeaf(entry))
    if (!sameHash(tree.root(), next.root)) {
      const sentence = `the entries of the log do not lead to its signed root at ${next.size}`
      throw different(sentence, note, entries)
    }
    const rounds: (LoggedRound | null)[] = []
    const countsBefore = money.counts.length
    for (const [place, entry] of entries.entries()) {
      try {
        rounds.push(take(entry, { index: size + place, notAt: lookedAt, at }))
      } catch (error) {
        throw error instanceof LogDifference ? different(error.message, note, entries) : error
      }
    }
    const present = keyAfter(key)
    if (!present || !openCheckpoint(note, { log: present, witnesses }))
      throw different('the log is signed by another key than its entries name', note, entries)
    log = present
    fetched.clear()
    const newlyEnded = endedOf(rounds, size)
    const ended = newlyEnded.map(({ round }) => round)
    toCompare = [...toCompare, ...(last ? newlyEnded : newlyEnded.slice(-COMPARED_AT_ONCE))]
    // Also what is not compared before the power ends is compared after it.
    markCompared(next.size)
    keep(entries)
    last = next
    lookedAt = askedAt
    const tooLate = rounds.flatMap((round, place) =>
      round?.decided?.index === size + place ? decidedLate(round) : [],
    )
    await values.look(facts.awaiting(now()).filter((round) => !awaiting.includes(round)))
    // From here on a file that does not come holds nothing back of what was found.
    const { delays: others, ...unanswered } = await compare(note)
    const delays = delaysOf([...tooLate, ...facts.newDelays(), ...others, ...late(next)])
    for (const round of ended.filter((each) => each.void)) {
      const { game, at } = timeOf(round)
      round.odd = odd.sentence(game, at)
    }
    const counts = money.counts.slice(countsBefore)
    const changes = facts.newChanges()
    return { size: next.size, ended, counts, changes, delays, ...unanswered }
  }

  /** Opens a checkpoint that the known key has not signed: by one that this one leads to. */
  async function openByLaterKey(note: string, key: VerifierKey): Promise<SignedCheckpoint> {
    const origin = readCheckpoint(readNote(note)?.text ?? '')?.origin ?? key.name
    if (origin !== key.name)
      throw different(`the log ${key.name} was begun anew as ${origin}`, note)
    const changes = readKeyChanges((await fetchIfThere('tlog/keys')) ?? '')
    for (const log of followKeys([key], changes)) {
      const opened = openCheckpoint(note, { log, witnesses })
      if (opened) return opened
    }
    const sentence = 'the checkpoint is not signed by the log’s key, nor by one that it leads to'
    throw different(sentence, note)
  }

  /** The log's key by its entries; null if the known one does not lead to it. */
  function keyAfter(known: VerifierKey): VerifierKey | null {
    const present = formatVerifierKey(facts.keyOf(known.name) ?? known)
    const keys = followKeys([known], facts.keyChanges)
    return keys.find((key) => formatVerifierKey(key) === present) ?? null
  }

  /** Compares with what players are shown. @returns delays, and which file did not come */
  async function compare(note: string): Promise<Pick<Look, 'delays' | 'unanswered'>> {
    const delays: string[] = []
    const silent: string[] = []
    let waitedMs = 0
    /** @returns whether all that was asked for came */
    async function ask(compared: readonly (() => Promise<string[]>)[]): Promise<boolean> {
      const [before, askedAt] = [silent.length, performance.now()]
      for (const each of compared) {
        try {
          delays.push(...(await each()))
        } catch (error) {
          if (!(error instanceof Unreachable)) throw error
          silent.push(error.message)
        }
      }
      const took = performance.now() - askedAt
      if (took > PROMPT_MS) waitedMs += took
      return silent.length === before
    }
    /** @returns the rounds without an answer, and those that are left for the next look */
    async function askFor(rounds: readonly Ended[]): Promise<[without: Ended[], left: Ended[]]> {
      const without: Ended[] = []
      for (const [at, each] of rounds.entries()) {
        if (at >= COMPARED_AT_ONCE || waitedMs > WAITED_AT_ONCE_MS)
          return [without, rounds.slice(at)]
        const { round } = each
        const compared = [() => askWitness(round), () => compareWithApi(round, note)]
        if (!(await ask(compared))) without.push(each)
      }
      return [without, []]
    }
    const earlier = toAskAgain
    const [without, left] = await askFor(toCompare)
    toCompare = left
    const [again, notAsked] = await askFor(earlier)
    toAskAgain = [...notAsked, ...again, ...without]
    markCompared(last?.size ?? 0)
    await ask([() => compareMoney(note)])
    // More than are compared at once waits for the next look; what the house's slowness left is told.
    const count = toAskAgain.length + (waitedMs > WAITED_AT_ONCE_MS ? left.length : 0)
    if (silent.length === 0 && count === 0) return { delays }
    const [first = 'the house answers late'] = silent
    return { delays, unanswered: count > 1 ? `${first}; ${count} rounds are not compared` : first }
  }

  /** Keeps the size of the log up to which all is compared. @param size of the whole log */
  function markCompared(size: number): void {
    const open = [...toCompare.slice(0, 1), ...toAskAgain]
    const compared = String(open.reduce((least, { index }) => Math.min(least, index), size))
    if (readIfThere(file('compared')) !== compared) writeFileSync(file('compared'), compared)
  }

  /** Asks when the named witnesses have signed what was not seen to come. @returns a delay, if it was late */
  async function askWitness(round: LoggedRound): Promise<string[]> {
    if (!round.decided || round.witnessed !== null || !log || witnesses.length === 0) return []
    const path = `tlog/${isVoidedByTwo(round) ? 'voided' : 'witnessed'}/${round.game}/${round.issue}`
    const held = ahead.get(round)
    const note = held ?? (await fetchIfThere(path)) ?? ''
    const own = openCheckpoint(note, { log, witnesses })
    if (own && own.size > tree.size()) {
      const sentence = `${path} is of ${own.size} entries, which have not come`
      // The log has grown since this look, and the next one sees that.
      if (held !== undefined) throw different(`${sentence} since`, note)
      ahead.set(round, note)
      throw new Unreachable(sentence)
    }
    ahead.delete(round)
    if (own && !sameHash(tree.root(own.size), own.root)) {
      throw different(`${path} is of another log than this one`, note)
    }
    // Of an earlier name of the log, the root alone says that this one continues it.
    const state = own ?? openCheckpoint(note, { log: null, witnesses })
    const holds =
      state && state.size > round.decided.index && sameHash(tree.root(state.size), state.root)
    const signedAt = holds ? signedByAll(state) : Number.POSITIVE_INFINITY
    round.witnessed = signedAt * 1_000 < round.valueAt
    return decidedLate(round)
  }

  /** When the last of the named witnesses had signed, in unix seconds; infinity if one has not, or there is none. */
  function signedByAll({ cosigned }: SignedCheckpoint): number {
    const times = witnesses.map(
      (key) => cosigned.get(formatVerifierKey(key)) ?? Number.POSITIVE_INFINITY,
    )
    return times.length > 0 ? Math.max(...times) : Number.POSITIVE_INFINITY
  }

  /** A sentence for a book or a void by two persons that came too late, or while the house was not seen; or another void. */
  function decidedLate(round: LoggedRound): string[] {
    const { decided, witnessed } = round
    if (round.void?.reason === 'sealed_late')
      return [
        `${nameOf(round)} was voided without a book: that this was not decided when the beacon’s value was known, nobody saw`,
      ]
    if (round.void?.reason === 'beacon_late') {
      const seenAt = values.seenAt(round)
      const voidsAt = Number(round.announcement.voids_at) * 1_000
      const isKnown = seenAt !== null && seenAt < voidsAt
      const known = isKnown
        ? `, which this monitor had at ${new Date(seenAt).toISOString()}, ${Math.round((voidsAt - seenAt) / 1_000)} seconds before the deadline`
        : ''
      return [
        `${nameOf(round)} was voided for want of its beacon’s value${known}: that this did not reach the operator in time is his word`,
      ]
    }
    const name = `the ${isVoidedByTwo(round) ? 'void by two persons' : 'book'} of ${nameOf(round)}`
    if (witnessed === false) {
      noteNotWitnessed(round)
      return [`${name} was not shown before the beacon’s value existed: ${NOT_WITNESSED}`]
    }
    if (witnessed || !decided || decided.notAt === null || witnesses.length > 0) return []
    const [from, to] = [decided.notAt, decided.at].map((time) => new Date(time).toISOString())
    return [
      `${name} came while the house was not seen, from ${from} to ${to}, when the beacon’s value came to exist: not watched`,
    ]
  }

  /** Kept, because the log does not say it: once, also of a round that is compared again after a restart. */
  function noteNotWitnessed(round: LoggedRound): void {
    const { game, at } = timeOf(round)
    const line = `${game} ${at}`
    if (notWitnessed.has(line)) return
    notWitnessed.add(line)
    odd.add({ game, at, why: NOT_WITNESSED })
    appendFileSync(file('not-witnessed'), `${line}\n`)
  }

  async function entriesFrom(start: number, end: number, note: string): Promise<Uint8Array[]> {
    const entries: Uint8Array[] = []
    let cost = 0
    for (let at = start; at < end; ) {
      const index = Math.floor(at / TILE_WIDTH)
      const width = Math.min(TILE_WIDTH, end - index * TILE_WIDTH)
      const path = `tlog/${tilePath({ level: 'entries', index, width })}`
      const bundle = fetched.get(path) ?? readBundle(await fetchFile(path), width)
      if (bundle?.length !== width)
        throw different(`${path} has not the ${width} entries that its name says`, note)
      cost = bundle.reduce((sum, { length }) => sum + length + ENTRY_COST, cost)
      if (cost > largestLook)
        throw different(`the log’s new entries take more than ${largestLook} bytes`, note, entries)
      if (width === TILE_WIDTH) fetched.set(path, bundle)
      entries.push(...bundle.slice(at - index * TILE_WIDTH))
      at = index * TILE_WIDTH + width
    }
    return entries
  }

  /** What players see of a round must be what the log says. */
  async function compareWithApi(round: LoggedRound, note: string): Promise<string[]> {
    const path = `api/fairness/round?game_id=${round.game}&issue=${round.issue}`
    const {
      book,
      digits,
      seed,
      commitment,
      index,
      void: voided,
    } = ((await fetchReply(path)) ?? {}) as {
      book?: { root: unknown; size: unknown }
      digits?: unknown[] | null
      seed?: unknown
      commitment?: unknown
      index?: unknown
      void?: { reason: unknown } | null
    }
    const pairs: [string, unknown, unknown][] = [
      ['commitment', facts.commitmentOf(round), commitment],
      ['index', round.announcement.index, index],
      ['root', round.book?.root, book?.root],
      ['size of the book', round.book?.size, book?.size],
      ['digits', round.draw?.digits, digits?.join(',')],
      ['reason of the void', round.void?.reason, voided?.reason],
      ...(round.seed ? [['seed', round.seed, seed] as [string, unknown, unknown]] : []),
    ]
    for (const [name, logged, shown] of pairs) {
      if (String(logged ?? 'none') === String(shown ?? 'none')) continue
      throw different(
        `${nameOf(round)}: the log has the ${name} ${logged ?? 'none'}, and players are shown ${shown ?? 'none'}`,
        note,
      )
    }
    return []
  }

  /** What players see of what is owed and of returns must be what the log says. @returns what is not in the log */
  async function compareMoney(note: string): Promise<string[]> {
    const upTo = `${money.counts.length} ${money.lastDay()}`
    if (moneyCompared.upTo === upTo && now() - moneyCompared.at < MONEY_EVERY_MS) return []
    const reserves = await fetchReply('api/fairness/reserves')
    const games = money.lastDay() === '' ? [] : facts.games()
    const returns = await Promise.all(
      games.map((game) => fetchReply(`api/fairness/returns?game_id=${game}&days=1`)),
    )
    try {
      const unlogged = money.compareReserves(reserves, now())
      for (const [at, game] of games.entries()) money.compareReturns(game, returns[at])
      moneyCompared = { at: now(), upTo }
      return unlogged
    } catch (error) {
      throw error instanceof LogDifference ? different(error.message, note) : error
    }
  }

  function late({ cosigned }: SignedCheckpoint): string[] {
    return [
      ...money.late(now(), facts.days, facts.firstEnd()),
      ...facts
        .late(now())
        .map((round) => `${nameOf(round)} has neither a draw nor a void after its deadline`),
      ...facts
        .unopened(now())
        .map((round) => `${nameOf(round)} was voided, and its seed is not published`),
      ...facts.silent(),
      ...witnesses
        .filter((key) => {
          const signedAt = cosigned.get(formatVerifierKey(key)) ?? 0
          return now() - signedAt * 1_000 > WITNESS_PATIENCE_MS
        })
        .map((key) => `${toldNameOf(key)} has signed nothing for five minutes`),
    ]
  }

  /** His name, with his key where two have the name. */
  function toldNameOf(key: VerifierKey): string {
    const namesakes = witnesses.filter(({ name }) => name === key.name)
    return namesakes.length > 1 ? formatVerifierKey(key) : key.name
  }

  /** Those that were not told at the last look. */
  function delaysOf(delays: readonly string[]): string[] {
    const fresh = delays.filter((delay) => !told.has(delay))
    told = new Set(delays)
    return fresh
  }

  /** Keeps entries, and makes the note that was written before them that of this copy. */
  function keep(entries: readonly Uint8Array[]): void {
    if (entries.length > 0) {
      const size = last?.size ?? 0
      writeFileSync(file(`entries-${String(size).padStart(12, '0')}`), formatBundle(entries), {
        flush: true,
      })
    }
    // The entries that lead to it are on disk by now, whatever a cut of the power takes.
    renameSync(file('checkpoint.new'), file('checkpoint'))
  }

  /**
   * Keeps what proves it, beside what was kept of an earlier difference: two notes that the log has signed, and the
   * entries that came between them, in a file beside it.
   */
  function different(
    sentence: string,
    note: string,
    entries: readonly Uint8Array[] = [],
  ): LogDifference {
    const earlier = readdirSync(folder).filter((name) => /^difference.*\.txt$/.test(name)).length
    const name = earlier === 0 ? 'difference' : `difference-${earlier + 1}`
    const text = `${sentence}\n\nThe last checkpoint before it:\n${readIfThere(file('checkpoint')) ?? 'none\n'}\nThe checkpoint now:\n${note}`
    try {
      if (entries.length > 0)
        writeFileSync(file(`${name}.entries`), formatBundle(entries), { flush: true })
      writeFileSync(file(`${name}.txt`), text, { flush: true })
    } catch (error) {
      // It is told all the same, with its two notes.
      return new LogDifference(`${text}\nThis could not be kept: ${error}`)
    }
    return new LogDifference(sentence)
  }

  return { look }
}

/** The entries that were kept, in files named by the place of their first one. */
function readEntries(file: (name: string) => string, size: number): Uint8Array[] {
  const entries: Uint8Array[] = []
  while (entries.length < size) {
    const name = file(`entries-${String(entries.length).padStart(12, '0')}`)
    const bundle = readBundle(readFileSync(name))
    if (!bundle?.length)
      throw new LogDifference(`${name} is not whole: keep it, and begin another folder`)
    entries.push(...bundle)
  }
  // Of a look that was cut off after it had kept its entries.
  rmSync(file(`entries-${String(size).padStart(12, '0')}`), { force: true })
  return entries
}

function timeOf({ game, announcement }: LoggedRound): { game: number; at: number } {
  return { game, at: Number(announcement.draws) }
}

type Ended = { readonly round: LoggedRound; readonly index: number }

/** Of rounds that entries are about, those that have ended, each with the place of the first of these entries. */
function endedOf(rounds: readonly (LoggedRound | null)[], start: number): Ended[] {
  const first = new Map<LoggedRound, number>()
  for (const [place, round] of rounds.entries()) {
    if ((round?.draw || round?.void) && !first.has(round)) first.set(round, start + place)
  }
  return [...first].map(([round, index]) => ({ round, index }))
}

function logKeyOf(keys: string): VerifierKey {
  const key = readVerifierKey(keys.split('\n')[0] ?? '')
  if (key?.type !== 'log') throw new Unreachable('tlog/vkeys has no key of a log in its first line')
  return key
}

function readIfThere(name: string): string | null {
  try {
    return readFileSync(name, 'utf8')
  } catch {
    return null
  }
}

/** A tree that only grows: the roots of its complete subtrees, by their heights. */
function growingTree() {
  const levels: Uint8Array[][] = [[]]
  const size = () => levels[0]?.length ?? 0
  return {
    size,
    add(leafHash: Uint8Array): void {
      let hash = leafHash
      for (let height = 0; ; height += 1) {
        levels[height] ??= []
        const level = levels[height] as Uint8Array[]
        const left = level.length % 2 === 1 ? level.at(-1) : undefined
        level.push(hash)
        if (!left) return
        hash = hashNode(left, hash)
      }
    },
    /** @param leaves how many of the first ones, all by default */
    root(leaves = size()): Uint8Array {
      const peaks = levels.flatMap((level, height) => {
        const count = Math.floor(leaves / 2 ** height)
        return count % 2 === 1 ? (level[count - 1] ?? []) : []
      })
      return peaks.length > 0 ? peaks.reduce((root, peak) => hashNode(peak, root)) : EMPTY_ROOT
    },
  }
}

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
import { EMPTY_ROOT, HASH_BYTES, hashLeaf, hashNode, sameHash } from '../src/merkle-tree.ts'
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
import { DAYS_COMPARED, type LoggedCount, moneyFacts, type ShownReturns } from './money-facts.ts'
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
  /** Rounds that ended since the last look; at a monitor's first one the last of them. */
  readonly ended: readonly LoggedRound[]
  /** How many ended before these. */
  readonly endedBefore?: number
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

/** So many bundles of entries are in memory at once: the others of a long log are on disk. */
const BUNDLES_AT_ONCE = 80

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
  /**
   * A long log is read in several looks: of one that was cut off, its entries are in the tree and on disk, and the last
   * full bundles here.
   */
  const fetched = new Map<string, Uint8Array[]>()
  /** What the entries since the last checkpoint take. */
  let cost = 0
  reopen()

  function reopen(): void {
    const keys = readIfThere(file('vkeys'))
    const note = readIfThere(file('checkpoint'))
    if (!keys || !note) return
    const known = logKeyOf(keys)
    const stated = readCheckpoint(readNote(note)?.text ?? '')
    const size = stated?.size ?? 0
    const comparedUpTo = Number(readIfThere(file('compared')) ?? size)
    for (const { entries } of keptEntries(file, 0, size)) {
      for (const entry of entries) tree.add(hashLeaf(entry))
    }
    const notIts = `the copy in ${folder} is not that of its checkpoint: keep it, and begin another folder`
    if (!stated || !sameHash(tree.root(), stated.root)) throw new LogDifference(notIts)
    const ended = new Map<LoggedRound, number>()
    for (const { start, entries } of keptEntries(file, 0, size)) {
      const rounds = entries.map((entry, place) => {
        const shown = { notAt: null, at: Number.POSITIVE_INFINITY, isKept: true }
        const round = take(entry, { index: start + place, ...shown })
        return start + place < comparedUpTo ? null : round
      })
      noteEnded(ended, rounds, start)
    }
    log = keyAfter(known)
    last = log && openCheckpoint(note, { log, witnesses })
    if (!last) throw new LogDifference(notIts)
    // What was kept after the last checkpoint is asked for again.
    for (const name of readdirSync(folder)) {
      if (/^entries-\d+$/.test(name) && name >= entriesName(size)) rmSync(file(name))
    }
    toCompare = [...ended].map(([round, index]) => ({ round, index }))
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
    await fetchEntries(next.size, note)
    if (!sameHash(tree.root(), next.root)) {
      const sentence = `the entries of the log do not lead to its signed root at ${next.size}`
      throw different(sentence, note, [])
    }
    const newlyEnded = new Map<LoggedRound, number>()
    let endedBefore = 0
    const tooLate: string[] = []
    const countsBefore = money.counts.length
    for (const { start, entries } of keptEntries(file, size, next.size)) {
      const rounds = entries.map((entry, place) => {
        try {
          return take(entry, { index: start + place, notAt: lookedAt, at })
        } catch (error) {
          throw error instanceof LogDifference ? different(error.message, note, []) : error
        }
      })
      noteEnded(newlyEnded, rounds, start)
      for (const [place, round] of rounds.entries()) {
        if (round?.decided?.index === start + place) tooLate.push(...decidedLate(round))
      }
      // Of the past so many are compared.
      const left = last ? [] : [...newlyEnded.keys()].slice(0, -COMPARED_AT_ONCE)
      for (const round of left) newlyEnded.delete(round)
      endedBefore += left.length
    }
    const present = keyAfter(key)
    if (!present || !openCheckpoint(note, { log: present, witnesses }))
      throw different('the log is signed by another key than its entries name', note, [])
    log = present
    cost = 0
    const ended = [...newlyEnded.keys()]
    toCompare = [...toCompare, ...[...newlyEnded].map(([round, index]) => ({ round, index }))]
    // Also what is not compared before the power ends is compared after it.
    markCompared(next.size)
    // The entries that lead to it are on disk by now, whatever a cut of the power takes.
    renameSync(file('checkpoint.new'), file('checkpoint'))
    last = next
    lookedAt = askedAt
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
    const before = endedBefore > 0 ? { endedBefore } : {}
    return { size: next.size, ended, ...before, counts, changes, delays, ...unanswered }
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
        `${nameOf(round)} was voided for want of its beacon’s value${known}: that the operator could not store it in time is his word`,
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

  /** Brings the entries up to a size into the tree, and to disk. */
  async function fetchEntries(end: number, note: string): Promise<void> {
    if (end < tree.size())
      throw new Unreachable(`tlog/checkpoint has ${end} entries, and ${tree.size()} have come`)
    while (tree.size() < end) {
      const start = tree.size()
      const until = (Math.floor(start / TILE_WIDTH) + BUNDLES_AT_ONCE) * TILE_WIDTH
      const entries = await entriesFrom(start, Math.min(until, end), note)
      writeFileSync(file(entriesName(start)), formatBundle(entries), { flush: true })
      fetched.clear()
      for (const entry of entries) tree.add(hashLeaf(entry))
      cost += costOf(entries)
    }
  }

  async function entriesFrom(start: number, end: number, note: string): Promise<Uint8Array[]> {
    const entries: Uint8Array[] = []
    for (let at = start; at < end; ) {
      const index = Math.floor(at / TILE_WIDTH)
      const width = Math.min(TILE_WIDTH, end - index * TILE_WIDTH)
      const path = `tlog/${tilePath({ level: 'entries', index, width })}`
      const bundle = fetched.get(path) ?? readBundle(await fetchFile(path), width)
      if (bundle?.length !== width)
        throw different(`${path} has not the ${width} entries that its name says`, note)
      if (width === TILE_WIDTH) fetched.set(path, bundle)
      entries.push(...bundle.slice(at - index * TILE_WIDTH))
      if (cost + costOf(entries) > largestLook)
        throw different(`the log’s new entries take more than ${largestLook} bytes`, note, entries)
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
    const returns: ShownReturns[] = []
    for (const game of facts.games()) {
      for (const days of DAYS_COMPARED) {
        const reply = await fetchReply(`api/fairness/returns?game_id=${game}&days=${days}`)
        returns.push({ game, days, reply })
      }
    }
    try {
      const unlogged = [
        ...money.compareReserves(reserves, now()),
        ...money.compareReturns(returns, now()),
      ]
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

  /**
   * Keeps what proves it, beside what was kept of an earlier difference: two notes that the log has signed, and the
   * entries that came between them, in a file beside it.
   *
   * @param entries those of them that are not on disk yet; null: they prove nothing
   */
  function different(
    sentence: string,
    note: string,
    entries: readonly Uint8Array[] | null = null,
  ): LogDifference {
    const earlier = readdirSync(folder).filter((name) => /^difference.*\.txt$/.test(name)).length
    const name = earlier === 0 ? 'difference' : `difference-${earlier + 1}`
    const text = `${sentence}\n\nThe last checkpoint before it:\n${readIfThere(file('checkpoint')) ?? 'none\n'}\nThe checkpoint now:\n${note}`
    try {
      if (entries && tree.size() + entries.length > (last?.size ?? 0)) {
        const proof = file(`${name}.entries`)
        writeFileSync(proof, '')
        for (const part of keptEntries(file, last?.size ?? 0, tree.size()))
          appendFileSync(proof, formatBundle(part.entries))
        appendFileSync(proof, formatBundle(entries), { flush: true })
      }
      writeFileSync(file(`${name}.txt`), text, { flush: true })
    } catch (error) {
      // It is told all the same, with its two notes.
      return new LogDifference(`${text}\nThis could not be kept: ${error}`)
    }
    return new LogDifference(sentence)
  }

  return { look }
}

function entriesName(start: number): string {
  return `entries-${String(start).padStart(12, '0')}`
}

/** The entries on disk from a place to another, file by file; each is named by the place of its first one. */
function* keptEntries(
  file: (name: string) => string,
  from: number,
  end: number,
): Generator<{ start: number; entries: Uint8Array[] }> {
  for (let start = from; start < end; ) {
    const name = file(entriesName(start))
    const bundle = readBundle(readFileSync(name))
    if (!bundle?.length)
      throw new LogDifference(`${name} is not whole: keep it, and begin another folder`)
    yield { start, entries: bundle.slice(0, end - start) }
    start += bundle.length
  }
}

function costOf(entries: readonly Uint8Array[]): number {
  return entries.reduce((sum, { length }) => sum + length + ENTRY_COST, 0)
}

function timeOf({ game, announcement }: LoggedRound): { game: number; at: number } {
  return { game, at: Number(announcement.draws) }
}

type Ended = { readonly round: LoggedRound; readonly index: number }

/** Adds, of the rounds that entries are about, those that have ended, each with the place of the first of these entries. */
function noteEnded(
  ended: Map<LoggedRound, number>,
  rounds: readonly (LoggedRound | null)[],
  start: number,
): void {
  for (const [place, round] of rounds.entries()) {
    if ((round?.draw || round?.void) && !ended.has(round)) ended.set(round, start + place)
  }
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

/** A tree that only grows: the roots of its complete subtrees, by their heights, each level in one piece of memory. */
function growingTree() {
  const levels: { hashes: Uint8Array; count: number }[] = []
  const size = () => levels[0]?.count ?? 0
  const at = (hashes: Uint8Array, place: number) =>
    hashes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)
  return {
    size,
    add(leafHash: Uint8Array): void {
      let hash = leafHash
      for (let height = 0; ; height += 1) {
        levels[height] ??= { hashes: new Uint8Array(TILE_WIDTH * HASH_BYTES), count: 0 }
        const level = levels[height] as (typeof levels)[number]
        const { hashes, count } = level
        if ((count + 1) * HASH_BYTES > hashes.length) {
          level.hashes = new Uint8Array(2 * hashes.length)
          level.hashes.set(hashes)
        }
        level.hashes.set(hash, count * HASH_BYTES)
        level.count += 1
        if (count % 2 === 0) return
        hash = hashNode(at(level.hashes, count - 1), hash)
      }
    },
    /** @param leaves how many of the first ones, all by default */
    root(leaves = size()): Uint8Array {
      const peaks = levels.flatMap(({ hashes }, height) => {
        const count = Math.floor(leaves / 2 ** height)
        return count % 2 === 1 ? at(hashes, count - 1) : []
      })
      return peaks.length > 0 ? peaks.reduce((root, peak) => hashNode(peak, root)) : EMPTY_ROOT
    },
  }
}

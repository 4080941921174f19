/** The public log: what is written, how it is put in order and signed, and when it is not continued. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { readKeyChanges } from '@sum28/fairness/key-change.ts'
import { readBundle } from '@sum28/fairness/log-tiles.ts'
import { verifyLog } from '@sum28/fairness/logged-round.ts'
import { hashLeaf, rootOfLeaves } from '@sum28/fairness/merkle-tree.ts'
import {
  cosign,
  formatSignature,
  formatVerifierKey,
  openCheckpoint,
  readNote,
  readVerifierKey,
  type SigningKey,
  type VerifierKey,
} from '@sum28/fairness/signed-note.ts'
import { serveWitness } from '@sum28/fairness/witness/run-witness.ts'
import { openWitness } from '@sum28/fairness/witness/witness.ts'
import { readAddCheckpoint } from '@sum28/fairness/witness-protocol.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Keys } from '#src/adapters/local-keys.ts'
import { readConfig } from '#src/config.ts'
import { clockJudge } from '#src/engine/clock-watch.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { publishedRound, publishedRoundByIssue } from '#src/modules/rounds/published-round.ts'
import { resultsOf } from '#src/modules/rounds/results.ts'
import { readBy } from '#testing/database/table-reads.ts'
import {
  createTestDatabase,
  eachTestDatabase,
  type TestDatabase,
} from '#testing/database/test-database.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { confirmRoundVoid, proposeRoundVoid } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { addBettor, driveByHand, OPENING } from '#testing/product/driven-game.ts'
import { type AskedWitness, logKeys, originOf, remoteWitness } from './log-keys.ts'
import { growthReader } from './log-proof.ts'
import {
  addCheckpoint,
  hashesOf,
  keyChanges,
  latestCheckpoint,
  noteWitnesses,
  placeEntries,
} from './log-store.ts'
import { publicLogModule } from './module.ts'
import { LogStopped, logSequencer } from './sequence-log.ts'

const SECRET = 'a secret key of at least thirty-two characters'
const NEXT = `another ${SECRET}`
const LAST = `a third ${SECRET}`
const ORIGIN = 'sum28.localhost/tlog'
const KEYS = logKeys(ORIGIN, [SECRET])
const NOW = 1_800_000_000_000

/** A witness in this process, which the test can take away or let lie. */
function witnessOf({ name = 'w', logs = KEYS as readonly VerifierKey[], now = Date.now } = {}) {
  const witness = openWitness({ name, folder: temporaryFolder(), logs, now })
  const asked: AskedWitness = {
    key: witness.key,
    add: async (body) => witness.addCheckpoint(body),
    latest: async (originHash) => witness.latestNote(originHash),
  }
  return { ...asked, witness }
}

/** The same one while it is away. */
function awayOf(witness: AskedWitness): AskedWitness {
  return { ...witness, add: async () => ({ status: 503, body: '' }) }
}

/** Writes entries as a trigger does. */
async function write({ owner }: TestDatabase, count: number, about = 'test'): Promise<void> {
  await owner.query(
    `select public_log.add('test', $1 || ' ' || n, 'about=' || $1, 'n=' || n) from generate_series(1, $2::integer) n`,
    [about, count],
  )
}

function sequencerOf(
  { db }: TestDatabase,
  {
    witnesses = [],
    keys = KEYS,
    now = Date.now,
    patienceMs = 500,
  }: {
    witnesses?: readonly AskedWitness[]
    keys?: readonly [SigningKey, ...SigningKey[]]
    now?: () => number
    patienceMs?: number
  } = {},
) {
  const silent: string[] = []
  const onSilent = (_: string, why: string) => void silent.push(why)
  const given = { db, keys, witnesses, now, onSilent, patienceMs }
  const sequencer = logSequencer({ ...given, origin: ORIGIN })
  return { ...sequencer, silent }
}

/** The log as anybody reads it, of a house with these keys. */
function filesOf({ db }: Pick<TestDatabase, 'db'>, secretKeys: Keys = [SECRET]) {
  const config = { ...readConfig({}), profile: 'production' as const }
  return publicLogModule({ db, secretKeys, config })
}

/** Reads a whole log from outside. @returns its entries, which are those of its signed root */
async function readLog(database: TestDatabase, witnesses: readonly VerifierKey[] = []) {
  const { readLogFile } = filesOf(database)
  const text = async (path: string) => String((await readLogFile(path))?.content)
  const log = readVerifierKey((await text('vkeys')).split('\n')[0] ?? '')
  const checkpoint = log && openCheckpoint(await text('checkpoint'), { log, witnesses })
  if (!checkpoint) throw new Error('the checkpoint is not signed')
  const entries: Uint8Array[] = []
  for (let index = 0; index * 256 < checkpoint.size; index += 1) {
    const width = Math.min(256, checkpoint.size - index * 256)
    const name = `${String(index).padStart(3, '0')}${width < 256 ? `.p/${width}` : ''}`
    const bundle = (await readLogFile(`tile/entries/${name}`))?.content
    entries.push(...(readBundle(bundle as Uint8Array) ?? []))
    const hashes = (await readLogFile(`tile/0/${name}`))?.content as Uint8Array
    expect(hashes).toHaveLength(width * 32)
  }
  expect(rootOfLeaves(entries.map(hashLeaf))).toEqual(checkpoint.root)
  return {
    checkpoint,
    entries: entries.map((entry) => new TextDecoder().decode(entry)),
    readLogFile,
  }
}

function fieldsOf(text: string): Record<string, string> {
  const lines = text.trimEnd().split('\n').slice(1)
  return Object.fromEntries(lines.map((line) => line.split('=') as [string, string]))
}

describe('the entries of the log', () => {
  it('tell a round from its chain to its draw, each in the transaction that makes it', async () => {
    const { database, driveAt } = await driveByHand()
    await driveAt(1)
    await addBettor(database)
    await driveAt(181)
    await driveAt(214)
    await sequencerOf(database).step()
    const { entries } = await readLog(database)
    const ofFirst = entries.filter((text) => !text.includes('issue=20261120002'))
    expect(ofFirst.map((text) => text.split('\n')[0])).toEqual([
      ...['sum28/1 chain', 'sum28/1 rules', 'sum28/1 rules', 'sum28/1 rules', 'sum28/1 rules'],
      ...['sum28/1 announcement', 'sum28/1 book', 'sum28/1 draw'],
    ])
    const [chain, rules, , , , announcement, book, draw] = ofFirst.map(fieldsOf)
    const [row] = await database.owner.query<Record<string, string>>(
      `select encode(commitment, 'hex') as commitment, encode(book_root, 'hex') as root, beacon_round::text,
         encode(seed, 'hex') as seed, concat_ws(',', digit_1, digit_2, digit_3) as digits,
         encode(beacon_signature, 'hex') as signature
       from rounds.round join rounds.draw using (game_id, issue) join fairness.chain on chain.id = chain_id`,
    )
    const { commitment, root, beacon_round, ...drawn } = row ?? {}
    const round = { game: '1', issue: '20261120001' }
    expect(chain).toMatchObject({ game: '1', length: '100', commitment })
    expect(rules).toMatchObject({
      room: '11',
      version: '1',
      odds: expect.stringContaining('1:1920'),
    })
    expect(announcement).toMatchObject({
      ...round,
      index: '1',
      beacon_round,
      rules: '11:1,12:1,13:1,14:1',
    })
    // No clocks were compared here, so no value was seen.
    expect(book).toMatchObject({ ...round, root, size: '1', beacon_seen: '0' })
    expect(draw).toEqual({ ...round, beacon_round, ...drawn })
  })

  it('are written once for each subject, and never changed, also by the owner', async () => {
    const database = await createTestDatabase()
    await write(database, 2)
    await write(database, 2)
    await sequencerOf(database).step()
    expect((await readLog(database)).entries).toEqual([
      'sum28/1 test\nabout=test\nn=1\n',
      'sum28/1 test\nabout=test\nn=2\n',
    ])
    for (const change of [
      `update public_log.entry set text = 'x'`,
      'update public_log.entry set position = position + 7',
      'update public_log.entry set position = null',
      'delete from public_log.entry',
      'truncate public_log.entry',
      'delete from public_log.checkpoint',
      `update public_log.checkpoint set note = 'x'`,
    ]) {
      await expect(database.owner.query(change), change).rejects.toThrow('history and never change')
    }
    await expect(
      database.db.query(`insert into public_log.entry (subject, text) values ('x', 'x')`),
    ).rejects.toThrow('permission denied')
  })

  it('are all that a state of the log, and a root of them, can be of', async () => {
    const database = await createTestDatabase()
    const { jobs } = database
    await write(database, 256)
    await placeEntries(jobs)
    const state = { origin: 'x', note: 'x', byAll: true, witnessedAt: Date.now() }
    const tooLarge = addCheckpoint(jobs, { ...state, size: 257 })
    await expect(tooLarge).rejects.toThrow('the log does not have 257 entries')
    await addCheckpoint(jobs, { ...state, size: 256 })
    const addNode = (level: number, position: number) =>
      jobs.query('select public_log.add_node($1, $2)', [level, position])
    for (const [level, position] of [
      [1, 1],
      [2, 0],
    ] as const)
      await expect(addNode(level, position)).rejects.toThrow('is not full')
    await addNode(1, 0)
    const leaves = await hashesOf(jobs, { level: 0, index: 0, width: 256 })
    const [root] = await hashesOf(jobs, { level: 1, index: 0, width: 1 })
    expect(root).toEqual(Buffer.from(rootOfLeaves(leaves)))
  })
})

function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it does not answer')))
  })
}

describe('the sequencer', () => {
  const { database } = eachTestDatabase()

  it('puts entries in order over many tiles, and signs each state with its witness', async () => {
    const witness = witnessOf()
    const sequencer = sequencerOf(database, { witnesses: [witness] })
    let size = 0
    for (const more of [1, 254, 1, 1, 300]) {
      size += more
      await write(database, more, `up to ${size}`)
      await sequencer.step()
      const { checkpoint, entries } = await readLog(database, [witness.key])
      expect(entries).toHaveLength(size)
      expect(checkpoint.cosigned.size).toBe(1)
    }
    expect(sequencer.silent).toEqual([])
    const { readLogFile } = await readLog(database)
    expect((await readLogFile('tile/1/000.p/2'))?.content).toHaveLength(64)
    for (const path of [
      'tile/0/002',
      'tile/0/002.p/46',
      'tile/1/000.p/3',
      'tile/2/000.p/1',
      'x',
      '',
    ]) {
      expect(await readLogFile(path), path).toBeNull()
    }
  })

  it('signs a state again after a minute, and not before', async () => {
    let later = 0
    const sequencer = sequencerOf(database, { now: () => Date.now() + later })
    await write(database, 1)
    const counts: number[] = []
    for (later of [0, 30_000, 61_000]) {
      await sequencer.step()
      const rows = await database.owner.query('select from public_log.checkpoint')
      counts.push(rows.length)
    }
    expect(counts).toEqual([1, 1, 2])
  })

  it('gives each place once when two processes drive it at once', async () => {
    const witness = witnessOf()
    const both = [1, 2].map(() => sequencerOf(database, { witnesses: [witness] }))
    for (let turn = 0; turn < 5; turn += 1) {
      await write(database, 70, `turn ${turn}`)
      await Promise.all(both.map((each) => each.step()))
    }
    const { entries } = await readLog(database, [witness.key])
    expect(new Set(entries).size).toBe(350)
    expect(entries).toHaveLength(350)
  })

  it('leaves states that readers do not search, however many there are', async () => {
    await write(database, 2)
    await sequencerOf(database).step()
    await database.owner.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(
        `insert into public_log.checkpoint (origin, size, note)
         select origin, size, note from public_log.checkpoint, generate_series(1, 3000)`,
      )
    })
    await database.owner.query('analyze public_log.checkpoint')
    const reads = await database.owner.transaction((tx) =>
      readBy(tx, async () => {
        expect(await keyChanges(tx)).toEqual([])
        expect(await growthReader({ db: tx })([1, 2])).toHaveLength(1)
      }),
    )
    for (const { name, rows, fetches } of reads) expect(rows + fetches, name).toBeLessThan(20)
  })

  it('is not taken for an older copy when another process has continued it meanwhile', async () => {
    const witness = witnessOf()
    const other = sequencerOf(database, { witnesses: [witness] })
    const slow: AskedWitness = {
      ...witness,
      async latest(hash, signal) {
        await other.step()
        return witness.latest(hash, signal)
      },
    }
    await write(database, 300)
    await sequencerOf(database, { witnesses: [slow] }).step()
    expect((await readLog(database, [witness.key])).entries).toHaveLength(300)
  })

  it('shows a state without a witness that is away, and again to that one and to no other', async () => {
    const witnesses = [witnessOf(), witnessOf({ name: 'w2' })]
    const asks = [0, 0]
    const counted = witnesses.map(
      (witness, at): AskedWitness => ({
        ...witness,
        async add(body, signal) {
          asks[at] = (asks[at] ?? 0) + 1
          return at === 1 && asks[at] === 1 ? never(signal) : witness.add(body, signal)
        },
      }),
    )
    const signed = async () =>
      Promise.all(
        witnesses.map(
          async ({ key }) => (await readLog(database, [key])).checkpoint.cosigned.size === 1,
        ),
      )
    const sequencer = sequencerOf(database, { witnesses: counted })
    await write(database, 3)
    for (const both of [false, true, true]) {
      await sequencer.step()
      expect(await signed()).toEqual([true, both])
      expect((await latestCheckpoint(database.db, ORIGIN))?.byAll).toBe(both)
    }
    expect(sequencer.silent).toHaveLength(1)
    expect(asks).toEqual([1, 2])
  })

  it('asks a witness that does not sign after longer and longer pauses, and at once about a new state', async () => {
    let [asks, later] = [0, 0]
    const limiting: AskedWitness = {
      ...witnessOf(),
      async add() {
        asks += 1
        return { status: 429, body: '' }
      },
    }
    const now = () => Date.now() + later
    const sequencer = sequencerOf(database, { witnesses: [limiting], now })
    const askedAfter: number[] = []
    await write(database, 3)
    for (; later <= 40_000; later += 2_000) {
      if (later === 40_000) await write(database, 1, 'a new state')
      const before = asks
      await sequencer.step()
      if (asks > before) askedAfter.push(later / 1_000)
    }
    expect(askedAfter).toEqual([0, 2, 6, 14, 30, 40])
  })

  it('asks a witness elsewhere over HTTP', async () => {
    const { witness } = witnessOf()
    const server = serveWitness(witness).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const remote = remoteWitness({ key: witness.key, url: `http://127.0.0.1:${port}` })
    // A witness that is there is waited for, however slow this machine is.
    const patienceMs = 30_000
    const sequencer = sequencerOf(database, { witnesses: [remote], patienceMs })
    for (const more of [3, 4]) {
      await write(database, more, `${more} more`)
      await sequencer.step()
    }
    expect((await readLog(database, [witness.key])).checkpoint.cosigned.size).toBe(1)
    expect(sequencer.silent).toEqual([])
    await write(database, 1, 'later')
    await sequencerOf(database, { witnesses: [{ ...remote }], patienceMs }).step()
    expect((await readLog(database, [witness.key])).checkpoint.cosigned.size).toBe(1)
  })

  it.each<[string, Partial<AskedWitness>]>([
    ['claims a longer log', { add: async () => ({ status: 409, body: '999\n' }) }],
    ['answers with what is no signature', { add: async () => ({ status: 200, body: '<html>' }) }],
    ['refuses without a proof', { add: async () => ({ status: 422, body: 'no' }) }],
    ['shows a note of others', { latest: async () => 'x\n1\nAAAA\n\n— x AAAAAAAA\n' }],
  ])('goes on when a witness lies: it %s', async (_, lie) => {
    const witness = witnessOf()
    const sequencer = sequencerOf(database, { witnesses: [{ ...witness, ...lie }] })
    await write(database, 3)
    await sequencer.step()
    expect((await readLog(database)).entries).toHaveLength(3)
    expect(sequencer.silent.length).toBeGreaterThan(0)
  })

  it.each([
    ['an hour ago', -3_600_000, false],
    ['a minute ahead', 61_000, false],
    ['that no calendar has', Number.MAX_SAFE_INTEGER * 1_000 - NOW, false],
    ['now, 64 times', 0, true],
  ])(
    'takes one signature of a witness, and none of a time that is not ours: it signs %s',
    async (_, apart, isTaken) => {
      const { witness, ...asked } = witnessOf()
      const lying: AskedWitness = {
        ...asked,
        async add(body) {
          const text = readNote(readAddCheckpoint(body)?.note ?? '')?.text ?? ''
          const line = formatSignature(cosign(text, witness.key, Math.floor((NOW + apart) / 1_000)))
          return { status: 200, body: line.repeat(64) }
        },
      }
      const now = () => NOW
      const sequencer = sequencerOf(database, { witnesses: [lying], now })
      await write(database, 3)
      for (const each of [sequencer, sequencer, sequencerOf(database, { now })]) {
        await each.step()
        const { checkpoint, entries } = await readLog(database, [asked.key])
        expect(entries).toHaveLength(3)
        if (each === sequencer) expect(checkpoint.cosigned.size).toBe(isTaken ? 1 : 0)
      }
      const apartSaid = expect.stringContaining('more than 60 seconds from ours')
      expect(sequencer.silent).toEqual(isTaken ? [] : [apartSaid, apartSaid])
    },
  )

  it('leaves out the signatures of witnesses with which a checkpoint could not be read', async () => {
    const witnesses = Array.from({ length: 64 }, (_, at) => witnessOf({ name: `w${at}` }))
    const sequencer = sequencerOf(database, { witnesses, patienceMs: 30_000 })
    await write(database, 3)
    for (const _ of ['first', 'again']) await sequencer.step()
    expect((await readLog(database)).entries).toHaveLength(3)
    expect(sequencer.silent).toHaveLength(128)
    expect(await database.owner.query('select from public_log.checkpoint')).toHaveLength(1)
  })
})

describe('a closed book', () => {
  /** A round with a bet, sealed; its witness has the time of the house, or its own. */
  async function sealedRound() {
    const game = await driveByHand()
    let atSecond = 0
    const at = (seconds: number) => {
      atSecond = seconds
      return game.driveAt(seconds)
    }
    const now = () => OPENING + atSecond * 1_000
    const witness = witnessOf({ now })
    await at(1)
    await clockJudge(game.watched).judge(new AbortController().signal)
    await addBettor(game.database)
    await at(181)
    const sequencer = (witnesses: AskedWitness[] = [witness]) =>
      sequencerOf(game.database, { witnesses, now })
    return { ...game, at, now, witness, sequencer }
  }

  const NAMED = { gameId: 1, issue: '20261120001' }

  /** Adds rounds of a year ago, each with its book in the log. */
  async function addOldRounds({ owner }: TestDatabase, count: number): Promise<void> {
    await owner.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(
        `insert into rounds.round
         select old.* from rounds.round, generate_series(1, $1::integer) n, (values (interval '8760 hours')) year (ago),
           jsonb_populate_record(round, jsonb_build_object('issue', 20251120000 + n, 'chain_index', 1000 + n,
             'opens_at', opens_at - ago, 'seals_at', seals_at - ago, 'sealed_at', sealed_at - ago,
             'draws_at', draws_at - ago, 'voids_at', voids_at - ago,
             'beacon_genesis', beacon_genesis - extract(epoch from ago)::bigint)) old
         where round.issue = $2`,
        [count, NAMED.issue],
      )
      await tx.query(
        `select public_log.add('book', '1 ' || issue, 'n=' || issue) from rounds.round where issue < $1`,
        [NAMED.issue],
      )
    })
  }

  /** The round as players see it, with its proof from the log. */
  async function roundShown(
    { db }: TestDatabase,
    files: Pick<ReturnType<typeof filesOf>, 'readLogProof'>,
  ) {
    const row = await publishedRoundByIssue(db, NAMED)
    if (!row) throw new Error('there is no round')
    return publishedRound(row, await files.readLogProof(NAMED))
  }

  /** The same, and what its file shows of the log. */
  async function shown(database: TestDatabase, ...named: { key: VerifierKey }[]) {
    const round = await roundShown(database, filesOf(database))
    const witnesses = named.map(({ key }) => key)
    const steps = verifyLog({ round, trusted: { log: KEYS[0], witnesses } })
    const [result] = await resultsOf(database.db, { gameId: 1, day: null, limit: 1, offset: 0 })
    const held = steps.map(({ name, ok }) => [name, ok])
    return { round, witnessed: result?.witnessed, steps: Object.fromEntries(held) }
  }

  const HELD = {
    'log-chain': true,
    'log-announcement': true,
    'log-book': true,
    'log-end': true,
    'log-entries': true,
    'log-signature': true,
    'beacon-seen': true,
    witness: true,
    'end-witness': true,
  }

  it('that a witness saw before the value is marked for ever, and its file proves it', async () => {
    const { database, at, witness, sequencer } = await sealedRound()
    expect((await shown(database, witness)).round.log).toBeNull()
    await at(200)
    await sequencer().step()
    const { 'log-end': _, 'end-witness': __, ...beforeEnd } = HELD
    expect((await shown(database, witness)).steps).toEqual(beforeEnd)
    await at(214)
    const drawn = await shown(database, witness)
    expect(drawn.steps).toEqual({ ...HELD, 'log-end': null, 'end-witness': null })
    await sequencer().step()
    const { round, steps, witnessed } = await shown(database, witness)
    expect(steps).toEqual(HELD)
    expect(witnessed).toBe(true)
    expect(round.book.witnessed_at).toBe(OPENING / 1_000 + 200)
    expect(round.log?.book?.text).toMatch(/\nbeacon_seen=[0-9]{4}\n$/)
    await expect(
      database.owner.query(`update rounds.round set witnessed_at = witnessed_at + interval '1 s'`),
    ).rejects.toThrow('never changes')
    await at(300)
    await sequencer().step()
    expect((await shown(database, witness)).round.log).toEqual(round.log)
  })

  it.each([
    ['before the value', 195, true],
    ['after it', 214, null],
  ])(
    'is shown with the signatures of all its witnesses if one came late, %s',
    async (_, secondAt, ofSecond) => {
      const { database, at, now, witness, sequencer } = await sealedRound()
      const second = witnessOf({ name: 'w2', now })
      const away = awayOf(second)
      const { readLogFile } = filesOf(database)
      await at(190)
      await sequencer([witness, away]).step()
      await at(secondAt)
      await sequencer([witness, second]).step()
      await at(216)
      await sequencer([witness, away]).step()
      if (ofSecond) expect((await shown(database, witness, second)).steps['end-witness']).toBeNull()
      await at(300)
      await sequencer([witness, second]).step()
      // Of two that a reader names, the later one counts.
      const byBoth = await shown(database, witness, second)
      expect(byBoth.steps).toEqual({ ...HELD, witness: ofSecond })
      expect((await shown(database, witness)).steps).toEqual(HELD)
      expect((await shown(database, second)).steps).toEqual({ ...HELD, witness: ofSecond })
      const files = ['witnessed', 'drawn'].map((of) => readLogFile(`${of}/1/${NAMED.issue}`))
      const fixed = (await Promise.all(files)).map((file) => file?.fixed)
      expect(fixed).toEqual([ofSecond === true, true])
    },
  )

  it('stays proved when a slower process stores an earlier state after a later one', async () => {
    const { database, at, witness, sequencer } = await sealedRound()
    const slow: AskedWitness = {
      ...witness,
      async add(...ask) {
        const answer = await witness.add(...ask)
        await write(database, 2)
        await at(200)
        await sequencer().step()
        return answer
      },
    }
    await at(190)
    await sequencer([slow]).step()
    const { 'log-end': _, 'end-witness': __, ...beforeEnd } = HELD
    expect((await shown(database, witness)).steps).toEqual(beforeEnd)
  })

  it('stays proved when its witness is replaced by another', async () => {
    const { database, at, now, witness, sequencer } = await sealedRound()
    await noteWitnesses(database.jobs, [formatVerifierKey(witness.key)])
    await sequencer().step()
    await at(214)
    await sequencer().step()
    const second = formatVerifierKey(witnessOf({ name: 'w2', now }).key)
    await noteWitnesses(database.jobs, [second])
    // By the keys that the file has.
    const { round } = await shown(database)
    expect(verifyLog({ round }).map(({ name, ok }) => [name, ok])).toEqual(Object.entries(HELD))
    const vkeys = String((await filesOf(database).readLogFile('vkeys'))?.content)
    expect(vkeys).toContain(`\n${second}\n`)
    expect(vkeys).toContain(`\n${formatVerifierKey(witness.key)}\n`)
  })

  it('whose round two persons void is followed by a file that proves when a witness saw the void', async () => {
    const { database, at, witness, sequencer } = await sealedRound()
    const { db } = database
    const { readLogFile } = filesOf(database)
    const [ann, ben] = [await staffToken(database), await staffToken(database)]
    await at(190)
    await sequencer().step()
    expect(await proposeRoundVoid(db, { ...NAMED, session: ann })).toBe('proposed')
    expect(await confirmRoundVoid(db, { ...NAMED, session: ben })).toBe('confirmed')
    const seenAt: (number | undefined)[] = []
    for (const seconds of [199, 214]) {
      await at(seconds)
      await sequencer().step()
      for (const path of ['witnessed/1/20261120001', 'voided/1/20261120001']) {
        const note = String((await readLogFile(path))?.content)
        const state = openCheckpoint(note, { log: KEYS[0], witnesses: [witness.key] })
        seenAt.push(state?.cosigned.get(formatVerifierKey(witness.key)))
      }
    }
    const start = OPENING / 1_000
    expect(seenAt).toEqual([start + 190, start + 199, start + 190, start + 199])
    expect(await readLogFile('voided/1/20261120002')).toBeNull()
    // Longer than any number of a round, and than PostgreSQL's numbers.
    for (const kind of ['witnessed', 'drawn', 'voided']) {
      expect(await readLogFile(`${kind}/1/99999999999999999999`)).toBeNull()
    }
  })

  it('that no witness saw in time is drawn as others are, and marked for ever', async () => {
    const { database, at, witness, sequencer } = await sealedRound()
    await sequencer([]).step()
    await at(214)
    const before = await shown(database, witness)
    expect(before.round.status).toBe('settled')
    expect(before.witnessed).toBe(false)
    const unseen = { ...HELD, witness: null, 'end-witness': null }
    expect(before.steps).toEqual({ ...unseen, 'log-end': null })
    await sequencer([]).step()
    expect((await shown(database, witness)).steps).toEqual(unseen)
    await sequencer().step()
    const { round, steps, witnessed } = await shown(database, witness)
    expect(round.book.witnessed_at).toBe(OPENING / 1_000 + 214)
    expect(witnessed).toBe(false)
    expect(steps).toEqual({ ...HELD, witness: null })
  })

  it('that is old keeps its row when a log of many rounds gets its first witness, and tells when that signed', async () => {
    const { database, at, now, sequencer } = await sealedRound()
    await at(214)
    await addOldRounds(database, 3_000)
    await sequencer([]).step()
    await at(391)
    const size = await placeEntries(database.db)
    await database.owner.query('analyze')
    const state = { origin: ORIGIN, size, note: 'a note', byAll: true, witnessedAt: now() }
    // So often that its plan would be kept.
    const times = 7
    const reads = await database.owner.transaction((tx) =>
      readBy(tx, async () => {
        for (let time = 0; time < times; time += 1) await addCheckpoint(tx, state)
      }),
    )
    for (const { name, rows, fetches } of reads) {
      expect(rows + fetches, name).toBeLessThan(times * 20)
    }
    const marked = await database.owner.column<bigint>(
      'select issue from rounds.round where witnessed_at is not null',
    )
    expect(marked).toEqual([20_261_120_002n])
    for (const issue of ['20251120007', NAMED.issue, '20261120002']) {
      const row = await publishedRoundByIssue(database.db, { gameId: 1, issue })
      expect(row?.witnessedAt).toBe(now())
    }
  })

  it('that no witness saw in time is a fault once a game has two since the house has witnesses', async () => {
    const { database, at, sequencer } = await sealedRound()
    const faults = async () =>
      (await readNeeds(database.db, ['log_unwitnessed'])).map(({ count }) => count)
    const unseen: number[][] = []
    for (const seconds of [214, 391, 424, 601, 634, 811, 844]) {
      await at(seconds)
      await sequencer([]).step()
      // Two rounds have ended before the first witness is asked.
      if (seconds === 424) await noteWitnesses(database.jobs, ['w'])
      if (seconds >= 424) unseen.push(await faults())
    }
    expect(unseen).toEqual([[], [], [], [], [2]])
    await noteWitnesses(database.jobs, [])
    expect(await faults()).toEqual([])
    await noteWitnesses(database.jobs, ['w'])
    await sequencer().step()
    await database.freezeClock(OPENING + 4_500_000)
    expect(await faults()).toEqual([])
  })

  it('is a fault too while one of several witnesses has been silent for ten minutes', async () => {
    const { database, at, now, witness, sequencer } = await sealedRound()
    const count = async () => (await readNeeds(database.db, ['log_unwitnessed']))[0]?.count ?? 0
    const second = witnessOf({ name: 'w2', now })
    await noteWitnesses(
      database.jobs,
      [witness, second].map(({ key }) => formatVerifierKey(key)),
    )
    const counts: number[] = []
    for (const seconds of [190, 214, 750, 850]) {
      await at(seconds)
      await sequencer([witness, awayOf(second)]).step()
      counts.push(await count())
    }
    expect(counts).toEqual([0, 0, 0, 1])
    expect((await shown(database, witness)).round.book.witnessed_at).toBe(OPENING / 1_000 + 190)
    await sequencer([witness, second]).step()
    expect(await count()).toBe(0)
  })

  it.each([
    [3_000, {}, 3_000],
    [3_600, {}, 3_600],
    [3_600, { opensMinute: 600, closesMinute: 660 }, 86_400],
  ])('is such a fault too when rounds last %i s, with %j', async (seconds, hours, later) => {
    const schedule = { roundMs: seconds * 1_000, ...hours }
    const { database, driveAt } = await driveByHand({ schedule })
    await driveAt(1)
    await sequencerOf(database, { witnesses: [witnessOf()] }).step()
    await noteWitnesses(database.jobs, ['w'])
    for (const begin of [0, later]) {
      await driveAt(begin + 1)
      await driveAt(begin + seconds - 20)
      await driveAt(begin + seconds + 4)
    }
    await driveAt(later + seconds + 700)
    const needs = await readNeeds(database.db, ['log_unwitnessed'])
    expect(needs.map(({ count }) => count)).toEqual([2])
  })

  it('of an open or voided round is not there; commitment, announcement and void are proved without it', async () => {
    const { database, driveAt } = await driveByHand()
    const witness = witnessOf()
    await driveAt(1)
    await sequencerOf(database, { witnesses: [witness] }).step()
    const announced = {
      'log-chain': true,
      'log-announcement': true,
      'log-entries': true,
      'log-signature': true,
    }
    const open = await shown(database, witness)
    expect(open.round.log).toMatchObject({ book: null, end: null })
    expect(open.steps).toEqual(announced)
    await driveAt(400)
    await driveAt(406)
    // A book that was never closed is a choice of the house.
    const unlogged = { ...announced, 'log-end': null, witness: null, 'end-witness': null }
    expect((await shown(database, witness)).steps).toEqual(unlogged)
    await sequencerOf(database, { witnesses: [witness] }).step()
    const { entries } = await readLog(database)
    const first = entries.filter((text) => text.includes('issue=20261120001'))
    expect(first.map((text) => text.split('\n')[0])).toEqual([
      ...['sum28/1 announcement', 'sum28/1 void', 'sum28/1 seed'],
    ])
    // It may be known now.
    expect(fieldsOf(first[2] ?? '').seed).toMatch(/^[0-9a-f]{64}$/)
    const { round, steps } = await shown(database, witness)
    expect(round.log?.end?.text).toContain('reason=sealed_late')
    expect(steps).toEqual({ ...unlogged, 'log-end': true, 'end-witness': true })
    // A draw that is told of the round to one player.
    const drawn = { ...round, status: 'settled', void: null }
    expect(verifyLog({ round: drawn }).find(({ name }) => name === 'log-end')?.ok).toBe(false)
  })

  it('is proved by the present key alone, and with its receipt by the earlier one too while that is given', async () => {
    const { database, witness, sequencer } = await sealedRound()
    await sequencer().step()
    const log = await filesOf(database, [NEXT]).readLogProof(NAMED)
    const key = readVerifierKey(log?.keys[0] ?? '')
    expect(key?.publicKey).not.toEqual(KEYS[0].publicKey)
    const keys = { log: key as VerifierKey, witnesses: [witness.key] }
    expect(openCheckpoint(log?.checkpoint ?? '', keys)?.cosigned.size).toBe(1)

    const bet = { leaf: 'a bet', playerId: 7 }
    const { signReceipt, ...both } = filesOf(database, [NEXT, SECRET])
    const signed = await signReceipt({ ...NAMED, ...bet, log: null })
    const receipt = { leaf: bet.leaf, player_id: 7, signed }
    const trusted = { log: KEYS[0], witnesses: [witness.key] }
    const steps = verifyLog({ round: await roundShown(database, both), receipt, trusted })
    const failed = steps.flatMap(({ name, ok }) => (ok ? [] : name))
    // The text has no odds.
    expect(failed).toEqual(['log-rules', 'log-odds'])
  })

  it('is proved to a reader who kept the first key by a later one, which signs alone', async () => {
    const { database, at, now, witness, sequencer } = await sealedRound()
    await sequencer().step()
    await at(214)
    const later = sequencerOf(database, {
      keys: logKeys(ORIGIN, [NEXT, SECRET]),
      witnesses: [witness],
      now,
    })
    await later.step()
    const round = await roundShown(database, filesOf(database, [NEXT]))
    const trusted = { log: KEYS[0], witnesses: [witness.key] }
    expect(verifyLog({ round, trusted }).filter(({ ok }) => !ok)).toEqual([])
    const unlinked = { ...round, log: round.log && { ...round.log, key_changes: [] } }
    const failed = verifyLog({ round: unlinked, trusted }).filter(({ ok }) => !ok)
    expect(failed.map(({ name }) => name)).toEqual(['log-signature'])
  })

  it.each([
    ['ended under its earlier one', true],
    ['was closed under that and ended under the present one', null],
  ])(
    'is proved, with its receipt, once the log has another name, if its round %s',
    async (_, isEndWitnessed) => {
      const { database, at, now, sequencer } = await sealedRound()
      const origin = `${ORIGIN}/2`
      const keys = logKeys(origin, [SECRET])
      const witness = witnessOf({ logs: [...KEYS, ...keys], now })
      const witnesses = [witness]
      await noteWitnesses(database.jobs, [formatVerifierKey(witness.key)])
      await sequencer(witnesses).step()
      await at(214)
      if (isEndWitnessed) await sequencer(witnesses).step()
      await database.owner.query('insert into public_log.name (number) values (2)')
      // No state has that name yet: the log has grown all the same.
      expect(await growthReader({ db: database.db })([1, 2])).toHaveLength(1)
      const given = { db: database.db, witnesses, now, onSilent() {} }
      await logSequencer({ ...given, origin, keys }).step()

      const { signReceipt, ...files } = filesOf(database)
      const round = await roundShown(database, files)
      const bet = { leaf: 'a bet', playerId: 7 }
      const signed = await signReceipt({ ...NAMED, ...bet, log: round.log })
      const receipt = { leaf: bet.leaf, player_id: 7, signed }
      // The text has no odds.
      const ofReceipt = { 'log-rules': false, 'log-odds': false, 'receipt-signature': true }
      const held = { ...HELD, 'end-witness': isEndWitnessed, ...ofReceipt }
      const byFile = verifyLog({ round, receipt }).map(({ name, ok }) => [name, ok])
      expect(Object.fromEntries(byFile)).toEqual(held)
      const byPresent = verifyLog({ round, receipt, trusted: { log: keys[0] } })
      expect(byPresent.find(({ name }) => name === 'receipt-signature')?.ok).toBe(true)
    },
  )
})

describe('a log that is not what it was', () => {
  async function unplaced({ owner }: TestDatabase): Promise<number> {
    const count = await owner.value<bigint>(
      'select count(*) from public_log.entry where position is null',
    )
    return Number(count)
  }

  /** A log of which a witness has signed five entries, and its database as it was restored, with three of them. */
  async function restoredLog(witness: AskedWitness) {
    const [lost, restored] = [await createTestDatabase(), await createTestDatabase()]
    await write(restored, 3)
    await sequencerOf(restored, { witnesses: [witness] }).step()
    await write(lost, 3)
    await sequencerOf(lost).step()
    await write(lost, 2, 'after the backup')
    const first = sequencerOf(lost, { witnesses: [witness] })
    await first.step()
    expect(first.silent).toEqual([])
    return { restored, continued: sequencerOf(restored, { witnesses: [witness] }) }
  }

  it('is found at the start when a backup was restored, and nothing is appended', async () => {
    const { restored, continued } = await restoredLog(witnessOf())
    await write(restored, 4, 'other bets')
    await expect(continued.step()).rejects.toThrow('this database is older than the log')
    await expect(continued.step()).rejects.toThrow(LogStopped)
    expect(await unplaced(restored)).toBe(4)
    await restored.shiftClock(61_000)
    expect(await readNeeds(restored.db)).toContainEqual(
      expect.objectContaining({ need: 'log_waits', count: 4 }),
    )
    expect((await readLog(restored)).entries).toHaveLength(3)
  })

  it('is not found by a witness that does not show what it has signed, and the log says that it may be', async () => {
    const { restored, continued } = await restoredLog({ ...witnessOf(), latest: async () => null })
    await write(restored, 1, 'other bets')
    await continued.step()
    expect(continued.silent).toEqual([
      'it shows no checkpoint: by it an older database is not kept from continuing the log',
      'it says that it has signed 5 entries, and this log has 4: this database may be older than the log (docs/runbooks.md)',
    ])
  })

  it('is found when it has grown otherwise than its witness knows it', async () => {
    const [one, other] = [await createTestDatabase(), await createTestDatabase()]
    const witness = witnessOf()
    await write(one, 3)
    await sequencerOf(one, { witnesses: [witness] }).step()
    await write(other, 5, 'another history')
    // While its witness is away it cannot know.
    await sequencerOf(other).step()
    await expect(sequencerOf(other, { witnesses: [witness] }).step()).rejects.toThrow(
      'two logs of one name',
    )
    // It is found too when the witness comes back while the log is driven.
    let isAsked = false
    const returning: AskedWitness = {
      ...witness,
      async latest(...ask) {
        if (isAsked) return witness.latest(...ask)
        isAsked = true
        return null
      },
    }
    const running = sequencerOf(other, { witnesses: [returning] })
    await write(other, 1, 'more')
    await expect(running.step()).rejects.toThrow('two logs of one name')
  })

  it.each([
    [
      'entry was changed',
      { entries: 3, change: `update public_log.entry set text = 'sum28/1 x' where position = 1` },
      'were changed',
    ],
    [
      'entry was lost',
      { entries: 3, change: 'delete from public_log.entry where position = 1' },
      'has lost a part',
    ],
    ['tile was lost', { entries: 300, change: 'delete from public_log.node' }, 'has lost a part'],
  ])('is found when its %s, by the owner himself', async (_, { entries, change }, words) => {
    const database = await createTestDatabase()
    await write(database, entries)
    await sequencerOf(database).step()
    for (const table of ['entry', 'node']) {
      await database.owner.query(`alter table public_log.${table} disable trigger all`)
    }
    await database.owner.query(change)
    await write(database, 1, 'more')
    await expect(sequencerOf(database).step()).rejects.toThrow(words)
    expect(await unplaced(database)).toBe(1)
  })

  it('is continued under another name by the owner alone', async () => {
    const database = await createTestDatabase()
    expect(originOf({ publicUrl: 'https://play.example' }, 1)).toBe('play.example/tlog')
    expect(originOf({ publicUrl: 'https://play.example' }, 2)).toBe('play.example/tlog/2')
    const begin = 'insert into public_log.name (number) values (2)'
    await expect(database.db.query(begin)).rejects.toThrow('permission denied')
    await database.owner.query(begin)
    const origin = 'sum28.localhost/tlog/2'
    const given = { db: database.db, witnesses: [], now: Date.now, onSilent() {} }
    await write(database, 2)
    await logSequencer({ ...given, origin, keys: logKeys(origin, [SECRET]) }).step()
    expect((await readLog(database)).checkpoint).toMatchObject({ origin, size: 2 })
  })
})

describe('a changed key of the log', () => {
  const { database } = eachTestDatabase()

  it('signs with the earlier one, which must be given until it was named', async () => {
    const witness = witnessOf()
    const drive = (...secrets: [string, ...string[]]) =>
      sequencerOf(database, { keys: logKeys(ORIGIN, secrets), witnesses: [witness] }).step()
    await write(database, 1)
    await drive(SECRET)
    await write(database, 1, 'later')
    await expect(drive(NEXT)).rejects.toThrow('give the earlier key too')
    await drive(NEXT, SECRET)
    const note = (await latestCheckpoint(database.db, ORIGIN))?.note ?? ''
    for (const log of logKeys(ORIGIN, [NEXT, SECRET])) {
      expect(openCheckpoint(note, { log, witnesses: [witness.key] })?.cosigned.size).toBe(1)
    }
    // The one before is demanded, also if an earlier one is given.
    await expect(drive(LAST, SECRET)).rejects.toThrow('give the earlier key too')
  })

  it('is not forgotten by a witness, which stops a database and a key of before the change', async () => {
    const lost = await createTestDatabase()
    const [turned, before] = [[NEXT, SECRET], [SECRET]].map((secrets) =>
      logKeys(ORIGIN, secrets as [string, ...string[]]),
    ) as [typeof KEYS, typeof KEYS]
    const witnesses = [witnessOf({ logs: [...before, ...turned.slice(0, 1)] })]
    for (const each of [lost, database]) {
      await write(each, 1)
      await sequencerOf(each, { keys: before }).step()
    }
    // The first checkpoint since the change that the witness signs, and the next one.
    for (const entry of ['after the backup', 'later']) {
      await write(lost, 1, entry)
      await sequencerOf(lost, { keys: turned, witnesses }).step()
    }
    await expect(sequencerOf(database, { keys: before, witnesses }).step()).rejects.toThrow(
      'this database is older than the log',
    )
  })

  it('is named by an entry that the key before has signed, once for each change', async () => {
    const drive = (...secrets: [string, ...string[]]) =>
      sequencerOf(database, { keys: logKeys(ORIGIN, secrets), now: () => NOW }).step()
    await write(database, 1)
    await drive(SECRET)
    await drive(SECRET)
    expect((await readLog(database)).entries).toHaveLength(1)
    await write(database, 1, 'more')
    await Promise.all([drive(NEXT, SECRET), drive(NEXT, SECRET)])
    // The one before is not given any more.
    await drive(NEXT)
    await write(database, 1, 'last')
    await drive(LAST, NEXT, SECRET)
    const file = String((await filesOf(database, [LAST]).readLogFile('keys'))?.content)
    const [first, next, last] = [SECRET, NEXT, LAST].map((secret) => logKeys(ORIGIN, [secret])[0])
    const changedAt = NOW / 1_000
    const publicly = ({ seed: _, ...key }: SigningKey) => key
    expect(readKeyChanges(file)).toEqual(
      [
        [first, next],
        [next, last],
      ].map(([before, after]) => ({
        before: before && publicly(before),
        after: after && publicly(after),
        changedAt,
      })),
    )
    const texts = await database.owner.column<string>(
      `select text from public_log.entry where subject like 'key %' order by position`,
    )
    expect(file).toBe(texts.join('\n'))
  })

  it('is not written before the log that it is of has a state', async () => {
    await write(database, 1)
    await sequencerOf(database, { keys: logKeys(ORIGIN, [NEXT, SECRET]) }).step()
    expect((await filesOf(database).readLogFile('keys'))?.content).toBe('')
    expect((await readLog(database)).entries).toHaveLength(1)
  })
})

it('a proof without a witness reads its tiles once for all who ask, until a witness has signed', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const witness = witnessOf()
  await write(database, 5)
  await owner.query(`select public_log.add('liabilities', '1', 'total=0')`)
  await sequencerOf(database).step()
  let tiles = 0
  const { readOwedLog } = filesOf({
    ...database,
    db: {
      ...db,
      query: (...statement) => {
        if (statement[0].includes('sha256')) tiles += 1
        return db.query(...statement)
      },
    },
  })
  const proofs = await Promise.all([readOwedLog(1), readOwedLog(1), readOwedLog(1)])
  for (const proof of [...proofs, await readOwedLog(1)]) {
    expect(proof?.entry.text).toContain('total=0')
  }
  expect(tiles).toBe(1)
  await write(database, 1, 'more')
  await sequencerOf(database, { witnesses: [witness] }).step()
  expect((await readOwedLog(1))?.checkpoint).toContain('\n— w ')
})

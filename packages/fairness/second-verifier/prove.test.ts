/** The second verifier proves a day's round and a bet from the public log alone, with the keys of log and witness. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { randomnessOf } from '../src/beacon.ts'
import { bookLeaf, bookPath, buildBook } from '../src/book-tree.ts'
import { drawDigits } from '../src/draw-digits.ts'
import { formatKeyChanges, keyChangeText } from '../src/key-change.ts'
import { formatBundle } from '../src/log-tiles.ts'
import { hashLeaf, rootOfLeaves } from '../src/merkle-tree.ts'
import { QUICKNET } from '../src/quicknet.ts'
import {
  checkpointText,
  cosign,
  formatNote,
  formatVerifierKey,
  signingKey,
  signNote,
} from '../src/signed-note.ts'
import {
  entriesOf,
  entry,
  logged,
  logKey,
  rulesOf,
  secondWitnessKey,
  signedReceipt,
  witnessKey,
} from '../testing/logged.ts'
import { publishedRound } from '../testing/published-round.ts'
import { HAS_PYTHON, runPython, startProver } from '../testing/python.ts'

const lines = ['O1', 'O2', 'O3', 'O4'].map((orderNo) =>
  bookLeaf({
    orderNo,
    planId: 4,
    playType: '[2,408]',
    oddsMilli: [1_920, 17_500],
    rulesVersion: 3,
    stake: 1_000n,
    nonce: 'cd'.repeat(16),
  }),
)
const book = buildBook(lines)

const round = publishedRound({ lines })
const { issue, seed, ends_at: ends, beacon: value } = round
const later = QUICKNET.genesisTime + 3_600
const leaf = lines[3] ?? ''

const { chain: CHAIN, announcement: ANNOUNCEMENT, book: BOOK, end } = entriesOf(round)
const DRAW = end ?? ''
const LINE_RULES = rulesOf({ game_id: 1, leaf }) ?? ''
const ENTRIES = [CHAIN, LINE_RULES, ANNOUNCEMENT, BOOK, DRAW]
const SEED = entry('seed', { game: 1, issue, seed })

const VOID = voided('two_persons', ends - 60)

function voided(reason: string, at: number): string {
  return entry('void', { game: 1, issue, reason, voided_at: at })
}

const BUNDLE = '/tlog/tile/entries/000.p/5'

const receipt = receiptIn([CHAIN])

const ownBeacon = { ...round.beacon, kind: 'local' as const }
Object.assign(ownBeacon, { chain_hash: '00'.repeat(32), public_key: '00'.repeat(96) })
const byOwnBeacon = { ...round, beacon: ownBeacon }

/** The receipt as the house gives it, from a log with these entries before. */
function receiptIn(before: string[], options = {}, of: typeof round | typeof byOwnBeacon = round) {
  const mine = {
    leaf,
    nonce: 'cd'.repeat(16),
    leaf_index: 3,
    path: bookPath(book, 3),
    player_id: 7,
  }
  return logged({ ...of, ...mine }, { before, ...options })
}

let prover: ReturnType<typeof startProver>

/** Serves a log, and proves it with a receipt. */
async function prove({
  entries = ENTRIES,
  signedBy = logKey,
  witnessedAt = ends - 20,
  saved = receipt as object | null,
  /** Receipts beside it. */
  others = {} as Record<string, object>,
  /** The witnesses whom the reader trusts. */
  named = [witnessKey],
  /** Who signed the log's present state, and the first one with the round's end. */
  presentBy = [witnessKey],
  endBy = [] as (typeof witnessKey)[],
  /** Who signed the state with its book. */
  bookBy = [witnessKey],
  /** The log's name when a witness signed the book. */
  bookKey = logKey,
  keys = ['--log', formatVerifierKey(logKey)],
  day = ['--day', '20261120'],
  /** Of the bundle that the house serves. */
  served = entries,
  /** What it lists of changes of the log's key; those of the log by default. */
  listed = entries.filter((text) => text.startsWith('sum28/1 key\n')),
  /** A file that the house has not. */
  missing = '',
  /** A file whose body does not end. */
  endless = '',
  /** What the beacon answers for a round; null: nothing. */
  beaconAnswer = { round: value.round, signature: value.signature } as object | null,
  asked = ['--beacon'],
}) {
  function noteOf(size: number, by = [witnessKey], key = signedBy): string {
    const root = rootOfLeaves(entries.slice(0, size).map((text) => hashLeaf(Buffer.from(text))))
    const text = checkpointText({ origin: key === bookKey ? key.name : logKey.name, size, root })
    const cosigned = by.map((each) => cosign(text, each, witnessedAt))
    return formatNote({ text, signatures: [signNote(text, key), ...cosigned] })
  }
  // Ends at last, so that a reader who takes all of it can be told from one who stops.
  function sendWithoutEnd(response: ServerResponse): void {
    Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(2 ** 20))).pipe(response)
  }
  const placeOf = (kind: string) => entries.findIndex((text) => text.startsWith(`sum28/1 ${kind}`))
  const server = createServer(({ url = '' }, response) => {
    if (url === missing) response.writeHead(404).end()
    else if (url === endless) sendWithoutEnd(response)
    else if (url === `/drand/${QUICKNET.chainHash}/public/${value.round}` && beaconAnswer)
      response.end(JSON.stringify(beaconAnswer))
    else if (url === '/tlog/checkpoint') response.end(noteOf(entries.length, presentBy))
    else if (url === '/tlog/vkeys') response.end(`${formatVerifierKey(logKey)}\n`)
    else if (url === '/tlog/keys' && listed.length > 0) response.end(formatKeyChanges(listed))
    else if (url === `/tlog/witnessed/1/${issue}`)
      response.end(noteOf(placeOf('book') + 1, bookBy, bookKey))
    else if (url === `/tlog/voided/1/${issue}`) response.end(noteOf(placeOf('void') + 1))
    else if (url === `/tlog/drawn/1/${issue}`) response.end(noteOf(placeOf('draw') + 1, endBy))
    else if (url.startsWith('/tlog/tile/entries/')) {
      response.end(formatBundle(served.map((text) => Buffer.from(text))))
    } else response.writeHead(404).end()
  }).listen(0)
  const folder = mkdtempSync(join(tmpdir(), 'sum28-prove-'))
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const shown = saved ? { 'receipt.json': saved, ...others } : {}
  const files = Object.entries(shown).map(([name, file]) => {
    writeFileSync(join(folder, name), JSON.stringify(file))
    return join(folder, name)
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const witnesses = named.flatMap((key) => ['--witness', formatVerifierKey(key)])
  const beacon = asked.flatMap((name) =>
    name === '--beacon' ? [name, `${address}/drand`] : [name],
  )
  return prover.run([address, ...keys, ...witnesses, ...beacon, ...day, ...files])
}

describe.skipIf(!HAS_PYTHON)('an outside program with the log, a receipt and the keys', () => {
  beforeAll(() => {
    prover = startProver()
  })
  afterAll(() => prover.end())

  it('proves the round and the bet', async () => {
    const { code, text } = await prove({})
    expect(text).toContain(`game 1, round ${issue}: proved`)
    expect(text).toContain('receipt.json: proved')
    expect(code).toBe(0)
  })

  it('compares the beacon’s value with the beacon, unless it is told to ask nobody', async () => {
    expect((await prove({})).text).toContain('Signatures of the beacon were compared with those at')
    const offline = await prove({ beaconAnswer: null, asked: ['--offline'] })
    expect(offline.text).toContain("The beacon's signature was not checked by this program")
    expect(offline.code).toBe(0)
  })

  it('says of a void for want of a value that the beacon has it now', async () => {
    const entries = [CHAIN, ANNOUNCEMENT, BOOK, voided('beacon_late', ends + 600), SEED]
    const { code, text } = await prove({ entries, saved: null })
    expect(text).toContain(
      'the beacon has it now, and that the operator could not store it in time is his word',
    )
    expect(code).toBe(1)
  })

  it('waits for the seed of a round that was voided late, after an outage', async () => {
    const now = Math.floor(Date.now() / 1_000)
    const told = async (at: number) => {
      const entries = [CHAIN, ANNOUNCEMENT, BOOK, voided('beacon_late', at)]
      return (await prove({ entries, saved: null })).text.includes('its seed is not published')
    }
    expect([await told(now - 60), await told(now - 960)]).toEqual([false, true])
  })

  it('names rounds between those of a day that were never announced', async () => {
    const [chain, before] = [CHAIN, ANNOUNCEMENT.replace(/issue=.*/, 'issue=20261119001')]
    const after = (of: string) =>
      ANNOUNCEMENT.replace(/issue=.*/, `issue=${of}`).replace(/index=.*/, 'index=3')
    const own = ANNOUNCEMENT.replace(/index=.*/, 'index=2')
    const gap = await prove({ entries: [chain, before, own, after('20261120004')], saved: null })
    expect(gap.text).toContain(
      'game 1, rounds 20261120002-20261120003: they were never announced\n',
    )
    expect(gap.text.match(/never announced/g)).toHaveLength(1)
    const none = await prove({ entries: [chain, own, after('20261120002')], saved: null })
    expect(none.text).not.toContain('never announced')
  })

  const HOUR_S = 3_600
  /** A round of an hour, so many hours after the first one. */
  const at = (issue: string, hours: number, game = 1) =>
    [
      ['game', game],
      ['chain', game],
      ['issue', issue],
      ['opens', ends + (hours - 1) * HOUR_S],
      ['draws', ends + hours * HOUR_S],
    ].reduce(
      (text, [name, value]) => String(text).replace(RegExp(`^${name}=.*`, 'm'), `${name}=${value}`),
      ANNOUNCEMENT,
    ) as string
  const LONGER = 'no round was announced, longer than in the night before'
  // Two rounds a day.
  const usual = [
    at('20261118001', -47),
    at('20261118002', -46),
    at('20261119001', -23),
    at('20261119002', -22),
  ]
  const own = [at('20261120001', 1), at('20261120002', 2)]
  it.each<[string, string, string[], string[]]>([
    ['nothing', '20261120', [...usual, ...own, at('20261121001', 25)], []],
    [
      'the end of a day',
      '20261120',
      [...usual, at('20261120001', 1), at('20261121001', 25)],
      [`between 20261120001 and 20261121001: ${LONGER}`],
    ],
    [
      'a later beginning',
      '20261120',
      [...usual, at('20261120001', 4), at('20261120002', 5), at('20261121001', 25)],
      [`between 20261119002 and 20261120001: ${LONGER}`],
    ],
    ['nothing of another day', '20261118', [...usual, at('20261120001', 4)], []],
    [
      'days',
      '20261120',
      [...usual, at('20261122001', 49)],
      ['between 20261119002 and 20261122001: no round was announced on the days between'],
    ],
    [
      'a time between two numbers',
      '20261120',
      [...usual, at('20261120001', 1), at('20261120002', 4)],
      [
        'between 20261120001 and 20261120002: no round was announced, although their numbers follow',
      ],
    ],
    [
      'a game while another goes on',
      '20261120',
      [...usual, ...own.map((text) => text.replace(/game=1\n/, 'game=2\n'))],
      ['after 20261119002: no round was announced, and other games went on'],
    ],
  ])('notes what was left out: %s', async (_, day, entries, notes) => {
    const { text } = await prove({ entries: [CHAIN, ...entries], saved: null, day: ['--day', day] })
    const told = text
      .split('\n')
      .flatMap((line) => /^note: game 1, ((?:between|after) .*)$/.exec(line)?.[1] ?? [])
    expect(told).toEqual(notes)
  })

  it('proves a day before which the house was closed for days', async () => {
    const [chain, before] = [CHAIN, at('20261118001', -47)].map((text) =>
      text.replace('chain=1', 'chain=9'),
    ) as [string, string]
    const entries = [chain, CHAIN, LINE_RULES, before, ANNOUNCEMENT, BOOK, DRAW]
    const { code, text } = await prove({ entries, saved: null })
    expect(text).toContain('note: game 1, between 20261118001 and 20261120001: no round was')
    expect(code).toBe(0)
  })

  it('names a chain that was left before its seeds were used up', async () => {
    const second = CHAIN.replace('chain=1', 'chain=2')
    const next = ANNOUNCEMENT.replace(/issue=.*/, 'issue=20261120002').replace('chain=1', 'chain=2')
    const { text } = await prove({ entries: [...ENTRIES, second, next], day: [] })
    expect(text).toContain('game 1: chain 2 was taken when 7 seeds of chain 1 were left')
  })

  it('counts the voids of a game, and the rounds that were not witnessed', async () => {
    const next = ANNOUNCEMENT.replace(/issue=.*/, 'issue=20261120009')
      .replace(/index=.*/, 'index=2')
      .replace(/draws=.*/, `draws=${ends + 2 * 86_400}`)
    const void_ = voided('sealed_late', ends + 1).replace(/issue=.*/, 'issue=20261120009')
    const { text } = await prove({
      entries: [...ENTRIES, next, void_],
      day: [],
      witnessedAt: ends + 1,
    })
    expect(text).toContain(
      'game 1, 1 day: 1 sealed_late; 30 days: 1 sealed_late; not witnessed: 1 of 1 read here\n',
    )
    expect((await prove({})).text).toContain(
      'game 1, 1 day: no void; 30 days: no void; not witnessed: 0 of 1 read here\n',
    )
  })

  const invented = 'ab'.repeat(48)
  const inventedDigits = drawDigits({ gameId: 1, issue, seed, randomness: randomnessOf(invented) })
  it('does not prove a draw by a signature that the beacon has not made', async () => {
    const drawnBy = DRAW.replace(/signature=.*/, `signature=${invented}`).replace(
      /digits=.*/,
      `digits=${inventedDigits.join(',')}`,
    )
    const entries = [CHAIN, LINE_RULES, ANNOUNCEMENT, BOOK, drawnBy]
    const { code, text } = await prove({ entries, saved: null })
    expect(text).toContain(`round ${issue}: its beacon's value is not that of http://127`)
    expect(code).toBe(1)
  })

  it('says of a bet that was signed that no file shows its place in the closed book', async () => {
    const book = { root: null, size: null, sealed_at: null }
    const undrawn = { seed: null, digits: null, leaf_index: null, path: [] }
    const beacon = { ...round.beacon, signature: null, randomness: null }
    const early = { ...receipt, ...undrawn, status: 'open', book, beacon }
    const saved = logged({ ...early, player_id: 7 }, { before: [CHAIN] })
    const { code, text } = await prove({ saved })
    expect(text).toContain(
      'receipt.json: no file shows yet the place of your signed line in the closed book',
    )
    expect(code).toBe(1)
    const both = await prove({ saved, others: { 'later.json': receipt } })
    expect(both.text).toContain('receipt.json: proved')
    expect(both.text).toContain('later.json: proved')
    expect(both.code).toBe(0)
  })

  it('proves the void of a bet once its receipt shows the refund', async () => {
    const end = { reason: 'two_persons', voided_at: ends - 20, digits: null }
    const undrawn = { signature: null, randomness: null }
    const void_ = { digits: null, beacon: { ...round.beacon, ...undrawn }, void: end }
    const of = { ...receipt, ...void_, status: 'voided' }
    const order = {
      orderNo: 'O4',
      game_id: 1,
      issue,
      plan_id: 4,
      play_type: '[2,408]',
      rules_version: 3,
      unit: 'u',
      selections: [
        { class: 2, odds: '1.92', stake: '0.001', payout: '0.00', hit: null },
        { class: 408, odds: '17.5', stake: '0.001', payout: '0.00', hit: null },
      ],
      quantity: '0.002',
      payout: '0.00',
      whether_hit: 0,
      status: 2,
      profit: '0.00',
      lottery_code: '',
      settled_at: ends,
      proof: logged(of, { before: [CHAIN], endWitnessedAt: ends - 10 }),
    }
    const entries = [...ENTRIES.slice(0, 4), voided('two_persons', ends - 20), SEED]
    expect((await prove({ entries, saved: order })).text).toContain('receipt.json: proved')
    const waits = await prove({ entries, saved: { ...order, status: 0, settled_at: null } })
    expect(waits.text).toContain('receipt.json: your refund is not in it yet: save')
    expect(waits.code).toBe(1)
  })

  it.each([
    ['no value', null],
    ['another round', { round: value.round + 1, signature: value.signature }],
    ['no signature', { round: value.round }],
  ])('does not prove a draw for which the beacon has %s', async (_, beaconAnswer) => {
    const { code, text } = await prove({ beaconAnswer })
    expect(text).toContain("its beacon's value was not compared: http://127")
    expect(code).toBe(1)
  })

  it('needs no other key than the witness’s, if the witness has signed the log as it is', async () => {
    expect(await prove({ keys: [] })).toMatchObject({ code: 0 })
    const alone = await prove({ keys: [], presentBy: [], endBy: [witnessKey] })
    expect(alone.text).toContain('w.example/1 has not signed the log')
    expect(alone.code).toBe(1)
  })

  it('takes for the end what each witness signed of it, though one of them no later state', async () => {
    const both = [witnessKey, secondWitnessKey]
    const named = { named: both, presentBy: [witnessKey], endBy: [secondWitnessKey] }
    const saved = { ...receiptIn([CHAIN], { by: both }), signed: receipt.signed }
    const proved = await prove({ ...named, bookBy: both, saved })
    expect(proved.text).toContain('receipt.json: proved')
    expect(proved.code).toBe(0)
    // One witness who has signed the book in time is not enough.
    const one = await prove({ ...named, saved })
    expect(one.text).toContain(`round ${issue}: its book is not witnessed before`)
    expect((await prove({ ...named, bookBy: both })).text).toContain('receipt.json: witness\n')
  })

  const earlier = signingKey('house.example/earlier', 'log', new Uint8Array(32).fill(7))
  it('proves a round and a receipt of an earlier name of the log', async () => {
    const saved = { ...receiptIn([CHAIN], { key: earlier }), signed: receipt.signed }
    const { code, text } = await prove({ bookKey: earlier, saved })
    expect(text).toContain(`game 1, round ${issue}: proved`)
    expect(text).toContain('receipt.json: proved')
    expect(code).toBe(0)
  })

  const [nextKey, lastKey] = [8, 9].map((byte) =>
    signingKey(logKey.name, 'log', new Uint8Array(32).fill(byte)),
  ) as [typeof logKey, typeof logKey]
  const changed = (before: typeof logKey, after: typeof logKey) =>
    keyChangeText({ before, after, changedAt: ends })
  const once = [...ENTRIES, changed(logKey, nextKey)]
  it('proves by the key to which the known one leads what it and the one before have signed', async () => {
    const twice = [...once, changed(nextKey, lastKey)]
    for (const options of [
      { entries: once, signedBy: nextKey },
      { entries: twice, signedBy: lastKey },
      // Of a reader who knows the second key: the receipt is signed by the first.
      { entries: twice, signedBy: lastKey, keys: ['--log', formatVerifierKey(nextKey)] },
    ]) {
      const { code, text } = await prove(options)
      expect(text).toContain('receipt.json: proved')
      expect(code).toBe(0)
    }
  })

  it('does not prove by a key that was changed before the round was announced', async () => {
    const change = changed(logKey, nextKey)
    const before = [CHAIN, LINE_RULES, change]
    const entries = [...before, ANNOUNCEMENT, BOOK, DRAW]
    const given = { entries, signedBy: nextKey }
    const byNext = receiptIn(before, { key: nextKey })
    const present = { ...byNext, signed: signedReceipt(byNext, nextKey) }
    expect((await prove({ ...given, saved: present })).text).toContain('receipt.json: proved')
    const line = await prove({ ...given, saved: byNext })
    expect(line.text).toContain('receipt.json: receipt signature\n')
    const state = await prove({ ...given, saved: { ...present, log: receiptIn(before).log } })
    expect(state.text).toContain(
      'its state of 5 entries is signed by a key that was changed before',
    )
    expect([line.code, state.code]).toEqual([1, 1])
  })

  it('proves by a key to which the house went back, and which was another’s when the round opened', async () => {
    const opens = ends - 210
    const turned = [
      keyChangeText({ before: logKey, after: nextKey, changedAt: opens }),
      keyChangeText({ before: nextKey, after: logKey, changedAt: opens + 60 }),
    ]
    const before = [CHAIN, LINE_RULES, ...turned.slice(0, 1)]
    const saved = receiptIn(before)
    const shown = { ...saved, log: { ...saved.log, key_changes: turned } }
    const entries = [...before, ANNOUNCEMENT, BOOK, DRAW, ...turned.slice(1)]
    expect((await prove({ entries, saved: shown })).text).toContain('receipt.json: proved')
  })

  const leads = 'has not signed its checkpoint, nor has one that it leads to'
  it.each<[string, Parameters<typeof prove>[0], string]>([
    ['that the key before did not sign', { listed: [], signedBy: nextKey }, leads],
    [
      'whose change is signed by another',
      { entries: [...ENTRIES, changed(lastKey, nextKey)], signedBy: nextKey },
      leads,
    ],
    ['that was changed, and still signs', { entries: once }, leads],
    [
      'that is one of two that follow',
      { entries: [...once, changed(logKey, lastKey)], signedBy: lastKey },
      "the log's key was changed to two others",
    ],
    [
      'whose change is not in the log',
      { listed: [changed(logKey, nextKey)], signedBy: nextKey },
      'the log does not say itself that its key was changed',
    ],
  ])('proves nothing by a key %s', async (_, options, words) => {
    const { code, text } = await prove(options)
    expect(text).toContain(words)
    expect(code).toBe(1)
  })

  it('says that a log was begun anew under another name', async () => {
    const { code, text } = await prove({ signedBy: earlier, bookKey: earlier })
    expect(text).toContain('the log house.example/tlog was begun anew as house.example/earlier')
    expect(code).toBe(1)
  })

  it('proves a bet without a day and beside a key that is none, and says that a day has no rounds', async () => {
    const log = receipt.log && { ...receipt.log, keys: [...receipt.log.keys, 'a+b+'] }
    const alone = await prove({ day: [], saved: { ...receipt, log } })
    expect(alone.text).toContain('receipt.json: proved')
    expect(alone.code).toBe(0)
    const empty = await prove({ day: ['--day', '20261119'], saved: null })
    expect(empty.text).toContain('the log has no round of this day')
    expect(empty.code).toBe(1)
  })

  it.each<[string, string[]]>([
    ['two persons voided before its end', [CHAIN, LINE_RULES, ANNOUNCEMENT, VOID, SEED]],
    [
      'two persons voided after its book was closed',
      [CHAIN, LINE_RULES, ANNOUNCEMENT, BOOK, voided('two_persons', ends - 20), SEED],
    ],
  ])('allows the void of a round that %s', async (_, entries) => {
    const { code, text } = await prove({ entries, saved: null })
    expect(text).toContain(`game 1, round ${issue}: proved`)
    expect(code).toBe(0)
  })

  const RULES = 'sum28/1 rules\ngame=1\nroom=4\nversion=3\nodds=2:1950,408:17500\n'
  /** A receipt of version 2 with these odds. */
  function withOdds(odds: string, said = RULES, edit = (text: string) => text) {
    const line = `2|O1|4|[2,408]|${odds}|3|7|${'ab'.repeat(16)}`
    const one = buildBook([line])
    const of = { ...round, book: { ...round.book, root: one.root, size: 1 } }
    const mine = { leaf: line, nonce: 'ab'.repeat(16), leaf_index: 0, path: [], player_id: 7 }
    const entries = [CHAIN, said, edit(ANNOUNCEMENT), entriesOf(of).book, DRAW]
    return { entries, saved: logged({ ...of, ...mine }, { before: [CHAIN], said, edit }) }
  }
  it('proves odds that the log’s rules had before the round', async () => {
    const { code, text } = await prove({ ...withOdds('1950,17500') })
    expect(text).toContain('receipt.json: proved')
    expect(code).toBe(0)
  })

  it.each<[string, ReturnType<typeof withOdds>, string]>([
    ['below those of its rules', withOdds('1900,17500'), 'its odds are not those of its rules'],
    [
      'of rules that give an outcome other odds too',
      withOdds('1950,17500', RULES.replace('odds=', 'odds=2:1000,')),
      'its odds are not those of its rules',
    ],
    [
      'of a room whose rules were announced in two versions',
      withOdds('1950,17500', RULES, (text) => text.replace('rules=', 'rules=4:2,')),
      'its rules are not those that were announced',
    ],
    [
      'of rules that the log does not have',
      { ...withOdds('1950,17500'), entries: ENTRIES.toSpliced(1, 1) },
      'its rules were not said before',
    ],
  ])('does not prove odds %s', async (_, given, words) => {
    const { code, text } = await prove(given)
    expect(text).toContain(words)
    expect(code).toBe(1)
  })

  /** The log with another entry in the place of this one. */
  const other = (text: string, from: RegExp, to: string) => ({
    entries: ENTRIES.map((each) => (each === text ? each.replace(from, to) : each)),
  })
  /** A log in which the round was closed, and then these entries came. */
  const closed = (...later: string[]) => ({ entries: [CHAIN, ANNOUNCEMENT, BOOK, ...later] })
  const taken = ANNOUNCEMENT.replace(/issue=.*/, 'issue=20261119001')
  it.each<[string, Parameters<typeof prove>[0], string]>([
    [
      'a beacon of the operator',
      {
        entries: [CHAIN, LINE_RULES, ...Object.values(entriesOf(byOwnBeacon)).slice(1).map(String)],
        saved: receiptIn([CHAIN], {}, byOwnBeacon),
      },
      "its beacon is the operator's own",
    ],
    [
      'the seed of an earlier round',
      {
        entries: [CHAIN, taken, LINE_RULES, ANNOUNCEMENT, BOOK, DRAW],
        saved: receiptIn([CHAIN, taken]),
      },
      'its seed is not the next one of its chain',
    ],
    ['two ends', { entries: [...ENTRIES, voided('beacon_late', ends + 600)] }, 'it has two ends'],
  ])('does not prove a receipt of another day whose round has %s', async (_, given, words) => {
    const { code, text } = await prove({ ...given, day: [] })
    expect(text).toContain(`receipt.json: ${words}`)
    expect(code).toBe(1)
  })

  it.each<[string, Parameters<typeof prove>[0], string]>([
    [
      'a book that was witnessed after the value',
      { witnessedAt: ends + 1 },
      'not witnessed before',
    ],
    ['a checkpoint of another key', { signedBy: earlier }, 'has not signed its checkpoint'],
    [
      'an end that one of two witnesses has not signed',
      { named: [witnessKey, secondWitnessKey] },
      'w.example/2 has not signed its end',
    ],
    ['an end that the witness has not signed', { presentBy: [] }, 'w.example/1 has not signed its'],
    [
      'a void for want of a book, which nobody can have seen in time',
      { entries: [CHAIN, ANNOUNCEMENT, voided('sealed_late', ends + 1), SEED], saved: null },
      'voided without a book',
    ],
    [
      'a void for want of the value, which the operator may have kept back',
      { ...closed(voided('beacon_late', ends + 600), SEED), saved: null },
      'voided for want of the beacon',
    ],
    [
      'a deadline before the value exists',
      other(ANNOUNCEMENT, /voids_at=.*/, `voids_at=${ends}`),
      'its deadline is before',
    ],
    [
      'a deadline later than a day after its end',
      other(ANNOUNCEMENT, /voids_at=.*/, `voids_at=${ends + 86_401}`),
      'its deadline is more than a day after its end',
    ],
    [
      'a void whose seed is not published',
      { entries: [CHAIN, LINE_RULES, ANNOUNCEMENT, VOID], saved: null },
      `round ${issue}: its seed is not published`,
    ],
    ['a book without a root', other(BOOK, /root=.*/, 'root=0'), 'its book has no root'],
    [
      'a book whose root is in another form',
      other(BOOK, /root=.*/, `root=${book.root.toUpperCase()}`),
      'its book has no root',
    ],
    ['a book of no number of bets', other(BOOK, /size=.*/, 'size=1e1'), 'is no whole number'],
    ['a book without a time', other(BOOK, /sealed_at=.*/, 'sealed_at=soon'), 'is no whole number'],
    [
      'a book that was closed when the value existed',
      other(BOOK, /sealed_at=.*/, `sealed_at=${ends}`),
      'its book was closed after',
    ],
    [
      'the void of a round whose book has no root',
      {
        entries: [CHAIN, LINE_RULES, ANNOUNCEMENT, BOOK.replace(/root=.*/, 'root=NaN'), VOID, SEED],
        saved: null,
      },
      'its book has no root',
    ],
    [
      'a round whose rules were never said',
      { entries: ENTRIES.toSpliced(1, 1), saved: null },
      'its rules were not said of its game before it was announced',
    ],
    [
      'a round whose rules are of another game',
      { ...other(LINE_RULES, /game=1/, 'game=2'), saved: null },
      'its rules were not said of its game before it was announced',
    ],
    [
      'a round whose rules give an outcome two odds',
      { ...other(LINE_RULES, /odds=/, 'odds=2:1000,'), saved: null },
      'its rules have odds that are none',
    ],
    [
      'a round with two versions of one room',
      { ...other(ANNOUNCEMENT, /rules=/, 'rules=4:2,'), saved: null },
      'its rules are none, or two of one room',
    ],
    ['a round without its book', { entries: [CHAIN, ANNOUNCEMENT, DRAW] }, 'are not in order'],
    [
      'a book that came after the draw',
      { entries: [CHAIN, ANNOUNCEMENT, DRAW, BOOK] },
      'are not in order',
    ],
    ['digits of another script', other(ANNOUNCEMENT, /index=1/, 'index=١'), 'no whole'],
    [
      'a number with a line in it',
      other(ANNOUNCEMENT, /opens=1/, 'opens=1_0'),
      'is no whole number',
    ],
    [
      'a field that is said twice',
      other(BOOK, /size=/, 'size=9\nsize='),
      'an entry of the log is none',
    ],
    ['an entry of another form', other(BOOK, /sum28\/1 /, ''), 'an entry of the log is none'],
    ['two books', { entries: [...ENTRIES, BOOK] }, 'has two of book'],
    ['other digits', other(DRAW, /digits=.*/, 'digits=1,1,1'), 'its digits do not follow'],
    ['another seed', other(DRAW, /seed=../, 'seed=00'), 'not of the committed chain'],
    ['another chain', other(CHAIN, /commitment=../, 'commitment=00'), 'its commitment is not that'],
    [
      'a beacon of the operator',
      other(ANNOUNCEMENT, /beacon=../, 'beacon=00'),
      "the operator's own",
    ],
    [
      'a seed that was committed after it was announced',
      { entries: [ANNOUNCEMENT, CHAIN, BOOK, DRAW] },
      'its chain was not committed before it was announced',
    ],
    [
      'a chain that is committed again',
      { entries: [CHAIN, CHAIN, ANNOUNCEMENT, BOOK, DRAW] },
      'chain 1 is committed twice',
    ],
    [
      'a seed of another game’s chain',
      other(CHAIN, /game=1/, 'game=2'),
      'its chain is of another game',
    ],
    [
      'a seed that was picked',
      other(ANNOUNCEMENT, /index=1/, 'index=2'),
      'its seed is not the next one of its chain',
    ],
    [
      'a seed beyond the chain',
      other(CHAIN, /length=8/, 'length=0'),
      'its seed is not the next one of its chain',
    ],
    [
      'drand with a later beginning, whose value was known while bets were taken',
      other(ANNOUNCEMENT, /beacon_genesis=.*/, `beacon_genesis=${later}`),
      'it gives drand another key or clock',
    ],
    [
      'drand with another key',
      other(ANNOUNCEMENT, /beacon_key=../, 'beacon_key=00'),
      'it gives drand another key or clock',
    ],
    [
      'a value that was public before the round’s end',
      other(ANNOUNCEMENT, /draws=.*/, `draws=${ends + 3}`),
      'its beacon round is not the first after its end',
    ],
    ['a round that is voided and drawn', { entries: [...ENTRIES, VOID] }, 'it has two ends'],
    [
      'a void for a reason that its times do not allow',
      closed(voided('beacon_late', ends + 1)),
      'it was voided for beacon_late, and its times allow no void',
    ],
    [
      'a void for want of a book that is there',
      closed(voided('sealed_late', ends + 600)),
      'its times allow beacon_late',
    ],
    [
      'a void that two persons decided when the value was known',
      {
        entries: [CHAIN, ANNOUNCEMENT, BOOK, voided('two_persons', ends - 1)],
        witnessedAt: ends,
        saved: null,
      },
      "its void is not witnessed before the beacon's value",
    ],
    [
      'a book that came after the void',
      { entries: [CHAIN, ANNOUNCEMENT, VOID, BOOK] },
      'announcement, book and void are not in order',
    ],
    [
      'a seed that was published while its draw was awaited',
      closed(SEED, DRAW),
      'its seed was published out of turn',
    ],
    [
      'a receipt of a draw that the log says was voided',
      closed(voided('beacon_late', ends + 600)),
      'its result is not that of the log',
    ],
    [
      'a receipt with another book',
      other(BOOK, /root=../, 'root=00'),
      'its root is not that of the log',
    ],
    ['a receipt whose bet was changed', { saved: { ...receipt, leaf_index: 2 } }, 'closed book'],
    ['a receipt of another log', { saved: receiptIn([DRAW]) }, 'there are two'],
    [
      'a receipt whose end is of another log',
      { saved: { ...receipt, log: { ...receipt.log, end: receiptIn([CHAIN, DRAW]).log?.end } } },
      'there are two',
    ],
    ['a log whose entries are missing', { missing: BUNDLE }, `the house has no ${BUNDLE.slice(6)}`],
    ['a log without its entries', { served: [] }, 'has not the 5 entries'],
    ['a log with an entry too many', { served: [...ENTRIES, DRAW] }, 'has not the 5 entries'],
    ['a log whose file does not end', { endless: BUNDLE }, 'is longer than'],
    ['a log without a state', { missing: '/tlog/checkpoint' }, 'the house has no checkpoint'],
    ['a log without a key', { missing: '/tlog/vkeys', keys: [] }, 'the house has no vkeys'],
    ['a receipt that is none', { saved: {} }, 'receipt.json: it cannot be checked'],
    ['a receipt that no log shows', { saved: { ...receipt, log: null } }, 'witness'],
    [
      'a receipt that was witnessed after the value',
      { saved: receiptIn([CHAIN], { witnessedAt: ends + 1 }) },
      'receipt.json: witness',
    ],
    [
      'a receipt that the log has not signed',
      { saved: { ...receipt, signed: signedReceipt(receipt, witnessKey) } },
      'receipt.json: receipt signature',
    ],
    [
      'a book that was closed after the value was seen',
      other(BOOK, /seen=.*/, `seen=${value.round}`),
      'not closed before',
    ],
  ])('does not prove %s', async (_, given, words) => {
    const { code, text } = await prove(given)
    expect(text).toContain(words)
    expect(code).toBe(1)
  })
})

describe.skipIf(!HAS_PYTHON)('the work of the second verifier', () => {
  it('on a bundle ends with the first entry too many', () => {
    // Of as many empty entries as fit into a file that is read.
    const read = 'import json, log; print(len(log.read_entries(bytes(2 ** 25), 256)))'
    expect(runPython(read, null)).toBe(257)
  })

  const COUNTED = `
import hashlib, json, sys
import log, verify
hashes = 0
def counted(data):
    global hashes
    hashes += 1
    return hashlib.sha256(data).digest()
given = json.load(sys.stdin)
`

  it('grows with a log and its rounds, not with the square of them', () => {
    const found = runPython(
      `${COUNTED}
log.sha256 = counted
leaves = [hashlib.sha256(bytes([at % 256, at // 256])).digest() for at in range(given)]
tree = log.Tree(leaves)
roots = [tree.root(size) for size in range(given + 2)]
work, equal = hashes, roots[:-1] == [log.tree_root(leaves[:size]) for size in range(given + 1)]

import prove
log_ = prove.Log.__new__(prove.Log)
seeds = [hashlib.sha256(b"").hexdigest()]
for _ in range(given):
    seeds.append(hashlib.sha256(bytes.fromhex(seeds[-1])).hexdigest())
seeds.reverse()
log_.chains = {"1": {"length": str(given), "seeds": {0: seeds[0]}}}
verify.sha256, hashes = counted, 0
of_chain = all(log_.is_of_chain({"chain": "1", "index": str(at)}, seeds[at]) for at in range(1, given + 1))
by_log, hashes = hashes, 0
rounds = [dict(game_id=1, issue=str(at), chain_id=1, index=at, commitment="", seed=seeds[at], log=None) for at in range(1, given + 1)]
together = verify.check_together([(each, None, None) for each in rounds])
print(json.dumps([equal, roots[-1], work < 12 * given, of_chain, by_log, together, hashes]))`,
      300,
    )
    expect(found).toEqual([true, null, true, true, 300, [], 299])
  })
})

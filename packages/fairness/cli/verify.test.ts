import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { savedReceipt } from '@sum28/contract/receipt.ts'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { publicKeyOf, randomnessOf, signRound, timeOfRound } from '../src/beacon.ts'
import { deriveBeaconKey } from '../src/beacon-key.ts'
import { bookLeaf, bookPath, buildBook } from '../src/book-tree.ts'
import { drawDigits } from '../src/draw-digits.ts'
import { keyChangeText } from '../src/key-change.ts'
import { payoutOf } from '../src/payout.ts'
import { QUICKNET } from '../src/quicknet.ts'
import { hashSeed } from '../src/seed-chain.ts'
import {
  formatVerifierKey,
  type SigningKey,
  signingKey,
  type VerifierKey,
} from '../src/signed-note.ts'
import {
  EARLIER,
  entriesOf,
  entriesTo,
  logged,
  logKey,
  rulesOf,
  secondWitnessKey,
  signedReceipt,
  witnessKey,
} from '../testing/logged.ts'
import { BETS, CHAIN_DRAWS, publishedRound } from '../testing/published-round.ts'
import { HAS_PYTHON, runPython } from '../testing/python.ts'
import vectors from '../testing/vectors/fairness-vectors.json' with { type: 'json' }
import { runVerify } from './verify.ts'

const command = fileURLToPath(new URL('./verify.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sum28-verify-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const draws = CHAIN_DRAWS.filter(({ game_id }) => game_id === 1)

/** Bets in one room; they win with both choices. */
const bets = BETS.map((bet) => ({ ...bet, planId: 4, playType: '[2,408]' }))
const lines = bets.map(bookLeaf)
const closedBook = buildBook(lines)
const leaf = lines[3] ?? ''
const RULES = rulesOf({ game_id: 1, leaf }) ?? ''

/** Of a log under another name. */
const anewKey = signingKey('house.example/tlog/2', 'log', new Uint8Array(32).fill(7))

/** What a log has before the first entry that a round alone has: of the rounds before it. */
function logBefore(index: number): string[] {
  const entries = Array.from({ length: index - 1 }, (_, at) => {
    const { chain, announcement, book, end } = entriesOf(roundOf(at + 1))
    return [chain, announcement, book, end ?? '']
  })
  return [...new Set([...EARLIER, RULES, ...entries.flat()])]
}

// A receipt as a player saves it: a real quicknet round, and a bet in the book of the test vectors.
function proofOf(index = 1) {
  return logged(roundOf(index), { before: logBefore(index) })
}

function roundOf(index: number) {
  return {
    ...publishedRound({ draw: draws[index - 1], lines }),
    leaf,
    nonce: bets[3]?.nonce,
    player_id: 7,
    leaf_index: 3,
    path: bookPath(closedBook, 3),
  }
}

const proof = proofOf()
const undrawn = {
  seed: null,
  digits: null,
  beacon: { ...proof.beacon, signature: null, randomness: null },
}
const voided = {
  ...undrawn,
  status: 'voided',
  void: { reason: 'beacon_late', voided_at: proof.voids_at, digits: null },
}
const voidedProof = logged({ ...proof, ...voided })
const { beacon, book } = proof
const local = localProof()
const NO_BOOK = { root: null, size: null, sealed_at: null, witnessed_at: null }
const NO_LINE = { leaf_index: null, path: [] }
const {
  leaf: _leaf,
  nonce: _nonce,
  leaf_index: _index,
  path: _path,
  player_id: _player,
  signed: _,
  ...bareRound
} = proof

/** A receipt as it is saved. */
const order = {
  orderNo: 'O1003',
  createtime: 1_600_000_000,
  name: 'BTC',
  plan_name: 'Basic',
  status: 1,
  whether_hit: 1,
  profit: '6968.00',
  issue: proof.issue,
  quantity: '800.00',
  lottery_code: '2 5 1 8',
  play_method: 'short, 8',
  play_type: '[2,408]',
  witnessed: true,
  id: 3,
  game_id: 1,
  plan_id: 4,
  plan_type: 0,
  rules_version: 3,
  unit: 'u',
  payout: '7768.00',
  settled_at: 1_700_000_000,
  selections: [
    { class: 2, class_name: 'short', odds: '1.92', stake: '400.00', payout: '768.00', hit: true },
    { class: 408, class_name: '8', odds: '17.5', stake: '400.00', payout: '7000.00', hit: true },
  ],
  proof,
}

/** As it is until it is settled. */
const pending = {
  ...order,
  ...{ lottery_code: '', payout: '0.00', status: 0, profit: '0.00', settled_at: null },
  whether_hit: 0,
  selections: withEach({ payout: '0.00', hit: null }),
}

/** The selections of the order, each with these changes. */
function withEach(changes: object) {
  return order.selections.map((selection) => ({ ...selection, ...changes }))
}

/** Those of them of which the first has these changes. */
function withFirst(changes: object) {
  return order.selections.map((each, at) => (at === 0 ? { ...each, ...changes } : each))
}

/** What was verified in this file, for the comparison with the second verifier. */
const verified: { texts: string[]; code: number; failed: string[] }[] = []

/** The same of files that were fetched just now, at these instants in unix seconds. */
const fresh: { text: string; at: readonly number[]; codes: number[] }[] = []

function verify(...files: unknown[]) {
  const names = saved(files)
  const result = run(...names)
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'))
  verified.push({ texts, code: result.code, failed: failuresIn(result.text) })
  return result
}

/** What did not hold in each file, as its verdict names it. */
function failuresIn(text: string): string[] {
  const alone = text.split('The files together')[0] ?? ''
  return [...alone.matchAll(/^(?:FAILED: (.*) do(?:es)? not hold|(?:[A-Z ]+): .*)\.$/gm)].map(
    ([, failed = '']) => withoutSignature(failed.split(', ')),
  )
}

/** The second verifier does not check the signature of the beacon. */
function withoutSignature(failed: string[]): string {
  return failed.filter((name) => name !== 'beacon signature').join(', ')
}

/** Writes each file, and returns its name. */
function saved(files: readonly unknown[]): string[] {
  return files.map((file, i) => {
    const name = `receipt-${i + 1}.json`
    writeFileSync(join(folder, name), typeof file === 'string' ? file : JSON.stringify(file))
    return name
  })
}

/** Verifies a file in which something does not hold. @param names of the steps, and the verb: `digits does` */
function expectFailure(file: object, names: string): void {
  const text = expect.stringContaining(`FAILED: ${names} not hold.`)
  expect(verify(file)).toMatchObject({ code: 1, text })
}

/** What the files together show, which do not agree. */
function disagreement(...files: unknown[]): string {
  const { code, text } = verify(...files)
  expect(code).toBe(1)
  return text.slice(text.indexOf('The files together'))
}

function run(...args: string[]): { code: number; text: string; errors: string } {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const linesOf = ({ mock }: typeof printed) => mock.calls.map(([line]) => `${line}\n`).join('')
  try {
    const code = runVerify(args.map((arg) => (/^--|\+/.test(arg) ? arg : join(folder, arg))))
    return { code, text: linesOf(printed), errors: linesOf(told) }
  } finally {
    printed.mockRestore()
    told.mockRestore()
  }
}

describe('npm run verify', () => {
  it('verifies a receipt and prints every step, with the verdict last', () => {
    const { code, text } = verify(proof)
    expect(code).toBe(0)
    expect(text.match(/: holds$/gm)).toHaveLength(22)
    expect(text).toContain('computed   2 5 1\n      published  2 5 1')
    expect(text.trim().split('\n').at(-1)).toBe(
      'VERIFIED: the digits 2 5 1 are those that seed and beacon give, and the bet is in the closed book.',
    )
    expect(text).not.toContain('could know results early')
  })

  it('is a command, which ends with the code of its verdict', async () => {
    const [name = ''] = saved([local])
    const code = await new Promise((resolve) => {
      const env = { ...process.env, INIT_CWD: folder }
      const child = spawn(process.execPath, [command, name], { env })
      child.on('close', resolve)
    })
    expect(code).toBe(4)
  })

  it('accepts a bare round, an order with its proof, and a whole reply with either', () => {
    const round = verify(bareRound)
    expect(round.code).toBe(0)
    expect(round.text).toContain('there is no bet in this file')
    expect(verify({ code: 1, msg: '', time: '1', data: bareRound }).code).toBe(0)
    const result = verify({ code: 1, msg: '', time: '1', data: order })
    expect(result.code).toBe(0)
    expect(result.text).toContain('your bet: holds')
  })

  it.each<[string, object, string]>([
    ['seed', { ...proof, seed: flipped(proof.seed) }, 'seed, digits do'],
    ['commitment', { ...proof, commitment: flipped(proof.commitment) }, 'seed does'],
    ['index', { ...proof, index: 2 }, 'seed does'],
    ['game', { ...proof, game_id: 2 }, 'digits does'],
    ['issue', { ...proof, issue: '20261120009' }, 'digits does'],
    ['digits', { ...proof, digits: [2, 5, 2] }, 'digits does'],
    ['status', { ...proof, status: 'voided' }, 'state does'],
    ['seed, which is withheld', { ...proof, seed: null }, 'state, seed, digits do'],
    ['reason of a void', { ...proof, ...voided, void: null }, 'state does'],
    [
      'deadline, to one later than a day after the end,',
      { ...proof, voids_at: proof.ends_at + 86_401 },
      'state does',
    ],
    [
      'reason of a void, which has a book',
      {
        ...proof,
        ...voided,
        book: { ...book, sealed_at: proof.ends_at },
        void: { ...voided.void, reason: 'sealed_late' },
      },
      'beacon after seal, reason of the void do',
    ],
    ['chain hash', inBeacon({ chain_hash: flipped(beacon.chain_hash) }), 'beacon chain does'],
    ['public key', inBeacon({ public_key: flipped(beacon.public_key) }), 'beacon chain does'],
    ['scheme', inBeacon({ scheme: 'pedersen-bls-chained' }), 'beacon chain does'],
    ['kind', inBeacon({ kind: 'local' }), 'beacon kind does'],
    ['beacon round', inBeacon({ round: beacon.round + 1 }), 'beacon round, beacon signature do'],
    [
      'signature',
      inBeacon({ signature: flipped(beacon.signature) }),
      'beacon signature, randomness, digits do',
    ],
    ['randomness', inBeacon({ randomness: flipped(beacon.randomness) }), 'randomness does'],
    ['root', { ...proof, book: { ...book, root: flipped(book.root) } }, 'closed book does'],
    ['size', { ...proof, book: { ...book, size: 3 } }, 'closed book does'],
    [
      'time of the seal',
      { ...proof, book: { ...book, sealed_at: book.sealed_at + 30 } },
      'beacon after seal does',
    ],
    ['leaf', { ...proof, leaf: leaf.replace('4000', '4001') }, 'closed book does'],
    [
      'line, which has no odds',
      { ...proof, leaf: leaf.replace(/^2\||1920,17500\|3\|/g, '') },
      'your nonce, closed book, announced rules, logged odds do',
    ],
    ['nonce', { ...proof, nonce: flipped(proof.nonce ?? '') }, 'your nonce does'],
    ['leaf index', { ...proof, leaf_index: 2 }, 'closed book does'],
    ['path', { ...proof, path: proof.path?.map(flipped) }, 'closed book does'],
    ['place in the book, which is withheld', { ...proof, ...NO_LINE }, 'closed book does'],
    ['order number', { ...order, orderNo: 'O1004' }, 'your bet does'],
    ['room', { ...order, plan_id: 1 }, 'your bet does'],
    ['version of the rules', { ...order, rules_version: 2 }, 'your bet does'],
    ['stake', { ...order, quantity: '800.02' }, 'your bet does'],
    ['stake of all', { ...order, quantity: '800.000001' }, 'your bet does'],
    ['choices', { ...order, play_type: '[1,404]' }, 'your bet does'],
    ['odds', { ...order, selections: withFirst({ odds: '1.93' }) }, 'your bet does'],
    [
      'selections, which are fewer,',
      { ...order, selections: order.selections.slice(1) },
      'your bet, your payout do',
    ],
    ['choice of a selection', { ...order, selections: withFirst({ class: 1 }) }, 'your bet does'],
    [
      'stake of a selection',
      { ...order, selections: withFirst({ stake: '4000.00' }) },
      'your bet does',
    ],
    [
      'payout of a selection',
      { ...order, selections: withFirst({ payout: '768.01' }) },
      'your payout does',
    ],
    [
      'result of a selection',
      { ...order, selections: withFirst({ hit: false }) },
      'your payout does',
    ],
    ['result of the bet', { ...order, whether_hit: 0 }, 'your payout does'],
    ['payout', { ...order, payout: '7768.01' }, 'your payout does'],
    ['payout, which is withheld', { ...order, settled_at: null }, 'your payout does'],
    ['line', { ...order, proof: { ...bareRound, book: order.proof.book } }, 'your bet does'],
    ['result', { ...order, lottery_code: '2 5 2 9' }, 'your bet does'],
    ['result, which is withheld', { ...order, lottery_code: '' }, 'your bet does'],
    [
      'result before it is settled',
      { ...pending, lottery_code: '2 5 2 9', proof: { ...proof, status: 'drawn' } },
      'your bet does',
    ],
    ['game', { ...order, game_id: 2 }, 'your bet does'],
  ])('names the failed checks when the %s was altered', (_, altered, failure) => {
    // Also where the house says the same in its log.
    expectFailure(inLog(altered), failure)
  })

  it.each([
    ['one', 3, '6 0 0 6', { payout: '768.00', profit: '-32.00', whether_hit: 1 }, '768.00'],
    ['none', 2, '8 1 9 18', { payout: '0.00', profit: '-800.00', whether_hit: 0 }, '0.00'],
  ])('verifies an order of two choices of which %s was hit', (_, index, code, told, payout) => {
    const ofRound = proofOf(index)
    const [first, second] = order.selections
    const selections = [
      { ...first, payout, hit: payout !== '0.00' },
      { ...second, payout: '0.00', hit: false },
    ]
    const { issue } = ofRound
    const file = { ...order, ...told, issue, lottery_code: code, selections, proof: ofRound }
    expect(verify(file).code).toBe(0)
    expectFailure({ ...file, selections: order.selections }, 'your payout does')
  })

  it('does not prove a round of a local beacon, unless that is allowed', () => {
    const { code, text } = verify(local)
    expect(code).toBe(4)
    expect(text).toContain('run by the operator, who could know results early')
    expect(text.trim().split('\n').at(-1)).toContain('NOT PROVED: everything holds, but')
    const { chain, announcement, book, end } = entriesOf(local)
    const before = [...EARLIER, RULES, chain, announcement, book, end ?? '']
    const together = verify(local, logged(roundOf(2), { before }))
    expect(together.code).toBe(4)
    expect(together.text).toContain('ALL FILES: NOT PROVED')
    const allowed = run('--allow-local', 'receipt-1.json')
    expect(allowed.code).toBe(0)
    expect(allowed.text).toContain('\nVERIFIED: the digits')
  })

  it('fails a local beacon that claims to be drand: its key is not quicknet’s', () => {
    const claimed = { ...local, beacon: { ...local.beacon, kind: 'drand' } }
    expectFailure(claimed, 'beacon chain, beacon signature do')
  })

  it('neither verifies nor fails a round before its draw', () => {
    const { code, text } = verify({
      ...proof,
      status: 'open',
      seed: null,
      digits: null,
      leaf_index: null,
      path: [],
      beacon: { ...beacon, signature: null, randomness: null },
      book: NO_BOOK,
      log: null,
    })
    expect(code).toBe(3)
    expect(text).toContain('NOT FINISHED')
  })

  it('reports that a voided round has no draw', () => {
    const { code, text } = verify(byPersonsInTime)
    expect(text).toContain('no other seed, book or end of this round, no single file shows')
    expect(code).toBe(0)
    expect(text).toContain('VOIDED: nothing was drawn')
    expect(text).not.toContain('VERIFIED')
  })

  const voidedOrder = {
    ...pending,
    status: 2,
    settled_at: order.settled_at,
    proof: logged({ ...order.proof, ...voided }),
  }
  it('demands that the stake of a voided round came back, once it is settled', () => {
    const { code, text } = verify(voidedOrder)
    expect(text).toContain('your refund: holds')
    // Nothing more is proved of a round that is void for want of the beacon's value.
    expect(code).toBe(4)
    for (const told of [
      { status: 1, profit: '-1.00' },
      { profit: '-1.00' },
      { status: 1 },
      { payout: '1.00' },
      { whether_hit: 1 },
      { selections: withEach({ payout: '0.00', hit: false }) },
      { selections: withEach({ payout: '1.00', hit: null }) },
    ]) {
      expectFailure({ ...voidedOrder, ...told }, 'your refund does')
    }
    const waits = { ...voidedOrder, status: 0, settled_at: null }
    expect(verify(waits)).toMatchObject({ code: 3 })
    expect(verify(waits).text).toContain('your refund: not public')
    expect(verify(waits).text).toContain('Check again once your stake came back.')
    expect(verify(waits, voidedOrder).code).toBe(4)
  })

  const times = { endWitnessedAt: proof.ends_at - 1 }
  const byTwo = logged(voidedFor('two_persons'), times)
  /** After an outage that was longer than a quarter of an hour past the deadline. */
  const restart = proof.voids_at + 3_600
  const voidedLate = { ...voided, void: { ...voided.void, voided_at: restart } }
  const voidedAhead = { ...voided, void: { ...voided.void, voided_at: proof.voids_at + 9e9 } }
  const drawnLate = logged({ ...proof, status: 'drawn' }, { endWitnessedAt: restart })
  it.each<[string, object, number, number, string]>([
    ['seed of a void', byTwo, 0, proof.voids_at, 'seed'],
    ['seed of a late void', logged({ ...proof, ...voidedLate }), 4, restart, 'seed'],
    [
      'seed of a void of a time far ahead',
      logged({ ...proof, ...voidedAhead }),
      4,
      proof.voids_at,
      'seed',
    ],
    ['settlement of a late draw', drawnLate, 3, restart, 'state'],
    [
      'refund',
      { ...pending, proof: logged({ ...voidedFor('two_persons'), seed: proof.seed }, times) },
      3,
      proof.ends_at - 1,
      'your refund',
    ],
    ['payout', { ...pending, proof: { ...proof, status: 'drawn' } }, 3, proof.voids_at, 'state'],
  ])(
    'waits for the %s, but not a quarter of an hour after it was due, if the file was fetched just now',
    (_, file, code, due, failure) => {
      vi.useFakeTimers({ toFake: ['Date'], now: (due + 900) * 1_000 })
      onTestFinished(() => void vi.useRealTimers())
      if (file !== drawnLate) expect(verify(file).code).toBe(code)
      saved([file])
      expect(run('receipt-1.json', '--fresh').code).toBe(code)
      vi.setSystemTime((due + 901) * 1_000)
      expect(run('receipt-1.json', '--fresh')).toMatchObject({
        code: 1,
        text: expect.stringContaining(`FAILED: ${failure} does not hold.`),
      })
      fresh.push({ text: JSON.stringify(file), at: [due + 900, due + 901], codes: [code, 1] })
    },
  )

  it('says nothing of a settlement that is overdue if no log shows when the round was drawn', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: (restart + 901) * 1_000 })
    onTestFinished(() => void vi.useRealTimers())
    saved([logged({ ...proof, status: 'drawn' }, { endWitnessedAt: null })])
    expect(run('receipt-1.json', '--fresh')).toMatchObject({
      code: 3,
      text: expect.stringContaining('state: not public'),
    })
  })

  it('prints no control characters from a file', () => {
    const { text } = verify({ ...proof, issue: '1\u001b[2J\nVERIFIED' })
    expect(text).not.toContain('\u001b')
    expect(text).not.toMatch(/^VERIFIED/m)
  })
})

describe('the player whom a receipt names', () => {
  it('cannot be another', () => {
    const signature = 'FAILED: receipt signature does not hold.'
    expect(verify({ ...proof, player_id: 8 }).text).toContain(signature)
    // The same line for two players, both well signed.
    expect(verify(proof, logged({ ...proof, player_id: 8 })).text).toContain('player of bet')
  })
})

describe('the log in a file', () => {
  const keys = [
    ...['--log', formatVerifierKey(logKey)],
    ...['--witness', formatVerifierKey(witnessKey)],
  ]

  it('is judged by the keys that the reader names, and by its own if he names none', () => {
    saved([proof])
    const trusted = run('receipt-1.json', ...keys)
    expect(trusted.code).toBe(0)
    expect(trusted.text).not.toContain('taken from the file')
    const byWitness = run('receipt-1.json', ...keys.slice(2)).text
    expect(byWitness).toContain('keys of the log house.example/tlog were taken from the file')
    expect(byWitness).toContain('a witness signs the entries of a log and its name, not its key')
    const several = 'one witness of several was enough'
    expect(verify(logged(proof, { by: [witnessKey, secondWitnessKey] })).text).toContain(several)
    expect(byWitness + verify(proof).text).not.toContain(several)
    expect(verify(proof).text).toContain('the log house.example/tlog and of its witnesses (w.ex')
    const other = signingKey(logKey.name, 'log', new Uint8Array(32).fill(7))
    expect(run('receipt-1.json', '--log', formatVerifierKey(other)).text).toContain(
      'FAILED: log signature, receipt signature do not hold.',
    )
    const stranger = signingKey('w.example/2', 'witness', new Uint8Array(32).fill(7))
    expect(run('receipt-1.json', '--witness', formatVerifierKey(stranger)).code).toBe(4)
    expect(run('receipt-1.json', '--log', 'hello').code).toBe(2)
  })

  it('is judged by the keys to which the named one leads, and by no other', ({ skip }) => {
    const [second, third, strange] = [4, 5, 6].map((byte) =>
      signingKey(logKey.name, 'log', new Uint8Array(32).fill(byte)),
    ) as [SigningKey, SigningKey, SigningKey]
    const changed = (before: SigningKey, after: VerifierKey, changedAt = 1_700_000_000) =>
      keyChangeText({ before, after, changedAt })
    const first = changed(logKey, second)
    const by = (key: SigningKey, key_changes: string[]) => {
      const round = logged(proof, { key })
      return { ...round, log: { ...round.log, key_changes }, signed: signedReceipt(proof, key) }
    }
    const judged: { text: string; holds: boolean }[] = []
    const codeOf = (file: object) => {
      saved([file])
      const { code, text } = run('receipt-1.json', ...keys)
      if (code === 1) expect(text).toContain('FAILED: log signature, receipt signature do not')
      judged.push({ text: JSON.stringify(file), holds: code === 0 })
      return code
    }
    expect(codeOf(by(second, [first]))).toBe(0)
    // In whatever order they are shown.
    expect(codeOf(by(third, [changed(second, third), first]))).toBe(0)
    expect(codeOf(by(second, []))).toBe(1)
    expect(codeOf(by(third, [changed(second, third)]))).toBe(1)
    expect(codeOf(by(strange, [changed(strange, strange), first]))).toBe(1)
    // Signed by the next key itself.
    const forged = first.replace(/signature=.*/, changed(second, second).split('\n')[4] ?? '')
    expect(codeOf(by(second, [forged]))).toBe(1)
    expect(codeOf(by(second, [first.replace(/changed_at=1/, 'changed_at=2')]))).toBe(1)
    // Whoever has a key that was changed before the round opened signs nothing of it.
    const opens = proof.ends_at - 210
    expect(codeOf(by(logKey, [changed(logKey, second, opens + 1)]))).toBe(0)
    const stolen = by(logKey, [changed(logKey, second, opens)])
    expect(codeOf(stolen)).toBe(1)
    expect(verify(stolen).code).toBe(1)
    // Of a round that says twice when it opened, once it had ended.
    const twice = logged(proof, { edit: (text) => text.replace('opens=', 'opens=\nopens=') })
    const log = { ...twice.log, key_changes: [changed(logKey, second, opens + 1)] }
    expect(verify({ ...twice, log }).code).toBe(1)
    expect(
      codeOf({ ...stolen, log: { ...stolen.log, checkpoint: by(second, []).log.checkpoint } }),
    ).toBe(1)
    // It may be the present key again.
    expect(codeOf(by(logKey, [...stolen.log.key_changes, changed(second, logKey, opens)]))).toBe(0)
    // Also if that was when the round had opened, or if the clock was put back between the changes.
    for (const changedAt of [opens + 60, opens - 60])
      expect(
        codeOf(by(logKey, [...stolen.log.key_changes, changed(second, logKey, changedAt)])),
      ).toBe(0)
    const [away, back] = [changed(logKey, second, opens - 60), changed(second, logKey, opens - 90)]
    expect(codeOf(by(second, [away, back]))).toBe(1)
    // A log of another name is another log.
    expect(codeOf(by(anewKey, [changed(logKey, anewKey)]))).toBe(1)
    skip(!HAS_PYTHON)
    const texts = judged.map(({ text }) => text)
    expect(runPython(BY_KEY, [texts, keys[1]])).toEqual(judged.map(({ holds }) => holds))
  })

  it.each<[string, object]>([
    ['no witness signed', logged(proof, { witnessedAt: null })],
    ['a witness signed when the value existed', logged(proof, { witnessedAt: proof.ends_at })],
    ['is left out', { ...proof, log: null }],
  ])('does not prove the round where it %s', (_, file) => {
    const { code, text } = verify(file)
    expect(text).toContain('NOT PROVED: everything holds, but not witnessed')
    expect(code).toBe(4)
  })

  const { log } = proof
  if (!log.book || !log.end) throw new Error('the proof lacks its log')
  /** The log with another part in the place of one. */
  const shown = (parts: object) => ({ log: { ...log, ...parts } })
  it.each<[string, object, string]>([
    ['another book', withText(/size=.*/, 'size=3'), 'logged book does'],
    ['another announcement', withText(/index=.*/, 'index=2'), 'logged announcement does'],
    ['two times of a field', withText(/size=/, 'size=9\nsize='), 'logged book does'],
    [
      'rules that are empty, and others',
      withText(/rules=/, 'rules=\nrules='),
      'announced rules does',
    ],
    ['rules of one room in two versions', withText(/rules=/, 'rules=4:2,'), 'announced rules does'],
    ['a book after the value', withText(/seen=.*/, 'seen=99999999999'), 'value at the seal does'],
    ['no value at the seal', withText(/beacon_seen=.*\n/, ''), 'value at the seal does'],
    [
      'a value in another form',
      withText(/beacon_seen=.*/, 'beacon_seen=1e1'),
      'value at the seal does',
    ],
    [
      'an announcement whose lines are one',
      withText(/(chain=.*)\n(index=.*)\n/, '$1 $2\n'),
      'logged announcement does',
    ],
    [
      'an entry that is not in it',
      shown({ book: { ...log.book, text: `${log.book.text}more=1\n` } }),
      'log does',
    ],
    ['a later time of the witness', { book: { ...book, witnessed_at: 2e9 } }, 'witness does'],
    [
      'another root',
      shown({ checkpoint: log.checkpoint.replace(/\n[0-9]\n/, '\n9\n') }),
      'log, log signature, logged odds do',
    ],
    [
      'a bet that it did not sign',
      { signed: signedReceipt({ ...proof, leaf: 'another' }) },
      'receipt signature does',
    ],
    [
      'a bet of another key',
      { signed: signedReceipt(proof, witnessKey) },
      'receipt signature does',
    ],
    [
      'a bet of a key that it names, and that has not signed the log',
      {
        signed: signedReceipt(proof, anewKey),
        log: { ...log, keys: [...log.keys, formatVerifierKey(anewKey)] },
      },
      'receipt signature does',
    ],
  ])('fails with %s', (_, changes, failure) => {
    expectFailure({ ...proof, ...changes }, failure)
  })

  it.each<[string, (text: string) => string]>([
    ['other odds', (text) => text.replace('408:17500', '408:17400')],
    ['the odds of another version', (text) => text.replace('version=3', 'version=2')],
    ['the odds of another room', (text) => text.replace('room=4', 'room=11')],
    ['two odds of one outcome', (text) => text.replace('odds=', 'odds=2:1000,')],
    ['odds of an outcome in another form', (text) => text.replace('odds=', 'odds=02:1000,')],
    ['two lists of odds', (text) => text.replace('odds=', 'odds=2:1\nodds=')],
    ['no odds', (text) => text.replace(/odds=.*\n/, '')],
    ['odds in another entry', (text) => text.replace('28/1 rules', '28/1 returns')],
  ])('fails with %s than those of the line', (_, edit) => {
    expectFailure({ ...order, proof: logged(order.proof, { edit }) }, 'logged odds does')
  })

  it('fails with a line of more choices than there are outcomes', () => {
    const many = Array.from({ length: 37 }, (_, at) => at + 1)
    const line = `2|O1|4|[${many}]|${many.map(() => 1_000)}|3|7|${'ab'.repeat(16)}`
    const said = `sum28/1 rules\ngame=1\nroom=4\nversion=3\nodds=${many.map((rule) => `${rule}:1000`)}\n`
    const one = buildBook([line])
    const mine = { leaf: line, nonce: 'ab'.repeat(16), leaf_index: 0, path: [] }
    const closed = { ...book, root: one.root, size: 1 }
    const file = logged({ ...proof, ...mine, book: closed }, { said })
    expectFailure(file, 'your nonce, announced rules, logged odds do')
  })

  const { rules, announcement, ...others } = order.proof.log
  const odds = (changes: object) => ({ ...others, announcement, rules, ...changes })
  it.each<[string, object]>([
    ['left out', odds({ rules: null })],
    ['after the announcement', odds({ rules: { ...rules, index: announcement.index + 1 } })],
    ['of another log', odds({ rules: { ...rules, path: announcement.path } })],
    ['of a state that cannot be read', odds({ checkpoint: '' })],
  ])('fails with rules that are %s', (_, changed) => {
    const { code, text } = verify({ ...order, proof: { ...order.proof, log: changed } })
    expect(text).toContain('logged odds: DOES NOT HOLD')
    expect(code).toBe(1)
  })

  const chosen = withChosenSeed()
  const changedChain = (from: RegExp, to: string) =>
    withText(new RegExp(`(?<=^sum28/1 chain\\n(?:.*\\n)*)${from.source}`), to)
  it.each<[string, object, string]>([
    ['chosen after the value', { ...chosen, log: { ...log, end: null } }, 'logged commitment does'],
    [
      'so chosen, and logged with its draw',
      {
        ...chosen,
        log: logged(chosen, {
          edit: (text) => text.replace(chosen.commitment, proof.commitment),
        }).log,
      },
      'logged commitment does',
    ],
    [
      'committed after its announcement',
      logged(chosen, {
        arrange: ([chain = '', announcement = '', ...rest]) => [announcement, chain, ...rest],
      }),
      'log does',
    ],
    [
      'committed after its book',
      logged(chosen, { arrange: ([chain = '', ...rest]) => [...rest, chain] }),
      'log does',
    ],
    ['of another game’s chain', changedChain(/game=1/, 'game=2'), 'logged commitment does'],
    ['of another chain', changedChain(/chain=1/, 'chain=2'), 'logged commitment does'],
    [
      'committed twice',
      changedChain(/commitment=/, 'commitment=00\ncommitment='),
      'logged commitment does',
    ],
    [
      'whose commitment is empty',
      shown({ chain: { text: '', index: 0, path: [] } }),
      'logged commitment, log do',
    ],
    [
      'whose commitment is the announcement',
      shown({ chain: log.announcement }),
      'logged commitment, log do',
    ],
    [
      'whose commitment is of another log',
      shown({ chain: logged(proof, { before: [] }).log.chain }),
      'log does',
    ],
  ])('fails with a seed %s', (_, changes, failure) => {
    expectFailure({ ...proof, ...changes }, failure)
  })

  it.each(['chain', 'announcement'])('cannot be used if its %s is null, or left out', (name) => {
    for (const value of [undefined, null]) {
      const { code, errors } = verify({ ...proof, ...shown({ [name]: value }) })
      expect(errors).toContain(`"log.${name}" is`)
      expect(code).toBe(2)
    }
  })

  const noBook = { ...proof, ...NO_LINE, book: NO_BOOK }
  const late = { reason: 'sealed_late', voided_at: proof.ends_at, digits: null }
  const byPersons = voidedFor('two_persons')
  const valueAt = timeOfRound(QUICKNET, beacon.round) / 1_000
  it.each<[string, object, string]>([
    ['voided for one player, and drawn in the log', { ...voidedProof, log }, 'logged end does'],
    ['drawn for one player, and voided in the log', { log: voidedProof.log }, 'logged end does'],
    [
      'voided without a book, and drawn in the log',
      { ...noBook, ...voided, void: late, log: { ...log, book: null } },
      'logged end does',
    ],
    ['of other digits', withText(/digits=.*/, 'digits=1,1,1'), 'logged end does'],
    ['of another seed', withText(/seed=../, 'seed=00'), 'logged end does'],
    [
      'whose book has seen two values',
      withText(/beacon_seen=.*/, 'beacon_seen=1\nbeacon_seen=x'),
      'value at the seal does',
    ],
    ['of two seeds', withText(/seed=/, 'seed=00\nseed='), 'logged end does'],
    ['of another value', withText(/signature=../, 'signature=00'), 'logged end does'],
    [
      'voided for another reason',
      {
        ...voidedProof,
        void: { ...voided.void, reason: 'two_persons', voided_at: proof.ends_at - 1 },
      },
      'logged end does',
    ],
    [
      'voided at another time',
      { ...voidedProof, void: { ...voided.void, voided_at: proof.voids_at + 1 } },
      'logged end does',
    ],
    [
      'that is not in it',
      shown({ end: { ...log.end, text: `${log.end.text}more=1\n` } }),
      'log does',
    ],
    ['before its book', shown({ end: { ...log.end, index: log.book.index } }), 'log does'],
    [
      'in a state that was not signed',
      {
        log: {
          ...log,
          end: { ...log.end, checkpoint: log.end.checkpoint.replace(/\n[0-9]\n/, '\n9\n') },
        },
      },
      'log, log signature do',
    ],
    [
      'that is its book',
      shown({ end: { ...log.book, checkpoint: log.checkpoint } }),
      'logged end, log do',
    ],
    [
      'that is empty',
      shown({ end: { text: '', index: 0, path: [], checkpoint: '' } }),
      'logged end, log, log signature do',
    ],
  ])('fails with an end %s', (_, changes, failure) => {
    expectFailure({ ...proof, ...changes }, failure)
  })

  it.each<[string, object]>([
    ['drawn, and saved before the log has it', { ...proof, ...shown({ end: null }) }],
    [
      'drawn, and saved when the log has neither book nor end',
      { ...proof, ...shown({ book: null, end: null }) },
    ],
    ['voided, and in no log', { ...voidedProof, log: null }],
    [
      'voided, and saved before the log has it',
      { ...voidedProof, log: { ...voidedProof.log, end: null } },
    ],
    [
      'voided for one player without a book, while others see its draw',
      { ...noBook, ...voided, void: late, log: null },
    ],
    ['drawn, and signed by no witness', logged(proof, { endWitnessedAt: null })],
    ['voided, and signed by no witness', logged({ ...proof, ...voided }, { endWitnessedAt: null })],
    [
      'drawn in another log of the house',
      logged(proof, {
        endKey: signingKey('house.example/tlog/2', 'log', new Uint8Array(32).fill(7)),
      }),
    ],
    [
      'voided by persons, and witnessed when the value existed',
      logged(byPersons, { endWitnessedAt: valueAt }),
    ],
  ])('does not prove a round that was %s', (_, file) => {
    const { code, text } = verify(file)
    expect(text).toContain('NOT PROVED: everything holds, but')
    expect(text).toContain('not in a witnessed log')
    expect(code).toBe(4)
  })

  it('proves a void by two persons, and none for want of a book or of a value', () => {
    const { code, text } = verify(logged({ ...noBook, ...voided, void: late }))
    expect(text).toContain('NOT PROVED: everything holds, but voided without a book')
    expect(code).toBe(4)
    const late_ = verify(voidedProof)
    expect(late_.text).toContain(
      'NOT PROVED: everything holds, but voided for want of the beacon’s value: that he could not store it in time is his word',
    )
    expect(late_.code).toBe(4)
    const times = { witnessedAt: proof.ends_at, endWitnessedAt: valueAt - 1 }
    expect(verify(logged(byPersons, times)).code).toBe(0)
    expect(verify(byPersonsInTime).code).toBe(0)
  })

  const second = secondWitnessKey
  it.each<[string, Parameters<typeof logged>[1], number]>([
    ['both signed book and end', { by: [witnessKey, second] }, 0],
    ['both signed the end, and one the book', { by: [second], endBy: [witnessKey, second] }, 4],
    ['one signed the end', { by: [witnessKey, second], endBy: [witnessKey] }, 4],
    ['one signed book and end', {}, 4],
  ])('is proved by two witnesses that the reader names: %s', (_, by, code) => {
    saved([logged(proof, by)])
    const alsoNamed = ['--witness', formatVerifierKey(second)]
    expect(run('receipt-1.json', ...keys, ...alsoNamed).code).toBe(code)
  })

  it('is proved by a witness that the reader names twice', () => {
    saved([proof])
    expect(run('receipt-1.json', ...keys, ...keys.slice(2)).code).toBe(0)
  })

  it('is of two logs, perhaps, if one witness signed the book, and another one the end', () => {
    const { code, text } = verify(logged(proof, { by: [witnessKey], endBy: [second] }))
    expect(text).toContain('  witness: not public')
    expect(code).toBe(4)
  })

  it('has no end before the draw, and perhaps no book', () => {
    const open = { ...noBook, ...undrawn, status: 'open' }
    const sealed = { ...proof, ...undrawn, status: 'sealed' }
    for (const file of [
      logged(open),
      logged(sealed),
      { ...sealed, log: { ...log, book: null, end: null } },
    ]) {
      expect(verify(file)).toMatchObject({ code: 3 })
    }
    expectFailure({ ...logged(open), log }, 'logged book, logged end, witness do')
    expectFailure({ ...sealed, log }, 'logged end does')
  })

  it.each<[string, object, string | null]>([
    ['no announcement', { ...proof, log: null }, 'logged commitment, logged announcement'],
    ['no book', { ...proof, ...shown({ book: null }) }, 'logged book does'],
    ['no end', { ...proof, ...shown({ end: null }) }, 'logged end does'],
    ['a round that is never ended', sealedOnly(), 'logged end does'],
    ['all of it', proof, null],
  ])('has to have what was due, if the file was fetched just now: %s', (_, file, failure) => {
    const at = [proof.voids_at + 599, proof.voids_at + 601] as const
    vi.useFakeTimers({ toFake: ['Date'], now: at[0] * 1_000 })
    onTestFinished(() => void vi.useRealTimers())
    saved([file])
    const isOfEnd = failure?.startsWith('logged end') ?? false
    const early = run('receipt-1.json', '--fresh')
    expect(early.code === 1).toBe(failure !== null && !isOfEnd)
    vi.setSystemTime(at[1] * 1_000)
    const late = run('receipt-1.json', '--fresh')
    expect(late.code).toBe(failure === null ? 0 : 1)
    expect(late.text).toContain(failure ?? 'VERIFIED')
    // When a saved file was fetched nobody knows.
    expect(run('receipt-1.json').code).not.toBe(1)
    fresh.push({ text: JSON.stringify(file), at, codes: [early.code, late.code] })
  })

  function sealedOnly() {
    return logged({ ...proof, ...undrawn, status: 'sealed' })
  }

  it('names a bet that was signed and then dropped from the book, whatever way is shown to it', () => {
    const kept = lines.filter((each) => each !== proof.leaf)
    const without = buildBook(kept)
    for (const index of kept.keys()) {
      const shown = { leaf_index: index, path: bookPath(without, index) }
      const closed = { ...book, root: without.root, size: kept.length }
      const { code, text } = verify(logged({ ...proof, ...shown, book: closed }))
      expect(text).toContain('receipt signature: holds')
      expect(text).toContain('FAILED: closed book does not hold.')
      expect(code).toBe(1)
    }
  })

  /** The same log, whose entries say something else. */
  function withText(from: RegExp, to: string) {
    return { log: logged(proof, { edit: (text) => text.replace(from, to) }).log }
  }
})

describe('several files', () => {
  const sealed = logged({ ...bareRound, ...undrawn, status: 'sealed' }, { said: RULES })

  it('of one chain: each seed hashes to the one before, in whatever order the files are named', () => {
    const { code, text } = verify(proofOf(3), proofOf(1), proofOf(2), proofOf(8))
    expect(code).toBe(0)
    expect(text).toContain('round 20261120001 to 20261120002: holds')
    expect(text).toContain('The later seed, hashed 5 times, gives the earlier one.')
    expect(text).toContain('ALL FILES: VERIFIED')
  })

  it.each<[string, object, string]>([
    ['a seed of another chain', { seed: 'ab'.repeat(32) }, 'chain 1, round'],
    ['another commitment', { commitment: 'ab'.repeat(32) }, 'two commitments'],
    ['another game', { game_id: 2 }, 'two games, 1 and 2'],
    ['a place that is taken', { index: 1 }, 'two rounds at position 1'],
    ['an issue before its turn', { issue: '20261119001' }, 'position 2 went to the earlier round'],
  ])('catch %s', (_, altered, words) => {
    const together = disagreement(proofOf(1), { ...proofOf(2), ...altered })
    expect(together).toContain(words)
    expect(together).toContain('ALL FILES: FAILED')
  })

  it('of one round must agree, though the later file may have more values', () => {
    const same = verify(sealed, proof)
    expect(same.code).toBe(3)
    expect(same.text).toContain('two files of game 1, round 20261120001: holds')
    const changed = { ...sealed, book: { ...book, size: 8 } }
    expect(disagreement(changed, proof)).toContain('receipt-1.json: book.size 8')
  })

  it.each<[string, object, object]>([
    ['ends_at', { ...proof, ends_at: proof.ends_at - 1 }, proof],
    ['voids_at', { ...proof, voids_at: proof.voids_at + 1 }, proof],
    ['status', voidedProof, proof],
    ['digits', proof, { ...proof, digits: [2, 5, 2] }],
    ['book.root', sealed, { ...sealed, book: NO_BOOK, log: null, ...voided }],
    ['log.end.text', voidedProof, logged(voidedFor('two_persons'))],
    ['log.chain.text', sealed, logged({ ...sealed, commitment: flipped(proof.commitment) })],
    ['seed', { ...voidedProof, seed: proof.seed }, { ...voidedProof, beacon }],
    ['void.reason', voidedProof, { ...voidedFor('two_persons'), seed: proof.seed }],
    ['line of bet', { ...proof, leaf: leaf.replace('[2,408]', '[2,409]') }, proof],
    ['line 3', { ...proof, leaf: leaf.replace('O1003', 'O1009') }, proof],
    ['order O1003.oddsMilli', { ...order, selections: withFirst({ odds: '1.9' }) }, order],
    ['order O1003.settlement', { ...order, payout: '1.00' }, order],
  ])('of one round may not change or take back %s', (field, first, second) => {
    for (const files of [
      [first, second],
      [second, first],
      [sealed, first, second],
    ]) {
      const together = disagreement(...files)
      expect(together).toContain('two files of game 1, round 20261120001: DOES NOT HOLD')
      expect(together).toContain(`${field} `)
    }
  })

  const bookless = { ...voided, book: NO_BOOK, void: { ...voided.void, reason: 'sealed_late' } }
  it.each<[string, object[], number, boolean]>([
    ['the round without the bet', [bareRound], 3, true],
    ['another bet’s receipt', [otherLine()], 3, true],
    ['a void with the book', [logged({ ...bareRound, ...voided }, { said: RULES })], 4, true],
    ['the bet in its book', [bareRound, proof], 3, false],
    ['the bet without a place there', [bareRound, { ...proof, path: [] }], 1, true],
    ['a void without a book', [logged({ ...bareRound, ...bookless }, { said: RULES })], 4, false],
  ])('show a bet that was signed, and then %s', (_, later, expected, isUnplaced) => {
    const early = logged({ ...proof, ...undrawn, ...NO_LINE, status: 'open', book: NO_BOOK })
    for (const files of [
      [early, ...later],
      [...later, early],
    ]) {
      const { code, text } = verify(...files)
      expect(code).toBe(expected)
      const together = text.slice(text.indexOf('The files together'))
      expect(together.includes('your line in game 1, round 20261120001: not public')).toBe(
        isUnplaced,
      )
      expect(together.includes('VERIFIED together')).toBe(!isUnplaced)
      expect(together).not.toContain('DOES NOT HOLD')
    }
  })

  /** The receipt of another bet of the round. */
  function otherLine() {
    const line = { leaf: lines[2] ?? '', nonce: bets[2]?.nonce, leaf_index: 2 }
    return logged({ ...proof, ...line, path: bookPath(closedBook, 2) })
  }

  it('of one round may tell more and more, and each of its own bet', () => {
    const open = logged({ ...sealed, status: 'open', book: NO_BOOK }, { said: RULES })
    const drawn = { ...proof, status: 'drawn' }
    const files = [open, sealed, drawn, otherLine()]
    expect(verify(...files, proof)).toMatchObject({ code: 3 })
    expect(verify(byPersonsInTime, sealed, open)).toMatchObject({ code: 3 })
    expect(verify({ ...pending, proof: drawn }, order)).toMatchObject({ code: 3 })
    expect(failuresIn(run('receipt-1.json').text)).toEqual([''])
  })

  it('of different chains are not compared with one another', () => {
    const other = { ...roundOf(2), chain_id: 2 }
    const { code, text } = verify(proofOf(1), logged(other, { before: logBefore(2) }))
    expect(code).toBe(0)
    expect(text.split('The files together')[1]?.match(/^ {2}\S.*$/gm)).toEqual(['  one log: holds'])
    expect(
      verify({ ...proofOf(1), log: null }, { ...proofOf(2), log: null, chain_id: 2 }).text,
    ).toContain('No two of them are of one chain')
  })

  const anew = ['sum28/1 returns\nday=9\n', ...logBefore(2).slice(1)]
  const place = (at: number) => logBefore(2).with(at, 'sum28/1 returns\nday=9\n')
  const ahead = { ...roundOf(2), chain_id: 2 }
  it.each<[string, object, string, object?]>([
    ['another first entry', logged(roundOf(2), { before: anew }), 'one log'],
    [
      'fewer entries than before',
      logged(roundOf(2), { before: EARLIER.slice(1) }),
      'computed   two of the ',
    ],
    [
      'another entry where one was',
      logged(roundOf(2), { before: place(4) }),
      'two of the entries from 4 to 5',
    ],
    [
      'a later round at an earlier place',
      logged(ahead, { before: [...EARLIER, RULES] }),
      'round 20261120002 stands before round 20261120001',
      logged(roundOf(1), { before: entriesTo(ahead, [...EARLIER, RULES]) }),
    ],
    [
      'another name',
      logged(roundOf(2), { before: logBefore(2), key: anewKey }),
      'two of the name: ',
    ],
    [
      'another root at its size',
      logged(roundOf(1), { before: ['sum28/1 returns\nday=9\n', ...EARLIER.slice(1)] }),
      'two of the root at 6 entries',
    ],
  ])('tell a log that was begun anew, with %s', (_, later, words, earlier = proofOf(1)) => {
    for (const files of [
      [earlier, later],
      [later, earlier],
    ]) {
      const together = disagreement(...files)
      expect(together).toContain('one log: DOES NOT HOLD')
      expect(together).toContain(words)
    }
  })
})

describe('a file that can be used', () => {
  it.each<[string, (text: string) => string]>([
    ['a mark of its encoding', (text) => `\ufeff${text}`],
    ['a whole number with decimals', (text) => text.replace('"index":1,', '"index":1.0,')],
    ['a number that is too long', (text) => text.replace('{', `{"more":${'9'.repeat(5_000)},`)],
  ])('has %s', (_, edit) => {
    expect(verify(edit(JSON.stringify(proof))).code).toBe(0)
  })
})

describe('a file that cannot be used', () => {
  it.each<[string, unknown, string]>([
    ['no JSON', '{"game_id":', 'It is not JSON'],
    ['a list', [proof], 'The file is not an object in JSON'],
    ['something else', { name: 'x' }, 'It holds no receipt'],
    ['a refusal', { code: 0, msg: '', data: { reason: 'not_found' } }, 'It holds a refusal'],
    ['an empty proof', { ...order, proof: null }, 'Its "proof" is empty'],
    ['no seed', { ...proof, seed: undefined }, 'The field "seed" is missing.'],
    ['no beacon round', inBeacon({ round: undefined }), 'The field "beacon.round" is missing.'],
    ['a text for a number', { ...proof, index: '1' }, 'The field "index" is "1", and must be'],
    ['an odd kind', inBeacon({ kind: 'mine' }), 'must be one of drand, local'],
    ['a number for a hash', { ...proof, path: [1] }, 'The field "path" is [1], and must be'],
    ['half a receipt', { ...proof, path: null }, 'The field "path" is null, and must be'],
    [
      'a receipt of no player',
      { ...proof, player_id: undefined },
      'The field "player_id" is missing.',
    ],
    [
      'an emptied receipt',
      { ...order, proof: { ...proof, leaf: null, nonce: null, leaf_index: null, path: null } },
      'The field "leaf" is null, and must be',
    ],
    [
      'odds that are none',
      { ...order, selections: withFirst({ odds: 'high' }) },
      'The field "odds" is "high"',
    ],
    ['a hit that is none', { ...order, selections: withFirst({ hit: 1 }) }, 'The field "hit" is 1'],
    ['an odd unit', { ...order, unit: 'mBTC' }, 'The field "unit" is "mBTC", and must be one of u'],
    ['no end', { ...proof, ends_at: undefined }, 'The field "ends_at" is missing.'],
    ['two marks of its encoding', `\ufeff\ufeff${JSON.stringify(proof)}`, 'It is not JSON'],
    ['choices that are no list', { ...order, play_type: '2,408' }, 'must be choices such as'],
  ])('has %s, and the error says so', (_, file, words) => {
    const { code, text, errors } = verify(file)
    expect(errors).toContain('receipt-1.json cannot be checked. ')
    expect(errors).toContain(words)
    expect(text).toBe('')
    expect(code).toBe(2)
  })

  it('is not UTF-8', ({ skip }) => {
    const name = 'other-encoding.json'
    const parts = ['{"more":"', Uint8Array.of(0xe9), `",${JSON.stringify(proof).slice(1)}`]
    writeFileSync(join(folder, name), Buffer.concat(parts.map((part) => Buffer.from(part))))
    expect(run(name)).toMatchObject({ code: 2, errors: expect.stringContaining('cannot be read') })
    skip(!HAS_PYTHON)
    const main = 'import json, sys, verify; print(verify.main([json.load(sys.stdin)]))'
    expect(runPython(main, join(folder, name))).toBe(2)
  })

  it('is missing, is a folder, or was not named', () => {
    expect(run('nowhere.json')).toMatchObject({ code: 2 })
    expect(run('nowhere.json').errors).toContain('There is no such file.')
    expect(run('.').errors).toContain('It is a folder')
    expect(run()).toMatchObject({ code: 2 })
    expect(run('--nonsense')).toMatchObject({ code: 2 })
    expect(run('--help')).toMatchObject({ code: 0 })
  })
})

/** Voided by two persons, and shown before the beacon's value existed. */
const byPersonsInTime = logged(voidedFor('two_persons'), { endWitnessedAt: proof.ends_at - 1 })

function voidedFor(reason: string) {
  return { ...proof, ...voided, void: { reason, voided_at: proof.ends_at - 1, digits: null } }
}

/** The round with a seed that was chosen when the beacon's value was known, and a commitment that was made of it. */
function withChosenSeed() {
  const seed = 'c0'.repeat(32)
  const { game_id: gameId, issue, index } = proof
  const digits = drawDigits({ seed, gameId, issue, randomness: beacon.randomness })
  return { ...proof, seed, digits, commitment: hashSeed(seed, index) ?? '' }
}

/** Names and numbers of the house's own, and a mark of which the step of the witness says more. */
const OF_NO_STEP = [
  'createtime',
  'name',
  'plan_name',
  'play_method',
  'witnessed',
  'id',
  'plan_type',
  'class_name',
]

describe('each field of an order, its receipt and its round', () => {
  const isOfStep = (path: string) => !OF_NO_STEP.includes(lastPart(path))
  const all = pathsOf(order)
  const fields = all.filter(isOfStep)
  const other = { ...order, orderNo: 'O1004', game_id: 2, plan_id: 1, proof: otherProof() }

  it('is one of a saved receipt', () => {
    expect(savedReceipt.parse(order)).toEqual(order)
  })

  it('is judged by itself: a word that moves from one into another shows', () => {
    const [first, ...rest] = order.lottery_code.split(' ')
    const moved = { issue: `${order.issue} ${first}`, lottery_code: rest.join(' ') }
    const { code, text } = verify({ ...order, ...moved })
    expect({ code, text }).toMatchObject({
      code: 1,
      text: expect.stringContaining('FAILED: your bet'),
    })
  })

  it.each(all.filter((path) => !isOfStep(path)))('%s is of no step', (path) => {
    expect(verify(withField(order, path, undefined)).code).toBe(0)
    expect(verify(withField(order, path, alteredValue(path, fieldOf(order, path)))).code).toBe(0)
  })

  it.each(fields)('%s cannot be left out', (path) => {
    const { code, text, errors } = verify(withField(order, path, undefined))
    expect([1, 2]).toContain(code)
    expect(code === 2 ? errors : text).toContain(code === 2 ? lastPart(path) : 'FAILED: ')
  })

  // A change of keys that nobody has signed is none.
  const counted = fields.filter((path) => path !== 'proof.log.key_changes')
  it.each(counted)('%s cannot be another', (path) => {
    const value = fieldOf(order, path)
    const altered = verify(withField(order, path, alteredValue(path, value)))
    expect([1, 2]).toContain(altered.code)
    expect(altered.text + altered.errors).toMatch(/FAILED: |cannot be checked/)
  })

  it.each(fields)('%s cannot be that of another round', (path) => {
    const theirs = fieldOf(other, path)
    if (JSON.stringify(theirs) === JSON.stringify(fieldOf(order, path))) return
    expect(verify(withField(order, path, theirs)).code).toBe(1)
  })
})

const BY_KEY = `
import json, sys
from log import read_vkey
from verify import check_log, parse
texts, key = json.load(sys.stdin)
logs = [read_vkey(key)]
judged = [check_log(*parse(text)[:2], logs) for text in texts]
print(json.dumps([all(holds for _, holds, _, _ in steps) for steps in judged]))
`

const FRESH = `
import json, sys
from verify import check_all
print(json.dumps([
    [check_all([("file", each["text"])], now=now)[0] for now in each["at"]]
    for each in json.load(sys.stdin)
]))
`

const SECOND_VERIFIER = `
import json, sys
from verify import Unusable, check_all, parse, verdict
def judged(texts):
    code, _ = check_all([("file", text) for text in texts])
    if code == 2:
        return {"code": code, "failed": []}
    return {"code": code, "failed": [", ".join(verdict(parse(text))[1]) for text in texts]}
print(json.dumps([judged(texts) for texts in json.load(sys.stdin)]))
`

const SECOND_MATHEMATICS = `
import json, sys
from verify import draw, hashed, payout, read_leaf, root_by_path
given = json.load(sys.stdin)
print(json.dumps([
    [hashed(seed, at + 1) for at, seed in enumerate(given["seeds"])],
    [draw(d["game_id"], d["issue"], d["seed"], d["randomness"]) for d in given["draws"]],
    [root_by_path(*path) for path in given["paths"]],
    [str(payout(read_leaf(leaf), digits)) for leaf, digits in given["bets"]],
]))
`

describe('the second verifier, in Python', () => {
  it.skipIf(!HAS_PYTHON)('computes what the vectors and the first one have', () => {
    const { seeds_in_play_order: seeds, commitment } = vectors.chain
    const leaves = [1, 2, 3].flatMap(() => vectors.book.leaves)
    const books = leaves.map((_, from) => buildBook(leaves.slice(from)))
    const paths = books.flatMap((tree, from) =>
      leaves.slice(from).map((text, at) => [text, at, tree.size, bookPath(tree, at)] as const),
    )
    const rules = [1, 2, 3, 4, 11, 12, 13, 14, ...Array.from({ length: 28 }, (_, at) => 400 + at)]
    const cases = rules.flatMap((rule) =>
      Array.from({ length: 28 }, (_, sum) => ({
        digits: [Math.min(9, sum), Math.min(9, Math.max(0, sum - 9)), Math.max(0, sum - 18)],
        bet: { playType: `[2,${rule}]`, odds: ['1920', '17505'], stake: '2000' },
      })),
    )
    expect(
      runPython(SECOND_MATHEMATICS, {
        seeds,
        draws: vectors.draws,
        paths,
        bets: cases.map(({ bet, digits }) => [
          `2|O1|1|${bet.playType}|${bet.odds}|1|${bet.stake}|${'ab'.repeat(16)}`,
          digits,
        ]),
      }),
    ).toEqual([
      seeds.map(() => commitment),
      vectors.draws.map(({ digits }) => digits),
      books.flatMap(({ root, size }) => Array.from({ length: size }, () => root)),
      cases.map(({ bet, digits }) => String(payoutOf(bet, digits))),
    ])
  })

  it.skipIf(!HAS_PYTHON)('gives the verdicts of the first on all files of these tests', () => {
    expect(verified.length).toBeGreaterThan(100)
    expect(runPython(FRESH, fresh)).toEqual(fresh.map(({ codes }) => codes))
    const seconds = runPython(
      SECOND_VERIFIER,
      verified.map(({ texts }) => texts),
    ) as { code: number; failed: string[] }[]
    const differing = verified.flatMap(({ texts, ...first }, at) => {
      const second = seconds[at] ?? { code: -1, failed: [] }
      const failed = second.failed.map((names) => withoutSignature(names.split(', ')))
      // A failure of the signature alone is one that the second verifier does not see.
      const unseen = first.code === 1 && first.failed.every((names) => names === '')
      const same =
        (second.code === first.code || unseen) && failed.join('; ') === first.failed.join('; ')
      return same ? [] : [{ texts, first, second }]
    })
    expect(differing).toEqual([])
  })
})

/** A receipt of the next round of the chain. */
function otherProof() {
  const next = proofOf(2)
  const { planId, playType, oddsMilli, rulesVersion } = bets[4] as (typeof bets)[number]
  const bet = { orderNo: 'O1004', planId, playType, oddsMilli, rulesVersion, stake: 7n }
  const text = bookLeaf({ ...bet, nonce: 'ab'.repeat(16) })
  const book = buildBook([text])
  return logged(
    {
      ...next,
      leaf: text,
      nonce: 'ab'.repeat(16),
      leaf_index: 0,
      path: bookPath(book, 0),
      book: { root: book.root, size: 1, sealed_at: next.book.sealed_at },
    },
    { before: ['sum28/1 returns\nday=3\n'] },
  )
}

/** The paths of all values within an object, such as `proof.book.root`. */
function pathsOf(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([name, part]) => {
    const isList = Array.isArray(part) && typeof part[0] !== 'object'
    if (isList || typeof part !== 'object' || part === null) return [prefix + name]
    return pathsOf(part, `${prefix}${name}.`)
  })
}

function fieldOf(value: unknown, path: string): unknown {
  return path.split('.').reduce((part, name) => (part as Record<string, unknown>)[name], value)
}

function withField(value: object, path: string, field: unknown): object {
  const copy = structuredClone(value)
  const names = path.split('.')
  const last = names.pop() ?? ''
  const owner = names.reduce(
    (part, name) => part[name] as Record<string, unknown>,
    copy as Record<string, unknown>,
  )
  owner[last] = field
  return copy
}

function lastPart(path: string): string {
  return path.split('.').at(-1) ?? path
}

/** Another value of the same kind. */
function alteredValue(path: string, value: unknown): unknown {
  if (path === 'proof.void') return voided.void
  if (path === 'proof.status') return 'sealed'
  // One bet more may leave the path as it is.
  if (path === 'proof.book.size') return 3
  if (path === 'proof.book.sealed_at') return proof.ends_at
  if (path === 'proof.beacon.kind') return 'local'
  if (path === 'settled_at') return null
  if (['quantity', 'payout', 'profit', 'stake'].includes(lastPart(path))) return '1.00'
  if (path === 'play_type') return '[2]'
  if (typeof value === 'boolean') return !value
  if (path.endsWith('.path')) return (value as string[]).slice(1)
  if (path === 'proof.log.keys') return (value as string[]).map(flipped)
  if (Array.isArray(value)) return [...value].reverse()
  return typeof value === 'number' ? value + 1 : flipped(String(value))
}

/** A file that the house states in the same way in its log. */
function inLog(file: object): object {
  if (!('proof' in file)) return logged(file as typeof proof)
  return { ...file, proof: logged(file.proof as typeof proof) }
}

function inBeacon(changes: object) {
  return { ...proof, beacon: { ...beacon, ...changes } }
}

/** Hex with its last digit changed. */
function flipped(hex: string): string {
  return hex.slice(0, -1) + (hex.endsWith('0') ? '1' : '0')
}

function localProof() {
  const key = deriveBeaconKey(new Uint8Array(32).fill(9))
  const signature = signRound(key, beacon.round)
  const randomness = randomnessOf(signature)
  const { seed, game_id: gameId, issue } = proof
  const digits = drawDigits({ seed, gameId, issue, randomness })
  const own = { kind: 'local' as const, chain_hash: 'ab'.repeat(32), public_key: publicKeyOf(key) }
  return logged({ ...proof, digits, beacon: { ...beacon, ...own, signature, randomness } })
}

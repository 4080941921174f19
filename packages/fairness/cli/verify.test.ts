import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { publicKeyOf, randomnessOf, signRound, timeOfRound } from '../src/beacon.ts'
import { deriveBeaconKey } from '../src/beacon-key.ts'
import { drawDigits } from '../src/draw-digits.ts'
import { QUICKNET } from '../src/quicknet.ts'
import quicknet from '../testing/vectors/drand-quicknet.json' with { type: 'json' }
import vectors from '../testing/vectors/fairness-vectors.json' with { type: 'json' }

const command = fileURLToPath(new URL('./verify.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sum28-verify-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const draws = vectors.draws.filter((draw) => draw.game_id === 1 && 'index' in draw)
const leaf = vectors.book.leaves[3] ?? ''

// A receipt as a player saves it: a real quicknet round, and a bet in the book of the test vectors.
function proofOf(place = 1) {
  const draw = draws[place - 1]
  const value = quicknet.rounds.find(({ round }) => round === draw?.beacon_round)
  if (!draw || !value) throw new Error('the vectors lack a draw')
  const endsAt = timeOfRound(QUICKNET, value.round) / 1000
  return {
    game_id: draw.game_id,
    issue: draw.issue,
    status: 'settled',
    ends_at: endsAt,
    voids_at: endsAt + 600,
    chain_id: 1,
    index: draw.index ?? 0,
    commitment: vectors.chain.commitment,
    seed: draw.seed,
    beacon: {
      kind: 'drand',
      chain_hash: quicknet.chain_hash,
      public_key: quicknet.public_key,
      scheme: quicknet.scheme,
      genesis_time: quicknet.genesis_time,
      period: quicknet.period,
      ...value,
    },
    digits: draw.digits,
    book: {
      root: vectors.book.root,
      size: vectors.book.leaves.length,
      sealed_at: endsAt - 30,
    },
    void: null,
    leaf,
    nonce: leaf.split('|')[4],
    leaf_index: 3,
    path: vectors.book.paths[3],
  }
}

const proof = proofOf()
const { beacon, book } = proof
const { leaf: _leaf, nonce: _nonce, leaf_index: _index, path: _path, ...bareRound } = proof

const order = {
  orderNo: 'O1003',
  createtime: 1,
  issue: proof.issue,
  quantity: '800.00',
  lottery_code: '2 5 1 8',
  play_type: '[1,403]',
  proof,
}

async function verify(...files: unknown[]) {
  const names = files.map((file, i) => {
    const name = `receipt-${i + 1}.json`
    writeFileSync(join(folder, name), typeof file === 'string' ? file : JSON.stringify(file))
    return name
  })
  return run(...names)
}

function run(...args: string[]): Promise<{ code: number; text: string; errors: string }> {
  const { INIT_CWD: _, ...env } = process.env
  const options = { cwd: folder, env }
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], options, (error, text, errors) => {
      resolve({ code: error ? Number(error.code) : 0, text, errors })
    })
  })
}

describe('npm run verify', () => {
  it('verifies a receipt and prints every step, with the verdict last', async () => {
    const { code, text } = await verify(proof)
    expect(code).toBe(0)
    expect(text.match(/: holds$/gm)).toHaveLength(10)
    expect(text).toContain('computed   2 5 1\n      published  2 5 1')
    expect(text.trim().split('\n').at(-1)).toBe(
      'VERIFIED: the digits 2 5 1 are those that seed and beacon give, and the bet is in the closed book.',
    )
    expect(text).not.toContain('could know results early')
  })

  it('accepts a bare round, an order with its proof, and a whole reply with either', async () => {
    const round = await verify(bareRound)
    expect(round.code).toBe(0)
    expect(round.text).toContain('there is no bet in this file')
    expect((await verify({ code: 1, msg: '', time: '1', data: bareRound })).code).toBe(0)
    const whole = await verify({ code: 1, msg: '', time: '1', data: order })
    expect(whole.code).toBe(0)
    expect(whole.text).toContain('your bet: holds')
    expect(whole.text).toContain('your order: holds')
  })

  it.each<[string, unknown, string]>([
    ['seed', { ...proof, seed: flipped(proof.seed) }, 'seed, digits do not'],
    ['commitment', { ...proof, commitment: flipped(proof.commitment) }, 'seed does not'],
    ['index', { ...proof, index: 2 }, 'seed does not'],
    ['game', { ...proof, game_id: 2 }, 'digits does not'],
    ['issue', { ...proof, issue: '20261120009' }, 'digits does not'],
    ['digits', { ...proof, digits: [2, 5, 2] }, 'digits does not'],
    ['status', { ...proof, status: 'voided' }, 'state does not'],
    ['chain hash', inBeacon({ chain_hash: flipped(beacon.chain_hash) }), 'beacon chain does not'],
    ['public key', inBeacon({ public_key: flipped(beacon.public_key) }), 'beacon chain does not'],
    ['scheme', inBeacon({ scheme: 'pedersen-bls-chained' }), 'beacon chain does not'],
    ['kind', inBeacon({ kind: 'local' }), 'beacon kind does not'],
    [
      'beacon round',
      inBeacon({ round: beacon.round + 1 }),
      'beacon round, beacon signature do not',
    ],
    [
      'signature',
      inBeacon({ signature: flipped(beacon.signature) }),
      'beacon signature, randomness, digits do not',
    ],
    ['randomness', inBeacon({ randomness: flipped(beacon.randomness) }), 'randomness does not'],
    ['root', { ...proof, book: { ...book, root: flipped(book.root) } }, 'closed book does not'],
    ['size', { ...proof, book: { ...book, size: 3 } }, 'closed book does not'],
    [
      'time of the seal',
      { ...proof, book: { ...book, sealed_at: book.sealed_at + 30 } },
      'beacon after seal does not',
    ],
    ['leaf', { ...proof, leaf: leaf.replace('4000', '4001') }, 'closed book does not'],
    ['nonce', { ...proof, nonce: flipped(proof.nonce ?? '') }, 'your nonce does not'],
    ['leaf index', { ...proof, leaf_index: 2 }, 'closed book does not'],
    ['path', { ...proof, path: proof.path?.map(flipped) }, 'closed book does not'],
    ['order number', { ...order, orderNo: 'O1004' }, 'your bet does not'],
    ['stake', { ...order, quantity: '800.02' }, 'your bet does not'],
    ['choices', { ...order, play_type: '[1,404]' }, 'your bet does not'],
    ['result', { ...order, lottery_code: '2 5 2 9' }, 'your order does not'],
  ])('names the failed checks when the %s was altered', async (_, altered, failure) => {
    const { code, text } = await verify(altered)
    expect(text.trim().split('\n').at(-1)).toBe(`FAILED: ${failure} hold.`)
    expect(code).toBe(1)
  })

  it('warns, for a local beacon, that the operator could know results early', async () => {
    const { code, text } = await verify(localProof())
    expect(code).toBe(0)
    expect(text).toContain('run by the operator, who could know results early')
  })

  it('fails a local beacon that claims to be drand: its key is not quicknet’s', async () => {
    const local = localProof()
    const { code, text } = await verify({ ...local, beacon: { ...local.beacon, kind: 'drand' } })
    expect(code).toBe(1)
    expect(text).toContain('FAILED: beacon chain, beacon signature do not hold.')
  })

  it('neither verifies nor fails a round before its draw', async () => {
    const { code, text } = await verify({
      ...proof,
      ...{ status: 'open', seed: null, digits: null, leaf_index: null, path: [] },
      beacon: { ...beacon, signature: null, randomness: null },
      book: { root: null, size: null, sealed_at: null },
    })
    expect(code).toBe(3)
    expect(text).toContain('NOT FINISHED')
  })

  it('reports that a voided round has no draw', async () => {
    const { code, text } = await verify({
      ...proof,
      ...{ status: 'voided', seed: null, digits: null },
      beacon: { ...beacon, signature: null, randomness: null },
    })
    expect(code).toBe(0)
    expect(text).toContain('VOIDED: nothing was drawn')
    expect(text).not.toContain('VERIFIED')
  })

  it('prints no control characters from a file', async () => {
    const { text } = await verify({ ...proof, issue: '1\u001b[2J\nVERIFIED' })
    expect(text).not.toContain('\u001b')
    expect(text).not.toMatch(/^VERIFIED/m)
  })
})

describe('several files', () => {
  it('of one chain: each seed hashes to the one before, in whatever order the files are named', async () => {
    const { code, text } = await verify(proofOf(3), proofOf(1), proofOf(2), proofOf(8))
    expect(code).toBe(0)
    expect(text).toContain('round 20261120001 to 20261120002: holds')
    expect(text).toContain('The later seed, hashed 5 times, gives the earlier one.')
    expect(text).toContain('ALL FILES: VERIFIED')
  })

  it.each<[string, object, string]>([
    ['a seed of another chain', { seed: 'ab'.repeat(32) }, 'chain 1, round'],
    ['another commitment', { commitment: 'ab'.repeat(32) }, 'two commitments'],
    ['another game', { game_id: 2 }, 'two games, 1 and 2'],
    ['a place that is taken', { index: 1 }, 'two rounds at place 1'],
    ['an issue before its turn', { issue: '20261119001' }, 'place 2 went to the earlier round'],
  ])('catch %s', async (_, altered, words) => {
    const { code, text } = await verify(proofOf(1), { ...proofOf(2), ...altered })
    expect(code).toBe(1)
    expect(text.slice(text.indexOf('The files together'))).toContain(words)
    expect(text).toContain('ALL FILES: FAILED')
  })

  it('of one round must agree, though the later file may have more values', async () => {
    const before = {
      ...bareRound,
      ...{ status: 'sealed', seed: null, digits: null },
      beacon: { ...beacon, signature: null, randomness: null },
    }
    const same = await verify(before, proof)
    expect(same.code).toBe(3)
    expect(same.text).toContain('two files of game 1, round 20261120001: holds')
    const changed = await verify({ ...before, book: { ...book, size: 8 } }, proof)
    expect(changed.code).toBe(1)
    expect(changed.text).toContain('receipt-1.json: book.size 8')
  })

  it('of different chains are not compared with one another', async () => {
    const { code, text } = await verify(proofOf(1), { ...proofOf(2), chain_id: 2 })
    expect(code).toBe(0)
    expect(text).toContain('No two of them are of one chain')
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
  ])('has %s, and the error says so', async (_, file, words) => {
    const { code, text, errors } = await verify(file)
    expect(errors).toContain('receipt-1.json cannot be checked. ')
    expect(errors).toContain(words)
    expect(text).toBe('')
    expect(code).toBe(2)
  })

  it('is missing, is a folder, or was not named', async () => {
    expect(await run('nowhere.json')).toMatchObject({ code: 2 })
    expect((await run('nowhere.json')).errors).toContain('There is no such file.')
    expect((await run('.')).errors).toContain('It is a folder')
    expect(await run()).toMatchObject({ code: 2 })
    expect(await run('--nonsense')).toMatchObject({ code: 2 })
    expect(await run('--help')).toMatchObject({ code: 0 })
  })
})

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
  const own = { kind: 'local', chain_hash: 'ab'.repeat(32), public_key: publicKeyOf(key) }
  return { ...proof, digits, beacon: { ...beacon, ...own, signature, randomness } }
}

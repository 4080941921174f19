/**
 * Goal: an independent program, which gets only what the API and the receipts publish, recomputes every digit, finds
 * each seed in its chain, checks each signature, and finds each bet in its book.
 *
 * Method: this file is that program. It was written from the published rules and uses node:crypto,
 * and a curve library for the beacon's signature; nothing of the product's own code computes here
 * (what is imported of it calls the API).
 */
import { createHash, createHmac } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { chains, fairnessRound } from '@sum28/contract/fairness-routes.ts'
import { issueList, playOrder } from '@sum28/contract/lottery-routes.ts'
import type { PublishedChainOnWire, PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import { orderInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { addSeatedPlayers, type SeatedPlayer } from '#testing/people/seated-player.ts'
import { playRound } from '#testing/product/play-round.ts'
import { createTestApp, type TestApp } from '#testing/product/test-app.ts'
import type { Receipt } from './receipt.ts'

const GAMES = [1, 2, 3, 4]
const ROUNDS = 2
const RULES = [[1], [2, 3], [4, 11, 413], [400, 427, 14]]

it('lets an independent program recompute every draw of a day and find every bet in its book', async () => {
  const test = await createTestApp()
  const players = await addSeatedPlayers(test.database, 3, { u: 50_000 })
  const orders = await betThrough(test, players)
  const day = await everything(test, orders)
  expect(day.rounds).toHaveLength(ROUNDS * GAMES.length)
  expect(day.receipts).toHaveLength(orders.length)

  expect(day.rounds.flatMap((round) => faultsOfRound(round, day.chains))).toEqual([])
  expect(faultsOfSequence(day.rounds)).toEqual([])
  expect(day.receipts.flatMap(faultsOfReceipt)).toEqual([])

  // The program really checks: it detects one changed bit in any of its inputs.
  const [round] = day.rounds
  const [receipt] = day.receipts
  if (!round?.seed || !round.digits || !receipt) throw new Error('there is nothing to spoil')
  const digits: [number, number, number] = [(round.digits[0] + 1) % 10, 0, 0]
  const spoiltRounds: PublishedRoundOnWire[] = [
    { ...round, seed: spoilt(round.seed) },
    { ...round, digits },
    { ...round, ends_at: round.ends_at + 3 },
    { ...round, beacon: { ...round.beacon, signature: spoilt(round.beacon.signature ?? '') } },
    { ...round, book: { ...round.book, sealed_at: round.ends_at + 60 } },
  ]
  for (const each of spoiltRounds) expect(faultsOfRound(each, day.chains)).not.toEqual([])
  const { proof } = receipt
  for (const each of [
    { ...proof, leaf: proof.leaf.replace('|', '|1') },
    { ...proof, nonce: spoilt(proof.nonce) },
    { ...proof, leaf_index: (proof.leaf_index ?? 0) + 1 },
    { ...proof, book: { ...proof.book, root: spoilt(proof.book.root ?? '') } },
  ]) {
    expect(faultsOfReceipt({ ...receipt, proof: each })).not.toEqual([])
  }
  const selections = receipt.selections.map((each) => ({ ...each, odds: '1.01' }))
  expect(faultsOfReceipt({ ...receipt, selections })).not.toEqual([])
})

/* The day: bets in some rounds, then everything that is published about it. */

type Order = { player: SeatedPlayer; orderNo: string }

/** Bets in every game, round after round. */
async function betThrough(test: TestApp, players: readonly SeatedPlayer[]): Promise<Order[]> {
  const orders: Order[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    await playRound(test, async (issue) => {
      for (const [at, player] of players.entries()) {
        for (const id of GAMES) {
          // Not everyone bets everywhere: there are books of several sizes, and empty ones.
          if ((round + at * id) % 3 === 0) continue
          const order = {
            issue,
            game_id: id,
            plan_id: id * 10 + 1,
            play_type: JSON.stringify(RULES[(round + at + id) % RULES.length]),
            money: `${100 + round}.5`,
          }
          const { code, data } = await test.call(playOrder, order, player)
          expect(code).toBe(1)
          orders.push({ player, orderNo: data.orderNo })
        }
      }
    })
  return orders
}

type Day = {
  chains: PublishedChainOnWire[]
  /** By game and number, ascending. */
  rounds: PublishedRoundOnWire[]
  receipts: Receipt[]
}

/** All that is published of the day. */
async function everything(test: TestApp, orders: readonly Order[]): Promise<Day> {
  const receipts: Receipt[] = []
  for (const { player, orderNo } of orders)
    receipts.push((await test.call(orderInfo, { orderNo }, player)).data)
  const rounds: PublishedRoundOnWire[] = []
  for (const game_id of GAMES) {
    const reply = (await test.call(issueList, { game_id })).data
    for (const listed of (Array.isArray(reply) ? reply : reply.list).toReversed()) {
      const { data } = await test.call(fairnessRound, { game_id, issue: listed.issue })
      expect(data.digits).toEqual([listed.site_1, listed.site_2, listed.site_3])
      rounds.push(data)
    }
  }
  return { chains: (await test.call(chains, {})).data, rounds, receipts }
}

/* The independent program. */

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function bytes(hex: string | null): Buffer {
  return Buffer.from(hex ?? '', 'hex')
}

function faultsOfRound(
  round: PublishedRoundOnWire,
  committed: readonly PublishedChainOnWire[],
): string[] {
  const { beacon, book } = round
  const faults: string[] = []
  const name = `game ${round.game_id} round ${round.issue}`
  const demand = (holds: boolean, what: string) => {
    if (!holds) faults.push(`${name}: ${what}`)
  }

  const chain = committed.find(({ id }) => id === round.chain_id)
  demand(chain?.game_id === round.game_id, 'its chain is not its game’s')
  demand(chain?.commitment === round.commitment, 'its commitment is not the chain’s')
  demand((chain?.committed_at ?? Number.POSITIVE_INFINITY) < round.ends_at, 'committed too late')
  let hashed = bytes(round.seed)
  for (let times = 0; times < round.index; times += 1) hashed = sha256(hashed)
  demand(hashed.toString('hex') === round.commitment, 'its seed is not in the chain')

  const genesis = beacon.genesis_time ?? Number.NaN
  const period = beacon.period ?? Number.NaN
  const due = Math.ceil((round.ends_at - genesis) / period) + 1
  demand(beacon.round === due, 'its beacon round is not the first after its end')
  const valueAt = genesis + (beacon.round - 1) * period
  demand(book.sealed_at !== null && book.sealed_at < valueAt, 'its book was closed too late')
  demand(signatureHolds(beacon), 'the beacon did not sign that')
  const randomness = sha256(bytes(beacon.signature)).toString('hex')
  demand(randomness === beacon.randomness, 'its randomness is not the hash of the signature')

  const digits = digitsOf(round, randomness)
  demand(digits.join() === round.digits?.join(), `its digits are ${digits.join(' ')}`)
  return faults
}

function signatureHolds({ public_key, round, signature }: PublishedRoundOnWire['beacon']): boolean {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(round))
  const { shortSignatures: scheme } = bls12_381
  const message = scheme.hash(sha256(number), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_')
  try {
    return scheme.verify(bytes(signature), message, bytes(public_key))
  } catch {
    return false
  }
}

function digitsOf({ seed, game_id, issue }: PublishedRoundOnWire, randomness: string): number[] {
  const digits: number[] = []
  for (let block = 0; digits.length < 3; block += 1) {
    const stream = createHmac('sha256', bytes(seed))
      .update(`sum28/1|${game_id}|${issue}|${randomness}|${block}`)
      .digest()
    digits.push(...[...stream].filter((byte) => byte < 250).map((byte) => byte % 10))
  }
  return digits.slice(0, 3)
}

/** Each revealed seed hashes to the one before it; the first of a chain, to its commitment. */
function faultsOfSequence(rounds: readonly PublishedRoundOnWire[]): string[] {
  return rounds.flatMap((round, at) => {
    const before = rounds[at - 1]
    if (before?.chain_id !== round.chain_id || before.index !== round.index - 1) return []
    const seedHash = sha256(bytes(round.seed)).toString('hex')
    return seedHash === before.seed
      ? []
      : [`${round.issue}: its seed does not hash to the one before`]
  })
}

function faultsOfReceipt(receipt: Receipt): string[] {
  const { proof } = receipt
  const faults: string[] = []
  const [selection] = receipt.selections
  const micro = BigInt((selection?.stake ?? '').replace('.', '')) * 10_000n
  const odds = receipt.selections.map((each) => Math.round(Number(each.odds) * 1_000)).join(',')
  const { orderNo, plan_id, play_type, rules_version } = receipt
  const text = [2, orderNo, plan_id, play_type, odds, rules_version, micro, proof.nonce].join('|')
  if (text !== proof.leaf) faults.push(`${receipt.orderNo}: its leaf says something else`)
  if (rootOf(proof) !== proof.book.root) faults.push(`${receipt.orderNo}: it is not in the book`)

  const sum = proof.digits?.reduce((total, digit) => total + digit, 0) ?? Number.NaN
  let paid = 0
  for (const each of receipt.selections) {
    const hit = hits(each.class_name, sum)
    const payout = hit ? Math.round(Number(each.stake) * Number(each.odds) * 1e6) : 0
    paid += payout
    if (each.hit !== hit || Math.round(Number(each.payout) * 1e6) !== payout) {
      faults.push(`${receipt.orderNo}: ${each.class_name} at a sum of ${sum} was paid wrongly`)
    }
  }
  if (paid !== Math.round(Number(receipt.payout) * 1e6)) faults.push(`${receipt.orderNo}: payout`)
  return faults
}

/** RFC 9162, 2.1.3.2: the root that a leaf and its path lead to. */
function rootOf({ leaf, leaf_index, path, book }: Receipt['proof']): string | null {
  if (leaf_index === null || book.size === null || leaf_index >= book.size) return null
  let [at, last] = [leaf_index, book.size - 1]
  let hash = sha256(Buffer.of(0), Buffer.from(leaf))
  for (const sibling of path.map(bytes)) {
    if (last === 0) return null
    if (at % 2 === 1 || at === last) {
      hash = sha256(Buffer.of(1), sibling, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1]
    } else {
      hash = sha256(Buffer.of(1), hash, sibling)
    }
    ;[at, last] = [at >> 1, last >> 1]
  }
  return last === 0 ? hash.toString('hex') : null
}

function hits(outcome: string, sum: number): boolean {
  if (/^\d+$/.test(outcome)) return Number(outcome) === sum
  const words = [sum >= 14 ? 'long' : 'short', sum % 2 === 1 ? 'odd' : 'even']
  return outcome.split('-').every((word) => words.includes(word))
}

/** The same hex with one bit of its first byte changed. */
function spoilt(hex: string): string {
  const changed = bytes(hex)
  changed[0] = (changed[0] ?? 0) ^ 1
  return changed.toString('hex')
}

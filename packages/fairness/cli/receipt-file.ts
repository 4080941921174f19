import { readFileSync } from 'node:fs'
import type { LoggedEntry } from '../src/logged-entry.ts'
import type { LoggedEnd, LoggedRound, LogProof, SignedLine } from '../src/logged-round.ts'
import type { PublishedVoid, ReceiptOrder, ReceiptProof } from '../src/verify-round.ts'

/** The reader's line in the book, and the note that signs it. */
export type SignedReceipt = ReceiptProof & SignedLine

/** A file as it was read: a round, and the reader's own bet if the file has one. */
export interface ReceiptFile {
  readonly name: string
  readonly round: LoggedRound
  readonly receipt: SignedReceipt | undefined
  readonly order: ReceiptOrder | undefined
}

/** Why a file cannot be checked, as a sentence for the person who named it. */
export class UnusableFile extends Error {}

export type Fields = Readonly<Record<string, unknown>>

const NO_PLACE = -1

const STATUSES = ['open', 'sealed', 'drawn', 'settled', 'voided']

/**
 * Reads a receipt: a `proof`, a round without a bet, or a whole reply that contains either.
 * Checks only the type of each field; the verifier judges the values.
 * @param path the path to open; `name` is what the reader typed
 * @throws UnusableFile when the file holds no receipt
 */
export function readReceiptFile({ path, name }: { path: string; name: string }): ReceiptFile {
  return { name, ...parseReceipt(textOf(path)) }
}

/** @throws UnusableFile when the text is no receipt */
function parseReceipt(text: string): Omit<ReceiptFile, 'name'> {
  const reply = objectOf(jsonOf(text), 'The file')
  const body = 'data' in reply && !('proof' in reply) ? objectOf(reply.data, '"data"') : reply
  if (typeof body.reason === 'string' && !('proof' in body)) {
    throw new UnusableFile('It holds a refusal of the server, not a receipt.')
  }
  if (!('proof' in body)) return readProof(body)
  if (body.proof === null) {
    throw new UnusableFile(
      'Its "proof" is empty: save the receipt again after the round is closed.',
    )
  }
  return { ...readProof(objectOf(body.proof, '"proof"')), order: orderOf(body) }
}

function readProof(proof: Fields): Omit<ReceiptFile, 'name'> {
  if (!('game_id' in proof || 'beacon' in proof || 'seed' in proof)) {
    throw new UnusableFile(
      'It holds no receipt: neither "proof" nor the fields of a round ("game_id", "issue", "seed", "beacon" …).',
    )
  }
  const round = roundOf(proof)
  return { round, receipt: receiptOf(proof, round), order: undefined }
}

function roundOf(proof: Fields): LoggedRound {
  const beacon = objectOf(need(proof, 'beacon'), 'The field "beacon"')
  const book = objectOf(need(proof, 'book'), 'The field "book"')
  const kind = oneOf(beacon, 'beacon.kind', ['drand', 'local'])
  const chainId = need(proof, 'chain_id')
  return {
    game_id: wholeNumber(proof, 'game_id'),
    issue: string(proof, 'issue'),
    status: oneOf(proof, 'status', STATUSES),
    ends_at: wholeNumber(proof, 'ends_at'),
    chain_id:
      typeof chainId === 'number' ? wholeNumber(proof, 'chain_id') : string(proof, 'chain_id'),
    index: wholeNumber(proof, 'index'),
    commitment: string(proof, 'commitment'),
    seed: orNull(string)(proof, 'seed'),
    beacon: {
      kind: kind === 'drand' ? 'drand' : 'local',
      chain_hash: string(beacon, 'beacon.chain_hash'),
      public_key: string(beacon, 'beacon.public_key'),
      scheme: string(beacon, 'beacon.scheme'),
      genesis_time: wholeNumber(beacon, 'beacon.genesis_time'),
      period: wholeNumber(beacon, 'beacon.period'),
      round: wholeNumber(beacon, 'beacon.round'),
      signature: orNull(string)(beacon, 'beacon.signature'),
      randomness: orNull(string)(beacon, 'beacon.randomness'),
    },
    digits: orNull(digitsOf)(proof, 'digits'),
    book: {
      root: orNull(string)(book, 'book.root'),
      size: orNull(wholeNumber)(book, 'book.size'),
      sealed_at: orNull(wholeNumber)(book, 'book.sealed_at'),
      witnessed_at: orNull(wholeNumber)(book, 'book.witnessed_at'),
    },
    voids_at: wholeNumber(proof, 'voids_at'),
    void: voidOf(proof),
    log: logOf(proof),
  }
}

function logOf(proof: Fields): LogProof | null {
  if (need(proof, 'log') === null) return null
  const log = objectOf(proof.log, 'The field "log"')
  return {
    keys: texts(log, 'log.keys'),
    key_changes: texts(log, 'log.key_changes'),
    checkpoint: string(log, 'log.checkpoint'),
    chain: entryOf(log, 'log.chain'),
    announcement: entryOf(log, 'log.announcement'),
    book: orNull(entryOf)(log, 'log.book'),
    end: orNull(endOf)(log, 'log.end'),
    rules: orNull(entryOf)(log, 'log.rules'),
  }
}

function endOf(log: Fields, name: string): LoggedEnd {
  const checkpoint = string(objectOf(need(log, name), `The field "${name}"`), `${name}.checkpoint`)
  return { ...entryOf(log, name), checkpoint }
}

export function entryOf(log: Fields, name: string): LoggedEntry {
  const entry = objectOf(need(log, name), `The field "${name}"`)
  return {
    text: string(entry, `${name}.text`),
    index: wholeNumber(entry, `${name}.index`),
    path: texts(entry, `${name}.path`),
  }
}

function voidOf(proof: Fields): PublishedVoid | null {
  if (need(proof, 'void') === null) return null
  const claim = objectOf(proof.void, 'The field "void"')
  return {
    reason: string(claim, 'void.reason'),
    voided_at: wholeNumber(claim, 'void.voided_at'),
    digits: orNull(digitsOf)(claim, 'void.digits'),
  }
}

function receiptOf(proof: Fields, round: LoggedRound): SignedReceipt | undefined {
  // A receipt whose values are empty is no round without a bet.
  if (!['leaf', 'nonce', 'signed', 'leaf_index', 'path'].some((name) => name in proof)) {
    return undefined
  }
  const line = {
    leaf: string(proof, 'leaf'),
    nonce: string(proof, 'nonce'),
    signed: string(proof, 'signed'),
    player_id: wholeNumber(proof, 'player_id'),
  }
  // Until the book is closed a bet has no place in it.
  const open = round.book.root === null && (proof.leaf_index ?? null) === null
  if (open) return { ...line, leaf_index: 0, path: [] }
  // Without a place afterwards it leads to no root.
  const place = orNull(wholeNumber)(proof, 'leaf_index') ?? NO_PLACE
  return { ...line, leaf_index: place, path: texts(proof, 'path') }
}

function orderOf(body: Fields): ReceiptOrder {
  const playType = string(body, 'play_type')
  if (!/^\[[0-9]+(,[0-9]+)*\]$/.test(playType))
    throw wrong('play_type', playType, 'choices such as "[1,400]"')
  oneOf(body, 'unit', ['u'])
  const value = need(body, 'selections')
  if (!Array.isArray(value)) throw wrong('selections', value, 'a list')
  const selections = value.map((selection) => objectOf(selection, 'A selection'))
  const settlement = {
    payout: amount(body, 'payout'),
    status: wholeNumber(body, 'status'),
    profit: signedAmount(body, 'profit'),
    whetherHit: wholeNumber(body, 'whether_hit'),
    payouts: selections.map((selection) => amount(selection, 'payout')),
    hits: selections.map((selection) => orNull(boolean)(selection, 'hit')),
  }
  const isSettled = orNull(wholeNumber)(body, 'settled_at') !== null
  return {
    orderNo: string(body, 'orderNo'),
    gameId: wholeNumber(body, 'game_id'),
    issue: string(body, 'issue'),
    planId: wholeNumber(body, 'plan_id'),
    playType,
    classes: selections.map((selection) => wholeNumber(selection, 'class')),
    oddsMilli: selections.map(oddsOf),
    stakes: selections.map((selection) => amount(selection, 'stake')),
    total: amount(body, 'quantity'),
    rulesVersion: wholeNumber(body, 'rules_version'),
    lotteryCode: string(body, 'lottery_code'),
    settlement: isSettled ? settlement : null,
  }
}

/** In thousandths. */
function oddsOf(selection: Fields): number {
  const odds = string(selection, 'odds')
  if (!/^[0-9]{1,9}(\.[0-9]{1,3})?$/.test(odds)) throw wrong('odds', odds, 'odds such as "1.92"')
  const [units = '', decimals = ''] = odds.split('.')
  return Number(units) * 1_000 + Number(decimals.padEnd(3, '0'))
}

/** An amount in units, up to six decimals, in micro-units. */
function amount(fields: Fields, name: string): bigint {
  const text = string(fields, name)
  const [, units, decimals] = /^([0-9]{1,15})\.([0-9]{2,6})$/.exec(text) ?? []
  if (!units || !decimals) throw wrong(name, text, 'an amount such as "100.00"')
  return BigInt(units) * 1_000_000n + BigInt(decimals.padEnd(6, '0'))
}

/** An amount that may be below zero. */
function signedAmount(fields: Fields, name: string): bigint {
  const text = string(fields, name)
  if (!text.startsWith('-')) return amount(fields, name)
  return -amount({ [name]: text.slice(1) }, name)
}

function digitsOf(fields: Fields, name: string): readonly number[] {
  const value = need(fields, name)
  const good = Array.isArray(value) && value.every((digit) => Number.isSafeInteger(digit))
  if (!good) throw wrong(name, value, 'a list of three digits')
  return value as number[]
}

export function texts(fields: Fields, name: string): readonly string[] {
  const value = need(fields, name)
  const good = Array.isArray(value) && value.every((text) => typeof text === 'string')
  if (!good) throw wrong(name, value, 'a list of texts')
  return value as string[]
}

export function string(fields: Fields, name: string): string {
  const value = need(fields, name)
  if (typeof value !== 'string') throw wrong(name, value, 'text in quotes')
  return value
}

export function wholeNumber(fields: Fields, name: string): number {
  const value = need(fields, name)
  if (!Number.isSafeInteger(value)) throw wrong(name, value, 'a whole number')
  return value as number
}

function boolean(fields: Fields, name: string): boolean {
  const value = need(fields, name)
  if (typeof value !== 'boolean') throw wrong(name, value, 'true or false')
  return value
}

function oneOf(fields: Fields, name: string, allowed: readonly string[]): string {
  const value = need(fields, name)
  if (typeof value === 'string' && allowed.includes(value)) return value
  throw wrong(name, value, `one of ${allowed.join(', ')}`)
}

function orNull<T>(read: (fields: Fields, name: string) => T) {
  return (fields: Fields, name: string): T | null =>
    need(fields, name) === null ? null : read(fields, name)
}

// Errors name a field by its whole path; the object has it under the last part.
export function need(fields: Fields, name: string): unknown {
  const value = fields[lastPart(name)]
  if (value === undefined) throw new UnusableFile(`The field "${name}" is missing.`)
  return value
}

function lastPart(name: string): string {
  return name.split('.').at(-1) ?? name
}

function wrong(name: string, value: unknown, wanted: string): UnusableFile {
  const shown = JSON.stringify(value).slice(0, 60)
  return new UnusableFile(`The field "${name}" is ${shown}, and must be ${wanted}.`)
}

export function objectOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new UnusableFile(`${what} is not an object in JSON ({ … }).`)
}

export function jsonOf(text: string): unknown {
  try {
    // Some editors begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const why = error instanceof Error ? ` (${error.message})` : ''
    throw new UnusableFile(`It is not JSON${why}.`)
  }
}

export function textOf(path: string): string {
  try {
    // Of other bytes each program would make its own text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT') throw new UnusableFile('There is no such file.')
    if (code === 'EISDIR') throw new UnusableFile('It is a folder, not a file.')
    if (code === 'EACCES') throw new UnusableFile('It may not be read by you.')
    throw new UnusableFile(`It cannot be read (${error instanceof Error ? error.message : error}).`)
  }
}

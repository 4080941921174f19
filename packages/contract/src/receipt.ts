/**
 * The published data of a round, and the receipt of a bet. The app reads saved receipts with these
 * schemas; its build drops the schemas of the routes, so these are separate.
 */
import * as z from 'zod/mini'
import { betRecord, money, unix } from './replies.ts'

/** Bytes in lower-case hex. */
export const hex = z.string().check(z.regex(/^([0-9a-f]{2})+$/))

/** A committed chain of seeds. Its secret is never sent. */
export const publishedChain = z.object({
  id: z.int(),
  game_id: z.int(),
  /** How many rounds it serves. */
  length: z.int(),
  /** The hash of the first seed to be revealed must equal it. */
  commitment: hex,
  committed_at: unix,
  /** How many rounds have taken a seed. */
  used: z.int(),
})

/** An entry of the public log, and its path to the root of a checkpoint. */
const logEntry = z.object({
  text: z.string(),
  /** Its place in the log, from 0. */
  index: z.int(),
  path: z.array(hex),
})

/** The demo's own witness. It proves nothing against the operator, and its name says so. */
export const OWN_WITNESS = 'own-witness-of-the-house'

/** A signed state of the public log. */
const shownLog = z.object({
  /** The log's keys, by its name in this state first, and its witnesses' (c2sp.org/signed-note). */
  keys: z.array(z.string()),
  /** The entries in which a key of the log named the next one, oldest first. */
  key_changes: z.array(z.string()),
  /** A signed note; with the first signature of a witness, if there is one. */
  checkpoint: z.string(),
})
export type ShownLogOnWire = z.infer<typeof shownLog>

/** What the public log proves of a round: these entries, in their order. */
export const logProof = z.extend(shownLog, {
  /** The commitment of the chain that has the round's seed. */
  chain: logEntry,
  announcement: logEntry,
  /** Null until the book is closed and in a signed state of the log, as the entries above. */
  book: z.nullable(logEntry),
  /** The draw or the void; null until it is in a signed state of the log: a later one, with its own checkpoint. */
  end: z.nullable(z.extend(logEntry, { checkpoint: z.string() })),
  /** Of a receipt: the rules by which its bet was accepted, in the first state above. Null without a bet. */
  rules: z.nullable(logEntry),
})

/** That a count of what the house owes stands in the public log. */
export const owedLog = z.extend(shownLog, { entry: logEntry })
export type OwedLogOnWire = z.infer<typeof owedLog>
export type LogProofOnWire = z.infer<typeof logProof>

/** Everything public about a round, in every state. */
export const publishedRound = z.object({
  game_id: z.int(),
  issue: z.string(),
  /** `settled`: drawn, and every bet paid. */
  status: z.enum(['open', 'sealed', 'drawn', 'settled', 'voided']),
  /** When the round ends; the beacon's value must not exist before. */
  ends_at: unix,
  /** The deadline of the beacon's value; only after it may the round be voided because the value is not stored. */
  voids_at: unix,
  chain_id: z.int(),
  /** k: the seed, hashed k times, is the commitment. */
  index: z.int(),
  commitment: hex,
  /** Null until the draw. Published for a voided round once the round has ended. */
  seed: z.nullable(hex),
  beacon: z.object({
    kind: z.enum(['drand', 'local']),
    chain_hash: z.string(),
    public_key: z.string(),
    scheme: z.string(),
    genesis_time: unix,
    /** Seconds. */
    period: z.int(),
    round: z.int(),
    signature: z.nullable(hex),
    randomness: z.nullable(hex),
  }),
  digits: z.nullable(z.tuple([z.int(), z.int(), z.int()])),
  /** The Merkle tree of all accepted bets; published at the seal. */
  book: z.object({
    root: z.nullable(hex),
    size: z.nullable(z.int()),
    sealed_at: z.nullable(unix),
    /** When a witness signed a log with this book, by its clock; in time if before the beacon's value existed. */
    witnessed_at: z.nullable(unix),
  }),
  /** Why and when the round was voided; null if it was not. */
  void: z.nullable(
    z.object({
      /**
       * - `sealed_late`: no book was closed before its end.
       * - `beacon_late`: the beacon's value was not stored by `voids_at`.
       * - `two_persons`: two members of staff decided it before its end.
       */
      reason: z.enum(['sealed_late', 'beacon_late', 'two_persons']),
      voided_at: unix,
      /** The digits that would have been drawn, if the beacon's value came later; they decide nothing. */
      digits: z.nullable(z.tuple([z.int(), z.int(), z.int()])),
    }),
  ),
  /** Null until the announcement is in a signed state of the log. */
  log: z.nullable(logProof),
})
export type PublishedRoundOnWire = z.infer<typeof publishedRound>

/** A bet's place in the closed book, with its round. Only its player gets it. */
export const betProof = z.extend(publishedRound, {
  leaf: z.string(),
  nonce: hex,
  /** Whose bet it is. */
  player_id: z.int(),
  /** A note by which the log's key signed that this player's bet was accepted as this leaf. */
  signed: z.string(),
  /** In the order of acceptance, from 0; null until the book is closed. */
  leaf_index: z.nullable(z.int()),
  /** From the leaf upwards; empty until the book is closed, and when it is the only bet. */
  path: z.array(hex),
})
export type BetProof = z.infer<typeof betProof>

/** One chosen outcome of a bet, with the odds that were fixed when it was accepted. */
export const betSelection = z.object({
  class: z.int(),
  class_name: z.string(),
  odds: z.string(),
  stake: money,
  payout: money,
  /** Null until the bet is settled; stays null when it was refunded. */
  hit: z.nullable(z.boolean()),
})

/** One bet in full, with its receipt. */
export const fullBet = z.extend(betRecord, {
  id: z.int(),
  plan_id: z.int(),
  /** 0 basic, 1 senior, 2 master, 3 expert. */
  plan_type: z.int(),
  /** The version of the room's rules and odds by which the bet was accepted. */
  rules_version: z.int(),
  /** The unit of every amount. */
  unit: z.enum(['u']),
  payout: money,
  /** When it was paid, lost or refunded; null while pending. */
  settled_at: z.nullable(z.int()),
  selections: z.array(betSelection),
  /** The balance before the stake was taken, and after. */
  before: money,
  after: money,
  proof: betProof,
})
export type FullBetOnWire = z.infer<typeof fullBet>

/** What a player saves of it, to show it to anybody: without his balance, which nothing is checked by. */
export const savedReceipt = z.omit(fullBet, { before: true, after: true })
export type SavedReceipt = z.infer<typeof savedReceipt>

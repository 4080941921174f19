/** Expected negative results: returned by use cases, converted once at the edge. */
import type { Reason } from '@sum28/contract/envelope.ts'

export type Refusal = {
  readonly refused: Reason
  /** Facts for the client and for the text, such as the minimum. */
  readonly details?: Readonly<Record<string, string | number>>
  /** The text's key, `refusal.<wording>`, if it differs from the reason. */
  readonly wording?: string
  /** invalid_input: keys of `fault.*` texts by field. */
  readonly faults?: Readonly<Record<string, string>>
}

export function refuse(reason: Reason, details?: Record<string, string | number>): Refusal {
  return details ? { refused: reason, details } : { refused: reason }
}

/** Malformed input: the fields and for each the key of what is wrong. */
export function malformed(faults: Record<string, string>): Refusal {
  return { refused: 'invalid_input', faults }
}

export function isRefusal(result: unknown): result is Refusal {
  return typeof result === 'object' && result !== null && 'refused' in result
}

/**
 * The words with which functions of the database refuse, and the wire's reason for each of them. A test compares the
 * table with the text of the functions.
 */
const REASONS_BY_WORD = {
  // Staff: who acts, and existing decisions.
  session_unknown: 'session_unknown',
  session_replaced: 'session_replaced',
  session_expired: 'session_expired',
  forbidden: 'forbidden',
  proof_required: 'proof_required',
  passkey_unknown: 'passkey_unknown',
  passkey_refused: 'passkey_refused',
  passkey_cloned: 'passkey_cloned',
  passkeys_full: 'passkeys_full',
  passkey_needed: 'passkey_needed',
  not_found: 'not_found',
  same_person: 'second_person_needed',
  decided: 'already_decided',
  already_frozen: 'already_decided',
  already_closed: 'already_decided',
  paid_already: 'already_decided',
  already_proposed: 'already_proposed',
  not_dismissed: 'not_dismissed',
  not_stopped: 'not_stopped',
  not_frozen: 'not_frozen',
  not_approved: 'not_approved',
  account_frozen: 'account_frozen',
  reference_used: 'reference_used',
  reference_missing: 'invalid_input',
  too_late: 'round_ended',
  rules_changed: 'rules_changed',
  content_changed: 'content_changed',
  email_missing: 'email_missing',
  code_not_set: 'security_code_not_set',
  code_known: 'security_code_known',
  factor_off: 'second_factor_off',
  factor_known: 'second_factor_known',
  mailbox_known: 'mailbox_known',
  above_role_limit: 'above_role_limit',
  deposit_missing: 'invalid_input',
  above_deposit: 'invalid_input',
  part_of_deposit: 'invalid_input',
  not_a_transaction: 'invalid_input',
  not_his_wallet: 'invalid_input',
  at_bank: 'at_bank',
  reversal_proposed: 'reversal_proposed',
  payment_taken: 'payment_taken',
  payment_not_taken: 'payment_not_taken',
  nothing_to_pay: 'nothing_to_pay',
  not_its_time: 'invalid_input',
  not_closed: 'not_closed',
  // Bets.
  games_stopped: 'games_stopped',
  room_stopped: 'room_stopped',
  round_closed: 'round_closed',
  round_wrong: 'round_wrong',
  round_sealed: 'round_sealed',
  rule_unknown: 'rule_unknown',
  odds_changed: 'odds_changed',
  follow_unknown: 'follow_unknown',
  below_minimum: 'below_minimum',
  above_maximum: 'above_maximum',
  below_entry: 'below_entry',
  idempotency_conflict: 'idempotency_conflict',
  busy: 'unavailable',
  // Player protection.
  excluded: 'excluded',
  under_review: 'under_review',
  reality_check_due: 'reality_check_due',
  limit_reached: 'limit_reached',
  too_early: 'too_early',
  not_asked: 'not_asked',
  already_excluded: 'already_excluded',
  not_excluded: 'not_excluded',
  // Addresses of accounts.
  email_taken: 'email_taken',
  link_over: 'link_over',
  // Closing an account.
  account_closed: 'account_closed',
  something_open: 'something_open',
  // Bets and withdrawals.
  account_locked: 'account_locked',
  insufficient_balance: 'insufficient_balance',
  pay_method_missing: 'pay_method_missing',
  withdrawal_on_hold: 'withdrawal_on_hold',
  withdrawal_pending: 'withdrawal_pending',
  identity_sent: 'identity_sent',
  identity_missing: 'identity_missing',
  too_many: 'invalid_input',
  picture_missing: 'invalid_input',
} as const satisfies Record<string, Reason>

/** A word with which a function of the database refuses. */
export type RefusalWord = keyof typeof REASONS_BY_WORD

export const REFUSAL_WORDS = Object.keys(REASONS_BY_WORD) as RefusalWord[]

export function refuseByWord(
  word: RefusalWord,
  details?: Record<string, string | number>,
): Refusal {
  return refuse(REASONS_BY_WORD[word], details)
}

/** The refusal of an amount of a deposit or a withdrawal; {@link refuse} speaks of a bet's total. */
export function refuseAmountBelow(minimum: string): Refusal {
  return { ...refuse('below_minimum', { minimum }), wording: 'amount_below_minimum' }
}

/** Of an address that another member of staff has. */
export const EMAIL_OF_COLLEAGUE: Refusal = {
  ...refuse('email_taken'),
  wording: 'email_of_colleague',
}

/** Of an address that an account has, as staff read it. */
export const EMAIL_OF_PLAYER: Refusal = { ...refuse('email_taken'), wording: 'email_of_player' }

/** Who has decided or proposed something, and when, in milliseconds since 1970. */
export type Done = { by: string | null | undefined; at: number | null | undefined }

/** The refusal of a decision that another person has already made; says who and when, if known. */
export function decidedBefore({ by, at }: Done = { by: null, at: null }): Refusal {
  if (!by) return refuse('already_decided')
  return { ...refuse('already_decided', doneBy(by, at)), wording: 'already_decided_by' }
}

/** The refusal of a proposal that another person has already made; says who and when, if known. */
export function proposedBefore({ by, at }: Done = { by: null, at: null }): Refusal {
  if (!by) return refuse('already_proposed')
  return { ...refuse('already_proposed', doneBy(by, at)), wording: 'already_proposed_by' }
}

/** The refusal of a payment that another person has taken to make it. */
export function takenBefore({ by, at }: Done = { by: null, at: null }): Refusal {
  return refuse('payment_taken', doneBy(by ?? '', at))
}

/** On the wire `at` is in seconds. */
function doneBy(by: string, at: Done['at']): Record<string, string | number> {
  return { by, ...(typeof at === 'number' && { at: Math.floor(at / 1_000) }) }
}

/**
 * Converts a text from the database to a word.
 *
 * @throws if the table has no such word, which is an error in our code
 */
export function refusalWord(text: string): RefusalWord {
  const word = REFUSAL_WORDS.find((known) => known === text)
  if (!word) throw new Error(`the database refused with ${text}, which is no word of the table`)
  return word
}

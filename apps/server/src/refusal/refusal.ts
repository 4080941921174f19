/** Expected negative results: returned by use cases, converted once at the edge. */
import { REASONS, type Reason } from '@sum28/contract/envelope.ts'

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
 * The words with which functions of the database refuse that are no reasons of the wire themselves, and the reason for
 * each.
 */
export const REASONS_BY_WORD = {
  same_person: 'second_person_needed',
  decided: 'already_decided',
  already_frozen: 'already_decided',
  already_closed: 'already_decided',
  paid_already: 'already_decided',
  reference_missing: 'invalid_input',
  too_late: 'round_ended',
  code_not_set: 'security_code_not_set',
  code_known: 'security_code_known',
  factor_off: 'second_factor_off',
  factor_known: 'second_factor_known',
  deposit_missing: 'invalid_input',
  above_deposit: 'invalid_input',
  part_of_deposit: 'invalid_input',
  not_a_transaction: 'invalid_input',
  not_his_wallet: 'invalid_input',
  not_its_time: 'invalid_input',
  busy: 'unavailable',
  too_many: 'invalid_input',
  picture_missing: 'invalid_input',
} as const satisfies Record<string, Reason>

type OtherWord = keyof typeof REASONS_BY_WORD

/** A word with which a function of the database refuses. */
export type RefusalWord = Reason | OtherWord

export function refuseByWord(
  word: RefusalWord,
  details?: Record<string, string | number>,
): Refusal {
  return refuse(isOtherWord(word) ? REASONS_BY_WORD[word] : word, details)
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
 * @throws if it is none, which is an error in our code
 */
export function refusalWord(text: string): RefusalWord {
  if (isOtherWord(text)) return text
  const reason = REASONS.find((known) => known === text)
  if (!reason) throw new Error(`the database refused with ${text}, which is no word`)
  return reason
}

function isOtherWord(text: string): text is OtherWord {
  return Object.hasOwn(REASONS_BY_WORD, text)
}

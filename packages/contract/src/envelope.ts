/** The envelope around every reply, its codes, and the reasons of refusals. */

export type Envelope<Data> = {
  /** 1 on success, otherwise one of {@link CODES}. */
  code: number
  /** Text for people, in the language that the request asked for. */
  msg: string
  /** Unix seconds, as a string. */
  time: string
  data: Data
}

export const CODES = {
  success: 1,
  refused: 0,
  malformed: 400,
  tokenMissing: 401,
  tokenUnknown: 50008,
  tokenReplaced: 50012,
  tokenExpired: 50014,
  forbidden: 403,
  notFound: 404,
  tooLarge: 413,
  tooMany: 429,
  fault: 500,
  unavailable: 503,
} as const

/** Codes on which a client ends its session and reloads. */
export const SESSION_ENDED_CODES: readonly number[] = [
  CODES.tokenUnknown,
  CODES.tokenReplaced,
  CODES.tokenExpired,
]

/** Stable identifiers of refusals; the `msg` beside them is for people. */
export const REASONS = [
  'invalid_input',
  'token_missing',
  'session_unknown',
  'session_replaced',
  'session_expired',
  'forbidden',
  'not_found',
  'too_large',
  'too_many_requests',
  'fault',
  'unavailable',
  'account_or_password_wrong',
  'account_locked',
  'account_closed',
  'password_reset_required',
  'something_open',
  'own_data_asked',
  'username_taken',
  'email_taken',
  'email_required',
  'email_code_required',
  'email_code_wrong',
  'email_code_expired',
  'adult_required',
  'password_common',
  'password_same',
  'member_only',
  'round_sealed',
  'round_closed',
  'round_wrong',
  'room_stopped',
  'games_stopped',
  'rule_unknown',
  'odds_changed',
  'below_minimum',
  'above_maximum',
  'insufficient_balance',
  'below_entry',
  'follow_unknown',
  'limit_reached',
  'excluded',
  'under_review',
  'too_many_numbers',
  'reality_check_due',
  'too_early',
  'not_asked',
  'already_excluded',
  'not_excluded',
  'security_code_not_set',
  'security_code_wrong',
  'security_code_locked',
  'pay_method_missing',
  'withdrawal_pending',
  'withdrawal_on_hold',
  'identity_sent',
  'identity_missing',
  'idempotency_conflict',
  'upload_not_an_image',
  // Reserved on the wire, and returned by no call: a request contains the new password only once.
  'passwords_differ',
  'old_password_wrong',
  'password_wrong',
  'security_code_is_password',
  'security_code_same',
  'security_code_common',
  'already_decided',
  'second_person_needed',
  'not_approved',
  'reference_used',
  'reference_is_transfer',
  'already_proposed',
  'not_dismissed',
  'not_stopped',
  'not_frozen',
  'account_frozen',
  'robots_off',
  'round_ended',
  'rules_changed',
  'content_changed',
  'email_missing',
  'security_code_known',
  'above_role_limit',
  'nothing_to_pay',
  'bank_file_wrong',
  'at_bank',
  'reversal_proposed',
  'payment_taken',
  'payment_not_taken',
  'not_closed',
  'proof_required',
  'passkey_unknown',
  'passkey_refused',
  'passkey_cloned',
  'passkeys_full',
  'passkey_required',
  'passkey_needed',
  'second_factor_required',
  'second_factor_wrong',
  'second_factor_used',
  'second_factor_off',
  'second_factor_last',
  'second_factor_known',
  'mailbox_known',
  'passkey_missing',
  'email_same',
  'link_over',
] as const

export type Reason = (typeof REASONS)[number]

/** `data` of a refusal: the reason and, for some reasons, details to show or act on. */
export type RefusalData = {
  reason: Reason
  /** invalid_input: each field with its fault, as text in the requested language. */
  fields?: Record<string, string>
  /** too_many_requests, and other refusals that end with time: seconds. */
  retry_after?: number
  /**
   * `timeout`, of unavailable: the server worked on the call for as long as its client waits; it may still be done.
   * `account_closed`, of session_replaced: the session ended because its player closed the account.
   * `another_member`, of session_replaced: a tab of the console shows one member, and its browser has another's session.
   */
  cause?: 'timeout' | 'account_closed' | 'another_member'
  /** fault: the number to give to support. */
  request_id?: string
  [detail: string]: unknown
}

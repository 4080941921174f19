/** The states of a withdrawal that staff are shown; `returning`: approved, and proposed to be returned. */
export const WITHDRAWAL_STATES = [
  'waiting',
  'approved',
  'returning',
  'rejected',
  'returned',
] as const

export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

/** The states of a withdrawal that staff are shown; `reversing`: approved, and proposed to be reversed. */
export const WITHDRAWAL_STATES = [
  'waiting',
  'approved',
  'reversing',
  'rejected',
  'reversed',
] as const

export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

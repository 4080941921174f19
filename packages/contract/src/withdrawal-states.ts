/**
 * The states of a withdrawal that staff are shown. `to_pay`: approved. `at_bank`: in a batch whose answer is awaited.
 * `on_chain`: paid to a wallet by a transaction that is in no solid block yet; `payout_wrong`: it pays something else.
 * `reversing`: proposed to be reversed.
 */
export const WITHDRAWAL_STATES = [
  'waiting',
  'to_pay',
  'at_bank',
  'on_chain',
  'payout_wrong',
  'paid',
  'reversing',
  'reversed',
  'rejected',
] as const

export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

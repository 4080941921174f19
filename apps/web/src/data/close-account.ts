/** Closing the account for good. */

import { Refusal } from '@sum28/contract/client.ts'
import { closeAccount, closing } from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, callThatEndsSession } from '#src/data/client.ts'
import { NOTHING, remember } from '#src/data/remembered.ts'
import { dropKeptLines, endSession, pushFollowsSession } from '#src/data/session.ts'

export const closingQuery = queryOptions({
  queryKey: ['closing'],
  staleTime: 0,
  queryFn: async ({ signal }) => closingFromWire(await call(closing, {}, { signal })),
})

export type Closing = ReturnType<typeof closingFromWire>

function closingFromWire(reply: ReplyOf<typeof closing>) {
  return {
    running: amountFromWire(reply.running),
    withdrawing: amountFromWire(reply.withdrawing),
    held: amountFromWire(reply.held),
    balance: amountFromWire(reply.balance),
    withdrawMin: amountFromWire(reply.withdraw_min),
    mayClose: reply.may_close,
    /** Days after which the stored data no longer identifies the player. */
    keptDays: reply.kept_days,
  }
}

/** The request to close an account. `rest`: the payee of the rest of the balance; null: it stays booked. */
export type ClosingRequest = {
  password: string
  rest: { methodId: number; code: string } | null
}

/** Closes the account. Rejects with password_wrong, something_open, or the reason why the rest cannot be paid. */
export async function closeOwnAccount({ password, rest }: ClosingRequest): Promise<void> {
  const request = {
    password,
    ...(rest && { pay_id: rest.methodId, security_code: rest.code }),
  }
  await callThatEndsSession(closeAccount, request, {
    isDone: ({ data }) => data.cause === 'account_closed',
  })
}

/** Deletes the session of the closed account, the lines of its bets and the remembered user name from this device. */
export function forgetClosedAccount(): void {
  endSession()
  remember(NOTHING)
  dropKeptLines()
  pushFollowsSession()
}

const FIELD_OF: Record<string, 'password' | 'code'> = {
  password_wrong: 'password',
  security_code_wrong: 'code',
  security_code_locked: 'code',
  security_code_not_set: 'code',
}

/** The field that a refusal is about, and its message; null if it is about none. */
export function closingFault(
  error: unknown,
): { field: 'password' | 'code'; message: string } | null {
  const field = error instanceof Refusal ? FIELD_OF[error.data.reason] : undefined
  return field ? { field, message: (error as Refusal).message } : null
}

/** The message about the password, if the refusal is about it. */
export function passwordFault(error: unknown): { password: string | undefined } {
  const fault = closingFault(error)
  return { password: fault?.field === 'password' ? fault.message : undefined }
}

/** Closing the account for good. */
import { closeAccount, closing } from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, callThatEndsSession } from '#src/data/client.ts'
import { NOTHING, remember } from '#src/data/remembered.ts'
import {
  dropKeptLines,
  endSession,
  otherRemembered,
  pushFollowsSession,
} from '#src/data/session.ts'

export const closingQuery = queryOptions({
  queryKey: ['closing'],
  staleTime: 0,
  queryFn: ({ signal }) => call(closing, {}, { signal }),
})

/** With the days after which the stored data no longer identifies the player. */
export type Closing = ReplyOf<typeof closing>

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
  const other = otherRemembered()
  endSession()
  if (other === undefined) remember(NOTHING)
  dropKeptLines(other)
  pushFollowsSession(other)
}

/** Closing the account for good. */
import { Refusal } from '@sum28/contract/client.ts'
import { closeAccount, closing } from '@sum28/contract/own-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { queryClient } from '#src/data/query-client.ts'
import { remember } from '#src/data/remembered.ts'
import { dropSession } from '#src/data/session-watch.ts'

export type Closing = {
  readonly running: Amount
  readonly withdrawing: Amount
  readonly held: Amount
  readonly balance: Amount
  readonly withdrawMin: Amount
  readonly mayClose: boolean
  /** Days after which nothing tells any more whose the account was. */
  readonly keptDays: number
}

/** While something may still settle. */
const POLL_MS = 5_000

export const closingQuery = queryOptions({
  queryKey: ['closing'],
  staleTime: 0,
  refetchInterval: POLL_MS,
  queryFn: async ({ signal }): Promise<Closing> => {
    const reply = await call(closing, {}, { signal })
    return {
      running: amountFromWire(reply.running),
      withdrawing: amountFromWire(reply.withdrawing),
      held: amountFromWire(reply.held),
      balance: amountFromWire(reply.balance),
      withdrawMin: amountFromWire(reply.withdraw_min),
      mayClose: reply.may_close,
      keptDays: reply.kept_days,
    }
  },
})

/** Closes the account. Rejects with password_wrong or something_open. */
export async function closeOwnAccount({ password }: { password: string }): Promise<void> {
  await call(closeAccount, { password })
}

/** Forgets a session that ended with its account, and who it was, on this device. */
export function forgetClosedAccount(): void {
  dropSession()
  remember({ username: null, device: false })
  queryClient.clear()
}

/** The message about the password, if the refusal is about it. */
export function passwordFault(error: unknown): { password: string | undefined } {
  const wrong = error instanceof Refusal && error.data.reason === 'password_wrong'
  return { password: wrong ? error.message : undefined }
}

import type { ReplyOf, RequestOf, Route } from '@sum28/contract/route.ts'
import { useState } from 'react'
import { call } from '#src/data/call.ts'
import { type Failure, failureOf } from '#src/data/failure.ts'

/** A call without a session: its state, and the failure of the last one. */
export function useSignInCall() {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  async function attempt<R extends Route>(
    route: R,
    request: RequestOf<R>,
  ): Promise<ReplyOf<R> | null> {
    setPending(true)
    setFailure(null)
    try {
      return await call(route, request)
    } catch (error) {
      setFailure(failureOf(error))
      return null
    } finally {
      setPending(false)
    }
  }
  return { attempt, pending, failure, setFailure }
}

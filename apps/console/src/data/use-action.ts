/** Actions: a press of a button has its effect once, also if the network fails. */
import type { ReplyOf, RequestOf, Route } from '@sum28/contract/route.ts'
import { useRef, useState } from 'react'
import { useLogout, useNotify, useRefresh } from 'react-admin'
import { call, isSessionEnd, newIdempotencyKey, Unreachable } from '#src/data/call.ts'
import { type Failure, failureOf } from '#src/data/failure.ts'
import { proveByPasskey } from '#src/data/passkeys.ts'
import { sessionOrNull } from '#src/data/session.ts'

export type Action<R extends Route> = {
  /**
   * Runs the action. Resolves to the reply, or to null if it failed; then `failure` says why.
   */
  readonly act: (request: RequestOf<R>) => Promise<{ reply: ReplyOf<R> } | null>
  readonly pending: boolean
  readonly failure: Failure | null
  readonly forget: () => void
}

/**
 * An action of the contract. Until an answer comes, a retry with the same input has the same idempotency
 * key, so that a lost reply and a second press have one effect. After an answer the lists are fetched again.
 *
 * @param options `done`: a key of the catalogs, shown after success; `quiet`: the caller shows a failure, which is
 *   otherwise shown as a notification
 */
export function useAction<R extends Route>(
  route: R,
  { done, quiet = false }: { done?: string; quiet?: boolean } = {},
): Action<R> {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const unanswered = useRef<{ input: string; key: string } | null>(null)
  const notify = useNotify()
  const refresh = useRefresh()
  const logout = useLogout()

  /** The key of the last try, if it got no answer and had the same input; else a new one. */
  function keyFor(request: RequestOf<R>): string {
    const input = JSON.stringify(request)
    const before = unanswered.current
    const key = before?.input === input ? before.key : newIdempotencyKey()
    unanswered.current = { input, key }
    return key
  }

  async function act(request: RequestOf<R>): Promise<{ reply: ReplyOf<R> } | null> {
    setPending(true)
    setFailure(null)
    try {
      const reply = await proven(() => call(route, request, { idempotencyKey: keyFor(request) }))
      unanswered.current = null
      if (done) notify(done, { type: 'success' })
      refresh()
      return { reply }
    } catch (error) {
      if (!(error instanceof Unreachable)) unanswered.current = null
      if (isSessionEnd(error)) {
        await logout()
        return null
      }
      const failed = failureOf(error)
      setFailure(failed)
      if (!quiet && Object.keys(failed.fields).length === 0) notify(failed.text, { type: 'error' })
      // Another person may have changed the data, so it is fetched again.
      if (failed.reason !== 'unreachable') refresh()
      return null
    } finally {
      setPending(false)
    }
  }

  return { act, pending, failure, forget: () => setFailure(null) }
}

/** Makes a call; if it needs a proof of a user who has no password, he gives it by a passkey first. */
async function proven<Result>(make: () => Promise<Result>): Promise<Result> {
  try {
    return await make()
  } catch (error) {
    if (failureOf(error).reason !== 'proof_required' || sessionOrNull()?.has_password) throw error
  }
  await proveByPasskey()
  return make()
}

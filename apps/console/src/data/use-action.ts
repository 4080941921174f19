/** Actions: what a person does by a button, once, whatever the network does. */
import type { ReplyOf, RequestOf, Route } from '@sum28/contract/route.ts'
import { useRef, useState } from 'react'
import { useLogout, useNotify, useRefresh } from 'react-admin'
import { call, isSessionEnd, newIdempotencyKey, Unreachable } from '#src/data/call.ts'
import { type Failure, failureOf } from '#src/data/failure.ts'

export type Action<R extends Route> = {
  /**
   * Does it. Gives the reply, or null when it failed: then the failure is told as a notification, or in
   * `failure` if fields are wrong.
   */
  readonly act: (request: RequestOf<R>) => Promise<{ reply: ReplyOf<R> } | null>
  readonly pending: boolean
  readonly failure: Failure | null
  readonly forget: () => void
}

/**
 * An action of the contract. While no answer has come, a further try with the same input has the same
 * idempotency key: a lost reply and a second press have one effect. After an answer the lists are read anew.
 *
 * @param options `done`: a key of the catalogs, told when it is done
 */
export function useAction<R extends Route>(route: R, { done }: { done?: string } = {}): Action<R> {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const unanswered = useRef<{ input: string; key: string } | null>(null)
  const notify = useNotify()
  const refresh = useRefresh()
  const logout = useLogout()

  /** The key of the try before if that has got no answer and asked for the same. */
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
      const reply = await call(route, request, { idempotencyKey: keyFor(request) })
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
      const told = failureOf(error)
      setFailure(told)
      if (Object.keys(told.fields).length === 0) notify(told.text, { type: 'error' })
      // Somebody else may have been first: what is shown is read anew.
      if (told.reason !== 'unreachable') refresh()
      return null
    } finally {
      setPending(false)
    }
  }

  return { act, pending, failure, forget: () => setFailure(null) }
}

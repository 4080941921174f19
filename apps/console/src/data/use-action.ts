/** Actions: a press of a button has its effect once, also if the network fails. */
import type { ReplyOf, RequestOf, Route } from '@sum28/contract/route.ts'
import { useState } from 'react'
import { useLogout, useNotify, useRefresh } from 'react-admin'
import { call, isSessionEnd, keyedActions } from '#src/data/call.ts'
import { FAILURE_NOTICE, type Failure, failureOf } from '#src/data/failure.ts'
import { proveByPasskey } from '#src/data/passkeys.ts'
import { sessionOrNull } from '#src/data/session.ts'

export type Action<R extends Route> = {
  /**
   * Runs the action. Resolves to the reply, or to null if it failed; then `failure` says why.
   */
  readonly act: (request: RequestOf<R>, file?: File) => Promise<{ reply: ReplyOf<R> } | null>
  readonly pending: boolean
  readonly failure: Failure | null
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
  const [actions] = useState(keyedActions)
  const notify = useNotify()
  const refresh = useRefresh()
  const logout = useLogout()

  async function act(request: RequestOf<R>, file?: File) {
    const input = [request, file?.name, file?.size, file?.lastModified]
    setPending(true)
    setFailure(null)
    try {
      const send = () =>
        actions.send(input, (idempotencyKey) =>
          call(route, request, { idempotencyKey, ...(file && { file }) }),
        )
      const reply = await send().catch(async (error: unknown) => {
        await giveProof(error)
        return send()
      })
      // A text may name values of the reply.
      if (done) notify(done, { type: 'success', messageArgs: reply ?? {} })
      refresh()
      return { reply }
    } catch (error) {
      if (isSessionEnd(error)) {
        await logout()
        return null
      }
      const failed = failureOf(error)
      setFailure(failed)
      if (!quiet) notify(failed.text, FAILURE_NOTICE)
      // Another person may have changed the data, so it is fetched again.
      if (failed.reason !== 'unreachable') refresh()
      return null
    } finally {
      setPending(false)
    }
  }

  return { act, pending, failure }
}

/** Has a user who has no password prove by a passkey that it is him, if that is what a call needs. */
async function giveProof(refusal: unknown): Promise<void> {
  if (failureOf(refusal).reason !== 'proof_required' || sessionOrNull()?.has_password) throw refusal
  await proveByPasskey()
}

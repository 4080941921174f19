import type { FastifyReply } from 'fastify'

export type LocalFailureKind =
  | 'http429'
  | 'http403'
  | 'error200'
  | 'empty'
  | 'malformed'
  | 'timeout'

export type LocalCall =
  | 'getnowblock'
  | 'getblockbynum'
  | 'gettransactioninfobyblocknum'
  | 'gettransactioninfobyid'
  | 'triggerconstantcontract'

export type LocalFailure = {
  kind: LocalFailureKind
  /** How many calls fail; 1 by default. */
  times?: number
  /** Only this call; any call by default. */
  call?: LocalCall
  /** For `http429`: the Retry-After header, in seconds; 1 by default. */
  retryAfterSeconds?: number
}

export type LocalFailures = {
  /** Adds a failure. Failures for the same call are used one after the other. */
  order(failure: LocalFailure): void
  /** Removes the failures that are not used yet. */
  clear(): void
  /** Takes the next failure for a call; undefined if there is none. */
  take(call: LocalCall): LocalFailure | undefined
  /** Answers a call with a failure. A `timeout` gets no answer until `release`. */
  serve(failure: LocalFailure, to: { call: LocalCall; reply: FastifyReply }): FastifyReply
  /** Closes the calls that wait for an answer that never comes. */
  release(): void
}

/** The failures that tests make the local node return, in the format of real nodes. */
export function localNodeFailures(): LocalFailures {
  let orders: (LocalFailure & { left: number })[] = []
  const unanswered = new Set<FastifyReply>()
  return {
    order: (failure) => orders.push({ ...failure, left: failure.times ?? 1 }),
    clear: () => {
      orders = []
    },
    take(call) {
      const due = orders.find((one) => one.left > 0 && (one.call ?? call) === call)
      if (due) due.left -= 1
      orders = orders.filter((one) => one.left > 0)
      return due
    },
    serve({ kind, retryAfterSeconds = 1 }, { call, reply }) {
      reply.type('application/json; charset=utf-8')
      switch (kind) {
        case 'http429':
          return reply
            .code(429)
            .header('retry-after', String(retryAfterSeconds))
            .send('{"Error":"too many requests"}')
        case 'http403':
          return reply.code(403).send({
            Error:
              'The key exceeds the frequency limit(15), and the query server is suspended for 30s',
          })
        case 'error200':
          return reply.send({
            Error: 'class java.lang.IllegalAccessException : lack of computing resources',
          })
        case 'empty':
          return reply.send(call === 'gettransactioninfobyblocknum' ? '[]' : '{}')
        case 'malformed':
          return reply.send('[{"id":"00","blockNumber":')
        case 'timeout':
          unanswered.add(reply)
          reply.raw.once('close', () => unanswered.delete(reply))
          reply.hijack()
          return reply
      }
    },
    release() {
      for (const reply of unanswered) reply.raw.destroy()
    },
  }
}

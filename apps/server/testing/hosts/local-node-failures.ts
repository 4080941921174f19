import type { FastifyReply } from 'fastify'
import type { LocalTronNode } from '#src/adapters/chain/local-tron-node.ts'

export type LocalFailureKind =
  | 'http429'
  | 'http403'
  | 'error200'
  | 'empty'
  | 'malformed'
  | 'timeout'

type LocalCall =
  | 'getnowblock'
  | 'getblockbynum'
  | 'gettransactioninfobyblocknum'
  | 'gettransactioninfobyid'
  | 'triggerconstantcontract'

type LocalFailure = {
  kind: LocalFailureKind
  /** How many calls fail; 1 by default. */
  times?: number
  /** Only this call; any call by default. */
  call?: LocalCall
}

type Order = LocalFailure & { left: number }

const ordersOf = new WeakMap<LocalTronNode, Order[]>()

/** Makes the next calls of a local node fail, as real nodes do. Failures for the same call are used one after the other. */
export function failNext(local: LocalTronNode, failure: LocalFailure): void {
  const orders = ordersOf.get(local) ?? []
  orders.push({ ...failure, left: failure.times ?? 1 })
  ordersOf.set(local, orders)
  local.intercept((call, reply) => {
    const due = orders.find((one) => one.left > 0 && (one.call ?? call) === call)
    if (!due) return undefined
    due.left -= 1
    return fail(due, { call, reply })
  })
}

/** Removes the failures that are not used yet. */
export function clearFailures(local: LocalTronNode): void {
  ordersOf.delete(local)
  local.intercept(null)
}

/** Answers a call with a failure; a `timeout` gets no answer before the server closes. */
function fail(
  { kind }: LocalFailure,
  { call, reply }: { call: string; reply: FastifyReply },
): FastifyReply {
  reply.type('application/json; charset=utf-8')
  switch (kind) {
    case 'http429':
      return reply.code(429).header('retry-after', '1').send('{"Error":"too many requests"}')
    case 'http403':
      return reply.code(403).send({
        Error: 'The key exceeds the frequency limit(15), and the query server is suspended for 30s',
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
      reply.hijack()
      return reply
  }
}

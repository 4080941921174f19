import type { FastifyInstance, FastifyRequest } from 'fastify'
import { beginRequestSpan, type RequestSpan } from '#src/process/tracing.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False for calls that last for hours, such as a stream. */
    traced?: boolean
  }
}

/** Gives each call of the API a span that contains all of its work. */
export function traceRequests(fastify: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>()
  fastify.addHook('onRequest', (request, reply, next) => {
    const { url: route, config } = request.routeOptions
    if (!route?.startsWith('/api/') || config.traced === false) return next()
    const span = beginRequestSpan({ method: request.method, route, id: request.id })
    if (!span) return next()
    spans.set(request, span)
    // Also if the client has left before the answer.
    reply.raw.once('close', () => span.end(reply.statusCode))
    span.run(next)
  })
  // Code that reads the body continues from the connection's events, and so outside of the span.
  fastify.addHook('preValidation', (request, _reply, next) => {
    const span = spans.get(request)
    if (span) span.run(next)
    else next()
  })
}

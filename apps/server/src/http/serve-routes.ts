/** Serves the contract's routes: language, session, validation, handler, envelope. */
import type { Auth, Route } from '@sum28/contract/route.ts'
import { type Language, languageOf } from '@sum28/i18n/languages.ts'
import { type MessageKey, translate } from '@sum28/i18n/translate.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Answer, Call, RouteBinding } from '#src/http/binding.ts'
import { refusalReply, success } from '#src/http/envelope.ts'
import type { RateLimits } from '#src/http/rate-limits.ts'
import type { Caller, FindCaller } from '#src/modules/accounts/caller.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal.ts'

export type ServeOptions = {
  findCaller: FindCaller
  rateLimits: RateLimits
  /** Whether the app is reached by https: decides the cookie's name and flags. */
  secureCookies: boolean
}

function rememberCookieName(secure: boolean): string {
  return secure ? '__Host-remember' : 'remember'
}

export function serveRoutes(
  fastify: FastifyInstance,
  bindings: readonly RouteBinding[],
  options: ServeOptions,
): void {
  for (const binding of bindings) {
    fastify.route({
      method: binding.route.method,
      url: binding.route.path,
      config: { rateLimit: options.rateLimits.of(binding.route.rate) },
      handler: (request, reply) => answer(binding, options, request, reply),
    })
  }
}

async function answer(
  { route, handle }: RouteBinding,
  options: ServeOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const fields = fieldsOf(route, request)
  const lang = languageOf(fields.lang)
  const send = (refusal: Refusal) => {
    const { http, envelope } = refusalReply(refusal, lang)
    const wait = refusal.details?.retry_after
    if (wait !== undefined) reply.header('Retry-After', wait)
    return reply.code(http).send(envelope)
  }

  const caller = await callerOf(route.auth, request, options.findCaller)
  if (isRefusal(caller)) return send(caller)

  const parsed = z.safeParse(route.request, fields)
  if (!parsed.success) return send(malformed(faultsOf(parsed.error)))

  const idempotencyKey = keyOf(request)
  if (isRefusal(idempotencyKey)) return send(idempotencyKey)

  const said = answerFor(reply, options.secureCookies)
  const call: Call<unknown> & { caller: Caller | null } = {
    input: parsed.data,
    caller,
    lang,
    address: request.ip,
    origin: `${request.protocol}://${request.host}`,
    idempotencyKey,
    rememberCookie: request.cookies[rememberCookieName(options.secureCookies)] ?? null,
    answer: said.answer,
  }
  const result = await handle(call)
  if (isRefusal(result)) return send(result)
  return reply.send(success(result, said.message(lang, result)))
}

/** What the request carries, whether in the query or in the body. */
function fieldsOf(route: Route, request: FastifyRequest): Record<string, unknown> {
  const carried = route.method === 'GET' ? request.query : request.body
  return typeof carried === 'object' && carried !== null && !Array.isArray(carried)
    ? (carried as Record<string, unknown>)
    : {}
}

/** The language that any request asks for, also one that no route answers. */
export function languageOfRequest(request: FastifyRequest): Language {
  const { lang } = { ...(request.query as object), ...(request.body as object) } as {
    lang?: unknown
  }
  return languageOf(lang)
}

async function callerOf(
  auth: Auth,
  request: FastifyRequest,
  findCaller: FindCaller,
): Promise<Caller | Refusal | null> {
  if (auth === 'none') return null
  const token = request.headers.token
  if (typeof token !== 'string' || token === '') return refuse('token_missing')
  const caller = await findCaller(token)
  if (!isRefusal(caller) && auth === 'member' && caller.groupId !== 1) return refuse('member_only')
  return caller
}

function keyOf(request: FastifyRequest): string | null | Refusal {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  return malformed({ 'Idempotency-Key': 'idempotency_key' })
}

function faultsOf(error: z.core.$ZodError): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? 'body')
    faults[field] ??= issue.message
  }
  return faults
}

function answerFor(reply: FastifyReply, secure: boolean) {
  let key: MessageKey = 'success'
  let dataInMessage = false
  const cookie = { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const
  const answer: Answer = {
    say: (chosen) => {
      key = chosen
    },
    dataInMessage: () => {
      dataInMessage = true
    },
    replayed: () => {
      reply.header('Idempotency-Replayed', 'true')
    },
    setRememberCookie: (value, maxAge) => {
      reply.setCookie(rememberCookieName(secure), value, { ...cookie, maxAge })
    },
    clearRememberCookie: () => {
      reply.clearCookie(rememberCookieName(secure), cookie)
    },
  }
  return {
    answer,
    message: (lang: Language, data: unknown) => (dataInMessage ? data : translate(lang, key)),
  }
}

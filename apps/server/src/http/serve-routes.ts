/** Serves the contract's routes: language, session, validation, handler, envelope. */
import { readFields } from '@sum28/contract/read-fields.ts'
import type { Route } from '@sum28/contract/route.ts'
import { type Language, languageOf } from '@sum28/i18n/languages.ts'
import { type MessageKey, translate } from '@sum28/i18n/translate.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Answer, Call, RouteBinding, SentFile } from '#src/http/binding.ts'
import { refusalReply, success } from '#src/http/envelope.ts'
import { readForm } from '#src/http/multipart-form.ts'
import type { RateLimits } from '#src/http/rate-limits.ts'
import type { Caller, FindCaller } from '#src/modules/accounts/caller.ts'
import type { FindStaff, StaffCaller } from '#src/modules/staff/staff-caller.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal.ts'

export type ServeOptions = {
  findCaller: FindCaller
  findStaff: FindStaff
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
  const send = (refusal: Refusal) => {
    const { http, envelope } = refusalReply(refusal, languageOfRequest(request))
    const wait = refusal.details?.retry_after
    if (wait !== undefined) reply.header('Retry-After', wait)
    return reply.code(http).send(envelope)
  }

  const read = await readRequest(route, options, request)
  if (isRefusal(read)) return send(read)

  const idempotencyKey = keyOf(request)
  if (isRefusal(idempotencyKey)) return send(idempotencyKey)

  const lang = languageOfRequest(request)
  const said = answerFor(reply, options.secureCookies)
  const call: Call<unknown> & { caller: Caller | StaffCaller | null } = {
    ...read,
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

/** Who calls and what is asked for, or why that is refused. */
export async function readRequest(
  route: Pick<Route, 'method' | 'auth' | 'roles' | 'request' | 'file'>,
  options: Pick<ServeOptions, 'findCaller' | 'findStaff'>,
  request: FastifyRequest,
): Promise<
  | { caller: Caller | StaffCaller | null; input: Record<string, unknown>; file: SentFile | null }
  | Refusal
> {
  const caller = await callerOf(route, request, options)
  if (isRefusal(caller)) return caller
  // A stranger's file is not even read.
  const file = await fileOf(route, request)
  const read = readFields(route.request, route.method === 'GET' ? request.query : request.body)
  return read.ok ? { caller, input: read.input, file } : malformed(read.faults)
}

/** The file of a form, whose other fields become the request's body. */
async function fileOf(
  { file: part }: Pick<Route, 'file'>,
  request: FastifyRequest,
): Promise<SentFile | null> {
  if (part === undefined || !request.isMultipart()) return null
  const { fields, file } = await readForm(request, part)
  request.body = fields
  return file
}

/** The language that any request asks for, also one that no route answers. */
export function languageOfRequest(request: FastifyRequest): Language {
  const { lang } = { ...(request.query as object), ...(request.body as object) } as {
    lang?: unknown
  }
  return languageOf(lang)
}

async function callerOf(
  { auth, roles = [] }: Pick<Route, 'auth' | 'roles'>,
  request: FastifyRequest,
  { findCaller, findStaff }: Pick<ServeOptions, 'findCaller' | 'findStaff'>,
): Promise<Caller | StaffCaller | Refusal | null> {
  if (auth === 'none') return null
  const token = request.headers.token
  if (typeof token !== 'string' || token === '') return refuse('token_missing')
  if (auth === 'staff') {
    const staff = await findStaff(token)
    return isRefusal(staff) || roles.includes(staff.role) ? staff : refuse('forbidden')
  }
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

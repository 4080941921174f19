/** Serves the contract's routes: language, session, validation, handler, envelope. */
import { readFields } from '@sum28/contract/read-fields.ts'
import type { Route } from '@sum28/contract/route.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import { type MessageKey, translate } from '@sum28/i18n/translate.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withDeadline } from '#src/concurrency/concurrency.ts'
import { networkOf } from '#src/formats/network-of.ts'
import {
  PreparedJson,
  type ReplyExtras,
  type RouteBinding,
  type SentFile,
} from '#src/http/binding.ts'
import type { Caller, FindCaller, FindStaff, StaffCaller } from '#src/http/caller.ts'
import { refusalReply, retryAfterOf, success, successJson } from '#src/http/envelope.ts'
import type { RateLimits } from '#src/http/rate-limits.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { isFromOwnPage, needsOwnPage } from './origins.ts'
import { bodyLimitOf, isPlainObject, languageOfRequest, readForm } from './request-parts.ts'
import { type UploadLimit, uploadLimit } from './upload-limit.ts'

export type ServeOptions = {
  findCaller: FindCaller
  findStaff: FindStaff
  rateLimits: RateLimits
  /** Whether players use https: decides the cookie's name and flags. */
  secureCookies: boolean
  /** Other origins of our pages: the public address, the lines. */
  origins?: readonly string[]
  /** The console's own origin, if it has one. */
  consoleOrigin?: string | null
  /** How long a call is worked on before it is refused for now, in milliseconds; longer in tests. */
  answerWithinMs?: number | undefined
}

type Serving = ServeOptions & {
  files: UploadLimit
  /** The members of staff whose requests have passed the check before the body. */
  staff: WeakMap<FastifyRequest, Caller | StaffCaller | null>
}

function rememberCookieName(secure: boolean): string {
  return secure ? '__Host-remember' : 'remember'
}

/** Not the player's cookie; sent only with calls of staff. */
function staffCookieName(secure: boolean): string {
  return secure ? '__Secure-staff' : 'staff'
}

const STAFF_PATH = '/api/staff'

/** The console sets it on calls that it makes while nobody uses the screen: they keep no session alive. */
const UNATTENDED = 'x-unattended'

export function serveRoutes(
  fastify: FastifyInstance,
  bindings: readonly RouteBinding[],
  options: ServeOptions,
): void {
  const serving: Serving = {
    ...options,
    files: uploadLimit(),
    staff: new WeakMap(),
  }
  for (const binding of bindings) {
    const { route } = binding
    fastify.route({
      method: route.method,
      url: route.path,
      bodyLimit: bodyLimitOf(route),
      config: { rateLimit: options.rateLimits.of(route) },
      // After the limits, which are counted at the request's head.
      ...(route.auth === 'staff'
        ? {
            preParsing: (request, reply, _body, next) => {
              admitStaff(route, serving, request).then((refusal) => {
                if (refusal) sendRefusal(refusal, request, reply)
                else next()
              }, next)
            },
          }
        : {}),
      handler: (request, reply) => answerInTime(binding, serving, request, reply),
    })
  }
}

/** Sends an answer that was found. */
type Send = () => FastifyReply

/** Finds the member of staff before the body is read: nothing that strangers send to these calls is parsed. */
async function admitStaff(
  route: Route,
  serving: Serving,
  request: FastifyRequest,
): Promise<Refusal | null> {
  const { answerWithinMs: withinMs } = serving
  const caller = await withDeadline(callerOf(route, request, serving), { withinMs })
  if (isRefusal(caller)) return caller
  serving.staff.set(request, caller)
  return null
}

/** A call with a file has its client's longer time. */
async function answerInTime(
  binding: RouteBinding,
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answered = answer(binding, serving, request, reply)
  if (binding.route.file !== undefined && request.isMultipart()) return (await answered)()
  const send = await withDeadline(answered, { withinMs: serving.answerWithinMs })
  if (!isRefusal(send)) return send()
  answered.catch((error) => request.log.warn({ error }, 'a call failed after it was given up'))
  return sendRefusal(send, request, reply)
}

async function answer(
  binding: RouteBinding,
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Send> {
  const { route } = binding
  const caller = serving.staff.get(request) ?? (await callerOf(route, request, serving))
  if (isRefusal(caller)) return () => sendRefusal(caller, request, reply)
  const endUpload = beginUpload(caller, route, serving, request)
  if (isRefusal(endUpload)) return () => sendRefusal(endUpload, request, reply)
  try {
    return await answerCaller(caller, binding, serving, request, reply)
  } finally {
    endUpload?.()
  }
}

/** Counts a request with a file as an upload, until the returned function is called; null without a file. */
function beginUpload(
  caller: Caller | StaffCaller | null,
  { file }: Route,
  { files }: Serving,
  request: FastifyRequest,
): (() => void) | Refusal | null {
  if (file === undefined || !request.isMultipart()) return null
  return files.begin(caller, networkOf(request.ip))
}

async function answerCaller(
  caller: Caller | StaffCaller | null,
  { route, handle }: RouteBinding,
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Send> {
  const send = (refusal: Refusal) => () => sendRefusal(refusal, request, reply)
  const read = await readInput(route, request)
  if (isRefusal(read)) return send(read)
  if (needsOwnPage(route, read.input) && !isFromOwnPage(request, serving.origins ?? [])) {
    return send(refuse('forbidden'))
  }
  const idempotencyKey = keyOf(request)
  if (isRefusal(idempotencyKey)) return send(idempotencyKey)

  const lang = languageOfRequest(request)
  const additions = replyExtrasFor(serving.secureCookies)
  const result = await handle({
    ...read,
    caller,
    lang,
    // Computed only if a handler needs it: it checks all proxies that the request passed.
    get address() {
      return networkOf(request.ip)
    },
    get origin() {
      return `${request.protocol}://${request.host}`
    },
    idempotencyKey,
    rememberCookie: request.cookies[rememberCookieName(serving.secureCookies)] ?? null,
    extras: additions.extras,
  })
  return () => {
    additions.addTo(reply)
    if (isRefusal(result)) return sendRefusal(result, request, reply)
    const message = additions.message(lang, result)
    if (!(result instanceof PreparedJson)) return reply.send(success(result, message))
    return reply
      .type('application/json; charset=utf-8')
      .send(successJson(result.json, message, request.server))
  }
}

/** Answers with a refusal, in the client's language. */
export function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply) {
  const { http, envelope } = refusalReply(refusal, languageOfRequest(request))
  const wait = retryAfterOf(refusal)
  if (wait !== undefined) reply.header('Retry-After', wait)
  return reply.code(http).send(envelope)
}

/** Finds the caller of a session. */
export type Finding = Pick<
  ServeOptions,
  'findCaller' | 'findStaff' | 'consoleOrigin' | 'answerWithinMs'
> & {
  secureCookies?: boolean
}

type RouteParts = Pick<Route, 'method' | 'auth' | 'roles' | 'request' | 'file' | 'longText'>

/** The caller and the validated input, or the refusal. */
export async function readRequest(
  route: RouteParts,
  options: Finding,
  request: FastifyRequest,
): Promise<
  | { caller: Caller | StaffCaller | null; input: Record<string, unknown>; file: SentFile | null }
  | Refusal
> {
  const caller = await callerOf(route, request, options)
  if (isRefusal(caller)) return caller
  const read = await readInput(route, request)
  return isRefusal(read) ? read : { caller, ...read }
}

async function readInput(
  route: RouteParts,
  request: FastifyRequest,
): Promise<{ input: Record<string, unknown>; file: SentFile | null } | Refusal> {
  const file = await fileOf(route, request)
  const read = readFields(route.request, fieldsOf(route, request), route.longText)
  return read.ok ? { input: read.input, file } : malformed(read.faults)
}

/** The file of a form; its other fields become the request's body. */
async function fileOf(
  { file: part }: Pick<Route, 'file'>,
  request: FastifyRequest,
): Promise<SentFile | null> {
  if (part === undefined || !request.isMultipart()) return null
  const { fields, file } = await readForm(request, part)
  request.body = fields
  return file
}

/** The request's fields, from the query or from the body. */
function fieldsOf(route: Pick<Route, 'method'>, request: FastifyRequest): Record<string, unknown> {
  const carried = route.method === 'GET' ? request.query : request.body
  return isPlainObject(carried) ? carried : {}
}

async function callerOf(
  { auth, roles = [] }: Pick<Route, 'auth' | 'roles'>,
  request: FastifyRequest,
  options: Finding,
): Promise<Caller | StaffCaller | Refusal | null> {
  const { findCaller, findStaff } = options
  if (auth === 'none') return null
  if (auth === 'staff') {
    const token = staffTokenOf(request, options)
    if (isRefusal(token)) return token
    const staff = await findStaff(token, { attended: request.headers[UNATTENDED] === undefined })
    return isRefusal(staff) || roles.includes(staff.role) ? staff : refuse('forbidden')
  }
  const token = request.headers.token
  if (typeof token !== 'string' || token === '') return refuse('token_missing')
  const caller = await findCaller(token)
  if (!isRefusal(caller) && auth === 'member' && caller.groupId !== 1) return refuse('member_only')
  return caller
}

/**
 * The token of a member of staff: in the header, as programs send it, or in the cookie of the console's page. A
 * browser sends the cookie automatically, so it counts only for a page of the console.
 */
function staffTokenOf(request: FastifyRequest, options: Finding): string | Refusal {
  const { token } = request.headers
  if (typeof token === 'string' && token !== '') return token
  const cookie = request.cookies[staffCookieName(options.secureCookies ?? false)]
  if (!cookie) return refuse('token_missing')
  const allowed = options.consoleOrigin ? [options.consoleOrigin] : []
  return isFromOwnPage(request, allowed) ? cookie : refuse('forbidden')
}

function keyOf(request: FastifyRequest): string | null | Refusal {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  return malformed({ 'Idempotency-Key': 'idempotency_key' })
}

/** What a handler says besides its result. It is added when the answer is sent, which a late one is not. */
function replyExtrasFor(secure: boolean) {
  let key: MessageKey = 'success'
  let dataInMessage = false
  const additions: ((reply: FastifyReply) => unknown)[] = []
  const cookie = { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const
  const extras: ReplyExtras = {
    say: (chosen) => {
      key = chosen
    },
    dataInMessage: () => {
      dataInMessage = true
    },
    replayed: () => {
      additions.push((reply) => reply.header('Idempotency-Replayed', 'true'))
    },
    setRememberCookie: (value, maxAge) => {
      additions.push((reply) =>
        reply.setCookie(rememberCookieName(secure), value, { ...cookie, maxAge }),
      )
    },
    clearRememberCookie: () => {
      additions.push((reply) => reply.clearCookie(rememberCookieName(secure), cookie))
    },
    // Without an age: it ends with the browser, and its session ends earlier.
    setStaffCookie: (token) => {
      additions.push((reply) =>
        reply.setCookie(staffCookieName(secure), token, { ...cookie, path: STAFF_PATH }),
      )
    },
    clearStaffCookie: () => {
      additions.push((reply) =>
        reply.clearCookie(staffCookieName(secure), { ...cookie, path: STAFF_PATH }),
      )
    },
  }
  return {
    extras,
    addTo(reply: FastifyReply) {
      for (const add of additions) add(reply)
    },
    message: (lang: Language, data: unknown) => (dataInMessage ? data : translate(lang, key)),
  }
}

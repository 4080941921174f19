/**
 * Serves the contract's calls. The hooks of a route say the order: page, limits of its network, deadline and caller,
 * fields, key, handler. A refusal of any of them goes to the server's error handler, which alone answers with it.
 */
import { hash } from 'node:crypto'
import multipart from '@fastify/multipart'
import { readFields } from '@sum28/contract/read-fields.ts'
import { changesSomething, type Route } from '@sum28/contract/route.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import { translate } from '@sum28/i18n/translate.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ANSWER_WITHIN_MS, timedOut } from '#src/concurrency/concurrency.ts'
import { mayBeCommitted } from '#src/db/database.ts'
import {
  type AnyCall,
  type CookieChange,
  ReplyExtras,
  type RouteBinding,
  type SentFile,
} from '#src/http/call.ts'
import type { Caller, FindCaller, FindStaff, StaffCaller } from '#src/http/caller.ts'
import { bodyOf, Refused, success } from '#src/http/envelope.ts'
import { networkOfRequest, type RateLimits } from '#src/http/rate-limits.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { compressedFor } from './compress-answer.ts'
import { isFromOwnPage, needsOwnPage } from './origins.ts'
import {
  bodyLimitOf,
  FORM_OPTIONS,
  isPlainObject,
  languageNamedBy,
  languageOfRequest,
  readForm,
} from './request-parts.ts'
import { uploadLimit } from './upload-limit.ts'

export type ServeOptions = {
  findCaller: FindCaller
  findStaff: FindStaff
  rateLimits: RateLimits
  /** Whether players use https: decides the cookies' names and flags. */
  secureCookies: boolean
  /** Other origins of our pages: the public address, the lines. */
  origins?: readonly string[]
  /** The console's own origin, if it has one. */
  consoleOrigin?: string | null
  /** How long a call is worked on before it is refused for now, in milliseconds; longer in tests. */
  answerWithinMs?: number | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** From the hook that begins the call. */
    call: HttpCall
  }
}

/** A call as its hooks fill it in. */
class HttpCall implements AnyCall {
  caller: Caller | StaffCaller | null = null
  input: unknown = {}
  file: SentFile | null = null
  idempotencyKey: string | null = null
  /** Whether it failed, but what it changes may have been committed. */
  mayBeDone = false
  readonly extras = new ReplyExtras()
  readonly deadline: NodeJS.Timeout | undefined
  readonly #request: FastifyRequest
  readonly #secureCookies: boolean

  constructor(request: FastifyRequest, secureCookies: boolean, deadline?: NodeJS.Timeout) {
    this.#request = request
    this.#secureCookies = secureCookies
    this.deadline = deadline
  }
  get lang(): Language {
    return languageOfRequest(this.#request)
  }
  get namedLang(): Language | null {
    return languageNamedBy(this.#request)
  }
  // Computed only if a handler needs it: it checks all proxies that the request passed.
  get address(): string {
    return networkOfRequest(this.#request)
  }
  get device(): string {
    return deviceName(this.#request.headers['user-agent'] ?? '')
  }
  get origin(): string {
    return `${this.#request.protocol}://${this.#request.host}`
  }
  get token(): string | null {
    return tokenOf(this.#request)
  }
  get rememberCookie(): string | null {
    return cookieOf(this.#request, rememberCookieName(this.#secureCookies)) ?? null
  }
  get isRemembered(): boolean {
    return Number(cookieOf(this.#request, REMEMBER_MARK)) > 0
  }
  get deviceCookie(): string | null {
    return cookieOf(this.#request, deviceCookieName(this.#secureCookies)) ?? null
  }
}

function tokenOf({ headers: { token } }: FastifyRequest): string | null {
  return typeof token === 'string' && token !== '' ? token : null
}

/** A cookie of a request. Few calls have a use for one, so only those read the header. */
function cookieOf({ server, headers }: FastifyRequest, name: string): string | undefined {
  return server.parseCookie(headers.cookie ?? '')[name]
}

function rememberCookieName(secure: boolean): string {
  return secure ? '__Host-remember' : 'remember'
}

/** Beside that cookie, which the page cannot read. */
const REMEMBER_MARK = 'remember_device'

function deviceCookieName(secure: boolean): string {
  return secure ? '__Host-device' : 'device'
}

/** Not the player's cookie; sent only with calls of staff. */
function staffCookieName(secure: boolean): string {
  return secure ? '__Secure-staff' : 'staff'
}

export const STAFF_PATH = '/api/staff'

/** The console sets it on calls that it makes while nobody uses the screen: they keep no session alive. */
const UNATTENDED = 'x-unattended'

/**
 * The member whom a tab of the console shows: the browser's cookie may be another's by now. Only its script can set it:
 * a picture or a link in a page cannot.
 */
const SHOWN_MEMBER = 'x-shown-member'

export function serveCalls(
  fastify: FastifyInstance,
  bindings: readonly RouteBinding[],
  options: ServeOptions,
): void {
  const files = uploadLimit()
  for (const binding of bindings.filter(({ route }) => !route.file)) serve(fastify, binding)
  // Forms have hooks of their own, and only these calls have them.
  fastify.register(async (forms) => {
    await forms.register(multipart, FORM_OPTIONS)
    for (const binding of bindings.filter(({ route }) => route.file)) serve(forms, binding)
  })

  function serve(server: FastifyInstance, { route, handle }: RouteBinding): void {
    const { takeFields, ...admission } = hooksOf(route, options)
    const isSameForAll = route.auth === 'none' && !changesSomething(route)
    const checkFields = (request: FastifyRequest) => takeFields(request) ?? takeKey(request)

    async function answer(request: FastifyRequest, reply: FastifyReply) {
      const { call } = request
      let result: unknown
      try {
        result = await handle(call)
      } catch (error) {
        const isCommitted = call.extras.stored !== undefined
        call.mayBeDone = isCommitted || (changesSomething(route) && mayBeCommitted(error))
        if (!reply.sent) throw error
        request.log.warn({ reqId: request.id, error }, 'a call failed after it was given up')
      }
      if (reply.sent) return
      addExtras(reply, call.extras, options.secureCookies)
      if (isRefusal(result)) throw new Refused(result)
      const { message, repeatsData } = call.extras
      const msg = repeatsData ? result : translate(call.lang, message)
      const body = bodyOf(reply, success(result, msg))
      return isSameForAll ? compressedFor(request, reply, body) : body
    }

    /** A form is read in one of the places for files, which it holds until its call has ended. */
    async function receiveForm(request: FastifyRequest, reply: FastifyReply) {
      const { call } = request
      const end = files.begin(call.caller, call.address)
      if (isRefusal(end)) throw new Refused(end)
      try {
        const { fields, file } = await readForm(request, route.file ?? '')
        request.body = fields
        call.file = file
        const refusal = checkFields(request)
        if (refusal) throw new Refused(refusal)
        return await answer(request, reply)
      } finally {
        end()
      }
    }

    const isForm = (request: FastifyRequest) => route.file !== undefined && request.isMultipart()
    server.route({
      method: route.method,
      url: route.path,
      bodyLimit: bodyLimitOf(route),
      config: { rateLimit: options.rateLimits.of(route) },
      // Before the limits: what a foreign page sends is not counted for its visitor's network.
      onRequest: hook((request) => checkPage(route, request, options)),
      ...admission,
      preHandler: hook((request) => (isForm(request) ? null : checkFields(request))),
      handler: (request, reply) =>
        isForm(request) ? receiveForm(request, reply) : answer(request, reply),
    })
  }
}

/** Those who may call, and how long a call may take. */
type Admission = Omit<ServeOptions, 'rateLimits'>

type RouteParts = Pick<Route, 'method' | 'auth' | 'roles' | 'request' | 'file' | 'longText'> & {
  /** Whether a caller is found by his token although none is needed. */
  readonly takesToken?: boolean
}

/**
 * The hooks that begin a call of the contract and find its caller; and the reading of its fields. A member of staff is
 * found before the body is read: nothing that strangers send to those calls is parsed.
 */
export function hooksOf(route: RouteParts, options: Admission) {
  async function admit(request: FastifyRequest, reply: FastifyReply) {
    beginCall(request, reply, { mayTakeLong: isFileFor(route, request), ...options })
    const caller = await callerOf(route, request, options)
    if (isRefusal(caller)) throw new Refused(caller)
    request.call.caller = caller
  }
  function takeFields(request: FastifyRequest): Refusal | null {
    const read = readFields(route.request, fieldsOf(route, request), route.longText)
    if (!read.ok) return malformed(read.faults)
    request.call.input = read.input
    return null
  }
  return route.auth === 'staff'
    ? { preParsing: [admit], takeFields }
    : { preValidation: [admit], takeFields }
}

/** A check as a hook: its refusal is the answer. */
export function hook(check: (request: FastifyRequest) => Refusal | null) {
  return (request: FastifyRequest, _reply: FastifyReply, next: (error?: Error) => void) => {
    const refusal = check(request)
    if (refusal) next(new Refused(refusal))
    else next()
  }
}

/** A call with a file has its client's longer time. */
function isFileFor({ file }: Pick<Route, 'file'>, { headers }: FastifyRequest): boolean {
  return file !== undefined && /^multipart\//i.test(headers['content-type'] ?? '')
}

/**
 * Begins a call. At its deadline it is answered with `unavailable`, which says that it timed out. The work goes on
 * then: each of its transactions is done or not done, and a repeat with the same key is told which. The framework's own
 * `handlerTimeout` ends as soon as the body is read.
 */
function beginCall(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    answerWithinMs = ANSWER_WITHIN_MS,
    secureCookies,
    mayTakeLong,
  }: Pick<Admission, 'answerWithinMs' | 'secureCookies'> & { mayTakeLong: boolean },
): void {
  const deadline = mayTakeLong ? undefined : setTimeout(giveUp, answerWithinMs, reply).unref()
  request.call = new HttpCall(request, secureCookies, deadline)
}

function giveUp(reply: FastifyReply): void {
  if (!reply.sent && !reply.raw.destroyed) reply.send(new Refused(timedOut()))
}

/** Ends the deadline of every call that is answered. */
export function endDeadlines(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', (request, _reply, next) => {
    clearTimeout(request.call?.deadline)
    next()
  })
}

/** The request's fields, from the query or from the body. */
function fieldsOf(route: Pick<Route, 'method'>, request: FastifyRequest): Record<string, unknown> {
  const carried = route.method === 'GET' ? request.query : request.body
  return isPlainObject(carried) ? carried : {}
}

async function callerOf(
  { method, auth, roles = [], takesToken = false }: Omit<RouteParts, 'request'>,
  request: FastifyRequest,
  options: Admission,
): Promise<Caller | StaffCaller | Refusal | null> {
  const { findCaller, findStaff } = options
  if (auth === 'none' && !(takesToken && request.headers.token)) return null
  if (auth === 'staff') {
    const token = staffTokenOf(method, request, options)
    if (isRefusal(token)) return token
    const shown = request.headers[SHOWN_MEMBER]
    const staff = await findStaff(token, { attended: request.headers[UNATTENDED] === undefined })
    if (!isRefusal(staff) && shown !== undefined && shown !== staff.name) {
      return refuse('session_replaced', { cause: 'another_member' })
    }
    return isRefusal(staff) || roles.includes(staff.role) ? staff : refuse('forbidden')
  }
  const token = tokenOf(request)
  if (token === null) return refuse('token_missing')
  const caller = await findCaller(token)
  if (!isRefusal(caller) && auth === 'member' && caller.groupId !== 1) return refuse('member_only')
  return caller
}

/**
 * The token of a member of staff: in the header, as programs send it, or in the cookie of the console's page. A
 * browser sends the cookie automatically, so it counts only for a page of the console, and for a file only if that
 * page's script asks for it.
 */
function staffTokenOf(
  method: Route['method'],
  request: FastifyRequest,
  options: Admission,
): string | Refusal {
  const token = tokenOf(request)
  if (token !== null) return token
  const cookie = cookieOf(request, staffCookieName(options.secureCookies))
  if (!cookie) return refuse('token_missing')
  if (method === 'GET' && request.headers[SHOWN_MEMBER] === undefined) return refuse('forbidden')
  return isFromOwnPage(request, consoleOrigins(options)) ? cookie : refuse('forbidden')
}

/** Staff sign in at a page of the console alone: a page of the app may be of the same site, and so send their cookie. */
function checkPage(
  route: Pick<Route, 'auth' | 'rate' | 'path'>,
  request: FastifyRequest,
  options: Pick<ServeOptions, 'origins' | 'consoleOrigin'>,
): Refusal | null {
  const { origins = [] } = options
  const allowed = route.path.startsWith(STAFF_PATH) ? consoleOrigins(options) : origins
  return !needsOwnPage(route) || isFromOwnPage(request, allowed) ? null : refuse('forbidden')
}

function consoleOrigins({ consoleOrigin }: Pick<ServeOptions, 'consoleOrigin'>): string[] {
  return consoleOrigin ? [consoleOrigin] : []
}

/** In characters: what clients make is shorter; of a longer key the hash is stored, as it is stored for a week. */
const KEY_STORED_MAX = 64

function takeKey({ headers, call }: FastifyRequest): Refusal | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    return malformed({ 'Idempotency-Key': 'idempotency_key' })
  }
  call.idempotencyKey = key.length > KEY_STORED_MAX ? hash('sha256', key, 'base64url') : key
  return null
}

function addExtras(reply: FastifyReply, extras: ReplyExtras, secure: boolean): void {
  const { isReplay, total, rememberCookie, deviceCookie, staffCookie } = extras
  if (isReplay) reply.header('Idempotency-Replayed', 'true')
  if (total !== null) reply.header('X-Total-Count', total)
  if (rememberCookie) {
    changeCookie(reply, rememberCookie, { name: rememberCookieName(secure), path: '/', secure })
    // It has the player's number. Safari deletes after seven days what a page writes itself.
    const mark =
      rememberCookie === 'clear'
        ? 'clear'
        : { ...rememberCookie, value: String(rememberCookie.playerId) }
    changeCookie(reply, mark, { name: REMEMBER_MARK, path: '/', secure, httpOnly: false })
  }
  if (deviceCookie) {
    changeCookie(reply, deviceCookie, { name: deviceCookieName(secure), path: '/', secure })
  }
  if (staffCookie) {
    changeCookie(reply, staffCookie, { name: staffCookieName(secure), path: STAFF_PATH, secure })
  }
}

function changeCookie(
  reply: FastifyReply,
  change: CookieChange,
  {
    name,
    path,
    secure,
    httpOnly = true,
  }: { name: string; path: string; secure: boolean; httpOnly?: boolean },
): void {
  const flags = { path, httpOnly, secure, sameSite: 'strict' } as const
  if (change === 'clear') reply.clearCookie(name, flags)
  else reply.setCookie(name, change.value, { ...flags, ...change.age })
}

const BROWSERS = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const

/**
 * How people know a device, such as `Chrome · Android`, by the header User-Agent; made of these words alone. Empty if it
 * has none of them: programs that are no browsers.
 */
export function deviceName(userAgent: string): string {
  return [BROWSERS, SYSTEMS]
    .flatMap((names) => names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [])
    .join(' · ')
}

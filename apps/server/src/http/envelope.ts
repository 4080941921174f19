/** Converts results and refusals to envelopes; the only place that does so. */
import { CODES, type Envelope, type Reason, type RefusalData } from '@sum28/contract/envelope.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import { hasMessage, translate } from '@sum28/i18n/translate.ts'
import type { FastifyInstance } from 'fastify'
import type { Refusal } from '#src/refusal/refusal.ts'
import { unixSeconds } from '#src/wire-form.ts'

/** Reasons that are no business refusal (a business refusal has HTTP 200, code 0). */
const STATUS: Partial<Record<Reason, { http: number; code: number }>> = {
  invalid_input: { http: 400, code: CODES.malformed },
  token_missing: { http: 401, code: CODES.tokenMissing },
  session_unknown: { http: 401, code: CODES.tokenUnknown },
  session_replaced: { http: 401, code: CODES.tokenReplaced },
  session_expired: { http: 401, code: CODES.tokenExpired },
  forbidden: { http: 403, code: CODES.forbidden },
  not_found: { http: 404, code: CODES.notFound },
  too_large: { http: 413, code: CODES.tooLarge },
  too_many_requests: { http: 429, code: CODES.tooMany },
  fault: { http: 500, code: CODES.fault },
  unavailable: { http: 503, code: CODES.unavailable },
}

/** How long a client should wait while a part is unavailable. */
const AWAY_SECONDS = 2

/** After how many seconds a refused call may be sent again; undefined where time changes nothing. */
export function retryAfterOf({ refused, details }: Refusal): string | number | undefined {
  return details?.retry_after ?? (refused === 'unavailable' ? AWAY_SECONDS : undefined)
}

/** Whether a refusal is the business's own answer (code 0), and not an error of the call itself. */
export function isBusinessRefusal({ refused }: Refusal): boolean {
  return STATUS[refused] === undefined
}

function unixNow(now = Date.now): string {
  return String(unixSeconds(now()))
}

/** The clock of a server's envelopes, in milliseconds since 1970. */
const clocks = new WeakMap<FastifyInstance['server'], () => number>()

/** Makes every envelope of a server show the product's time instead of the machine's. */
export function showTime(fastify: FastifyInstance, now: () => number): void {
  clocks.set(fastify.server, now)
  fastify.addHook('preSerialization', (_request, _reply, payload, next) => {
    next(null, isEnvelope(payload) ? timed(payload, fastify) : payload)
  })
}

/** An envelope with the server's time, for data that is not sent as a reply. */
export function timed<E extends Envelope<unknown>>(envelope: E, fastify: FastifyInstance): E {
  return { ...envelope, time: unixNow(clocks.get(fastify.server)) }
}

function isEnvelope(payload: unknown): payload is Envelope<unknown> {
  return typeof payload === 'object' && payload !== null && 'code' in payload && 'time' in payload
}

export function success<Data>(data: Data, msg: unknown): Envelope<Data> {
  return { code: CODES.success, msg: msg as string, time: unixNow(), data }
}

/** The same as JSON, around data that is JSON already. */
export function successJson(json: string, msg: unknown, fastify: FastifyInstance): string {
  const { data: _none, ...head } = timed(success(null, msg), fastify)
  return `${JSON.stringify(head).slice(0, -1)},"data":${json}}`
}

/** The status and envelope of a refusal, with its texts in the client's language. */
export function refusalReply(
  refusal: Refusal,
  lang: Language,
): { http: number; envelope: Envelope<RefusalData> } {
  const { http, code } = STATUS[refusal.refused] ?? { http: 200, code: CODES.refused }
  const data: RefusalData = { reason: refusal.refused, ...refusal.details }
  if (refusal.faults) {
    data.fields = Object.fromEntries(
      Object.entries(refusal.faults).map(([field, fault]) => [field, faultText(fault, lang)]),
    )
  }
  const wording = `refusal.${refusal.wording ?? refusal.refused}`
  const key = hasMessage(wording) ? wording : (`refusal.${refusal.refused}` as const)
  const msg = translate(lang, key, {
    ...refusal.details,
    seconds: refusal.details?.retry_after ?? 0,
  })
  return { http, envelope: { code, msg, time: unixNow(), data } }
}

function faultText(fault: string, lang: Language): string {
  const key = `fault.${fault}`
  return translate(lang, hasMessage(key) ? key : 'fault.invalid')
}

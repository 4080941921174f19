/** Converts results and refusals to envelopes; the only place that does so. */
import { CODES, type Envelope, type Reason, type RefusalData } from '@sum28/contract/envelope.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import { hasMessage, translate } from '@sum28/i18n/translate.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { PreparedJson } from '#src/http/call.ts'
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

const HOUR_SECONDS = 3_600

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

declare module 'fastify' {
  interface FastifyInstance {
    /** The time of answers, in milliseconds since 1970. */
    now(): number
  }
}

/** An answer of the API; its time is set when it is serialised. */
type Answer = { readonly code: number; readonly msg: unknown; readonly data: unknown }

/** The answer of a call that was done. */
export function success(data: unknown, msg: unknown): Answer {
  return { code: CODES.success, msg, data }
}

/** The envelope of an answer as JSON, with the server's time. */
export function envelopeJson({ code, msg, data }: Answer, { now }: FastifyInstance): string {
  const head = { code, msg: msg as string, time: String(unixSeconds(now())) }
  if (!(data instanceof PreparedJson)) {
    return JSON.stringify({ ...head, data } satisfies Envelope<unknown>)
  }
  return `${JSON.stringify(head).slice(0, -1)},"data":${data.json}}`
}

/** The same as the body of a reply. */
export function bodyOf(reply: FastifyReply, answer: Answer): string {
  reply.type('application/json; charset=utf-8')
  return envelopeJson(answer, reply.server)
}

/** A refusal on its way to the server's error handler, which alone answers with it. */
export class Refused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.refused)
    this.refusal = refusal
  }
}

/** A refusal with its text for staff, if that of players is not true for them. */
export function wordedForStaff(refusal: Refusal): Refusal {
  const wording = `${refusal.wording ?? refusal.refused}_for_staff`
  return hasMessage(`refusal.${wording}`) ? { ...refusal, wording } : refusal
}

/** The status and answer of a refusal, with its texts in the client's language. */
export function refusalAnswer(refusal: Refusal, lang: Language): { http: number; answer: Answer } {
  const { http, code } = STATUS[refusal.refused] ?? { http: 200, code: CODES.refused }
  const data: RefusalData = { reason: refusal.refused, ...refusal.details }
  if (refusal.faults) {
    data.fields = Object.fromEntries(
      Object.entries(refusal.faults).map(([field, fault]) => [field, faultText(fault, lang)]),
    )
  }
  const wording = `refusal.${wordingOf(refusal)}`
  const key = hasMessage(wording) ? wording : (`refusal.${refusal.refused}` as const)
  const seconds = Number(refusal.details?.retry_after ?? 0)
  const msg = translate(lang, key, {
    hours: Math.ceil(seconds / HOUR_SECONDS),
    ...refusal.details,
    seconds,
  })
  return { http, answer: { code, msg, data } }
}

/** A wait is told in seconds, and beyond an hour in hours. */
function wordingOf({ refused, wording = refused, details }: Refusal): string {
  const isLong = Number(details?.retry_after ?? 0) > HOUR_SECONDS
  return isLong && wording === 'too_many_requests' ? 'too_many_requests_for_hours' : wording
}

function faultText(fault: string, lang: Language): string {
  const key = `fault.${fault}`
  return translate(lang, hasMessage(key) ? key : 'fault.invalid')
}

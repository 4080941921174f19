/** How a module answers a route of the contract: the route, and a handler that knows no HTTP. */
import type { ParsedOf, ReplyOf, Route } from '@sum28/contract/route.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import type { MessageKey } from '@sum28/i18n/translate.ts'
import type { Caller } from '#src/modules/accounts/caller.ts'
import type { StaffCaller } from '#src/modules/staff/staff-caller.ts'
import type { Refusal } from '#src/refusal.ts'

/** A file that came with a request: nothing about it has been checked but its size. */
export type SentFile = {
  /** As the client wrote it. */
  readonly name: string
  readonly bytes: Buffer
}

export type Call<Input> = {
  readonly input: Input
  /** The part that the route takes as a file, if it came. */
  readonly file: SentFile | null
  readonly lang: Language
  /** The client's network, as `networkOf` names it: what counts callers counts by this. */
  readonly address: string
  /** The origin that the request was sent to, such as `https://app.example`. */
  readonly origin: string
  readonly idempotencyKey: string | null
  readonly rememberCookie: string | null
  readonly answer: Answer
}

/** What a handler may add to its reply beside the data. */
export type Answer = {
  /** Another text than 'done'. */
  say(key: MessageKey): void
  /** userInfo's oddity: the data stands in `msg` too. */
  dataInMessage(): void
  replayed(): void
  setRememberCookie(value: string, maxAgeSeconds: number): void
  clearRememberCookie(): void
}

type CallFor<R extends Route> = Call<ParsedOf<R>> & {
  readonly caller: R['auth'] extends 'none'
    ? null
    : R['auth'] extends 'staff'
      ? StaffCaller
      : Caller
}

export type RouteBinding = {
  readonly route: Route
  readonly handle: (
    call: Call<unknown> & { caller: Caller | StaffCaller | null },
  ) => Promise<unknown>
}

/** Ties a handler to a route; its input, caller and reply are typed by the contract. */
export function bind<const R extends Route>(
  route: R,
  handle: (call: CallFor<R>) => Promise<ReplyOf<R> | Refusal>,
): RouteBinding {
  return { route, handle: handle as RouteBinding['handle'] }
}

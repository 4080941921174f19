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
  /** Puts the token of a member of staff into the browser, where scripts cannot read it. */
  setStaffCookie(token: string): void
  clearStaffCookie(): void
}

/** What the handler of a route is called with. */
export type CallFor<R extends Route> = Call<ParsedOf<R>> & {
  readonly caller: R['auth'] extends 'none'
    ? null
    : R['auth'] extends 'staff'
      ? StaffCaller
      : Caller
}

type AnyCall = Call<unknown> & { caller: Caller | StaffCaller | null }

/**
 * How a call that changes something is answered when its idempotency key comes again with the same
 * input, where that is not with the reply that was kept.
 */
export type Repeated =
  /** The handler looks at the key itself, in the transaction that acts; or what it takes is good once. */
  | 'by_itself'
  /**
   * The call carries a secret, or its reply does: neither is kept. What is kept must do to make the
   * reply anew, from a call that proves its secret once more.
   */
  | {
      readonly keep: (data: unknown) => unknown
      readonly again: (call: AnyCall, kept: unknown) => Promise<unknown>
    }

export type RouteBinding = {
  readonly route: Route
  readonly handle: (call: AnyCall) => Promise<unknown>
  readonly repeated?: Repeated
}

/** Ties a handler to a route; its input, caller and reply are typed by the contract. */
export function bind<const R extends Route, Kept = null>(
  route: R,
  handle: (call: CallFor<R>) => Promise<ReplyOf<R> | Refusal>,
  repeated?:
    | 'by_itself'
    | {
        keep: (data: ReplyOf<R>) => Kept
        again: (call: CallFor<R>, kept: Kept) => Promise<ReplyOf<R> | Refusal>
      },
): RouteBinding {
  return {
    route,
    handle: handle as RouteBinding['handle'],
    ...(repeated ? { repeated: repeated as Repeated } : {}),
  }
}

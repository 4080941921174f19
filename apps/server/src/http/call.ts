/** A call of the contract as its handler sees it, independent of HTTP, and how a module binds the two. */
import type { ParsedOf, ReplyOf, Route } from '@sum28/contract/route.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import type { MessageKey } from '@sum28/i18n/translate.ts'
import type { Queryable } from '#src/db/database.ts'
import type { ListPage } from '#src/db/list.ts'
import type { Caller, CallerOf, StaffCaller } from '#src/http/caller.ts'
import type { Refusal } from '#src/refusal/refusal.ts'

/** A file of a request: only its size has been checked. */
export type SentFile = {
  /** The name that the client sent. */
  readonly name: string
  readonly bytes: Buffer
}

export type Call<Input> = {
  readonly input: Input
  /** The part that the route accepts as a file, if present. */
  readonly file: SentFile | null
  readonly lang: Language
  /** The same, but null if the request names none of ours. */
  readonly namedLang: Language | null
  /** The client's network, as `networkOf` names it; limits for each caller count by it. */
  readonly address: string
  /** What the client says that it is, as `deviceName` names it. */
  readonly device: string
  /** The origin that the request was sent to, such as `https://app.example`. */
  readonly origin: string
  readonly idempotencyKey: string | null
  /** As it came, for a call that needs no valid one. */
  readonly token: string | null
  readonly rememberCookie: string | null
  /** Whether the mark beside that cookie names a player: nobody has logged out since the cookie was set. */
  readonly isRemembered: boolean
  /** By which the device is known to players who have signed in on it. */
  readonly deviceCookie: string | null
  readonly extras: ReplyExtras
}

/** A cookie to be set, or the removal of one. */
export type CookieChange = { readonly value: string; readonly age: { maxAge?: number } } | 'clear'

/** The remember-me cookie: the page is told whose it is. */
type RememberCookie = Exclude<CookieChange, 'clear'> & { readonly playerId: number }

/** What a handler adds to its reply besides the data. A reply that comes too late is not sent, and neither is this. */
export class ReplyExtras {
  message: MessageKey = 'success'
  repeatsData = false
  isReplay = false
  total: number | null = null
  rememberCookie: RememberCookie | 'clear' | null = null
  deviceCookie: CookieChange | null = null
  staffCookie: CookieChange | null = null
  stored: unknown = undefined

  /** A text in place of 'done'. */
  say(key: MessageKey): void {
    this.message = key
  }
  /** userInfo's special case: the data is repeated in `msg`. */
  dataInMessage(): void {
    this.repeatsData = true
  }
  /** The change is committed, and what is left of the call may fail: a repeat is then answered by this alone. */
  committed(stored: unknown): void {
    this.stored = stored
  }
  replayed(): void {
    this.isReplay = true
  }
  /** How many there are of a list that has not all: the header `X-Total-Count`. */
  countAll(total: number): void {
    this.total = total
  }
  setRememberCookie(
    value: string,
    { playerId, maxAge }: { playerId: number; maxAge: number },
  ): void {
    this.rememberCookie = { value, playerId, age: { maxAge } }
  }
  setDeviceCookie(value: string, maxAgeSeconds: number): void {
    this.deviceCookie = { value, age: { maxAge: maxAgeSeconds } }
  }
  clearRememberCookie(): void {
    this.rememberCookie = 'clear'
  }
  /** Sets the token of a member of staff as a cookie that scripts cannot read: it ends with the browser. */
  setStaffCookie(token: string): void {
    this.staffCookie = { value: token, age: {} }
  }
  clearStaffCookie(): void {
    this.staffCookie = 'clear'
  }
}

/** The arguments of a route's handler. */
export type CallFor<R extends Route> = Call<ParsedOf<R>> & {
  readonly caller: CallerOf<R>
}

export type AnyCall = Call<unknown> & { caller: Caller | StaffCaller | null }

/**
 * How a call that changes something is answered when its idempotency key is repeated with the same input, if not with
 * the stored reply.
 */
export type Idempotency =
  /** The handler checks the key itself, in the transaction that acts. */
  | 'own_transaction'
  /**
   * The call or its reply contains a secret, and no secret is stored. The stored data must suffice to make the reply
   * again, for a call that proves its secret again.
   */
  | {
      readonly store: (data: unknown) => unknown
      readonly replay: (call: AnyCall, stored: unknown) => Promise<unknown>
    }

export type RouteBinding = {
  readonly route: Route
  readonly handle: (call: AnyCall) => Promise<unknown>
  readonly idempotency?: Idempotency
  /** Of a list: reads one page, from where it is told. */
  readonly readPage?: ReadPage
}

export type ReadPage = (
  db: Queryable,
  input: Page,
  caller: StaffCaller,
) => Promise<ListPage<object> | Refusal>

type Page = { after?: string | undefined; limit?: number | undefined }

/** A large result that many callers get: as JSON, which is made once for all of them. */
export class PreparedJson<Data> {
  readonly json: string
  /** The JSON is of this type. */
  declare readonly of: Data
  constructor(json: string) {
    this.json = json
  }
}

/** Binds a handler to a route; the contract gives the types of its input, caller and reply. */
export function bind<const R extends Route, Stored = null>(
  route: R,
  handle: (call: CallFor<R>) => Promise<ReplyOf<R> | PreparedJson<ReplyOf<R>> | Refusal>,
  idempotency?:
    | 'own_transaction'
    | {
        store: (data: ReplyOf<R>) => Stored
        replay: (call: CallFor<R>, stored: Stored) => Promise<ReplyOf<R> | Refusal>
      },
): RouteBinding {
  return {
    route,
    handle: handle as RouteBinding['handle'],
    ...(idempotency ? { idempotency: idempotency as Idempotency } : {}),
  }
}

/** Binds the pages of a list to its route; the file of the whole list is made of such pages from one snapshot. */
export function bindList<const R extends Route>(
  db: Queryable,
  route: R,
  readPage: (
    db: Queryable,
    input: ParsedOf<R>,
    caller: StaffCaller,
  ) => Promise<ReplyOf<R> | Refusal>,
): RouteBinding {
  // Lists are of staff.
  const handle = ({ input, caller }: CallFor<R>) => readPage(db, input, caller as StaffCaller)
  return { ...bind(route, handle), readPage: readPage as ReadPage }
}

import type { Refusal } from '#src/refusal.ts'

/** Who calls, once his token has been found good. */
export type Caller = {
  readonly playerId: number
  /** 1 member, 2 visitor. */
  readonly groupId: 1 | 2
  readonly username: string
  /** What his settled bets had brought when the session began, in micro-units. */
  readonly netAtStart: bigint
  readonly tokenHash: Buffer
}

/** Finds who a token belongs to, or why it is no good. */
export type FindCaller = (token: string) => Promise<Caller | Refusal>

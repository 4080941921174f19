import type { Refusal } from '#src/refusal.ts'

/** The caller, after his token was found valid. */
export type Caller = {
  readonly playerId: number
  /** 1 member, 2 visitor. */
  readonly groupId: 1 | 2
  readonly username: string
  /** The profit of his settled bets when the session began, in micro-units. */
  readonly netAtStart: bigint
  readonly tokenHash: Buffer
}

/** Finds the owner of a token, or why the token is not valid. */
export type FindCaller = (token: string) => Promise<Caller | Refusal>

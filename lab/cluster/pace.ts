/** How much time a run gives to rounds and to take-overs. */

export type Pace = {
  /** Seconds of a round, of its seal, and until its draw is late after its end. */
  round: { seconds: number; sealSeconds: number; deadlineSeconds: number }
  /** How long a PostgreSQL leader that says nothing keeps the lead: the longest part of a take-over. */
  leadSeconds: number
  /** How often Patroni looks, and how long it tries again; twice the latter and once the former are within the lead. */
  lookSeconds: number
  retrySeconds: number
  /** How long HAProxy waits for a node's answer to its question whether it leads. */
  checkSeconds: number
}

/** The seal is that of production, and the deadline production's least. */
export const AS_IN_PRODUCTION: Pace = {
  round: { seconds: 60, sealSeconds: 30, deadlineSeconds: 60 },
  leadSeconds: 12,
  lookSeconds: 2,
  retrySeconds: 4,
  checkSeconds: 2,
}

/** For a machine of half the speed, which has other work besides: what it shows is true at any speed. */
export const PATIENT: Pace = {
  round: { seconds: 90, sealSeconds: 45, deadlineSeconds: 600 },
  leadSeconds: 15,
  lookSeconds: 3,
  retrySeconds: 6,
  checkSeconds: 8,
}

/** Proposals of staff, made and decided as the database's functions do it, without the checks of the use cases. */
import { callFunction, type Queryable } from '#src/db/database.ts'
import { type Draft, decideProposal, insertProposal } from '#src/modules/staff/proposal.ts'

type Session = { session: string }

/** Returns the database's answer. */
export function confirm(
  db: Queryable,
  id: number,
  session: string,
  words: string | null = null,
): Promise<string> {
  return decideProposal(db, { id, session, confirms: true, words })
}

/** Withdraws or refuses a proposal; returns the database's answer. */
export function end(db: Queryable, id: number, session: string): Promise<string> {
  return decideProposal(db, { id, session, confirms: false, words: 'a mistake' })
}

/** Returns the database's answer to a proposal. */
export async function propose(
  db: Queryable,
  {
    kind,
    subject,
    content = {},
    session,
  }: Pick<Draft, 'kind' | 'subject'> & { content?: object } & Session,
): Promise<string> {
  return (await insertProposal(db, { kind, subject, content, reason: 'a test', session })).answer
}

/** The number of the latest proposal about something; 0 without one. */
export async function latestAbout(db: Queryable, subject: string): Promise<number> {
  return db.value<number>(
    'select coalesce(max(id), 0)::float8 from staff.proposal where subject = $1',
    [subject],
  )
}

type Numbered = Session & { id: number | bigint }

const heldDeposit = ({ id }: Numbered) => `held_deposit:${id}`
const withdrawal = ({ id }: Numbered) => `withdrawal:${id}`

/** Player and amount of a row, as a proposal about it says them. */
async function moneyOf(db: Queryable, table: string, { id }: Numbered) {
  const [row] = await db.query<{ player: number; amount: bigint }>(
    `select player_id as player, amount from ${table} where id = $1`,
    [id],
  )
  return { player_id: row?.player ?? 1, amount: String(row?.amount ?? 1) }
}

/** Proposes to pay a held deposit back; returns the database's answer. */
export async function proposeRefund(db: Queryable, of: Numbered): Promise<string> {
  const content = { ...(await moneyOf(db, 'protection.held_deposit', of)), origin: '' }
  return propose(db, { kind: 'refund', subject: heldDeposit(of), content, session: of.session })
}

/** Takes a proposed refund, if nobody has it, and confirms it; returns the database's last answer. */
export async function confirmRefund(
  db: Queryable,
  of: Numbered & { payment: string | null },
): Promise<string> {
  await callFunction(db, 'console_money.take_refund', of.id, null, of.session)
  return confirm(db, await latestAbout(db, heldDeposit(of)), of.session, of.payment)
}

/** Proposes to return an approved withdrawal; returns the database's answer. */
export async function proposeReversal(db: Queryable, of: Numbered): Promise<string> {
  const content = await moneyOf(db, 'withdrawals.withdrawal', of)
  return propose(db, { kind: 'reversal', subject: withdrawal(of), content, session: of.session })
}

export async function confirmReversal(db: Queryable, of: Numbered): Promise<string> {
  return confirm(db, await latestAbout(db, withdrawal(of)), of.session)
}

/** Proposes the owner of an unmatched transfer; returns the proposal's number, or the database's answer. */
export async function proposeAssignment(
  db: Queryable,
  of: Session & { txId: string; logIndex: number; playerId: number },
): Promise<number | string> {
  const subject = `transfer:${of.txId}:${of.logIndex}`
  const [transfer] = await db.query<{ amount: bigint }>(
    'select amount from deposits.transfer where deposits.subject_of(tx_id, log_index) = $1',
    [subject],
  )
  const content = { player_id: of.playerId, amount: String(transfer?.amount ?? 1) }
  const draft = { kind: 'assignment', subject, content, reason: 'x' } as const
  const { answer, id } = await insertProposal(db, { ...draft, session: of.session })
  return id === null ? answer : Number(id)
}

/** Proposes to change a room that is at a version; returns the database's answer. */
export async function proposeRoomChange(
  db: Queryable,
  change: Session & {
    roomId: number
    version: number
    limits?: Partial<Record<'stake_min' | 'stake_max' | 'entry_min', bigint>>
    odds?: readonly { ruleId: number; oddsMilli: number }[]
  },
): Promise<string> {
  const { roomId, version, limits = {}, odds = [], session } = change
  const [room] = await db.query<Record<string, bigint>>(
    'select stake_min, stake_max, entry_min from games.room where id = $1',
    [roomId],
  )
  const steps = Object.entries(room ?? {}).map(([name, before]) => [
    name,
    { before: Number(before), after: Number(limits[name as 'stake_min'] ?? before) },
  ])
  const content = {
    ...Object.fromEntries(steps),
    rules_version: version,
    odds: odds.map(({ ruleId, oddsMilli }) => ({ rule_id: ruleId, before: 1, after: oddsMilli })),
  }
  return propose(db, { kind: 'room_change', subject: `room:${roomId}`, content, session })
}

type OfRound = Session & { gameId: number; issue: string }

const subjectOf = ({ gameId, issue }: OfRound) => `round:${gameId}:${issue}`

/** Proposes to void a round; returns the database's answer. */
export function proposeRoundVoid(db: Queryable, round: OfRound): Promise<string> {
  return propose(db, { kind: 'void', subject: subjectOf(round), session: round.session })
}

export async function confirmRoundVoid(db: Queryable, round: OfRound): Promise<string> {
  return confirm(db, await latestAbout(db, subjectOf(round)), round.session)
}

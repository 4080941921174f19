/** What one member of staff proposes and another confirms: each step once, and in the audit log. */

import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { StaffRole } from '@sum28/contract/route.ts'
import type { Turn } from '@sum28/contract/staff-list.ts'
import type * as wire from '@sum28/contract/staff-proposal-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { callFunction, type Database, type Queryable, type Transaction } from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import { payoutReference } from '#src/formats/payment-reference.ts'
import { type AuditEntry, appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import {
  type Done,
  decidedBefore,
  isRefusal,
  proposedBefore,
  type Refusal,
  type RefusalWord,
  refuse,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

export type Actor = { session: string; role: StaffRole }

/** A proposal; its content has the form of its kind. */
export type Proposal = Omit<RowOf<wire.Proposal>, 'changes'> & {
  content: unknown
  cash: Amount | null
  /** The player's address, and the one that is asked for in its place. */
  email: string | null
  askedEmail: string | null
}

/** What is proposed, before it has a number. */
export type Draft = Pick<Proposal, 'kind' | 'subject' | 'content' | 'reason'>

/** What a confirming person may add: the reference of a payment, or another bank deposit with the same reference. */
export type Added = { reference?: string | undefined; other_than?: number | undefined }

/** What a kind of proposal has of its own. */
export type KindRules = {
  /** What the confirming person adds, if this kind needs it. */
  adds?: keyof Added
  /** What changes, as the console shows it. */
  changesOf(proposal: Proposal): wire.Proposal['changes']
  /** The row of the audit log for the present state. */
  auditOf(proposal: Proposal): Omit<AuditEntry, 'session'>
  /**
   * What the database cannot do of a confirmation, since it needs a secret or a key: before the decision, in its
   * transaction, which ends with a refusal of either.
   */
  prepare?(tx: Transaction, proposal: Proposal): Promise<Refusal | null>
  /** Notifies the person whom it is about, if this kind does. @param session the token of the acting session */
  notify?(tx: Transaction, proposal: Proposal, session: string): Promise<void>
  /** The refusal for a word of the database, with what matters for it. */
  refusalOf?(
    tx: Transaction,
    word: RefusalWord,
    of: Draft & { id?: number | bigint; role: StaffRole },
  ): Promise<Refusal>
}

/**
 * Proposes something in the transaction of the caller.
 *
 * @returns the proposal's id, or already_proposed, or a refusal of its kind
 */
export async function propose(
  tx: Transaction,
  rules: KindRules,
  { session, role, ...draft }: Draft & Actor,
): Promise<{ id: number } | Refusal> {
  const { answer, id } = await insertProposal(tx, { ...draft, session })
  if (answer !== 'proposed') {
    if (answer === 'already_proposed') return proposedBefore(await proposerOf(tx, draft))
    const field = answer === 'not_found' ? { field: 'user_id' } : undefined
    return (await rules.refusalOf?.(tx, answer, { ...draft, role })) ?? refuseByWord(answer, field)
  }
  const proposal = await proposalById(tx, Number(id))
  if (!proposal) throw new Error(`the proposal ${id} was made and is not there`)
  await record(tx, rules, { proposal, session })
  return { id: Number(id) }
}

/** A decision on a proposal: its confirmation, with what the kind needs for it, or its end, with the reason. */
export type Decision = Actor & { id: number } & (
    | { confirms: true; added: Added }
    | { confirms: false; reason: string }
  )

/**
 * Confirms a proposal of another person, or ends it: withdraws one's own, or refuses that of another.
 *
 * @returns the proposal, which is still `proposed` if a third person has to confirm it too; or not_found, already_decided, second_person_needed, forbidden, or a refusal of its kind
 */
export function decide(
  db: Database,
  kinds: Readonly<Record<Proposal['kind'], KindRules>>,
  decision: Decision,
): Promise<Proposal | Refusal> {
  return asStaff(db, (tx) => decideIn(tx, (kind) => kinds[kind], decision))
}

async function decideIn(
  tx: Transaction,
  rulesOf: (kind: Proposal['kind']) => KindRules,
  decision: Decision,
): Promise<Proposal | Refusal> {
  const { id, session, role, confirms } = decision
  const proposed = await proposalById(tx, id)
  const adds = proposed && rulesOf(proposed.kind).adds
  const added = decision.confirms && adds ? decision.added[adds]?.toString() : undefined
  // The id of a transaction has one form.
  const words = decision.confirms ? added && payoutReference(added) : decision.reason
  if (confirms && proposed?.state === 'proposed') {
    const refusal = await rulesOf(proposed.kind).prepare?.(tx, proposed)
    if (refusal) return refusal
  }
  const word = await decideProposal(tx, { id, session, confirms, words: words ?? null })
  const proposal = await proposalById(tx, id)
  if (word === 'not_found' || !proposal) return refuse('not_found', { field: 'id' })
  const rules = rulesOf(proposal.kind)
  if (word === 'decided') {
    const { endedBy, endedAt, confirmedBy, confirmedAt } = proposal
    return decidedBefore({ by: endedBy ?? confirmedBy, at: endedAt ?? confirmedAt })
  }
  if (word !== 'first' && word !== 'confirmed' && word !== 'withdrawn' && word !== 'refused') {
    return (await rules.refusalOf?.(tx, word, { ...proposal, role })) ?? refuseByWord(word)
  }
  await record(tx, rules, { proposal, session })
  return proposal
}

export type ActingOwner = Actor & { staffId: number }

/** Checks the password and the code of an owner's call, if it has them: he may be the only owner. */
export type OwnersProof = (call: {
  input: { password?: string | undefined; totp?: string | undefined }
  caller: { staffId: number; name: string; token: string; role: StaffRole }
  address: string
}) => Promise<ActingOwner | Refusal>

/**
 * Proposes something that two owners decide. The only owner of a house confirms it at once, by a fresh proof.
 *
 * @returns the proposal's state; or proof_required if he is the only owner and has proved nothing, or what `propose` refuses
 */
export function proposeAsOwner(
  db: Database,
  rules: KindRules,
  { staffId, ...draft }: Draft & ActingOwner,
): Promise<{ state: 'proposed' | 'confirmed' } | Refusal> {
  return asStaff(db, async (tx) => {
    const alone = await callFunction<boolean>(tx, 'staff.is_only_owner', staffId)
    const made = await propose(tx, rules, draft)
    if (isRefusal(made)) return made
    if (!alone) return { state: 'proposed' }
    const { session, role } = draft
    const whole = { id: made.id, session, role, confirms: true, added: {} } as const
    const decided = await decideIn(tx, () => rules, whole)
    if (!isRefusal(decided)) return { state: 'confirmed' }
    return decided.refused === 'second_person_needed' ? refuse('proof_required') : decided
  })
}

/** The amount of a proposal that moves money, in micro-units. */
export function amountOf({ content }: Pick<Proposal, 'content'>): Amount {
  return BigInt((content as { amount: number | string }).amount)
}

/** What changes with an amount that moves: the amount itself, and while it is proposed the player's free balance. */
export function moved({ kind, state, cash }: Proposal, amount: Amount): wire.Proposal['changes'] {
  const first = { what: kind, before: null, after: formatAmount(amount) }
  if (state !== 'proposed' || cash === null) return [first]
  const balance = { before: formatAmount(cash), after: formatAmount(cash + amount) }
  return [first, { what: 'balance', ...balance }]
}

async function record(
  tx: Transaction,
  rules: KindRules,
  { proposal, session }: { proposal: Proposal; session: string },
): Promise<void> {
  await rules.notify?.(tx, proposal, session)
  // Last, because all writers of the log wait for each other.
  await appendAudit(tx, { session, ...rules.auditOf(proposal) })
}

/** Records the end of a proposal that a function of the database has ended with the decision about its subject. */
export async function recordEnd(
  tx: Transaction,
  rules: KindRules,
  { id, session }: { id: number; session: string },
): Promise<void> {
  const proposal = await proposalById(tx, id)
  if (!proposal) throw new Error(`the proposal ${id} was ended and is not there`)
  await record(tx, rules, { proposal, session })
}

const PROPOSALS = {
  columns: `proposal.id, proposal.kind, subject, player_id as "playerId",
    coalesce(username, game.name || ' · ' || coalesce(room.title, split_part(subject, ':', 3)),
      (select string_agg(each ->> 'name', ', ' order by (each ->> 'room_id')::integer)
        from jsonb_array_elements(content -> 'rooms') each), subject) as name,
    content, cash, player.email, asked_email as "askedEmail", reason, proposal.state, console_money.waits_for(proposal, $1::integer) as yours,
    proposer.name as "proposedBy", proposed_at as "proposedAt", first_confirmer.name as "firstConfirmedBy", confirmer.name as "confirmedBy",
    confirmed_at as "confirmedAt", confirmed_with as "confirmedWith", ender.name as "endedBy", ended_at as "endedAt", end_reason as "endReason",
    effective_at as "effectiveAt", effective_with as "effectiveWith"`,
  from: `staff.proposal
    join staff.member proposer on proposer.id = proposed_by
    left join staff.member first_confirmer on first_confirmer.id = first_confirmed_by
    left join staff.member confirmer on confirmer.id = confirmed_by
    left join staff.member ender on ender.id = ended_by
    left join accounts.player on player.id = player_id
    left join ledger.balance on holder_id = player_id
    left join games.room on room.id = case when subject like 'room:%' then substr(subject, 6)::integer end
    left join games.game on game.id = case when subject like 'round:%' then split_part(subject, ':', 2)::integer
      else room.game_id end`,
  chosenFrom: 'staff.proposal',
  id: { sql: 'proposal.id', type: 'bigint' },
} as const

/** The conditions of what waits for the member $1, or for others. */
const TURNS: Readonly<Record<Turn, string>> = {
  you: `proposal.state = 'proposed' and console_money.waits_for(proposal, $1)`,
  others: `proposal.state = 'proposed' and not console_money.waits_for(proposal, $1)`,
}

/** What is about a room alone, or about several of which it is one. */
const OF_ROOM = `(subject = ? or proposal.kind = 'odds_change'
  and content -> 'rooms' @> jsonb_build_array(jsonb_build_object('room_id', substr(?, 6)::integer)))`

/**
 * What a text may match: each is found by its own index, since one condition of all would read every proposal. $2 are
 * the players of that name and $3 the member of staff: as values they tell the planner how many rows match.
 */
const SOUGHT = `proposal.id = any (array(
  select app.number_in(?)
  union select id from staff.proposal where player_id = any ($2::integer[])
  union select id from staff.proposal where proposed_by = $3::integer
  union select id from staff.proposal
    where kind = 'bank_deposit' and app.reference_key(content ->> 'reference') = app.reference_key(?)))`

/** @param ask `staffId`: who asks; `unseen`: the kinds that he may not see; `q`: the number of a proposal, its player, who proposed it, or the bank's reference */
export async function proposalPage(
  db: Queryable,
  ask: Ask<
    Pick<Proposal, 'id' | 'kind' | 'state' | 'subject'> & {
      staffId: number
      unseen: readonly Proposal['kind'][]
      turn: Turn
      q: string
    }
  >,
) {
  const values = [ask.staffId ?? null, ...(ask.q === undefined ? [] : await idsCalled(db, ask.q))]
  return pageOf<Proposal>(db, { ...PROPOSALS, values }, ask, {
    ...(ask.turn && { [TURNS[ask.turn]]: true }),
    'proposal.id = ?': ask.id,
    'proposal.kind <> all(?)': ask.unseen?.length ? ask.unseen : undefined,
    'proposal.kind = ?': ask.kind,
    'proposal.state = ?': ask.state,
    [/^room:\d{1,9}$/.test(ask.subject ?? '') ? OF_ROOM : 'subject = ?']: ask.subject,
    [SOUGHT]: ask.q,
  })
}

async function idsCalled(db: Queryable, name: string) {
  const { players, member } = await db.one<{ players: number[]; member: number | null }>(
    `select accounts.players_called($1) as players, (select id from staff.member where name = $2) as member`,
    [name, asciiLowerCase(name)],
  )
  return [players, member]
}

function proposalById(db: Queryable, id: number): Promise<Proposal | undefined> {
  return oneOf(db, { ...PROPOSALS, values: [null] }, id)
}

/**
 * Who has made the open proposal about something, first one of this kind that takes the same deposit back, and when; a
 * room's is open until its effect, and may be about other rooms too.
 */
export function proposerOf(
  db: Queryable,
  { kind, subject, content }: Pick<Draft, 'kind' | 'subject'> & Partial<Draft>,
): Promise<Done | undefined> {
  return db.first<Done>(
    `select name as by, proposed_at as at from staff.proposal join staff.member on member.id = proposed_by
     where (subject = $1 or kind = 'odds_change' and exists (select from jsonb_array_elements(content -> 'rooms') room
         where 'room:' || (room ->> 'room_id') = $1))
       and (state = 'proposed' or state = 'confirmed' and kind = 'room_change')
     order by kind = $2 desc, content -> 'deposit' is not distinct from $3::jsonb -> 'deposit' desc, proposal.id desc
     limit 1`,
    [subject, kind, JSON.stringify(content)],
  )
}

export function insertProposal(
  db: Queryable,
  { kind, subject, content, reason, session }: Draft & { session: string },
): Promise<{ answer: 'proposed' | RefusalWord; id: bigint | null }> {
  return db.one<Awaited<ReturnType<typeof insertProposal>>>(
    `select answer, proposal_id as id from staff.propose($1, $2, $3::jsonb, $4, $5)`,
    [kind, subject, JSON.stringify(content), reason, session],
  )
}

/** @param decision `words`: what the confirming person adds, or the reason of the end */
export function decideProposal(
  db: Queryable,
  decision: { id: number; session: string; confirms: boolean; words: string | null },
): Promise<'first' | 'confirmed' | 'withdrawn' | 'refused' | RefusalWord> {
  const { id, session, confirms, words } = decision
  return callFunction(db, 'staff.decide', id, confirms, words, session)
}

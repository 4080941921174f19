/** Tasks that need a person now, read from the tables that know them. Each query reads an index. */
import type { StaffAction } from '@sum28/contract/staff-actions.ts'
import type { ProposalKind } from '@sum28/contract/staff-proposal-routes.ts'
import { NEEDS, type Need } from '@sum28/contract/staff-start-routes.ts'
import { IS_AWAITED, SEND_MAIL_JOB } from '#src/adapters/mail/outbox.ts'
import { refusedAddress } from '#src/adapters/mail/transport.ts'
import type { Queryable } from '#src/db/database.ts'
import { ROUND_IS_LATE } from '#src/modules/console/games/timeline.ts'
import { BATCH_IS_HIS } from '#src/modules/console/money/bank-batch-store.ts'
import { HELD_IS_DUE, HELD_IS_HIS } from '#src/modules/console/money/refund-deposit.ts'
import { DIFFERENCE_IS_DUE } from '#src/modules/deposits/compare-with-chain.ts'
import { TRANSFER_IS_HIS } from '#src/modules/deposits/unmatched-transfer.ts'
import { SEND_PUSH_JOB } from '#src/modules/inbox/notify.ts'
import { CODES_GUESSED } from '#src/modules/staff/staff-store.ts'
import { RETURNED_RESTS } from '#src/modules/withdrawals/request-rest.ts'

export type NeedRow = {
  need: Need
  count: number
  /** Milliseconds since 1970; null if nothing is pending. */
  since: number | null
  /** How many are pending for more than an hour, and for more than a day. */
  hour: number
  day: number
}

/**
 * When this many seeds of a chain are left, staff should know: about a day of rounds. The engine makes the next chain
 * when the rounds of a whole day are left, which may be fewer.
 */
const SEEDS_LEFT = `least(300, (select 86400 / value::numeric - 10 from app.setting where name = 'ROUND_SECONDS'))`

/** An instant of the queue, which has the machine's clock, by the product's. */
function onOurClock(instant: string): string {
  return `app.now() - (now() - ${instant})`
}

const LAST_ERROR = "coalesce(last_error, '')"

/** When so many mails are refused for their addresses, one after the other, we are; so many others fail by the server. */
const MAILS_FAIL = 10

/** Whether the public log has witnesses now. */
const ASKS_WITNESSES = '(select asks_witnesses from public_log.name order by number desc limit 1)'

/** The permission that is required to see a task. */
export const SEEN_BY: Record<Need, StaffAction> = {
  clocks_apart: 'stops.read',
  draws_late: 'rounds.read',
  log_waits: 'rounds.read',
  log_unwitnessed: 'rounds.read',
  chain_behind: 'books.read',
  chain_uncompared: 'books.read',
  mail_away: 'stops.read',
  books_unchecked: 'books.read',
  owed_uncounted: 'reserves.read',
  reserves_short: 'reserves.read',
  returns_unlikely: 'reports.read',
  audit_unsigned: 'audit.read',
  audit_broken: 'audit.read',
  jobs_failed: 'stops.read',
  codes_used_up: 'stops.read',
  staff_codes_guessed: 'members.change',
  seeds_short: 'rounds.read',
  withdrawals_waiting: 'withdrawals.read',
  payouts_due: 'withdrawals.read',
  batches_open: 'withdrawals.read',
  payouts_unseen: 'withdrawals.read',
  payouts_wrong: 'withdrawals.read',
  transfers_unmatched: 'transfers.read',
  refunds_due: 'heldDeposits.read',
  rests_returned: 'players.read',
  proposals_waiting: 'proposals.read',
  identities_waiting: 'identity.read',
  accounts_alike: 'players.read',
  // Only who may end a freeze is told of it.
  accounts_frozen: 'players.unfreeze',
  bank_balance_old: 'reserves.read',
  differences_found: 'books.read',
  stops: 'stops.read',
}

/** Whether a withdrawal or a proposal waits for the member $1; null if for nobody. */
const WITHDRAWAL = 'withdrawals.waits_for(withdrawal, $1::integer)'
const PROPOSAL = 'console_money.waits_for(proposal, $1::integer)'

/**
 * Each selects the time since when one task has been pending, and where persons differ whether it waits for one. An index of
 * times is used if the present time is read once, in a `select` of its own.
 */
const WAITING: readonly (readonly [Need, string])[] = [
  [
    'withdrawals_waiting',
    `select requested_at, ${WITHDRAWAL} from withdrawals.withdrawal
     where state = 'waiting' and ${WITHDRAWAL} is not null`,
  ],
  [
    'payouts_due',
    `select decided_at, ${WITHDRAWAL} from withdrawals.withdrawal
     where stage = 'to_pay' and ${WITHDRAWAL} is not null`,
  ],
  [
    'batches_open',
    `select made_at, ${BATCH_IS_HIS} from console_money.bank_batch batch where state = 'open'`,
  ],
  [
    'payouts_unseen',
    // A transaction takes about a minute.
    `select paid_at, ${WITHDRAWAL} from withdrawals.withdrawal
     where stage = 'on_chain' and ${WITHDRAWAL} is not null`,
  ],
  [
    'payouts_wrong',
    `select paid_at, ${WITHDRAWAL} from withdrawals.withdrawal where stage = 'payout_wrong'`,
  ],
  [
    'transfers_unmatched',
    `select block_at, ${TRANSFER_IS_HIS} from deposits.transfer where player_id is null and not exists (
       select from deposits.dismissal
       where dismissal.tx_id = transfer.tx_id and dismissal.log_index = transfer.log_index)
     and not exists (select from staff.proposal where kind = 'assignment' and state = 'proposed'
       and subject = deposits.subject_of(transfer.tx_id, transfer.log_index))`,
  ],
  [
    'refunds_due',
    `select held_at, ${HELD_IS_HIS} from protection.held_deposit held join accounts.player on player.id = held.player_id
     where ${HELD_IS_DUE}`,
  ],
  ['rests_returned', `select at from (${RETURNED_RESTS}) rest`],
  [
    'proposals_waiting',
    `select proposed_at, ${PROPOSAL} from staff.proposal where state = 'proposed' and ${PROPOSAL} is not null
       and kind <> all($2)`,
  ],
  ['identities_waiting', `select sent_at from withdrawals.identity where state = 'waiting'`],
  [
    'accounts_alike',
    `select began_at from protection.exclusion where kind = 'likeness' and decided_at is null`,
  ],
  ['accounts_frozen', 'select frozen_at from accounts.freezing where lifted_at is null'],
  [
    'bank_balance_old',
    // A count takes none that is a week old: then the house would seem to hold less than it does.
    `select day::timestamptz + interval '5 days' from (
       select day, amount from disclosure.bank_balance order by proposal_id desc limit 1) latest
     where amount > 0 and day <= app.now()::date - 5
       and not exists (select from staff.proposal where kind = 'bank_balance' and state = 'proposed')`,
  ],
  [
    'differences_found',
    `select found_at from deposits.chain_difference found where ${DIFFERENCE_IS_DUE}`,
  ],
  ['draws_late', `select draws_at from rounds.round where ${ROUND_IS_LATE}`],
  ['stops', 'select stopped_at from games.stop'],
  [
    'clocks_apart',
    `select coalesce(clocks_apart_since, nullif(clocks_compared_at, '-infinity'), app.now()) from games.house
     where games.clocks_apart(house)`,
  ],
  [
    'log_waits',
    `select written_at from public_log.entry
     where position is null and written_at < app.now() - interval '1 minute'`,
  ],
  [
    'log_unwitnessed',
    // One slow answer of a witness misses one round of a game at most. Of rounds that are so long that an hour has few,
    // the last three are looked at, also if a day has one.
    `select sealed_at from (
       select sealed_at, count(*) over (partition by game.id) as of_game
       from games.game cross join lateral (
         select case when bool_and(draws_at - opens_at > interval '20 minutes') then min(draws_at) end as third_last
         from (
           select opens_at, draws_at from rounds.round
           where game_id = game.id and draws_at > (select app.now() - interval '3 days')
             and rounds.value_at(round) < app.now()
           order by draws_at desc limit 3) latest) long
       cross join lateral (
         select * from rounds.round where game_id = game.id and draws_at > (select app.now() - interval '3 days')
           and draws_at >= least(third_last, app.now() - interval '1 hour')) round
       where rounds.value_at(round) < app.now()
         and not rounds.was_witnessed(round)
         and draws_at > (select min(asked_at) from public_log.witness)
         and ${ASKS_WITNESSES}) unseen
     where of_game > 1
     union all
     -- One of several is silent: since the first state that not all have signed, or the newest witness was asked.
     select at from (
       select greatest(made_at, (select max(asked_at) from public_log.witness)) as at from public_log.checkpoint
       where id > coalesce((select id from public_log.checkpoint where by_all order by size desc, id desc limit 1), 0)
       order by id limit 1) unsigned
     where at < app.now() - interval '10 minutes' and ${ASKS_WITNESSES}`,
  ],
  [
    'chain_behind',
    // It stands still, or it moves and solid blocks of ten minutes are not read.
    `select least(moved_at, app.now() - coalesce(solid_block - block, 0) * interval '3 seconds')
     from deposits.watcher_height
     where moved_at < app.now() - interval '10 minutes' or solid_block - block > 200`,
  ],
  [
    'chain_uncompared',
    `select finished_at from deposits.rescan_height where finished_at < app.now() - interval '26 hours'`,
  ],
  [
    'mail_away',
    // Since the oldest mail waits, or was given up, and none was taken since; and since many fail, although a few are
    // taken. Of mails that were refused for their address so many are needed, and of codes also if it was for now:
    // somebody may have mistyped it. A code that was refused for good does not count.
    `with taken as (
       select coalesce(max(sent_at), '-infinity') as at from app.sent_mail where not given_up
     ), mail as (
       select ${onOurClock('created_at')} as at, true as waits, last_error is not null as tried,
         case when ${IS_AWAITED} then ${refusedAddress(LAST_ERROR, '___')} else ${refusedAddress(LAST_ERROR)} end
           as of_address
       from graphile_worker.jobs where task_identifier = '${SEND_MAIL_JOB}' and attempts < max_attempts
         and not (${IS_AWAITED} and ${refusedAddress(LAST_ERROR)})
       union all
       select sent_at, false, true, of_address from app.sent_mail
       where given_up and sent_at > (select least(at, app.now() - interval '1 hour') from taken)
     )
     select min(at) from (
       select greatest(min(at), taken_at) as at from (
         select mail.at, taken.at as taken_at,
           not of_address or count(*) filter (where of_address) over () >= ${MAILS_FAIL} as counts
         from mail, taken where waits and not of_address or mail.at > taken.at) untaken
       where counts group by taken_at having greatest(min(at), taken_at) < app.now() - interval '2 minutes'
       union all
       select min(at) from mail where tried and not of_address and at < app.now() - interval '10 minutes'
       having count(*) >= ${MAILS_FAIL}) away
     having count(*) > 0`,
  ],
  [
    'books_unchecked',
    // A new installation has nothing to check for a day, and one without staff nobody who would.
    `select coalesce(wrong_since, at) from (
       select greatest(through, (select coalesce(min(created_at), app.now()) from staff.member)) as at, wrong_since
       from app.books_checked) checked
     where at < app.now() - interval '26 hours' or wrong_since is not null`,
  ],
  [
    'owed_uncounted',
    `select at from (
       select coalesce((select max(counted_at) from disclosure.owed_count),
         (select min(begun_at) from public_log.name)) as at) counted
     where at < app.now() - interval '26 hours'`,
  ],
  [
    'reserves_short',
    `select counted_at from (
       select counted_at, on_chain, at_bank, total
       from disclosure.owed_count order by number desc limit 1) counted
     where on_chain + coalesce(at_bank, 0) < total`,
  ],
  [
    'returns_unlikely',
    `select made_at from disclosure.return_report
     where newly_unlikely > 0 and made_at > app.now() - interval '7 days'`,
  ],
  [
    'audit_unsigned',
    `select min(at) from staff.audit
     where id > coalesce((select max(audit_id) from staff.audit_signature), 0)
     having min(at) < app.now() - interval '10 minutes'`,
  ],
  ['audit_broken', 'select broken_since from staff.audit_head where broken_id is not null'],
  [
    'jobs_failed',
    // Not one that is being worked on; and pushes and some mails fail by what strangers give as an address.
    `select ${onOurClock('run_at')} from graphile_worker.jobs where attempts >= max_attempts
       and coalesce(locked_at < now() - interval '4 hours', true) and task_identifier <> '${SEND_PUSH_JOB}'
       and not (task_identifier = '${SEND_MAIL_JOB}' and ${refusedAddress(LAST_ERROR)})`,
  ],
  [
    'codes_used_up',
    `select since from accounts.counter
     where key = any (array[sha256('codes to addresses'), sha256('codes to accounts')]) and tries >= 10000
       and since > app.now() - interval '1 day'`,
  ],
  ['staff_codes_guessed', `select code_tried_at from staff.member where ${CODES_GUESSED}`],
  [
    'seeds_short',
    `select committed_at from (select distinct on (game_id) length, used, committed_at from fairness.chain
       order by game_id, id desc) chain
     where length - used < ${SEEDS_LEFT}`,
  ],
]

/**
 * Whose tasks are told from those of others. `does`: the kinds of tasks that his role may do; `unseen`: the kinds of
 * proposals that it may not see.
 */
type Member = {
  staffId: number | null
  does: ReadonlySet<Need>
  unseen: readonly ProposalKind[]
}

/** All pending tasks, or those of some kinds. */
export async function readNeeds(db: Queryable, kinds: readonly Need[] = NEEDS): Promise<NeedRow[]> {
  const rows = await readNeedsOf(db, { staffId: null, does: new Set(), unseen: [] }, kinds)
  return rows.map(({ yours: _, ...row }) => row)
}

/** The pending tasks, those for a member of staff apart from those for others. */
export async function readNeedsOf(
  db: Queryable,
  { staffId, does, unseen }: Member,
  kinds: readonly Need[] = NEEDS,
): Promise<(NeedRow & { yours: boolean })[]> {
  const counted = WAITING.filter(([need]) => kinds.includes(need)).map(([need, question]) => {
    const differs = question.includes('$1')
    const yours = differs && staffId !== null ? 'own' : String(does.has(need))
    return `select '${need}' as need, ${yours} as yours, count(*)::integer as count,
      min(at) as since, (count(*) filter (where at < app.now() - interval '1 hour'))::integer as hour,
      (count(*) filter (where at < app.now() - interval '1 day'))::integer as day
    from (${question}) as waiting (at${differs ? ', own' : ''}) group by 2`
  })
  const text = counted.join('\nunion all\n')
  const values = [staffId, unseen].filter((_, index) => text.includes(`$${index + 1}`))
  return db.query(text, values)
}

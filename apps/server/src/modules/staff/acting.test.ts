/** How the database decides who acts: by the token of a session, for each function and each role. */
import { createHash } from 'node:crypto'
import { STAFF_ROLES, type StaffRole } from '@sum28/contract/route.ts'
import * as bank from '@sum28/contract/staff-bank-routes.ts'
import * as content from '@sum28/contract/staff-content-routes.ts'
import * as games from '@sum28/contract/staff-games-routes.ts'
import * as house from '@sum28/contract/staff-house-routes.ts'
import * as money from '@sum28/contract/staff-money-routes.ts'
import * as own from '@sum28/contract/staff-own-routes.ts'
import * as players from '@sum28/contract/staff-players-routes.ts'
import * as proposals from '@sum28/contract/staff-proposal-routes.ts'
import * as protection from '@sum28/contract/staff-protection-routes.ts'
import * as reserves from '@sum28/contract/staff-reserve-routes.ts'
import * as wire from '@sum28/contract/staff-routes.ts'
import * as start from '@sum28/contract/staff-start-routes.ts'
import * as transfers from '@sum28/contract/staff-transfer-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { openTestRound } from '#testing/database/fixtures.ts'
import { answerAfter, somebodyWaits, withoutRetry } from '#testing/database/simultaneous-calls.ts'
import { loggedActions } from '#testing/database/stored-rows.ts'
import { eachTestDatabase, shareTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'

const TX = `'${'ab'.repeat(32)}'`

const { ENDED_ON_DUTY, OF_OWNERS, PROPOSAL_KINDS } = proposals
const OWNER: readonly StaffRole[] = ['owner']

/** Each function that needs a session, with arguments that do not exist, and the route that calls it. */
const FUNCTIONS = [
  [wire.approveWithdrawal, 'withdrawals.approve(1, $1)'],
  [wire.rejectWithdrawal, `withdrawals.reject(1, $1, 'x')`],
  [wire.takePayment, `withdrawals.take_payment(1, null, $1)`],
  [wire.givePaymentBack, 'withdrawals.give_payment_back(1, $1)'],
  [wire.recordPayout, `withdrawals.record_payout(1, $1, 'ABCD')`],
  [bank.correctPayout, `console_money.correct_payout(1, $1, 'ABCD', 'ABCD')`],
  [bank.reopenPayout, `console_money.correct_payout(1, $1, null, 'ABCD')`],
  [bank.acceptPayout, `console_money.accept_payout(1, $1, 'ABCD')`],
  [wire.proposeReversal, `staff.propose('reversal', 'withdrawal:1', '{}', 'x', $1)`],
  [wire.requestRest, 'withdrawals.request_rest(1, 1, current_date, $1)'],
  [protection.decideIdentity, `withdrawals.decide_identity(1, 1, 'x', $1)`],
  [protection.takeBackIdentity, `withdrawals.take_back_identity(1, 1, 'x', $1)`],
  [protection.setIdentityTerms, 'withdrawals.set_identity_terms(1, $1)'],
  [
    wire.recordBankDeposit,
    `staff.propose('bank_deposit', 'player:1', '{"amount": 1, "reference": "A"}', null, $1)`,
  ],
  [wire.setBankAccount, `staff.propose('bank_account', 'bank_account', '{}', 'x', $1)`],
  [reserves.proposeBankBalance, `staff.propose('bank_balance', 'bank', '{}', 'x', $1)`],
  [
    reserves.addReserveAddress,
    `disclosure.add_address('T' || repeat('A', 33), 'x', repeat('0', 130), $1)`,
  ],
  [reserves.removeReserveAddress, 'disclosure.remove_address(1, $1)'],
  [proposals.proposeVoid, `staff.propose('void', 'round:1:20261120001', '{}', 'x', $1)`],
  [
    transfers.assignTransfer,
    `staff.propose('assignment', 'transfer:ab:0', '{"player_id": 1}', 'x', $1)`,
  ],
  [transfers.dismissTransfer, `deposits.dismiss_transfer(${TX}, 0, $1, 'x')`],
  [transfers.reopenTransfer, `deposits.reopen_transfer(${TX}, 0, $1)`],
  [wire.explainDifference, `deposits.explain_difference(9999, $1, 'x')`],
  [house.stopBetting, `games.stop_betting('room', 1, 'fault', null, $1)`],
  [house.openBetting, `games.open_betting('room', 1, null, $1)`],
  [house.planStop, `games.plan_stop('all', 0, now(), now() + interval '1 hour', 'x', $1)`],
  [house.cancelPlannedStop, 'games.cancel_planned_stop(1, $1)'],
  [house.setRobots, 'robots.set_number(1, 1, $1)'],
  [house.freezeAccount, `staff.freeze_player(1, 'x', $1)`],
  [house.unfreezeAccount, `staff.unfreeze_player(1, 'x', now(), $1)`],
  [house.closeMember, `staff.close_colleague('nobody', $1)`],
  [house.proposeMember, `staff.propose('member', 'member:nobody', '{}', 'x', $1)`],
  [house.resetMember, `staff.reset_colleague('nobody', 'x', 'x', 'x', 'x', $1)`],
  [house.endMemberSession, 'staff.end_colleague_session(9999, $1)'],
  [start.chooseAlerts, `staff.choose_alerts('{}', $1)`],
  [start.writeShiftNote, `staff.write_shift_note('x', $1)`],
  [start.addWebhook, `staff.add_webhook('x', '{x}', '\\x${'00'.repeat(16)}', 'x', $1)`],
  [start.removeWebhook, 'staff.remove_webhook(9999, $1)'],
  [own.changeOwn, 'staff.change_own(null, null, $1)'],
  [games.proposeRoomChange, `staff.propose('room_change', 'room:9999', '{}', 'x', $1)`],
  [proposals.endProposal, `staff.decide(999, false, 'x', $1)`],
  ...PROPOSAL_KINDS.flatMap((kind, at) => {
    const deciders = { roles: OF_OWNERS.includes(kind) ? OWNER : proposals.confirmProposal.roles }
    const enders = ENDED_ON_DUTY.includes(kind) ? proposals.endProposal : deciders
    return [
      [deciders, `staff.decide(${at + 1}, true, null, $1)`] as const,
      [enders, `staff.decide(${at + 1}, false, 'x', $1)`] as const,
    ]
  }),
  [players.addNote, `console_players.add_note(1, 'x', $1)`],
  [players.saveTemplate, `console_players.set_template(9999, 1, 'x', '{en}', '{x}', $1)`],
  [players.removeTemplate, 'console_players.remove_template(9999, 1, $1)'],
  [games.proposeOdds, `staff.propose('odds_change', 'rooms:9999', '{"rooms": [{}]}', 'x', $1)`],
  [players.endSessions, 'console_players.end_sessions(1, $1)'],
  [players.requirePassword, 'console_players.require_password(1, $1)'],
  [proposals.proposeCodeReset, `staff.propose('code_reset', 'player:999', '{}', 'x', $1)`],
  [proposals.proposeFactorReset, `staff.propose('factor_reset', 'player:999', '{}', 'x', $1)`],
  [proposals.proposeAddressReset, `staff.propose('address_reset', 'player:999', '{}', 'x', $1)`],
  [money.proposeRefund, `staff.propose('refund', 'held_deposit:1', '{}', 'x', $1)`],
  [money.takeRefund, 'console_money.take_refund(1, null, $1)'],
  [money.giveRefundBack, 'console_money.give_refund_back(1, $1)'],
  [money.releaseRefund, 'console_money.release_refund(1, now(), $1)'],
  [money.correctRefund, `console_money.correct_refund(1, $1, 'ABCD', 'ABCD')`],
  [money.returnRefund, `console_money.return_refund(1, $1, 'ABCD')`],
  ...proposals.ADJUSTMENT_KINDS.map(
    (kind) =>
      [
        proposals.proposeAdjustment,
        `staff.propose('${kind}', 'player:999', '{"amount": 1}', 'x', $1)`,
      ] as const,
  ),
  [bank.makeBankBatch, 'console_money.make_batch(10, $1)'],
  [bank.bankBatchFile, 'console_money.take_batch(1, null, $1)'],
  [bank.answerBankBatch, `console_money.answer_batch(1, '[]', $1)`],
  [bank.cancelBankBatch, `console_money.cancel_batch(1, 'x', $1)`],
  [bank.releaseBankBatch, 'console_money.release_batch(1, $1)'],
  [bank.releaseBankPayment, 'console_money.release_payment(1, now(), $1)'],
  [protection.releaseLikeness, `protection.decide_likeness(1, false, 'x', $1)`],
  [protection.addContact, `console_players.add_contact(1, current_date, 'chat', 'x', $1)`],
  [content.uploadPicture, `console_content.keep_picture('${'ab'.repeat(16)}.webp', '', $1)`],
  [content.makePiece, `console_content.make_piece('article', 9999, 'x', $1)`],
  [content.savePieceText, `console_content.set_text('article', 9999, 1, 'en', 'x', 'x', $1)`],
  [content.publishPiece, `console_content.set_shown('article', 9999, 1, null, null, $1)`],
  [content.setArticle, `console_content.set_article(9999, 1, 1, '', false, $1)`],
  [content.saveAbout, `console_content.set_about('en', 9999, 'x', $1)`],
  [content.saveBanner, `console_content.set_banner(9999, 1, 'x', '', false, $1)`],
  [content.raiseBanner, `console_content.raise_one('banner', 9999, 1, $1)`],
  [content.savePromo, `console_content.set_promo(9999, 1, 'x', false, '{}', '{}', $1)`],
  [own.renewRecoveryCodes, `staff.renew_recovery_codes('{}', $1)`],
  [own.endOwnSession, 'staff.end_own_session(9999, $1)'],
  [own.staffProve, 'staff.note_confirmation($1)'],
  [own.staffPasskeyOptions, 'staff.require_confirmation($1, 5)'],
  [own.addStaffPasskey, `staff.add_passkey('', '', '', 0, '{}', 'x', 20, $1)`],
  [own.removeStaffPasskey, 'staff.remove_passkey(9999, $1)'],
  [own.requirePasskey, `staff.require_passkey('editor', true, $1)`],
  [wire.withdrawalPayee, `staff.audit_action($1, 'read', 'test:1', '{}')`],
] as const

describe('each function of the database that staff call', () => {
  const database = shareTestDatabase()
  beforeAll(async () => {
    await staffToken(database)
    const { gameId, issue } = await openTestRound(database)
    // An open proposal of each kind; only a void needs what it is about.
    await database.owner.query(
      `insert into staff.proposal (kind, subject, content, reason, proposed_by, proposed_at)
       select kind, $2, '{"amount": 1}', 'x', id, app.now()
       from staff.member, unnest($1::text[]) kind`,
      [PROPOSAL_KINDS, `round:${gameId}:${issue}`],
    )
    // Undoes each call, and returns the database's word about the acting member; null if it allows the call.
    await database.owner.query(`
      create function app.word_of(call text, token text) returns text language plpgsql as $$
      begin
        execute 'select ' || call using token;
        raise exception 'undone';
      exception
        when sqlstate 'STAFF' then return sqlerrm;
        when others then return null;
      end $$;
      grant execute on function app.word_of to public`)
  })

  /** The word about each call, by whoever has this token. */
  async function wordsOf(token: string | null): Promise<Record<string, string | null>> {
    const rows = await database.db.query<{ call: string; word: string | null }>(
      'select call, app.word_of(call, $2) as word from unnest($1::text[]) call',
      [FUNCTIONS.map(([, call]) => call), token],
    )
    return Object.fromEntries(rows.map(({ call, word }) => [call, word]))
  }

  const each = (word: string) => Object.fromEntries(FUNCTIONS.map(([, call]) => [call, word]))

  it('is in this list', async () => {
    const { owner } = database
    const rows = await owner.column<string>(`select oid::regproc::text as name from pg_proc
       where 'by_session' = any (proargnames) and prokind = 'f' order by 1`)
    const listed = FUNCTIONS.map(([, call]) => call.slice(0, call.indexOf('(')))
    expect(rows).toEqual([...new Set(listed)].sort())
    // And none trusts a number in its arguments.
    expect(
      await owner.query(`select oid::regproc from pg_proc where 'by_staff' = any (proargnames)`),
    ).toEqual([])
  })

  it.each(STAFF_ROLES)('is for the roles of its route and no other: %s', async (role) => {
    const words = FUNCTIONS.map(([route, call]) => {
      const may = call.startsWith('staff.audit_action') || (route.roles ?? []).includes(role)
      return [call, may ? null : 'forbidden']
    })
    expect(await wordsOf(await staffToken(database, { role }))).toEqual(Object.fromEntries(words))
  })

  it('lets no stranger in', async () => {
    const hash = createHash('sha256')
      .update(await staffToken(database))
      .digest('hex')
    // The table of sessions contains the hash, and not the token.
    for (const other of [null, '', 'made up', hash, `\\x${hash}`]) {
      expect(await wordsOf(other), String(other)).toEqual(each('session_unknown'))
    }
  })

  it.each([
    [`session set seen_at = app.now() - interval '15 minutes 1 second'`, 'session_expired'],
    [`session set created_at = app.now() - interval '12 hours 1 second'`, 'session_expired'],
    [`session set ended_at = app.now(), ended_by = 'logout'`, 'session_unknown'],
    [`session set ended_at = app.now(), ended_by = 'reset'`, 'session_replaced'],
    [`session set ended_at = app.now(), ended_by = 'inactive'`, 'session_replaced'],
    [`session set ended_at = app.now(), ended_by = 'colleague'`, 'session_replaced'],
    [`member set active = false, closed_at = app.now()`, 'session_replaced'],
  ])('lets nobody in whose session or account is over: %s', async (change, word) => {
    const token = await staffToken(database)
    const id = change.startsWith('member') ? 'id' : 'staff_id'
    await database.owner.query(
      `update staff.${change} where ${id} = (
         select staff_id from staff.session where token_hash = sha256($1::text::bytea))`,
      [token],
    )
    expect(await wordsOf(token)).toEqual(each(word))
  })
})

describe('an action of staff', () => {
  const { database, db, owner } = eachTestDatabase()

  it('is in the log with its session', async () => {
    const sessions = [await staffToken(database), await staffToken(database)]
    for (const session of sessions) {
      await db.query(`select staff.audit_action($1, 'tried', 'test:1', '{}')`, [session])
    }
    expect(
      await owner.query(
        `select audit.id::integer, audit.staff_id = session.staff_id as same from staff.audit
         join staff.session on session.id = session_id order by audit.id`,
      ),
    ).toEqual([
      { id: 1, same: true },
      { id: 2, same: true },
    ])
    expect(await loggedActions(db)).toHaveLength(2)
  })

  it('cannot be recorded by the application for another person', async () => {
    await staffToken(database)
    const forged: Record<string, string> = {
      'a row of the log': `select staff.write_audit(1, null, 'made_up', 'x', '{}')`,
      'a row with a session': `select staff.write_audit(1, 1, 'made_up', 'x', '{}')`,
      'a session': `insert into staff.session (token_hash, staff_id, address) values (sha256('x'), 1, 'test')`,
      'a session that goes on': `update staff.session set ended_at = null, ended_by = null`,
      'an older session': `update staff.session set created_at = app.now()`,
      'who has a token': `select staff.acting('x', 'owner')`,
    }
    for (const [what, statement] of Object.entries(forged)) {
      await expect(db.query(statement), what).rejects.toThrow(/permission denied/)
    }
    // It can begin a session for a member who has not signed in; the log records that, permanently.
    await db.query(`select staff.begin_session(sha256('x'), 1, '127.0.0.1')`)
    expect(await loggedActions(db, 1)).toMatchObject([{ action: 'signed_in', subject: 'staff:1' }])
  })

  it.each([
    ['alerts', `select staff.choose_alerts('{}', $1)`],
    ['address', `select staff.change_own(null, 'ann@example.org', $1)`],
    ['recovery codes', `select staff.renew_recovery_codes('{}', $1)`],
  ])('changes the member’s own %s twice at once, and neither ends the other', async (_, call) => {
    const session = await staffToken(database)
    const direct = withoutRetry(database.db)
    // Somebody else has the member in hand, so that both calls are under way before either goes on.
    const answers = await answerAfter(database, {
      first: (tx) => tx.query('select from staff.member for share'),
      second: () => Promise.all([1, 2].map(() => direct.query(call, [session]))),
      whileWaiting: () => somebodyWaits(database, 2),
    })
    expect(answers).toHaveLength(2)
  })
})

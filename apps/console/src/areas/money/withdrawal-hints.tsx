/** What calls for a closer look at a withdrawal, as sentences. */
import { Alert, Box, Chip, Stack, Typography } from '@mui/material'
import { oneWithdrawal, type RiskHint, type StaffWithdrawal } from '@sum28/contract/staff-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { useReply } from '#src/data/use-reply.ts'
import { type Fact, Facts } from '#src/parts/facts.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { MomentText, MoneyText, moment } from '#src/parts/values.tsx'

type PayeeTextProps = {
  payee: StaffWithdrawal['payee']
  /** Whether of a wallet's address only the ends are shown. */
  short?: boolean
}

/** A payee in one line: a card's number masked. A name that is written from right to left turns nothing beside it. */
export function PayeeText({ payee, short = false }: PayeeTextProps) {
  const { kind, label, bank_name: bank, number } = payee
  const isLong = kind === 'wallet' && number.length > 20
  const shown = short && isLong ? `${number.slice(0, 6)}…${number.slice(-6)}` : number
  return (
    <>
      <bdi>{label}</bdi>
      {label && bank && ', '}
      <bdi>{bank}</bdi> {/* A whole address is wider than its column, and may be broken. */}
      <span className={shown.length > 20 ? '' : 'num'} title={number}>
        {shown}
      </span>
    </>
  )
}

/** What stops a withdrawal, its payee, amount, player and hints, in the dialog of a decision on it. */
export function AboutWithdrawal({ id }: { id: number }) {
  const answer = useReply(oneWithdrawal, { id })
  return (
    <Loaded answer={answer}>
      {(withdrawal) => (
        <Box sx={{ display: 'grid', gap: 2 }}>
          <Obstacles withdrawal={withdrawal} />
          <AboutPayment withdrawal={withdrawal} />
          <Hints hints={withdrawal.risks} />
        </Box>
      )}
    </Loaded>
  )
}

/** The same where a table has payee, amount and player. */
export function AboutChosen({ id }: { id: number }) {
  const answer = useReply(oneWithdrawal, { id })
  return (
    <Loaded answer={answer}>
      {(withdrawal) => (
        <Box sx={{ display: 'grid', gap: 1 }}>
          <Obstacles withdrawal={withdrawal} />
          {withdrawal.note && <Facts texts="areas.money.payFields" facts={noteOf(withdrawal)} />}
          <Hints hints={withdrawal.risks} />
        </Box>
      )}
    </Loaded>
  )
}

/** The newest note about the player, if there is one. */
function noteOf({ note, noted_at: at }: StaffWithdrawal): readonly Fact[] {
  return [
    ['note', note ?? undefined],
    ['noted_at', moment(at) ?? undefined],
  ]
}

/** Why a withdrawal should not be approved or paid now: its player is frozen, or has changed his account since. */
export function Obstacles({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const { state, frozen, hold_until: until, needs_password: needsPassword } = withdrawal
  return (
    <>
      {frozen && FROZEN_TEXTS[state] && (
        <Alert severity="warning">{translate(FROZEN_TEXTS[state])}</Alert>
      )}
      {until !== null && HOLD_TEXTS[state] && (
        <Alert severity="warning">
          {translate(HOLD_TEXTS[state])} <MomentText at={until} />
        </Alert>
      )}
      {needsPassword && <Alert severity="warning">{translate('areas.money.needsPassword')}</Alert>}
    </>
  )
}

/** Where the money of a closed account stays when it comes back. */
export function ClosedAccount({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const { closed, user_id: userId, username } = withdrawal
  if (!closed) return null
  return (
    <Alert severity="warning">
      {translate('areas.money.closedAccount')}{' '}
      <Link to={`/players/${userId}/show`} target="_blank">
        {username}
      </Link>
    </Alert>
  )
}

/** What a freeze means for a withdrawal in each state that it stops. */
const FROZEN_TEXTS: Partial<Record<StaffWithdrawal['state'], string>> = {
  waiting: 'areas.money.frozenPlayer',
  to_pay: 'areas.money.frozenSince',
  at_bank: 'areas.money.stopped.account_frozen',
}

/** What a hold means for it. */
const HOLD_TEXTS: typeof FROZEN_TEXTS = {
  waiting: 'areas.money.onHold',
  to_pay: 'areas.money.changedSince',
  at_bank: 'areas.money.changedSince',
}

/** The same in a few words, in the list. */
export function ObstacleMarks({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const { state, frozen, hold_until: until, needs_password: needsPassword } = withdrawal
  return (
    <Typography variant="caption" color="warning" component="div">
      {frozen && FROZEN_TEXTS[state] && <div>{translate('areas.money.frozenMark')}</div>}
      {until !== null && (
        <div>
          {translate('areas.money.holdMark')} <MomentText at={until} />
        </div>
      )}
      {needsPassword && <div>{translate('areas.money.needsPasswordMark')}</div>}
    </Typography>
  )
}

/** Whether earlier transactions paid a part of a withdrawal. */
export function isInParts({ paid_part: part }: Pick<StaffWithdrawal, 'paid_part'>): boolean {
  return amountFromWire(part) > 0n
}

/** Payee, amount and player. */
function AboutPayment({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const { user_id: userId, username, payee, quantity, ...of } = withdrawal
  return (
    <Facts
      texts="areas.money.payFields"
      facts={[
        ['payee', <PayeeText key="payee" payee={payee} />],
        ['quantity', <MoneyText key="quantity" value={quantity} />],
        ['paid_part', isInParts(of) ? <MoneyText key="part" value={of.paid_part} /> : undefined],
        ['rest', isInParts(of) ? <MoneyText key="rest" value={of.rest} /> : undefined],
        [
          'username',
          <Link key="player" to={`/players/${userId}/show`} target="_blank">
            {username}
          </Link>,
        ],
        ['requested_by', of.requested_by ?? undefined],
        ['request_reason', of.request_reason ?? undefined],
        ...noteOf(withdrawal),
        ['earlier_references', of.earlier_references.join(', ') || undefined],
      ]}
    />
  )
}

export function Hints({ hints }: { hints: readonly RiskHint[] }) {
  const translate = useTranslate()
  if (hints.length === 0) {
    return <Alert severity="success">{translate('areas.money.noHints')}</Alert>
  }
  return (
    <Alert severity="warning" component="section">
      <Typography component="h2" sx={{ fontWeight: 'var(--weight-bold)' }}>
        {translate('areas.money.hints')}
      </Typography>
      <Box component="ul" sx={{ margin: 0, paddingInlineStart: 2 }}>
        {hints.map((hint) => (
          <li key={hint.kind}>
            <Hint hint={hint} />
          </li>
        ))}
      </Box>
    </Alert>
  )
}

/** The server counts only up to this number. */
const PLAYERS_MAX = 100

function Hint({ hint: { kind, players, others, at, deposited, staked } }: { hint: RiskHint }) {
  const translate = useTranslate()
  const text = translate(`areas.money.hint.${kind}`, {
    smart_count: players ?? 0,
    players: players === PLAYERS_MAX ? translate('areas.money.orMore') : players,
  })
  return (
    <>
      {text} {at !== null && <MomentText at={at} />}
      {deposited !== null && staked !== null && (
        <>
          {translate('areas.money.deposited')} <MoneyText value={deposited} />,{' '}
          {translate('areas.money.staked')} <MoneyText value={staked} />
        </>
      )}
      {others.length > 0 && (
        <>
          {translate('areas.money.alsoOf')}{' '}
          {others.map(({ user_id: id, username }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link to={`/players/${id}/show`} target="_blank">
                {username}
              </Link>
            </span>
          ))}
        </>
      )}
    </>
  )
}

/** The kinds of hints of a pending withdrawal, and a note since its request; its page and its dialogs have their texts. */
export function HintKinds({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const { state, risks, requested_at: requestedAt, noted_at: notedAt } = withdrawal
  const isNoted = notedAt !== null && notedAt >= requestedAt
  if (state !== 'waiting' || (risks.length === 0 && !isNoted)) return '—'
  return (
    <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap' }}>
      {risks.map(({ kind }) => (
        <Chip key={kind} color="warning" label={translate(`areas.money.hintKind.${kind}`)} />
      ))}
      {isNoted && <Chip color="warning" label={translate('areas.money.hintKind.noted')} />}
    </Stack>
  )
}

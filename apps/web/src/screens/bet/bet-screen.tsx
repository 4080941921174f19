import type { DownloadedFile } from '@sum28/contract/read-download.ts'
import type { FullBetOnWire } from '@sum28/contract/receipt.ts'
import { orderInfo } from '@sum28/contract/user-routes.ts'
import { sumOfDigits } from '@sum28/domain/digits.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { saveFile } from '@sum28/ui/save-file.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { betFromWire, isPending, orderNoOfItem, verdictOf } from '#src/data/bet.ts'
import { call } from '#src/data/client.ts'
import { nullIfNotFound } from '#src/data/fairness.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { keepLine, keptLine } from '#src/data/kept-lines.ts'
import { receiptFileName, receiptText } from '#src/data/receipt.ts'
import { useSession } from '#src/data/session-watch.ts'
import { DrawShield } from '#src/features/draw-shield.tsx'
import { AfterDraw, DrawTiles } from '#src/features/draw-tiles.tsx'
import { GameLogo, gameCode } from '#src/features/game-logo.tsx'
import { HandedFile } from '#src/features/handed-file.tsx'
import { EmptyState, Loaded } from '#src/features/loaded.tsx'
import { LocalBeaconNote, NotWitnessed } from '#src/features/local-beacon-note.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { useRoomTitle } from '#src/features/room-title.ts'
import { Screen } from '#src/features/screen.tsx'
import { oddsText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { momentText } from '#src/i18n/time-text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Button, LinkButton } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { classNames } from '#src/parts/class-names.ts'
import { CopyButton } from '#src/parts/copy-button.tsx'
import { LabelAmount, LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { Skeletons } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/bet/bet.module.css'

/** One bet. Only the order number is read from the address; the rest comes from the server. */
export function BetScreen() {
  const t = useText()
  const [{ item }] = useRouteQuery('bet')
  const orderNo = orderNoOfItem(item)
  return (
    <Screen title={t('bet.title')} back>
      {orderNo === null ? <NoSuchBet /> : <LoadedBet orderNo={orderNo} />}
    </Screen>
  )
}

function LoadedBet({ orderNo }: { orderNo: string }) {
  const bet = useQuery(fullBetQuery(orderNo))
  return (
    <Loaded query={bet} skeleton={<Skeletons heights={[168]} rows={6} />}>
      {(found) => (found ? <BetSheet bet={found} /> : <NoSuchBet orderNo={orderNo} />)}
    </Loaded>
  )
}

/** What this device kept of it shows that there was one. */
function NoSuchBet({ orderNo = '' }: { orderNo?: string }) {
  const t = useText()
  const kept = keptLine(orderNo)
  return (
    <EmptyState icon="search" title={t('bet.unknown')} hint={t('bet.unknownHint')}>
      <LinkButton kind="soft" to={href('betHistory')}>
        {t('betHistory.title')}
      </LinkButton>
      {kept && (
        <>
          <p>{t('bet.keptLine')}</p>
          <CopyButton value={kept.signed} label={t('receipt.copy')} />
        </>
      )}
    </EmptyState>
  )
}

function BetSheet({ bet }: { bet: FullBet }) {
  return (
    <>
      <BetResult bet={bet} />
      <BetSelections bet={bet} />
      <BetMoney bet={bet} />
      <BetFacts bet={bet} />
      <BetReceipt bet={bet} />
    </>
  )
}

/** The round whose draw is revealed, once there is one. */
function revealOf({ digits, roundId }: FullBet): string | undefined {
  return digits ? roundId : undefined
}

const TONES = { pending: 'warn', won: 'in', lost: 'quiet', refunded: 'quiet' } as const

function BetResult({ bet }: { bet: FullBet }) {
  const t = useText()
  const roomTitle = useRoomTitle()
  const verdict = verdictOf(bet)
  const reveal = revealOf(bet)
  return (
    <Card className="stack-3 middle" data-game={gameCode(bet.gameId)}>
      <div className={styles.head}>
        <GameLogo game={gameCode(bet.gameId)} size={32} />
        <b>
          {bet.game} · {roomTitle({ title: bet.room, type: bet.roomType })}
        </b>
        <AfterDraw reveal={reveal}>
          <span className="toned tag bold" data-tone={TONES[verdict]}>
            {t(`bet.${verdict}`)}
          </span>
        </AfterDraw>
      </div>
      <DrawTiles digits={bet.digits} voided={verdict === 'refunded'} size="l" reveal={reveal} />
      <AfterDraw reveal={reveal}>
        {bet.digits ? (
          <span className="stack-3 middle">
            <OutcomeTags outcomes={labelsOfSum(sumOfDigits(bet.digits)).base} />
            {bet.witnessed === false && <NotWitnessed />}
            <DrawShield gameId={bet.gameId} roundId={bet.roundId} digits={bet.digits} />
          </span>
        ) : (
          <span className="quiet narrow center">
            {bet.result === 'refunded' ? t('bet.refundedHint') : t('bet.pendingHint')}
          </span>
        )}
      </AfterDraw>
    </Card>
  )
}

function BetMoney({ bet }: { bet: FullBet }) {
  const t = useText()
  const hasResult = bet.result === 'won' || bet.result === 'lost'
  const reveal = revealOf(bet)
  return (
    <Card kind="rows">
      <LabelValues kind="rows">
        <LabelAmount label={t('betHistory.staked')} value={bet.staked} decimals="all" />
        {bet.result === 'refunded' ? (
          <LabelAmount label={t('receipt.returned')} value={bet.staked} decimals="all" />
        ) : (
          <LabelValue label={t('bet.payout')}>
            <AfterDraw reveal={reveal}>
              {hasResult ? <AmountText value={bet.payout} decimals="all" /> : '----'}
            </AfterDraw>
          </LabelValue>
        )}
        <LabelValue label={t('bet.profit')}>
          <AfterDraw reveal={reveal}>
            {hasResult ? <AmountText value={bet.profit} decimals="all" signed /> : '----'}
          </AfterDraw>
        </LabelValue>
        <LabelAmount label={t('receipt.before')} value={bet.balanceBefore} decimals="all" />
        <LabelAmount label={t('receipt.after')} value={bet.balanceAfter} decimals="all" />
      </LabelValues>
    </Card>
  )
}

function BetFacts({ bet }: { bet: FullBet }) {
  const t = useText()
  const when = useTimeFormat()
  const refunded = bet.result === 'refunded'
  return (
    <Card kind="rows">
      <LabelValues kind="rows">
        <LabelValue label={t('bet.round')}>{bet.roundId}</LabelValue>
        <LabelValue label={t('bet.time')}>{momentText(bet.placedAt, when)}</LabelValue>
        {bet.settledAt !== null && (
          <LabelValue label={t(refunded ? 'receipt.refundedAt' : 'receipt.settledAt')}>
            {momentText(bet.settledAt, when)}
          </LabelValue>
        )}
        <LabelValue
          label={t('bet.order')}
          end={
            <CopyButton
              small
              value={bet.orderNo}
              label={t('copy.label', { what: t('bet.order') })}
            />
          }
        >
          {bet.orderNo}
        </LabelValue>
        <LabelValue label={t('receipt.gameAndRoom')}>
          {bet.gameId} · {bet.roomId}
        </LabelValue>
        <LabelValue label={t('receipt.rules')}>{bet.rulesVersion}</LabelValue>
      </LabelValues>
    </Card>
  )
}

/** With more characters, the amounts of a selection are below each other. */
const CHARS_IN_A_ROW = 20

function BetSelections({ bet }: { bet: FullBet }) {
  const t = useText()
  const { tag } = useLocale()
  const longest = (amounts: readonly Amount[]) =>
    Math.max(...amounts.map((amount) => amountText(amount, { tag, decimals: 'all' }).length))
  const chars =
    longest(bet.selections.map(({ stake }) => stake)) +
    longest(bet.selections.map(({ payout }) => payout))
  const wide = chars > CHARS_IN_A_ROW
  return (
    <Card>
      <table className={classNames('figures', wide && styles.wide)}>
        <thead className={wide ? 'unseen' : undefined}>
          <tr>
            <th scope="col">{t('receipt.selection')}</th>
            <th scope="col">{t('panel.odds')}</th>
            <th scope="col">{t('receipt.stake')}</th>
            <th scope="col">{t('bet.payout')}</th>
          </tr>
        </thead>
        <tbody>
          {bet.selections.map((selection) => (
            <tr key={selection.outcome}>
              <th scope="row">
                <OutcomeTags outcomes={[selection.outcome]} />
              </th>
              <td data-label={t('panel.odds')}>{oddsText(selection.odds, tag)}</td>
              <td data-label={t('receipt.stake')}>
                <AmountText value={selection.stake} decimals="all" unit={false} />
              </td>
              <td data-label={t('bet.payout')}>
                <AfterDraw reveal={revealOf(bet)}>
                  <Outcome selection={selection} />
                </AfterDraw>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function Outcome({ selection: { hit, payout } }: { selection: Selection }) {
  const t = useText()
  if (hit === null) return <span className="medium ink-3">----</span>
  if (!hit) return <span className="medium ink-3">{t('receipt.missed')}</span>
  return (
    <span className="bold">
      <AmountText value={payout} decimals="all" unit={false} />
      <span className="unseen">{t('receipt.hit')}</span>
    </span>
  )
}

function BetReceipt({ bet }: { bet: FullBet }) {
  const t = useText()
  const { receipt } = bet
  const userId = useSession('userId')
  const [handed, setHanded] = useState<DownloadedFile | null>(null)

  function save() {
    const blob = new Blob([receiptText(receipt)], { type: 'application/json' })
    const file = { name: receiptFileName(receipt), blob }
    saveFile(file)
    setHanded(file)
  }

  return (
    <Card className="stack-3">
      <h2>{t('receipt.title')}</h2>
      <p className="quiet">{t(isPending(bet) ? 'receipt.earlyText' : 'receipt.text')}</p>
      {receipt.proof.beacon.kind === 'local' && <LocalBeaconNote />}
      <LinkButton wide to={href('fairness')} state={{ receipt, of: userId }}>
        {t('receipt.check')}
      </LinkButton>
      <div className="halves">
        <Button kind="soft" size="s" wide onClick={save}>
          {t('receipt.save')}
        </Button>
        <CopyButton value={receiptText(receipt)} label={t('receipt.copy')} />
      </div>
      <HandedFile file={handed} />
    </Card>
  )
}

type FullBet = ReturnType<typeof fullBetFromWire>
type Selection = FullBet['selections'][number]

/** One bet by its order number, or null if the player has no such bet. */
function fullBetQuery(orderNo: string) {
  return queryOptions<FullBet | null>({
    queryKey: ['bet', orderNo],
    queryFn: async ({ signal }) => {
      const receipt = await call(orderInfo, { orderNo }, { signal }).catch(nullIfNotFound)
      if (receipt) keepLine(receipt).catch(() => {})
      return receipt && fullBetFromWire(receipt)
    },
  })
}

function fullBetFromWire({ before, after, ...receipt }: FullBetOnWire) {
  return {
    ...betFromWire(receipt),
    roomId: receipt.plan_id,
    /** 0 basic, 1 senior, 2 master, 3 expert. */
    roomType: receipt.plan_type,
    rulesVersion: receipt.rules_version,
    selections: receipt.selections.map(({ class_name, odds, stake, payout, hit }) => ({
      outcome: class_name,
      /** Decimal, principal included. */
      odds,
      stake: amountFromWire(stake),
      payout: amountFromWire(payout),
      /** Null until the bet is settled, and where it was refunded. */
      hit,
    })),
    payout: amountFromWire(receipt.payout),
    /** The balance before the stake was taken, and after. */
    balanceBefore: amountFromWire(before),
    balanceAfter: amountFromWire(after),
    /** Milliseconds since 1970; null while pending. */
    settledAt: receipt.settled_at === null ? null : receipt.settled_at * 1_000,
    receipt,
  }
}

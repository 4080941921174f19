import { rules } from '@sum28/contract/index-routes.ts'
import { labelsOfSum, sumOfDigits } from '@sum28/domain/digits.ts'
import { type Amount, MICRO } from '@sum28/domain/money.ts'
import { payoutAt } from '@sum28/domain/payout.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { call } from '#src/data/client.ts'
import { DrawTiles } from '#src/features/draw-tiles.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { OutcomeTags, useOutcomeWord } from '#src/features/outcome-tag.tsx'
import { Screen } from '#src/features/screen.tsx'
import { durationText, oddsText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Card } from '#src/parts/card.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { Skeletons } from '#src/parts/skeleton.tsx'
import {
  alikeInAllGames,
  type RoomRules,
  type Rules,
  rulesFromWire,
} from '#src/screens/rules/room-rules.ts'
import styles from '#src/screens/rules/rules.module.css'
import { RulesOdds } from '#src/screens/rules/rules-odds.tsx'

/** The rules: public as /rules, and from a room as /lotteryExplain. */
export function RulesScreen() {
  const t = useText()
  const rules = useQuery(rulesQuery)
  return (
    <Screen title={t('home.rules')} back>
      <p className="lead">{t('rules.lead')}</p>
      <div className={styles.adults}>
        <b aria-hidden="true">18+</b>
        <p>
          {t('rules.adults')} <Link to={href('saferPlay')}>{t('help.more')}</Link>
        </p>
      </div>
      <Loaded query={rules} skeleton={<Skeletons heights={[188, 196]} rows={8} />}>
        {(found) => <RulesBody rules={found} />}
      </Loaded>
    </Screen>
  )
}

/** The parts of the rules page that need the server's numbers. */
function RulesBody({ rules }: { rules: Rules }) {
  const alike = alikeInAllGames(rules.rooms)
  const [chosenId, choose] = useState<number | null>(null)
  const chosen = rules.rooms.find(({ id }) => id === chosenId) ?? rules.rooms[0]
  return (
    <>
      <RulesRound rules={rules} />
      <RulesBets />
      {chosen && (
        <>
          <RulesOdds
            rooms={rules.rooms}
            alike={alike}
            chosen={chosen}
            onChoose={(room: RoomRules) => choose(room.id)}
          />
          <RulesReturn room={chosen} />
        </>
      )}
      <RulesTerms deadlineSeconds={rules.deadlineSeconds} payoutMax={rules.payoutMax} />
    </>
  )
}

function RulesPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Card className={styles.part}>
        <h2 id={id}>{title}</h2>
        {children}
      </Card>
    </section>
  )
}

function RulesRound({ rules }: { rules: Rules }) {
  const t = useText()
  const { tag } = useLocale()
  const { roundSeconds, sealSeconds } = rules
  const open = durationText(roundSeconds - sealSeconds, tag)
  const sealed = durationText(sealSeconds, tag)
  return (
    <RulesPart title={t('rules.roundTitle')}>
      <div className={styles.roundLine} aria-hidden="true">
        <div className={styles.open} style={{ flexGrow: roundSeconds - sealSeconds }}>
          <span>{t('rules.open')}</span>
          <b className="num">{open}</b>
        </div>
        <div className={styles.sealed} style={{ flexGrow: sealSeconds }}>
          <span>{t('round.sealed')}</span>
          <b className="num">{sealed}</b>
        </div>
        <div className={styles.draw}>
          <i />
          <span>{t('rules.draw')}</span>
        </div>
      </div>
      <p>{t('rules.roundText', { open, sealed })}</p>
      <p>
        {t('rules.hours', {
          hours: rules.openingHours.replace('-', '–'),
          zone: zoneName(rules.zone, tag),
          count: rules.roundsADay,
        })}
      </p>
    </RulesPart>
  )
}

/** `Asia/Singapore` → `Singapore Standard Time`, as the language calls it. */
function zoneName(zone: string, tag: string): string {
  const format = new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName: 'longGeneric' })
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

const DIGITS = [4, 7, 8] as const

function RulesBets() {
  const t = useText()
  const sum = sumOfDigits(DIGITS)
  const { base, join } = labelsOfSum(sum)
  return (
    <RulesPart title={t('rules.betTitle')}>
      <p>{t('rules.betText')}</p>
      <div className={styles.example}>
        <DrawTiles digits={[...DIGITS]} size="s" />
        <p>{t('rules.exampleWins')}</p>
        <OutcomeTags outcomes={[...base, join, String(sum)]} />
      </div>
    </RulesPart>
  )
}

/** Explains odds and return by the first outcome of the chosen room. */
function RulesReturn({ room }: { room: RoomRules }) {
  const t = useText()
  const { tag } = useLocale()
  const word = useOutcomeWord()
  const [first] = room.named
  if (!first) return null

  const amount = (value: bigint) => amountText(value, { tag })
  const payout = payoutAt(room.stakeMin, first.oddsMilli)
  const { share, back, kept } = returnOf(first.return)
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 })
  return (
    <>
      <RulesPart title={t('rules.payTitle')}>
        <p>
          {t('rules.payText', {
            stake: amount(room.stakeMin),
            outcome: word(first.outcome),
            odds: oddsText(first.odds, tag),
            payout: amount(payout),
            profit: amount(payout - room.stakeMin),
          })}
        </p>
        <p>{t('rules.payFixed')}</p>
      </RulesPart>
      <RulesPart title={t('rules.returnTitle')}>
        <p>
          {t('rules.returnText', {
            all: new Intl.NumberFormat(tag).format(1_000),
            share: percent.format(share),
            back: amount(back),
            kept: amount(kept),
          })}
        </p>
        <p>{t('rules.returnTruth')}</p>
      </RulesPart>
    </>
  )
}

/** A return (`"0.9600"`) as amounts: how much of each 100 u is paid back, and how much is kept. */
function returnOf(share: string): { share: number; back: Amount; kept: Amount } {
  const hundred = 100n * MICRO
  // Four decimals of one are as many cents of a hundred.
  const back = BigInt(share.replace('.', '')) * (hundred / 10_000n)
  return { share: Number(share), back, kept: hundred - back }
}

function RulesTerms(props: { deadlineSeconds: number; payoutMax: Amount }) {
  const { deadlineSeconds, payoutMax } = props
  const t = useText()
  const { tag } = useLocale()
  return (
    <>
      <RulesPart title={t('rules.lateTitle')}>
        <p>{t('rules.lateText')}</p>
        <p>{t('rules.lateFinal')}</p>
      </RulesPart>
      <RulesPart title={t('rules.voidTitle')}>
        <p className={styles.strong}>{t('rules.voidText')}</p>
        <p>{t('rules.voidWhen', { deadline: durationText(deadlineSeconds, tag) })}</p>
      </RulesPart>
      <RulesPart title={t('rules.faultTitle')}>
        <p>{t('rules.faultText')}</p>
        <p>{t('rules.faultMoney')}</p>
      </RulesPart>
      <RulesPart title={t('rules.limitsTitle')}>
        <p>{t('rules.limitsText')}</p>
        <p>{t('rules.payoutMax', { amount: amountText(payoutMax, { tag }) })}</p>
      </RulesPart>
      <RulesPart title={t('hall.robots')}>
        <p>{t('rules.robotsText')}</p>
      </RulesPart>
      <RulesPart title={t('rules.fairTitle')}>
        <p>{t('rules.fairText')}</p>
        <Link className="row-2 tap strong" to={href('fairness')}>
          {t('rules.check')}
          <Icon name="forward" size={16} />
        </Link>
      </RulesPart>
    </>
  )
}

const rulesQuery = queryOptions({
  queryKey: ['rules'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => rulesFromWire(await call(rules, {}, { signal })),
})

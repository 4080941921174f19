import { setRealityCheck } from '@sum28/contract/protection-routes.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/data/client.ts'
import {
  isHeld,
  LIMIT_KINDS,
  type Limit,
  type LimitName,
  type Protection,
  pendingRaise,
  protectionQuery,
} from '#src/data/protection.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useLimitWords } from '#src/features/use-limit-left.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Card, Section } from '#src/parts/card.tsx'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import { Arrow, Icon } from '#src/parts/icon.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { Skeletons } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import { LimitSheet } from '#src/screens/limits/limit-sheet.tsx'
import styles from '#src/screens/limits/limits.module.css'

/** The nine limits, the reality check, and links to breaks and to help. */
export function LimitsScreen() {
  const t = useText()
  const protection = useQuery(protectionQuery)
  return (
    <Screen title={t('limits.title')} back>
      <p className="quiet inset">{t('limits.lead')}</p>
      <Loaded query={protection} skeleton={<Skeletons heights={[268, 268, 268]} />}>
        {(found) => <Limits protection={found} />}
      </Loaded>
      <Card kind="rows">
        <ListRow
          icon="pause"
          title={t('break.title')}
          note={t('break.note')}
          to={href('takeBreak')}
        />
        <ListRow
          icon="shield"
          title={t('home.saferPlay')}
          note={t('home.saferPlayNote')}
          to={href('saferPlay')}
        />
      </Card>
    </Screen>
  )
}

function Limits({ protection }: { protection: Protection }) {
  const t = useText()
  const [sheet, setSheet] = useState<{ of: LimitName; open: boolean } | null>(null)
  const { limits, checkMinutes, exclusion } = protection
  // A review by staff, which is no break, forbids no change of limits.
  const onBreak = exclusion !== null && !isHeld(exclusion.kind)
  const { kind, period } = sheet?.of ?? {}
  const shown = limits.find((limit) => limit.kind === kind && limit.period === period)
  // Only this one: a change that was sent from a sheet may end while a later one is open.
  const close = () => setSheet((now) => (now && now === sheet ? { ...now, open: false } : now))
  return (
    <>
      {LIMIT_KINDS.map((kind) => (
        <Section key={kind} title={t(`limits.kind.${kind}`)}>
          <Card kind="rows">
            <p className="quiet row-text">{t(`limits.about.${kind}`)}</p>
            {limits
              .filter((limit) => limit.kind === kind)
              .map((limit) => (
                <LimitRow
                  key={limit.period}
                  limit={limit}
                  onBreak={onBreak}
                  onPress={() => setSheet({ of: limit, open: true })}
                />
              ))}
          </Card>
        </Section>
      ))}
      <CheckInterval minutes={checkMinutes} />
      {sheet && shown && (
        <LimitSheet
          key={`${kind}-${period}`}
          limit={shown}
          onBreak={onBreak}
          open={sheet.open}
          onClose={close}
        />
      )}
    </>
  )
}

type LimitRowProps = { limit: Limit; onBreak: boolean; onPress: () => void }

function LimitRow({ limit, onBreak, onPress }: LimitRowProps) {
  const t = useText()
  const { period, amount, by } = limit
  return (
    <button type="button" className={styles.limit} onClick={onPress}>
      <span className="lines grow">
        <span className="ends wrap">
          <b className="medium">{t(`limits.period.${period}`)}</b>
          {amount === null ? (
            <span className="hint push">{t('limits.none')}</span>
          ) : (
            <AmountText value={amount} className="bold push" />
          )}
        </span>
        {by !== null && <span className="hint">{t(`limits.by.${by}`)}</span>}
        <Usage limit={limit} />
        {!onBreak && <Waiting limit={limit} />}
      </span>
      <Arrow />
    </button>
  )
}

function Usage({ limit: { amount, left, nextPeriodAt } }: { limit: Limit }) {
  const t = useText()
  const { tag } = useLocale()
  const { soon } = useLimitWords()
  if (amount === null || left === null) return null
  const share = usedShare(amount, left)
  return (
    <>
      <span className={styles.bar} aria-hidden="true">
        <span style={{ width: `${share}%` }} data-full={left === 0n} />
      </span>
      <span className="ends wrap">
        <span className="quiet num">
          {t('limits.leftOver', { amount: amountText(left, { tag }) })}
        </span>
        <span className="hint">{t('limits.anew', { day: soon(nextPeriodAt) })}</span>
      </span>
    </>
  )
}

/** The used part of a limit in percent: 0 for a loss limit of a player who has won. */
function usedShare(amount: Amount, left: Amount): number {
  if (left >= amount) return amount === 0n ? 100 : 0
  return Number((100n * (amount - left)) / amount)
}

function Waiting({ limit }: { limit: Limit }) {
  const t = useText()
  const { soon } = useLimitWords()
  const raise = pendingRaise(limit, serverNow())
  if (!raise) return null
  return (
    <span className={styles.waiting}>
      <Icon name="clock" size={16} />
      <span>
        {raise.ready ? t('limits.ready') : t('limits.waiting', { time: soon(raise.from) })}
      </span>
    </span>
  )
}

/** In minutes of play. */
const CHECK_MINUTES = [15, 30, 60, 120, 240]

function CheckInterval({ minutes }: { minutes: number }) {
  const t = useText()
  const setting = useMutation({
    mutationFn: (minutes: number) => call(setRealityCheck, { minutes }),
    // One after another, so that the last choice counts: a call may be repeated for a while.
    scope: { id: 'reality-check' },
    onSuccess: () => showToast(t('toast.saved')),
    onSettled: () => refetchQuery(protectionQuery),
  })
  const shown = setting.isPending ? setting.variables : minutes
  return (
    <Section title={t('interval.title')}>
      <Card className="stack-3">
        <p className="quiet">{t('interval.text')}</p>
        <ChoicePills
          label={t('interval.title')}
          kind="wrap"
          options={CHECK_MINUTES.map((each) => ({
            value: String(each),
            label: t('realityCheck.minutes', { minutes: each }),
          }))}
          value={String(shown)}
          onChange={(chosen) => setting.mutate(Number(chosen))}
        />
      </Card>
    </Section>
  )
}

import { askReturn, takeBreak } from '@sum28/contract/protection-routes.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/data/client.ts'
import { type BreakLength, type Exclusion, isHeld, protectionQuery } from '#src/data/protection.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { useBreakWords } from '#src/features/break-note.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useLimitWords } from '#src/features/use-limit-left.ts'
import { unitsText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { Button } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { Card, Section } from '#src/parts/card.tsx'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { Skeletons } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import { useQuestion } from '#src/parts/use-question.tsx'
import styles from '#src/screens/take-break/take-break.module.css'

/** Time-outs and self-exclusions: the forms to begin one, and the present one. */
export function TakeBreakScreen() {
  const t = useText()
  const protection = useQuery(protectionQuery)
  return (
    <Screen title={t('break.title')} back>
      <Loaded query={protection} skeleton={<Skeletons heights={[44, 164, 236, 236]} />}>
        {({ exclusion }) => (
          <>
            {exclusion ? (
              <BreakNow exclusion={exclusion} />
            ) : (
              <p className="inset">{t('break.lead')}</p>
            )}
            <Card>
              <BreakFacts />
            </Card>
            <Choices exclusion={exclusion} />
          </>
        )}
      </Loaded>
      <Card kind="rows">
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

/** The breaks that can be begun: during a break, only longer ones. */
function Choices({ exclusion }: { exclusion: Exclusion | null }) {
  const t = useText()
  const { timeOut, selfExclusion } = lengthsOffered(exclusion, serverNow())
  const none = timeOut.length + selfExclusion.length === 0
  return (
    <>
      {exclusion && !isHeld(exclusion.kind) && !none && (
        <p className="inset">{t('break.longer')}</p>
      )}
      {timeOut.length > 0 && <BreakChoice kind="timeOut" lengths={timeOut} />}
      {selfExclusion.length > 0 && <BreakChoice kind="selfExclusion" lengths={selfExclusion} />}
    </>
  )
}

function BreakNow({ exclusion }: { exclusion: Exclusion }) {
  const { title } = useBreakWords(exclusion)
  const words = useEndWords(exclusion)
  const { mayAskFrom } = exclusion
  return (
    <>
      <Callout icon="pause" tone="warn" title={title}>
        {words}
      </Callout>
      {mayAskFrom !== null && mayAskFrom <= serverNow() && <RequestEnd />}
    </>
  )
}

function useEndWords({ kind, until, mayAskFrom }: Exclusion): string {
  const t = useText()
  const { farAway } = useLimitWords()
  if (isHeld(kind)) return t(`break.${kind}`)
  if (kind === 'timeOut') return t('break.onTimeOut', { time: farAway(until ?? serverNow()) })
  if (until !== null) return t('break.returning', { time: farAway(until) })
  if (mayAskFrom !== null && mayAskFrom > serverNow()) {
    return t('break.onSelfExclusion', { time: farAway(mayAskFrom) })
  }
  return t('break.over')
}

function RequestEnd() {
  const t = useText()
  const returning = useMutation({
    mutationFn: () => call(askReturn, {}),
    onSuccess: () => showToast(t('break.endRequested')),
    onSettled: () => refetchQuery(protectionQuery),
  })
  const [ask, question] = useQuestion({
    title: t('break.endAsk'),
    text: t('break.endText'),
    tone: 'info',
    confirm: t('break.return'),
    onConfirm: returning.mutate,
  })
  return (
    <>
      <Button kind="soft" wide busy={returning.isPending} onClick={ask}>
        {t('break.return')}
      </Button>
      {question}
    </>
  )
}

const HOURS = [24, 48, 168, 336, 672, 1008].map((hours) => ({ hours }))
const MONTHS = [6, 12, 24, 36, 60].map((months) => ({ months }))

type Lengths = {
  readonly timeOut: readonly BreakLength[]
  readonly selfExclusion: readonly BreakLength[]
}

/**
 * The lengths of a break that the server accepts: those that end after the present break of the same
 * kind, and all while staff hold the account. During a time-out every self-exclusion is possible, and during a self-exclusion no time-out.
 *
 * @param now milliseconds since 1970
 */
function lengthsOffered(exclusion: Exclusion | null, now: number): Lengths {
  const endingAfter = (lengths: readonly BreakLength[], end: number | null) =>
    lengths.filter((length) => end === null || endOfBreak(length, now) > end)
  switch (exclusion?.kind) {
    case undefined:
    case 'likeness':
    case 'underAge':
      return { timeOut: HOURS, selfExclusion: MONTHS }
    case 'timeOut':
      return { timeOut: endingAfter(HOURS, exclusion.until), selfExclusion: MONTHS }
    case 'selfExclusion':
      return { timeOut: [], selfExclusion: endingAfter(MONTHS, exclusion.mayAskFrom) }
  }
}

type BreakKind = 'timeOut' | 'selfExclusion'

const WORDS = {
  timeOut: {
    text: 'break.timeOutText',
    ask: 'break.askTimeOut',
    ends: 'break.ends',
    confirm: 'break.confirmTimeOut',
  },
  selfExclusion: {
    text: 'break.selfExclusionText',
    ask: 'break.askSelfExclusion',
    ends: 'break.endsEarliest',
    confirm: 'break.confirmSelfExclusion',
  },
} as const satisfies Record<BreakKind, object>

type BreakChoiceProps = { kind: BreakKind; lengths: readonly BreakLength[] }

/** The choice of a break's length, without a preselection; the break begins after a confirmation. */
function BreakChoice({ kind, lengths }: BreakChoiceProps) {
  const t = useText()
  const { tag } = useLocale()
  const { farAway } = useLimitWords()
  const [picked, choose] = useState<BreakLength | null>(null)
  // A length that is no longer offered is no longer chosen.
  const chosen = picked && lengths.includes(picked) ? picked : null
  const texts = lengths.map((length) => lengthText(length, tag))
  const words = WORDS[kind]
  const taking = useMutation({
    mutationFn: (length: BreakLength) => call(takeBreak, length),
    onSuccess: () => showToast(t('break.begun')),
    onSettled: () => refetchQuery(protectionQuery),
  })
  const [ask, question] = useQuestion({
    title: t(words.ask),
    text: chosen && (
      <div className={styles.question}>
        <LabelValues kind="boxed">
          <LabelValue label={t('break.lasts')}>{lengthText(chosen, tag)}</LabelValue>
          <LabelValue label={t(words.ends)}>{farAway(endOfBreak(chosen, serverNow()))}</LabelValue>
        </LabelValues>
        <BreakFacts />
      </div>
    ),
    confirm: t(words.confirm),
    onConfirm: () => chosen && taking.mutate(chosen),
  })
  return (
    <Section title={t(`break.${kind}`)}>
      <Card className="stack-3">
        <p className="quiet">{t(words.text)}</p>
        <ChoicePills
          label={t(`break.${kind}`)}
          kind="wrap"
          options={texts.map((text) => ({ value: text, label: text }))}
          value={chosen && lengthText(chosen, tag)}
          onChange={(text) => choose(lengths[texts.indexOf(text)] ?? null)}
        />
        <Button kind="soft" wide disabled={chosen === null} busy={taking.isPending} onClick={ask}>
          {t('action.continue')}
        </Button>
      </Card>
      {question}
    </Section>
  )
}

function BreakFacts() {
  const t = useText()
  return (
    <dl className={styles.facts}>
      <div>
        <dt>
          <Icon name="pause" size={20} className="ink-warn" />
          {t('break.stops')}
        </dt>
        <dd>{t('break.stopsText')}</dd>
      </div>
      <div>
        <dt>
          <Icon name="check" size={20} className="ink-in" />
          {t('break.stays')}
        </dt>
        <dd>{t('break.staysText')}</dd>
      </div>
    </dl>
  )
}

const HOURS_OF_WEEK = 168
const MONTHS_OF_YEAR = 12

/** `48 hours`, `2 weeks`, `6 months`, `5 years`, as the language writes it. */
export function lengthText(length: BreakLength, tag: string): string {
  if ('hours' in length) {
    const { hours } = length
    const weeks = hours % HOURS_OF_WEEK === 0
    return weeks ? counted(hours / HOURS_OF_WEEK, 'week', tag) : counted(hours, 'hour', tag)
  }
  const { months } = length
  const years = months % MONTHS_OF_YEAR === 0
  return years ? counted(months / MONTHS_OF_YEAR, 'year', tag) : counted(months, 'month', tag)
}

function counted(count: number, unit: string, tag: string): string {
  return unitsText([{ unit, count }], { tag, display: 'long' })
}

const HOUR_MS = 3_600_000

/**
 * When a break that begins at an instant ends, as the server reckons it: a month later is the same day
 * of that month, or its last day.
 *
 * @param from milliseconds since 1970
 */
export function endOfBreak(length: BreakLength, from: number): number {
  if ('hours' in length) return from + length.hours * HOUR_MS
  const date = new Date(from)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + length.months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}

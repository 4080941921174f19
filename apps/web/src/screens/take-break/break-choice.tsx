import { takeBreak } from '@sum28/contract/protection-routes.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/data/client.ts'
import { type BreakLength, protectionQuery } from '#src/data/protection.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { useLimitWords } from '#src/features/use-limit-left.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { Card, Section } from '#src/parts/card.tsx'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { Dialog } from '#src/parts/overlays.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import styles from '#src/screens/take-break/take-break.module.css'

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
export function BreakChoice({ kind, lengths }: BreakChoiceProps) {
  const t = useText()
  const { tag } = useLocale()
  const [picked, choose] = useState<BreakLength | null>(null)
  // A length that is no longer offered is no longer chosen.
  const chosen = picked && lengths.includes(picked) ? picked : null
  const [confirming, setConfirming] = useState(false)
  const texts = lengths.map((length) => lengthText(length, tag))
  return (
    <Section title={t(`break.${kind}`)}>
      <Card className="stack-3">
        <p className="quiet">{t(WORDS[kind].text)}</p>
        <ChoicePills
          label={t(`break.${kind}`)}
          kind="wrap"
          options={texts.map((text) => ({ value: text, label: text }))}
          value={chosen && lengthText(chosen, tag)}
          onChange={(text) => choose(lengths[texts.indexOf(text)] ?? null)}
        />
        <Button kind="soft" wide disabled={chosen === null} onClick={() => setConfirming(true)}>
          {t('break.continue')}
        </Button>
      </Card>
      {chosen && (
        <BreakQuestion
          kind={kind}
          length={chosen}
          open={confirming}
          onClose={() => setConfirming(false)}
        />
      )}
    </Section>
  )
}

type BreakQuestionProps = {
  kind: BreakKind
  length: BreakLength
  open: boolean
  onClose: () => void
}

/** The confirmation: the end of the break, and its effects. */
function BreakQuestion({ kind, length, open, onClose }: BreakQuestionProps) {
  const t = useText()
  const { tag } = useLocale()
  const { farAway } = useLimitWords()
  const taking = useMutation({
    mutationFn: (length: BreakLength) => call(takeBreak, length),
    onSuccess: () => showToast(t('break.begun')),
    onSettled: () => {
      onClose()
      return refetchQuery(protectionQuery)
    },
  })
  const words = WORDS[kind]
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t(words.ask)}
      tone="warn"
      confirm={{
        label: t(words.confirm),
        onConfirm: () => taking.mutate(length),
        busy: taking.isPending,
      }}
    >
      <div className={styles.question}>
        <LabelValues kind="boxed">
          <LabelValue label={t('break.lasts')}>{lengthText(length, tag)}</LabelValue>
          <LabelValue label={t(words.ends)}>{farAway(endOfBreak(length, serverNow()))}</LabelValue>
        </LabelValues>
        <BreakFacts />
      </div>
    </Dialog>
  )
}

/** The effects of a break: what is closed, and what stays open. */
export function BreakFacts() {
  const t = useText()
  return (
    <dl className={styles.facts}>
      <div>
        <dt>
          <Icon name="pause" size={20} className={styles.stops} />
          {t('break.stops')}
        </dt>
        <dd>{t('break.stopsText')}</dd>
      </div>
      <div>
        <dt>
          <Icon name="check" size={20} className={styles.stays} />
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
  const text = new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(
    count,
  )
  // Chinese and Japanese put no space between a figure and its unit.
  return /^(zh|ja)/.test(tag) ? text.replaceAll(/\s/g, '') : text
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

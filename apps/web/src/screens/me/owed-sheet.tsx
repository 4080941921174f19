import { Unreachable } from '@sum28/contract/client.ts'
import { type OwedCountOnWire, reserves } from '@sum28/contract/fairness-routes.ts'
import { owed } from '@sum28/contract/own-routes.ts'
import type { DownloadedFile } from '@sum28/contract/read-download.ts'
import { owedLog } from '@sum28/contract/receipt.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import {
  type DatedCount,
  type OwedLogStep,
  recentStep,
  verifyOwedLog,
} from '@sum28/fairness/logged-owed.ts'
import { seenLog } from '@sum28/fairness/seen-log.ts'
import { type OwedStep, readOwedLeaf, verifyOwed } from '@sum28/fairness/sum-tree.ts'
import { saveFile } from '@sum28/ui/save-file.ts'
import { serverTimeOf } from '@sum28/ui/server-clock.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/data/client.ts'
import { type KeptStep, logKeptSteps } from '#src/data/draw-check.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { HandedFile } from '#src/features/handed-file.tsx'
import { KeysNote } from '#src/features/keys-note.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { useLastKnownBalance } from '#src/features/use-balance.ts'
import { useText } from '#src/i18n/text.ts'
import { momentText } from '#src/i18n/time-text.ts'
import { Button } from '#src/parts/button.tsx'
import { Verdict, type VerdictLook } from '#src/parts/callout.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'
import { LabelAmount, LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { Sheet } from '#src/parts/overlays.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'

const owedQuery = queryOptions({
  queryKey: ['owed'],
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const first = await ask(signal)
    // A count that was made between the two replies is in both of the next ones.
    const answer = first.reply.count?.number === first.newest?.number ? first : await ask(signal)
    const { data: log } = owedLog.safeParse(answer.reply.log)
    const seen = log && seenLog(log)
    const ofLog = seen ? await logKeptSteps({ shown: seen, told: seen }) : []
    // Without its proof nothing is said of the count, as without the list that everybody is shown.
    if (ofLog.some(({ name, ok }) => name === 'growth' && ok === null)) {
      throw new Unreachable({ timedOut: true })
    }
    return { ...answer, ofLog }
  },
})

type OwedReply = ReplyOf<typeof owed>

type Answer = {
  readonly reply: OwedReply
  /** Of the counts that everybody is shown; null if there is none. */
  readonly newest: OwedCountOnWire | null
  /** What this device kept of the log, against what the reply shows of it. */
  readonly ofLog: readonly KeptStep<'keys' | 'growth'>[]
}

async function ask(signal: AbortSignal): Promise<Omit<Answer, 'ofLog'>> {
  const [reply, { counts }] = await Promise.all([
    call(owed, {}, { signal }),
    call(reserves, {}, { signal }),
  ])
  return { reply, newest: counts[0] ?? null }
}

/** The check that the player's balance is in the last count of what is owed, made on this device. */
export function OwedSheet({
  open,
  onClose,
  playerId,
}: {
  open: boolean
  onClose: () => void
  /** His number, as Me shows it: not what the proof itself says. */
  playerId: number
}) {
  const t = useText()
  const query = useQuery({ ...owedQuery, enabled: open })
  return (
    <Sheet open={open} onClose={onClose} title={t('owed.title')}>
      <div className="stack-4">
        <p className="quiet">{t('owed.lead')}</p>
        <Loaded query={query} skeleton={<SkeletonRows count={4} />}>
          {(answer) => <Check answer={answer} at={query.dataUpdatedAt} playerId={playerId} />}
        </Loaded>
      </div>
    </Sheet>
  )
}

const LOOKS = {
  newKeys: { icon: 'warn', tone: 'warn' },
  holds: { icon: 'shield', tone: 'in' },
  unwitnessed: { icon: 'info', tone: 'quiet' },
  unlogged: { icon: 'clock', tone: 'quiet' },
  bad: { icon: 'warn', tone: 'bad' },
  missing: { icon: 'warn', tone: 'bad' },
  old: { icon: 'warn', tone: 'bad' },
  clock: { icon: 'clock', tone: 'quiet' },
  nothing: { icon: 'info', tone: 'quiet' },
  young: { icon: 'info', tone: 'quiet' },
  none: { icon: 'clock', tone: 'quiet' },
} as const satisfies Record<string, VerdictLook>

/** `clock`: by one of the two clocks the count is of another time than it must be. */
type Step = Omit<OwedStep | OwedLogStep, 'name'> & {
  readonly name: OwedStep['name'] | OwedLogStep['name'] | 'newest' | 'clock' | 'keys' | 'growth'
}

/** What the steps are called where they do not hold. */
const PARTS = {
  leaf: 'owed.part.line',
  count: 'owed.part.line',
  player: 'owed.part.line',
  sums: 'owed.part.way',
  root: 'owed.part.way',
  total: 'owed.part.total',
  newest: 'owed.part.newest',
  recent: 'owed.part.recent',
  clock: 'owed.clock',
  'log-entry': 'owed.part.log',
  'log-path': 'owed.part.log',
  logged: 'owed.part.logged',
  'log-signature': 'owed.part.signature',
  witness: 'owed.part.signature',
  keys: 'step.keys',
  growth: 'step.growth',
} as const satisfies Record<Step['name'], string>

/**
 * All checks of an answer, at the time when it came: it says nothing of later. The device's clock is right or the
 * server's, and only the player can see which: a step that holds by one of the two alone neither proves nor accuses.
 *
 * @param at by the device's clock
 */
function stepsOf(answer: Answer, at: number, playerId: number): Step[] {
  const [byDevice = [], byServer = []] = [at, serverTimeOf(at)].map((now) =>
    stepsAt(Math.floor(now / 1_000), answer, playerId),
  )
  return byDevice.map((step, nth) =>
    step.ok === byServer[nth]?.ok ? step : { ...step, name: 'clock', ok: null },
  )
}

/** The checks by a clock. What the server left out of the log's part is missing. @param now in unix seconds */
function stepsAt(now: number, { reply, newest, ofLog }: Answer, playerId: number): Step[] {
  const { count, proof } = reply
  if (!count || !proof) {
    const last = newest ?? count
    return last ? [recentStep(last, now)] : []
  }
  const log = owedLog.safeParse(reply.log).data ?? null
  return [
    ...verifyOwed(proof, { count, playerId }),
    newestStep(count, newest),
    ...verifyOwedLog({ count, log, now }),
    ...ofLog,
  ]
}

/** Whether a count is the newest of those that everybody is shown. */
function newestStep(count: DatedCount, newest: Answer['newest']): Step {
  const fields = ['number', 'counted_at', 'size', 'root'] as const
  return {
    name: 'newest',
    ok: newest !== null && fields.every((field) => count[field] === newest[field]),
    computed: count.root,
    published: newest?.root ?? null,
  }
}

function verdictOf({ reply, newest }: Answer, steps: readonly Step[]): keyof typeof LOOKS {
  const last = newest ?? reply.count
  if (!last) return 'none'
  const isProved = reply.count !== null && reply.proof !== null
  const isOlder = !isProved && reply.since < last.counted_at
  if (isOlder && reply.count?.number !== newest?.number) return 'missing'
  const failed = steps.filter(({ ok }) => ok === false)
  if (failed.length > 0) return failed.every(({ name }) => name === 'recent') ? 'old' : 'bad'
  if (steps.some(({ name }) => name === 'clock')) return 'clock'
  // The count that everybody is shown has nobody to whom nothing was owed: he himself knows whether he had money.
  if (isOlder) return 'nothing'
  if (!isProved) return 'young'
  const unproved = steps.find(({ ok }) => ok === null)
  if (!unproved) return 'holds'
  if (unproved.name === 'keys') return 'newKeys'
  return unproved.name === 'logged' ? 'unlogged' : 'unwitnessed'
}

function Check({ answer, at, playerId }: { answer: Answer; at: number; playerId: number }) {
  const t = useText()
  const when = useTimeFormat()
  const [handed, setHanded] = useState<DownloadedFile | null>(null)
  const { reply, newest } = answer
  const { count, proof } = reply
  const shown = count ?? newest
  const steps = stepsOf(answer, at, playerId)
  const verdict = verdictOf(answer, steps)
  const wrong = new Set(steps.filter(({ ok }) => ok === false).map(({ name }) => t(PARTS[name])))
  const witnessedAt = steps.find(({ name }) => name === 'witness')?.computed
  const leaf = proof && readOwedLeaf(proof.leaf)
  const balance = useLastKnownBalance()
  const owns = (typeof balance === 'string' ? amountFromWire(balance) : balance) > 0n
  // Who has money now may have had it then.
  const look = LOOKS[verdict === 'nothing' && owns ? 'missing' : verdict]

  const text = JSON.stringify(reply, null, 2)
  function save() {
    const blob = new Blob([text], { type: 'application/json' })
    const file = { name: `sum28-balance-${count?.number}.json`, blob }
    saveFile(file)
    setHanded(file)
  }

  return (
    <>
      {verdict === 'newKeys' ? (
        <Verdict look={look} title={t('check.newKeys')}>
          {t('check.newKeysText', { count: steps.length })}
        </Verdict>
      ) : (
        <Verdict look={look} title={t(`owed.${verdict}`)}>
          {verdict === 'bad'
            ? t('owed.wrong', { parts: [...wrong].join(' · ') })
            : t(`owed.${verdict}Text`)}
        </Verdict>
      )}
      {proof && <KeysNote steps={answer.ofLog} />}
      {shown && (
        <LabelValues kind="boxed">
          <LabelValue label={t('reserves.count', { number: shown.number })}>
            {momentText(shown.counted_at * 1_000, when)}
          </LabelValue>
          {witnessedAt && (
            <LabelValue label={t('owed.witnessedAt')}>
              {momentText(Number(witnessedAt) * 1_000, when)}
            </LabelValue>
          )}
          {leaf && (
            <>
              <LabelAmount label={t('owed.cash')} value={leaf.cash} />
              <LabelAmount label={t('owed.held')} value={leaf.held} />
              <LabelAmount label={t('owed.atRisk')} value={leaf.atRisk} />
              <LabelAmount
                label={t('owed.sum')}
                value={leaf.cash + leaf.held + leaf.atRisk}
                weight="strong"
              />
            </>
          )}
        </LabelValues>
      )}
      {proof && (
        <>
          <p className="quiet">{t('owed.leaks')}</p>
          <div className="halves">
            <Button kind="soft" size="s" wide onClick={save}>
              {t('owed.save')}
            </Button>
            <CopyButton value={text} label={t('receipt.copy')} />
          </div>
          <HandedFile file={handed} />
        </>
      )}
    </>
  )
}

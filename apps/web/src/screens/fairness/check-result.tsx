import { ruleById } from '@sum28/domain/outcomes.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { serverTimeOf } from '@sum28/ui/server-clock.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CheckInput, CheckStep } from '#src/data/check-worker.ts'
import { configQuery } from '#src/data/config.ts'
import {
  chainStep,
  drawCheckQuery,
  keptStep,
  ownerStep,
  publicStep,
  seenStep,
  verdictOfCheck,
} from '#src/data/draw-check.ts'
import { chainsQuery, publishedRoundQuery } from '#src/data/fairness.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { useLiveGames } from '#src/data/live/use-channel.ts'
import { useSession } from '#src/data/session-watch.ts'
import { DrawTiles } from '#src/features/draw-tiles.tsx'
import { GameLogo, gameCode } from '#src/features/game-logo.tsx'
import { KeysNote } from '#src/features/keys-note.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { LocalBeaconNote } from '#src/features/local-beacon-note.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { type TextKey, useLocale, useText } from '#src/i18n/text.ts'
import { momentText } from '#src/i18n/time-text.ts'
import { useAnnounced } from '#src/navigation/arrival.ts'
import { Button } from '#src/parts/button.tsx'
import { Verdict, type VerdictLook } from '#src/parts/callout.tsx'
import { Card } from '#src/parts/card.tsx'
import { Icon, type IconName } from '#src/parts/icon.tsx'
import { LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/fairness/fairness.module.css'

/** Checks on this device, and shows the verdict and each step. */
export function CheckResult({ input }: { input: CheckInput }) {
  const { published } = input
  const check = useQuery(drawCheckQuery(input))
  const chains = useQuery(chainsQuery)
  const player = useSession('userId')
  return (
    <Loaded query={check} skeleton={<Running />}>
      {(own) => {
        const beside: CheckStep[] = []
        const seen = seenStep(input.round)
        if (seen) beside.push(seen)
        const kept = input.receipt && keptStep(input.receipt)
        if (kept) beside.push(kept)
        const owner = input.receipt && ownerStep(input.receipt, player)
        if (owner) beside.push(owner)
        const chain = chainStep(input.round, chains.data, serverTimeOf(chains.dataUpdatedAt))
        // A list that is on its way may have it: until then nothing is said.
        if (chain.ok !== true && chains.isFetching) return <Running />
        beside.push(chain)
        if (input.receipt && published !== undefined) {
          beside.push(publicStep(input.receipt, published))
        }
        return (
          <Steps
            input={input}
            steps={[...beside, ...own]}
            away={input.receipt !== undefined && published === undefined}
          />
        )
      }}
    </Loaded>
  )
}

const VERDICT_LOOKS: Record<ReturnType<typeof verdictOfCheck>, VerdictLook> = {
  verified: { icon: 'shield', tone: 'in' },
  unproved: { icon: 'info', tone: 'quiet' },
  unwitnessed: { icon: 'warn', tone: 'warn' },
  newKeys: { icon: 'warn', tone: 'warn' },
  incomplete: { icon: 'info', tone: 'quiet' },
  failed: { icon: 'warn', tone: 'bad' },
  voided: { icon: 'info', tone: 'quiet' },
  early: { icon: 'clock', tone: 'quiet' },
  pending: { icon: 'clock', tone: 'quiet' },
}

function Steps({
  input,
  steps,
  away,
}: {
  input: CheckInput
  steps: readonly CheckStep[]
  away: boolean
}) {
  const t = useText()
  const config = useQuery(configQuery)
  // Otherwise the page shows the note already; this round may be of another time or site.
  const showLocalNote = input.round.beacon.kind === 'local' && !config.data?.hasLocalBeacon
  const verdict = verdictOfCheck(steps, input)
  return (
    <>
      <Card className="stack-4">
        <CheckSubject input={input} />
        <Verdict look={VERDICT_LOOKS[verdict]} title={t(`check.${verdict}`)}>
          {t(`check.${verdict}Text`, { count: steps.length })}
        </Verdict>
        {verdict === 'incomplete' && <Again input={input} steps={steps} />}
        {showLocalNote && <LocalBeaconNote />}
        <KeysNote steps={steps} />
        {away && <p className="quiet">{t('check.publicAway')}</p>}
      </Card>
      <Card kind="rows">
        <ol>
          {steps.map((step) => (
            <li key={step.name}>
              <CheckStepRow step={step} index={input.round.index} />
            </li>
          ))}
        </ol>
      </Card>
    </>
  )
}

/** How a check that does not show all may come to do so. */
function Again({ input, steps }: { input: CheckInput; steps: readonly CheckStep[] }) {
  const t = useText()
  const queries = useQueryClient()
  const hasChain = steps.some(({ name, ok }) => name === 'chain' && ok === true)
  // A receipt's part of the log is in its file.
  const isAsked = steps.some(({ name, ok }) => name === 'growth' && ok === null)
  if (input.receipt && hasChain && !isAsked) return <p className="quiet">{t('check.saveAgain')}</p>
  const { game_id: gameId, issue: roundId } = input.round
  const fetchAgain = () => {
    void queries.refetchQueries({ queryKey: chainsQuery.queryKey })
    void queries.refetchQueries({ queryKey: publishedRoundQuery({ gameId, roundId }).queryKey })
    if (isAsked) void queries.refetchQueries({ queryKey: drawCheckQuery(input).queryKey })
  }
  return (
    <Button kind="soft" size="s" onClick={fetchAgain}>
      {t('check.again')}
    </Button>
  )
}

function Running() {
  const t = useText()
  useAnnounced(t('check.running'))
  return (
    <>
      <p className="quiet">{t('check.running')}</p>
      <SkeletonRows count={6} />
    </>
  )
}

function CheckSubject({ input: { round, receipt } }: { input: CheckInput }) {
  const t = useText()
  const when = useTimeFormat()
  const games = useLiveGames()
  const game = gameCode(round.game_id)
  const name = games.data?.find(({ id }) => id === round.game_id)?.name ?? game?.toUpperCase() ?? ''
  return (
    <div className="stack-2 shrink" data-game={game}>
      <div className="row-3 wrap">
        {game && <GameLogo game={game} size={32} />}
        <div className={styles.subjectWords}>
          <b>{name}</b>
          <span className="num quiet">{t('round.number', { round: round.issue })}</span>
        </div>
        <DrawTiles digits={round.digits} voided={round.status === 'voided'} />
      </div>
      <p className="quiet">{momentText(round.ends_at * 1_000, when)}</p>
      {receipt && (
        <div className="spread-3 wrap small anywhere">
          <span className="num">
            {t('bet.order')} {receipt.orderNo}
          </span>
          <OutcomeTags
            outcomes={receipt.selections.map(
              (selection) => ruleById(selection.class)?.outcome ?? String(selection.class),
            )}
          />
        </div>
      )}
    </div>
  )
}

const STEP_LOOKS: Record<'ok' | 'bad' | 'none', { icon: IconName; tone: string }> = {
  ok: { icon: 'check', tone: 'in' },
  bad: { icon: 'close', tone: 'bad' },
  none: { icon: 'clock', tone: 'quiet' },
}

/** Why a step has no result, if not because the value is not public yet. */
const NO_RESULT = {
  ...({ witness: 'round.notWitnessed', chain: 'error.title', keys: 'check.keysNew' } as const),
  ...({ owner: 'check.notYours', growth: 'error.title' } as const),
}

/** Values up to this length are beside each other; longer ones are unfolded. */
const SHORT = 24

function CheckStepRow({ step, index }: { step: CheckStep; index: number }) {
  const t = useText()
  const { tag } = useLocale()
  const shown = useShownFigures(step)
  const state = step.ok === null ? 'none' : step.ok ? 'ok' : 'bad'
  const short = shown.every(({ value }) => value.length <= SHORT)
  const figures = (
    <LabelValues kind="boxed">
      {shown.map(({ label, value }) => (
        <LabelValue key={label} label={label}>
          {short ? value : <span className="mono caption ink keeps-lines">{value}</span>}
        </LabelValue>
      ))}
    </LabelValues>
  )
  return (
    <div className="marked row-space">
      <span className={styles.checkMark} data-tone={STEP_LOOKS[state].tone}>
        <Icon name={STEP_LOOKS[state].icon} size={18} />
        <span className="unseen">{t(`check.${state}`)}</span>
      </span>
      <div className="stack-2 grow">
        <div>
          <h3>{t(step.name === 'clock' ? 'owed.clock' : `step.${step.name}`)}</h3>
          <p className="quiet">
            {step.name === 'clock'
              ? t('owed.clockText')
              : t(`step.${step.name}Text`, { count: new Intl.NumberFormat(tag).format(index) })}
          </p>
        </div>
        {state === 'none' && step.name !== 'clock' && (
          <p className="hint strong">
            {t(NO_RESULT[step.name as keyof typeof NO_RESULT] ?? 'check.none')}
          </p>
        )}
        {(state !== 'none' || step.name === 'keys' || step.name === 'owner') &&
          (short || state === 'bad' ? (
            figures
          ) : (
            <details>
              <summary className="small bold ink-accent">{t('check.figures')}</summary>
              {figures}
            </details>
          ))}
      </div>
    </div>
  )
}

/** The labels of values that were not computed here. */
const MINE = {
  public: 'receipt.title',
  chain: 'room.round',
  seen: 'check.seen',
  kept: 'check.keptHere',
  growth: 'check.keptHere',
  owner: 'check.yourNumber',
} as const

/** The words of the check for which the player's language has its own. */
const WORDS: Readonly<Record<string, TextKey>> = {
  ...({ valid: 'check.genuine', invalid: 'check.notGenuine' } as const),
  ...({ open: 'check.is-open', sealed: 'round.sealed', drawn: 'check.is-drawn' } as const),
  ...({ settled: 'bet.settled', voided: 'check.is-voided' } as const),
  sealed_late: 'check.by-sealed_late',
  beacon_late: 'check.by-beacon_late',
  two_persons: 'check.by-two_persons',
  ...({ 'status 1': 'bet.settled', 'status 2': 'bet.refunded' } as const),
  ...({ 'status 0': 'bet.pending', 'status null': 'check.nothing' } as const),
  ...({ null: 'check.nothing', 'profit null': 'check.nothing' } as const),
}

/** The steps about money: amounts in millionths, and what became of the bet. */
const OF_MONEY: readonly string[] = ['receipt-payout', 'receipt-refund']

function useShownFigures({ name, computed, published }: CheckStep) {
  const t = useText()
  const when = useTimeFormat()

  /** One of the parts between commas: a word, an amount, or a technical one, as it is. */
  function part(text: string): string {
    const word = WORDS[text]
    if (word) return t(word)
    const amount = OF_MONEY.includes(name) && /^(profit )?(-?\d+)$/.exec(text)
    if (!amount) return text
    const figure = `${amountText(BigInt(amount[2] ?? 0), { tag: when.tag, decimals: 'all' })}\u00a0u`
    return amount[1] ? `${t('bet.profit')} ${figure}` : figure
  }

  function shown(value: string | null): string {
    if (value === null) return t('check.nothing')
    const instant = name === 'beacon-after-seal' || name === 'witness'
    return instant
      ? momentText(Number(value) * 1_000, when)
      : value.split(', ').map(part).join(', ')
  }
  // The two instants need not be equal: one must be after the other.
  if (name === 'beacon-after-seal') {
    return [
      { label: t('check.closedAt'), value: shown(published) },
      { label: t('check.beaconAt'), value: shown(computed) },
    ]
  }
  if (name === 'keys') {
    return [
      { label: t('check.published'), value: shown(computed) },
      { label: t('check.keptHere'), value: shown(published) },
    ]
  }
  // Compares two published values; nothing is computed.
  const mine = MINE[name as keyof typeof MINE] ?? 'check.computed'
  return [
    { label: t(mine), value: shown(computed) },
    { label: t('check.published'), value: shown(published) },
  ]
}

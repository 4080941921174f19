import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import { Card } from '@sum28/ui/card.tsx'
import { Icon, type IconName } from '@sum28/ui/icon.tsx'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#src/data/config.ts'
import {
  type CheckInput,
  type CheckStep,
  chainStep,
  drawCheckQuery,
  publicStep,
  verdictOfCheck,
} from '#src/data/draw-check.ts'
import { chainsQuery } from '#src/data/fairness.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { LocalBeaconNote } from '#src/features/local-beacon-note.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/fairness/check-result.module.css'
import { CheckStepRow } from '#src/screens/fairness/check-step-row.tsx'
import { CheckSubject } from '#src/screens/fairness/check-subject.tsx'

type CheckResultProps = {
  input: CheckInput
  /** The published round of a receipt; undefined if it could not be fetched. */
  published?: PublishedRoundOnWire | null | undefined
}

/** Checks on this device, and shows the verdict and each step. */
export function CheckResult({ input, published }: CheckResultProps) {
  const check = useQuery(drawCheckQuery(input))
  const chains = useQuery(chainsQuery)
  return (
    <Loaded query={check} skeleton={<Running />}>
      {(own) => {
        const beside: CheckStep[] = []
        if (chains.data) beside.push(chainStep(input.round, chains.data))
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

const LOOKS: Record<ReturnType<typeof verdictOfCheck>, { icon: IconName; tone: string }> = {
  verified: { icon: 'shield', tone: 'in' },
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
  const showLocalNote =
    input.round.beacon.kind === 'local' && config.data?.features.beacon !== 'local'
  const verdict = verdictOfCheck(steps, input)
  const { icon, tone } = LOOKS[verdict]
  return (
    <>
      <Card className="stack-4">
        <CheckSubject input={input} />
        <div className={styles.verdict} data-tone={tone} role="status">
          <Icon name={icon} size={26} />
          <div>
            <b>{t(`check.${verdict}`)}</b>
            <p>{t(`check.${verdict}Text`, { count: steps.length })}</p>
          </div>
        </div>
        {showLocalNote && <LocalBeaconNote />}
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

function Running() {
  const t = useText()
  return (
    <>
      <p className="quiet" role="status">
        {t('check.running')}
      </p>
      <SkeletonRows count={6} />
    </>
  )
}

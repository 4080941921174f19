import { owed } from '@sum28/contract/own-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { readOwedLeaf, verifyOwed } from '@sum28/fairness/sum-tree.ts'
import { Button } from '@sum28/ui/button.tsx'
import { Icon, type IconName } from '@sum28/ui/icon.tsx'
import { LabelAmount, LabelValue, LabelValues } from '@sum28/ui/label-values.tsx'
import { Sheet } from '@sum28/ui/overlays.tsx'
import { saveFile } from '@sum28/ui/save-file.ts'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { momentText } from '@sum28/ui/time-text.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/me/me.module.css'

const owedQuery = queryOptions({
  queryKey: ['owed'],
  staleTime: 0,
  queryFn: ({ signal }) => call(owed, {}, { signal }),
})

type OwedReply = ReplyOf<typeof owed>

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
          {(reply) => <Check reply={reply} playerId={playerId} />}
        </Loaded>
      </div>
    </Sheet>
  )
}

type Verdict = 'holds' | 'bad' | 'missing' | 'young' | 'none'

const LOOKS: Record<Verdict, { icon: IconName; tone: string }> = {
  holds: { icon: 'shield', tone: 'in' },
  bad: { icon: 'warn', tone: 'bad' },
  missing: { icon: 'warn', tone: 'bad' },
  young: { icon: 'clock', tone: 'quiet' },
  none: { icon: 'clock', tone: 'quiet' },
}

function verdictOf({ count, proof, since }: OwedReply, playerId: number): Verdict {
  if (!count) return 'none'
  if (!proof) return since < count.counted_at ? 'missing' : 'young'
  return verifyOwed(proof, { count, playerId }).every(({ ok }) => ok) ? 'holds' : 'bad'
}

function Check({ reply, playerId }: { reply: OwedReply; playerId: number }) {
  const t = useText()
  const when = useTimeFormat()
  const verdict = verdictOf(reply, playerId)
  const { count, proof } = reply
  const leaf = proof && readOwedLeaf(proof.leaf)

  function save() {
    const text = JSON.stringify(reply, null, 2)
    saveFile({
      name: `sum28-balance-${count?.number}.json`,
      blob: new Blob([text], { type: 'application/json' }),
    })
  }

  return (
    <>
      <div className={styles.verdict} data-tone={LOOKS[verdict].tone} role="status">
        <Icon name={LOOKS[verdict].icon} size={26} />
        <div>
          <b>{t(`owed.${verdict}`)}</b>
          <p>{t(`owed.${verdict}Text`)}</p>
        </div>
      </div>
      {count && leaf && (
        <LabelValues kind="boxed">
          <LabelValue label={t('reserves.count', { number: count.number })}>
            {momentText(count.counted_at * 1_000, when)}
          </LabelValue>
          <LabelAmount label={t('owed.cash')} value={leaf.cash} />
          <LabelAmount label={t('owed.held')} value={leaf.held} />
          <LabelAmount label={t('owed.atRisk')} value={leaf.atRisk} />
          <LabelAmount
            label={t('owed.sum')}
            value={leaf.cash + leaf.held + leaf.atRisk}
            weight="strong"
          />
        </LabelValues>
      )}
      {proof && (
        <>
          <p className="quiet">{t('owed.leaks')}</p>
          <Button kind="soft" wide onClick={save}>
            {t('owed.save')}
          </Button>
        </>
      )}
    </>
  )
}

import { owed } from '@sum28/contract/own-routes.ts'
import { OWN_WITNESS, owedLog } from '@sum28/contract/receipt.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type OwedLogStep, verifyOwedLog } from '@sum28/fairness/logged-owed.ts'
import { type OwedStep, readOwedLeaf, verifyOwed } from '@sum28/fairness/sum-tree.ts'
import { Button } from '@sum28/ui/button.tsx'
import { Verdict, type VerdictLook } from '@sum28/ui/callout.tsx'
import { LabelAmount, LabelValue, LabelValues } from '@sum28/ui/label-values.tsx'
import { Sheet } from '@sum28/ui/overlays.tsx'
import { saveFile } from '@sum28/ui/save-file.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import { momentText } from '#src/i18n/time-text.ts'

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

const LOOKS = {
  holds: { icon: 'shield', tone: 'in' },
  unwitnessed: { icon: 'info', tone: 'quiet' },
  unlogged: { icon: 'clock', tone: 'quiet' },
  bad: { icon: 'warn', tone: 'bad' },
  missing: { icon: 'warn', tone: 'bad' },
  young: { icon: 'clock', tone: 'quiet' },
  none: { icon: 'clock', tone: 'quiet' },
} as const satisfies Record<string, VerdictLook>

type Step = OwedStep | OwedLogStep

/** What the steps are called where they do not hold. */
const PARTS = {
  leaf: 'owed.part.line',
  count: 'owed.part.line',
  player: 'owed.part.line',
  sums: 'owed.part.way',
  root: 'owed.part.way',
  total: 'owed.part.total',
  'log-entry': 'owed.part.log',
  'log-path': 'owed.part.log',
  logged: 'owed.part.logged',
  'log-signature': 'owed.part.signature',
  witness: 'owed.part.signature',
} as const satisfies Record<Step['name'], string>

/** All checks of a proof. What the server left out of the log's part is missing. */
function stepsOf({ count, proof, ...reply }: OwedReply, playerId: number): Step[] {
  if (!count || !proof) return []
  const log = owedLog.safeParse(reply.log).data ?? null
  const now = Math.floor(serverNow() / 1_000)
  return [...verifyOwed(proof, { count, playerId }), ...verifyOwedLog({ count, log, now })]
}

function verdictOf({ count, proof, since }: OwedReply, steps: readonly Step[]): keyof typeof LOOKS {
  if (!count) return 'none'
  if (!proof) return since < count.counted_at ? 'missing' : 'young'
  if (steps.some(({ ok }) => ok === false)) return 'bad'
  const unproved = steps.find(({ ok }) => ok === null)
  if (unproved) return unproved.name === 'logged' ? 'unlogged' : 'unwitnessed'
  return 'holds'
}

function Check({ reply, playerId }: { reply: OwedReply; playerId: number }) {
  const t = useText()
  const when = useTimeFormat()
  const { count, proof, log } = reply
  const steps = stepsOf(reply, playerId)
  const verdict = verdictOf(reply, steps)
  const wrong = new Set(steps.filter(({ ok }) => ok === false).map(({ name }) => t(PARTS[name])))
  const witnessedAt = steps.find(({ name }) => name === 'witness')?.computed
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
      <Verdict look={LOOKS[verdict]} title={t(`owed.${verdict}`)}>
        {verdict === 'bad'
          ? t('owed.wrong', { parts: [...wrong].join(' · ') })
          : t(`owed.${verdict}Text`)}
      </Verdict>
      {proof && log?.keys.some((key) => key.startsWith(`${OWN_WITNESS}+`)) && (
        <p className="quiet">{t('check.ownWitness')}</p>
      )}
      {count && leaf && (
        <LabelValues kind="boxed">
          <LabelValue label={t('reserves.count', { number: count.number })}>
            {momentText(count.counted_at * 1_000, when)}
          </LabelValue>
          {witnessedAt && (
            <LabelValue label={t('owed.witnessedAt')}>
              {momentText(Number(witnessedAt) * 1_000, when)}
            </LabelValue>
          )}
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

import { Card, CardHeading } from '@sum28/ui/card.tsx'
import { ChoicePills } from '@sum28/ui/choice-pills.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CHECK_MINUTES, protectionQuery, setRealityCheck } from '#src/data/protection.ts'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'

/** The choice of the reality check's interval. */
export function CheckInterval({ minutes }: { minutes: number }) {
  const t = useText()
  const queries = useQueryClient()
  const setting = useMutation({
    mutationFn: setRealityCheck,
    onSuccess: () => showToast(t('interval.saved')),
    onError: showFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: protectionQuery.queryKey }),
  })
  const shown = setting.isPending ? setting.variables : minutes
  return (
    <section className="stack-2 shrink">
      <CardHeading>{t('interval.title')}</CardHeading>
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
    </section>
  )
}

import { askOwnData, ownData, ownDataFile } from '@sum28/contract/own-routes.ts'
import type { DownloadedFile, DownloadWatch } from '@sum28/contract/read-download.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { faultsBy } from '#src/data/form-faults.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { downloadOwnFile, HandedFile, useDownload } from '#src/features/handed-file.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { useProof } from '#src/features/proof.tsx'
import { Screen } from '#src/features/screen.tsx'
import { SentForm, useSentForm } from '#src/features/sent-form.tsx'
import { sizeText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { deadlineLooks, minuteText } from '#src/i18n/time-text.ts'
import { Button } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { Card } from '#src/parts/card.tsx'
import { PasswordField } from '#src/parts/fields.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'

/** All stored data of the player as a file: requested with the password, created, and downloaded here. */
export function OwnDataScreen() {
  const t = useText()
  const query = useQuery(ownDataQuery)
  return (
    <Screen title={t('ownData.title')} back>
      <p className="quiet">{t('ownData.what')}</p>
      <Loaded query={query} skeleton={<SkeletonRows count={2} />}>
        {(data) => <Step data={data} />}
      </Loaded>
    </Screen>
  )
}

function Step({ data }: { data: OwnDataState }) {
  const t = useText()
  if (data.state === 'ready') return <Ready data={data} />
  if (data.state === 'waiting') {
    return (
      <Callout icon="clock" title={t('ownData.waiting')}>
        {t('ownData.waitingText')}
      </Callout>
    )
  }
  return <Ask />
}

function Ask() {
  const t = useText()
  const [withProof, proofSheet] = useProof()
  const form = useSentForm<{ password: string }>({
    defaultValues: { password: '' },
    withProof,
    send: async (entered, idempotencyKey) => {
      await call(askOwnData, entered, { idempotencyKey })
      await refetchQuery(ownDataQuery)
      showToast(t('ownData.waiting'))
    },
    faultsOf: (error) => faultsBy(error, { password_wrong: 'password' }),
  })
  return (
    <>
      <SentForm form={form} submit={t('ownData.ask')}>
        <PasswordField
          label={t('settings.password')}
          placeholder={t('login.passwordHint')}
          autoComplete="current-password"
          {...form.field('password', { required: t('login.passwordHint') })}
        />
      </SentForm>
      {proofSheet}
    </>
  )
}

function Ready({ data }: { data: OwnDataState }) {
  const t = useText()
  const { tag } = useLocale()
  const when = useTimeFormat()
  const [withProof, proofSheet] = useProof()
  const until = data.until === null ? null : data.until * 1_000
  const download = useDownload((watch) => withProof(() => fetchOwnData(watch)))
  return (
    <Card className="stack-3">
      <Callout icon="done" title={t('ownData.ready')}>
        {until !== null &&
          t('ownData.until', { time: minuteText(until, deadlineLooks(until, when)) })}
      </Callout>
      <p className="hint">{t('ownData.keep')}</p>
      <Button wide busy={download.bytes !== null} onClick={download.start}>
        {t('ownData.fetch', { size: sizeText(data.bytes ?? 0, tag) })}
      </Button>
      <HandedFile file={download.file} />
      {proofSheet}
    </Card>
  )
}

const ownDataQuery = queryOptions({
  queryKey: ['own-data'],
  staleTime: 0,
  queryFn: ({ signal }) => call(ownData, {}, { signal }),
})

type OwnDataState = ReplyOf<typeof ownData>

function fetchOwnData(watch: DownloadWatch): Promise<DownloadedFile> {
  const { path, mediaType } = ownDataFile
  return downloadOwnFile({ path, mediaType, name: 'sum28-data.zip' }, watch)
}

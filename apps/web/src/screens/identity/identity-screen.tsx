import * as routes from '@sum28/contract/money-routes.ts'
import { IDENTITY_PICTURES_MAX } from '@sum28/contract/replies.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { Button } from '@sum28/ui/button.tsx'
import { Callout } from '@sum28/ui/callout.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { SkeletonRows } from '@sum28/ui/skeleton.tsx'
import { TextField } from '@sum28/ui/text-field.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '#src/data/client.ts'
import { fieldFaults } from '#src/data/failure.ts'
import { queryClient } from '#src/data/query-client.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { FormNote, filled, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'

type Identity = ReplyOf<typeof routes.identityInfo>

const identityQuery = queryOptions<Identity>({
  queryKey: ['identity'],
  staleTime: 0,
  queryFn: ({ signal }) => call(routes.identityInfo, {}, { signal }),
})

/** Sends what proves the player's identity, and tells what became of it. */
export function IdentityScreen() {
  const t = useText()
  const query = useQuery(identityQuery)
  return (
    <Screen title={t('identity.title')} back>
      <Loaded query={query} skeleton={<SkeletonRows count={3} />}>
        {(identity) => <Step identity={identity} />}
      </Loaded>
    </Screen>
  )
}

function Step({ identity }: { identity: Identity }) {
  const t = useText()
  if (identity.state === 'accepted') {
    return (
      <Callout icon="done" title={t('identity.accepted')}>
        {t('identity.acceptedText')}
      </Callout>
    )
  }
  if (identity.state === 'waiting') {
    return (
      <Callout icon="clock" title={t('identity.waiting')}>
        {t('identity.waitingText')}
      </Callout>
    )
  }
  return (
    <>
      {identity.reason === null ? (
        <p className="quiet">{t('identity.what')}</p>
      ) : (
        <Callout icon="warn" tone="warn" title={t('identity.rejected')}>
          {identity.reason}
        </Callout>
      )}
      <Pictures count={identity.pictures} />
      <Facts pictures={identity.pictures} />
    </>
  )
}

/** The pictures that are uploaded already, by their number alone: nobody who finds the phone sees them. */
function Pictures({ count }: { count: number }) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const adding = useMutation({
    mutationFn: async (file: File) => {
      const picture = await shrunken(file).catch(() => null)
      if (!picture) return showToast(t('avatar.notAnImage'))
      await call(routes.addIdentityPicture, {}, { file: picture })
    },
    onError: showFailure,
    onSettled: reload,
  })
  const clearing = useMutation({
    mutationFn: () => call(routes.clearIdentityPictures, {}),
    onError: showFailure,
    onSettled: reload,
  })
  return (
    <Card>
      <div className="stack-3">
        <p>{t('identity.pictures', { count, most: IDENTITY_PICTURES_MAX })}</p>
        <p className="hint">{t('identity.picturesHint')}</p>
        {count < IDENTITY_PICTURES_MAX && (
          <Button kind="soft" wide busy={adding.isPending} onClick={() => input.current?.click()}>
            {t('identity.add')}
          </Button>
        )}
        {count > 0 && (
          <Button kind="plain" wide busy={clearing.isPending} onClick={() => clearing.mutate()}>
            {t('identity.clear')}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          aria-label={t('identity.add')}
          accept="image/jpeg,image/png,image/webp,image/gif"
          hidden
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) adding.mutate(file)
            // So that the same file can be chosen again.
            target.value = ''
          }}
        />
      </div>
    </Card>
  )
}

type Entered = { name: string; birthDate: string; address: string }

function Facts({ pictures }: { pictures: number }) {
  const t = useText()
  const form = useSentForm<Entered>({
    defaultValues: { name: '', birthDate: '', address: '' },
    fields: ['name', 'birthDate', 'address'],
    send: async ({ birthDate, ...entered }) => {
      await call(routes.sendIdentity, { ...entered, birth_date: birthDate })
      await reload()
    },
    faultsOf: (error) => {
      const { birth_date: birthDate, ...faults } = fieldFaults(error)
      return { ...faults, birthDate }
    },
  })
  return (
    <SentForm form={form} submit={t('identity.send')}>
      <TextField
        label={t('identity.name')}
        hint={t('identity.nameHint')}
        autoComplete="name"
        maxLength={100}
        {...form.field('name', { validate: { filled: filled(t('identity.nameHint')) } })}
      />
      <TextField
        label={t('identity.birthDate')}
        type="date"
        autoComplete="bday"
        min="1900-01-01"
        {...form.field('birthDate', {
          required: t('identity.birthDateHint'),
          validate: { pictures: () => pictures > 0 || t('identity.pictureMissing') },
        })}
      />
      <TextField
        label={t('identity.address')}
        hint={t('identity.addressHint')}
        autoComplete="street-address"
        maxLength={300}
        {...form.field('address', { validate: { filled: filled(t('identity.addressHint')) } })}
      />
      <FormNote>{t('identity.kept')}</FormNote>
    </SentForm>
  )
}

function reload(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: identityQuery.queryKey })
}

/** The longest side that the server keeps, in pixels. */
const SIDE_MAX = 1_800

/** A photograph as a JPEG of a size that an upload may have. Rejects if the browser cannot read the file. */
async function shrunken(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = Math.min(1, SIDE_MAX / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return new Promise((done, fail) => {
    canvas.toBlob(
      (blob) => (blob ? done(blob) : fail(new Error('no picture could be written'))),
      'image/jpeg',
      0.9,
    )
  })
}

import * as routes from '@sum28/contract/money-routes.ts'
import { IDENTITY_PICTURES_MAX } from '@sum28/contract/replies.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { PICTURES, useFilePicker } from '@sum28/ui/file-picker.tsx'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { call } from '#src/data/client.ts'
import { fieldFaults } from '#src/data/failure.ts'
import { isHeld, protectionQuery } from '#src/data/protection.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { smallPicture } from '#src/data/small-picture.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { filled, SentForm, useSentForm } from '#src/features/sent-form.tsx'
import { useLocale, useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { Card } from '#src/parts/card.tsx'
import { TextField } from '#src/parts/fields.tsx'
import { SkeletonRows } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import { useQuestion } from '#src/parts/use-question.tsx'

type Identity = ReplyOf<typeof routes.identityInfo>

const identityQuery = queryOptions<Identity>({
  queryKey: ['identity'],
  staleTime: 0,
  queryFn: ({ signal }) => call(routes.identityInfo, {}, { signal }),
})

/** Sends what proves the player's identity, and tells what became of it. */
export function IdentityScreen() {
  const t = useText()
  const protection = useQuery(protectionQuery)
  const query = useQuery(identityQuery)
  return (
    <Screen title={t('identity.title')} back>
      <Loaded query={protection} skeleton={<SkeletonRows count={3} />}>
        {({ exclusion }) => (
          <Loaded query={query} skeleton={<SkeletonRows count={3} />}>
            {(identity) => <Step identity={identity} held={isHeld(exclusion?.kind)} />}
          </Loaded>
        )}
      </Loaded>
    </Screen>
  )
}

/** What the player can do next; `held`: staff hold his account. */
function Step({ identity, held }: { identity: Identity; held: boolean }) {
  const t = useText()
  const { tag } = useLocale()
  const add = useRef<HTMLButtonElement>(null)
  const [missing, setMissing] = useState(false)
  if (missing && identity.pictures > 0) setMissing(false)
  const sum = identity.asked_from
  if (identity.state === 'accepted') {
    return <Callout icon="done">{t('identity.accepted')}</Callout>
  }
  if (identity.state === 'waiting') {
    return (
      <Callout icon="clock" title={t('identity.waiting')}>
        {t('identity.waitingText')}
      </Callout>
    )
  }
  // An adult's identity can end that his account is held, whatever is asked for.
  if (identity.state === 'none' && sum === null && !held) {
    return <p className="quiet">{t('identity.notAsked')}</p>
  }
  return (
    <>
      {identity.reason !== null && (
        <Callout icon="warn" tone="warn" title={t('identity.rejected')}>
          {identity.reason}
        </Callout>
      )}
      {identity.reason === null && sum !== null && (
        <p className="quiet">
          {t('identity.what', { amount: amountText(amountFromWire(sum), { tag }) })}
        </p>
      )}
      <Pictures count={identity.pictures} add={add} missing={missing} />
      <Facts
        pictures={identity.pictures}
        onMissing={() => {
          setMissing(true)
          add.current?.focus()
        }}
      />
    </>
  )
}

type PicturesProps = {
  count: number
  /** The button that adds one. */
  add: RefObject<HTMLButtonElement | null>
  /** Whether the facts were to be sent without one. */
  missing: boolean
}

/** The pictures that are uploaded already, by their number alone: nobody who finds the phone sees them. */
function Pictures({ count, add, missing }: PicturesProps) {
  const t = useText()
  const adding = useMutation({
    mutationFn: async (file: File) => {
      const picture = await smallPicture(file)
      if (!picture) return showToast(t('avatar.notAnImage'), { stays: true })
      await call(routes.addIdentityPicture, {}, { file: picture })
    },
    onSettled: () => refetchQuery(identityQuery),
  })
  const [field, pick] = useFilePicker({
    accept: PICTURES,
    label: t('identity.add'),
    onFile: adding.mutate,
  })
  const clearing = useMutation({
    mutationFn: () => call(routes.clearIdentityPictures, {}),
    onSettled: () => refetchQuery(identityQuery),
  })
  const [askClear, question] = useQuestion({
    title: t('identity.clear'),
    text: t('identity.clearText'),
    confirm: t('identity.clear'),
    danger: true,
    onConfirm: clearing.mutate,
  })
  const fault = missing && count === 0
  return (
    <Card className="stack-3">
      <p role="status" aria-live="polite">
        {t('identity.pictures', { count, most: IDENTITY_PICTURES_MAX })}
      </p>
      <p className="hint">{t('identity.picturesHint')}</p>
      {count < IDENTITY_PICTURES_MAX && (
        <Button
          ref={add}
          kind="soft"
          wide
          busy={adding.isPending}
          onClick={pick}
          aria-describedby={fault ? 'picture-fault' : undefined}
        >
          {t('identity.add')}
        </Button>
      )}
      {fault && (
        <p id="picture-fault" className="fault">
          {t('identity.pictureMissing')}
        </p>
      )}
      {count > 0 && (
        <Button kind="plain" wide busy={clearing.isPending} onClick={askClear}>
          {t('identity.clear')}
        </Button>
      )}
      {field}
      {question}
    </Card>
  )
}

type Entered = { name: string; birthDate: string; address: string; document: string }

function Facts({ pictures, onMissing }: { pictures: number; onMissing: () => void }) {
  const t = useText()
  const form = useSentForm<Entered>({
    defaultValues: { name: '', birthDate: '', address: '', document: '' },
    send: async ({ birthDate, ...entered }, idempotencyKey) => {
      if (pictures === 0) return onMissing()
      const facts = { ...entered, birth_date: birthDate }
      await call(routes.sendIdentity, facts, { idempotencyKey })
      await refetchQuery(identityQuery)
      showToast(t('identity.waiting'))
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
        {...form.field('birthDate', { required: t('identity.birthDateHint') })}
      />
      <TextField
        label={t('profile.document')}
        hint={t('identity.documentHint')}
        autoComplete="off"
        maxLength={40}
        {...form.field('document')}
      />
      <TextField
        label={t('identity.address')}
        hint={t('identity.addressHint')}
        autoComplete="address-line1"
        maxLength={300}
        {...form.field('address', { validate: { filled: filled(t('identity.addressHint')) } })}
      />
      <p className="quiet">{t('identity.kept')}</p>
    </SentForm>
  )
}

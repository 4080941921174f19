import { Refusal } from '@sum28/contract/client.ts'
import * as routes from '@sum28/contract/passkey-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { SECONDS_BETWEEN_CODES } from '@sum28/contract/shared-times.ts'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { call } from '#src/data/client.ts'
import { fieldFaults, retryAfterSeconds, showFailure } from '#src/data/failure.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import {
  addPasskey,
  factorQuery,
  isUsable,
  type Passkey,
  passkeysQuery,
  supportsPasskeys,
} from '#src/data/passkeys.ts'
import { profileQuery } from '#src/data/profile.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { FormCode } from '#src/features/form-code.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { CooldownButton, startCooldown } from '#src/features/mailed-code-fields.tsx'
import { toldOfCeremony, useProof } from '#src/features/proof.tsx'
import { Screen } from '#src/features/screen.tsx'
import { filled, SentForm, useSentForm, type WithProof } from '#src/features/sent-form.tsx'
import { useText } from '#src/i18n/text.ts'
import { minuteText } from '#src/i18n/time-text.ts'
import { Button } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { TextField } from '#src/parts/fields.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import { useQuestion } from '#src/parts/use-question.tsx'
import { SecondFactor } from '#src/screens/security/second-factor.tsx'

/** How and where the player signs in: second factor, passkeys, devices and address. */
export function SecurityScreen() {
  const t = useText()
  return (
    <Screen title={t('security.title')} back>
      <SecondFactor />
      <Passkeys />
      <Devices />
      <EmailAddress />
    </Screen>
  )
}

function Passkeys() {
  const t = useText()
  const [withProof, proofSheet] = useProof()
  const passkeys = useQuery(passkeysQuery)
  const { since = null, app } = useQuery(factorQuery).data ?? {}
  const byPasskeysAlone = since !== null && !app

  /** Whether the second factor is nothing but this one: the server refuses to remove it. */
  function isNeeded(passkey: Passkey, list: readonly Passkey[]): boolean {
    return byPasskeysAlone && isUsable(passkey) && list.filter(isUsable).length === 1
  }

  return (
    <section className="stack-3" aria-labelledby="passkeys">
      <h2 id="passkeys">{t('security.passkeys')}</h2>
      <p className="quiet">{t('security.passkeysHint')}</p>
      <Loaded query={passkeys} skeleton={<Skeleton height={120} />}>
        {(list) =>
          list.length > 0 && (
            <Card kind="rows">
              {list.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  needed={isNeeded(passkey, list)}
                  withProof={withProof}
                />
              ))}
            </Card>
          )
        }
      </Loaded>
      {supportsPasskeys() ? (
        <NewPasskey withProof={withProof} />
      ) : (
        <p>{t('security.unsupported')}</p>
      )}
      <p className="quiet">{t('security.hold')}</p>
      {proofSheet}
    </section>
  )
}

type PasskeyRowProps = { passkey: Passkey; needed: boolean; withProof: WithProof }

function PasskeyRow({ passkey, needed, withProof }: PasskeyRowProps) {
  const t = useText()
  const when = useTimeFormat()
  const removing = useMutation({
    mutationFn: () => withProof(() => call(routes.removePasskey, { id: passkey.id })),
    onSuccess: () => showToast(t('security.removed')),
    onSettled: () => refetchQuery(passkeysQuery),
  })
  const { name, usedtime, cloned } = passkey

  function note() {
    if (cloned) return t('security.cloned')
    if (usedtime === null) return t('security.notUsed')
    return t('security.lastUsed', { time: minuteText(usedtime * 1_000, when) })
  }

  const [ask, question] = useQuestion({
    title: t('security.removeAsk', { name }),
    text: t('security.removeText'),
    confirm: t('security.remove'),
    danger: true,
    onConfirm: removing.mutate,
  })
  const remove = (
    <Button
      kind="plain"
      size="s"
      busy={removing.isPending}
      aria-label={t('security.removeAsk', { name })}
      onClick={ask}
    >
      {t('security.remove')}
    </Button>
  )
  return (
    <>
      {question}
      <ListRow
        icon={cloned ? 'warn' : 'lock'}
        title={<span translate="no">{name}</span>}
        note={note()}
        end={needed ? t('factor.title') : remove}
      />
    </>
  )
}

/** A name for a passkey of this device, which the player may change. */
function deviceName(): string {
  const { userAgent } = navigator
  const known = ['iPhone', 'iPad', 'Android', 'Windows', 'Macintosh', 'CrOS', 'Linux']
  const found = known.find((each) => userAgent.includes(each)) ?? ''
  return { Macintosh: 'Mac', CrOS: 'Chromebook' }[found] ?? found
}

function NewPasskey({ withProof }: { withProof: WithProof }) {
  const t = useText()
  const form = useSentForm<{ name: string }>({
    defaultValues: { name: deviceName() },
    send: async ({ name }) => {
      await withProof(() => addPasskey(name.trim())).catch(toldOfCeremony)
      showToast(t('security.added'))
      await refetchQuery(passkeysQuery)
    },
    faultsOf: fieldFaults,
  })
  return (
    <SentForm form={form} submit={t('security.add')}>
      <TextField
        label={t('security.name')}
        maxLength={40}
        autoComplete="off"
        {...form.field('name', { validate: { filled: filled(t('security.nameHint')) } })}
      />
    </SentForm>
  )
}

const devicesQuery = queryOptions({
  queryKey: ['devices'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await call(routes.devices, {}, { signal })).list,
})

type Device = ReplyOf<typeof routes.devices>['list'][number]

function Devices() {
  const t = useText()
  const when = useTimeFormat()
  const devices = useQuery(devicesQuery)
  const ending = useMutation({
    mutationFn: (id: string | null) =>
      id === null ? call(routes.endOtherDevices, {}) : call(routes.endDevice, { id }),
    onSuccess: () => showToast(t('devices.ended')),
    onSettled: () => refetchQuery(devicesQuery),
  })

  const [askOthers, question] = useQuestion({
    title: t('devices.endOthers'),
    text: t('devices.endOthersText'),
    confirm: t('settings.logout'),
    danger: true,
    onConfirm: () => ending.mutate(null),
  })

  function row({ id, name, createtime, usedtime, current }: Device) {
    const device = name || t('devices.unknown')
    const end = (
      <Button
        kind="plain"
        size="s"
        busy={ending.isPending && ending.variables === id}
        aria-label={t('devices.endOne', { device })}
        onClick={() => ending.mutate(id)}
      >
        {t('settings.logout')}
      </Button>
    )
    const first = minuteText(createtime * 1_000, when)
    const last = minuteText(usedtime * 1_000, when)
    return (
      <ListRow
        key={id}
        title={<span translate="no">{device}</span>}
        note={t('devices.used', { first, last })}
        end={current ? t('devices.this') : end}
      />
    )
  }

  return (
    <section className="stack-3" aria-labelledby="devices">
      <h2 id="devices">{t('devices.title')}</h2>
      <Loaded query={devices} skeleton={<Skeleton height={120} />}>
        {(list) => <Card kind="rows">{list.map(row)}</Card>}
      </Loaded>
      <Button
        kind="soft"
        wide
        busy={ending.isPending && ending.variables === null}
        onClick={askOthers}
      >
        {t('devices.endOthers')}
      </Button>
      {question}
      <p className="quiet">{t('devices.note')}</p>
    </section>
  )
}

/** The address of the account. Visitors have none. */
function EmailAddress() {
  const t = useText()
  const profile = useQuery(profileQuery)
  if (profile.data?.email === '') return null
  return (
    <section className="stack-3" aria-labelledby="address">
      <h2 id="address">{t('address.title')}</h2>
      <Loaded query={profile} skeleton={<Skeleton height={120} />}>
        {({ email }) => <AddressChange present={email} />}
      </Loaded>
      <p className="quiet">{t('address.hold')}</p>
    </section>
  )
}

/** The present address, and its change by a code of each address. */
function AddressChange({ present }: { present: string }) {
  const t = useText()
  const [changing, setChanging] = useState(false)
  // The focus comes back to the button that began it.
  const [hasBegun, setHasBegun] = useState(false)
  const [next, setNext] = useState<string | null>(null)
  const [withProof, proofSheet] = useProof()

  function begin() {
    setChanging(true)
    setHasBegun(true)
  }

  async function mailCodes(email: string) {
    await withProof(() => call(routes.mailAddressCodes, { email }))
    startCooldown(ADDRESS_CODES, SECONDS_BETWEEN_CODES)
    showToast(t('address.sent'))
  }

  function end() {
    setChanging(false)
    setNext(null)
    void refetchQuery(profileQuery)
  }

  return (
    <>
      <p translate="no">{present}</p>
      {!changing ? (
        <Button kind="soft" wide autoFocus={hasBegun} onClick={begin}>
          {t('address.change')}
        </Button>
      ) : (
        next === null && <NewAddress mailCodes={mailCodes} onSent={setNext} onEnd={end} />
      )}
      {changing && next !== null && (
        <Codes {...{ withProof, present, next, mailCodes }} onEnd={end} />
      )}
      {proofSheet}
    </>
  )
}

/** The name of the wait for another two codes. */
const ADDRESS_CODES = 'address-codes'

type MailCodes = (email: string) => Promise<void>

type NewAddressProps = { mailCodes: MailCodes; onSent: (email: string) => void; onEnd: () => void }

function NewAddress({ mailCodes, onSent, onEnd }: NewAddressProps) {
  const t = useText()
  const form = useSentForm<{ email: string }>({
    defaultValues: { email: '' },
    send: async ({ email }) => {
      await mailCodes(email.trim())
      onSent(email.trim())
    },
    faultsOf: fieldFaults,
  })
  return (
    <SentForm form={form} submit={t('address.send')}>
      <TextField
        label={t('address.new')}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoFocus
        {...form.field('email', { validate: { filled: filled(t('register.emailHint')) } })}
      />
      <CancelButton busy={form.busy} onPress={onEnd} />
    </SentForm>
  )
}

/** Not while a call is under way: it would go on. */
function CancelButton({ busy, onPress }: { busy: boolean; onPress: () => void }) {
  return (
    <Button kind="plain" wide disabled={busy} onClick={onPress}>
      {useText()('action.cancel')}
    </Button>
  )
}

/** The code that was mailed to the present address, and the one to the new address. */
type CodesForm = { presentCode: string; nextCode: string }

type CodesProps = {
  withProof: WithProof
  present: string
  next: string
  mailCodes: MailCodes
  onEnd: () => void
}

function Codes({ withProof, present, next, mailCodes, onEnd }: CodesProps) {
  const t = useText()
  const form = useSentForm<CodesForm>({
    defaultValues: { presentCode: '', nextCode: '' },
    withProof,
    send: async ({ presentCode, nextCode }, idempotencyKey) => {
      const change = { email: next, old_code: presentCode, new_code: nextCode }
      await call(routes.changeAddress, change, { idempotencyKey })
      showToast(t('address.changed'))
      onEnd()
    },
    faultsOf: (error) => {
      const faults = fieldFaults(error)
      const wrong = error instanceof Refusal ? { [`${error.data.field}`]: error.message } : {}
      return {
        presentCode: wrong.old_code ?? faults.old_code,
        nextCode: wrong.new_code ?? faults.new_code,
      }
    },
  })
  const focusFirst = useEffectEvent(() => form.setFocus('presentCode'))
  useEffect(() => focusFirst(), [])

  /** Returns the seconds until it may be tried again, or null: the wait has begun with the codes. */
  async function mailAgain(): Promise<number | null> {
    try {
      await mailCodes(next)
      return null
    } catch (error) {
      showFailure(error)
      return retryAfterSeconds(error)
    }
  }

  const addresses = { presentCode: present, nextCode: next } as const
  return (
    <SentForm form={form} submit={t('address.change')}>
      {(['presentCode', 'nextCode'] as const).map((name) => (
        <FormCode
          key={name}
          name={name}
          label={t('address.codeTo', { email: addresses[name] })}
          missing={t('register.codeHint')}
        />
      ))}
      <CooldownButton name={ADDRESS_CODES} onPress={mailAgain}>
        {t('address.send')}
      </CooldownButton>
      <CancelButton busy={form.busy} onPress={onEnd} />
    </SentForm>
  )
}

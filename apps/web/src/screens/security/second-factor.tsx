import * as routes from '@sum28/contract/passkey-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { call } from '#src/data/client.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { factorFault, factorQuery, useMayHavePasskey } from '#src/data/passkeys.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { FormCode } from '#src/features/form-code.tsx'
import { GroupedAddress } from '#src/features/grouped-address.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { useProof } from '#src/features/proof.tsx'
import { SentForm, useSentForm, type WithProof } from '#src/features/sent-form.tsx'
import { useText } from '#src/i18n/text.ts'
import { minuteText } from '#src/i18n/time-text.ts'
import { Button, buttonClass } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { Sheet } from '#src/parts/overlays.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import { useQuestion } from '#src/parts/use-question.tsx'

/** Loaded by the few who set an app up. */
const QrCode = lazyComponent(async () => (await import('@sum28/ui/qr-code.tsx')).QrCode)

type Setup = ReplyOf<typeof routes.authenticatorSetup>

/** The second factor: switched on by an authenticator app or by the passkeys, with its recovery codes. */
export function SecondFactor() {
  const t = useText()
  const when = useTimeFormat()
  const [withProof, proofSheet] = useProof()
  const factor = useQuery(factorQuery)
  const hasPasskey = useMayHavePasskey()
  const [setup, setSetup] = useState<Setup | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)

  const beginning = useMutation({
    mutationFn: () => withProof(() => call(routes.authenticatorSetup, {})),
    onSuccess: setSetup,
  })
  const making = useMutation({
    mutationFn: (by: 'passkeys' | 'renewal') =>
      withProof(async () => {
        const reply = await (by === 'passkeys'
          ? call(routes.switchFactorOn, {})
          : call(routes.newRecoveryCodes, {}))
        return reply.recovery_codes
      }),
    onSuccess: setCodes,
    onSettled: () => refetchQuery(factorQuery),
  })
  const ending = useMutation({
    mutationFn: () => withProof(() => call(routes.switchFactorOff, {})),
    onSuccess: () => showToast(t('factor.isOff')),
    onSettled: () => refetchQuery(factorQuery),
  })

  const [ask, question] = useQuestion({
    title: t('factor.offAsk'),
    text: t('factor.offText'),
    confirm: t('factor.off'),
    danger: true,
    onConfirm: ending.mutate,
  })

  const [askCodes, codesQuestion] = useQuestion({
    title: t('factor.newCodes'),
    text: t('factor.newCodesText'),
    confirm: t('factor.newCodes'),
    onConfirm: () => making.mutate('renewal'),
  })

  function appButton(label: 'factor.useApp' | 'factor.otherApp') {
    return (
      <Button kind="soft" wide busy={beginning.isPending} onClick={() => beginning.mutate()}>
        {t(label)}
      </Button>
    )
  }

  return (
    <section className="stack-3" aria-labelledby="second-factor">
      <h2 id="second-factor">{t('factor.title')}</h2>
      <p className="quiet">{t('factor.hint')}</p>
      <Loaded query={factor} skeleton={<Skeleton height={120} />}>
        {({ since, app, recovery_codes: codesLeft }) =>
          since === null ? (
            <>
              {appButton('factor.useApp')}
              {hasPasskey && (
                <Button
                  kind="soft"
                  wide
                  busy={making.isPending}
                  onClick={() => making.mutate('passkeys')}
                >
                  {t('factor.usePasskeys')}
                </Button>
              )}
            </>
          ) : (
            <>
              <Card kind="rows">
                <ListRow
                  icon="shield"
                  title={t('factor.since', { time: minuteText(since * 1_000, when) })}
                  note={[
                    t(app ? 'factor.withApp' : 'security.passkeys'),
                    t('factor.codesLeft', { count: codesLeft }),
                  ].join(' · ')}
                />
              </Card>
              <Button kind="soft" wide busy={making.isPending} onClick={askCodes}>
                {t('factor.newCodes')}
              </Button>
              {appButton(app ? 'factor.otherApp' : 'factor.useApp')}
              <Button kind="plain" wide busy={ending.isPending} onClick={ask}>
                {t('factor.off')}
              </Button>
            </>
          )
        }
      </Loaded>
      <p className="quiet">{t('factor.lost')}</p>
      {setup && (
        <SetupSheet
          setup={setup}
          withProof={withProof}
          onClose={() => setSetup(null)}
          onDone={(made) => {
            setSetup(null)
            setCodes(made)
            void refetchQuery(factorQuery)
          }}
        />
      )}
      {codes && <CodesSheet codes={codes} onClose={() => setCodes(null)} />}
      {question}
      {codesQuestion}
      {proofSheet}
    </section>
  )
}

type SetupSheetProps = {
  setup: Setup
  /** The proof before the setup may be too old by the time that an app is installed. */
  withProof: WithProof
  onClose: () => void
  /** Called with the recovery codes. */
  onDone: (codes: string[]) => void
}

function SetupSheet({ setup: made, withProof, onClose, onDone }: SetupSheetProps) {
  const t = useText()
  const { secret, otpauth, setup } = made
  const form = useSentForm<{ code: string }>({
    defaultValues: { code: '' },
    withProof,
    send: async ({ code }, idempotencyKey) => {
      const app = { setup, code }
      const { recovery_codes: codes } = await call(routes.switchFactorOn, app, { idempotencyKey })
      onDone(codes)
    },
    faultsOf: (error) => ({ code: factorFault(error) }),
  })
  return (
    <Sheet open onClose={onClose} title={t('factor.useApp')}>
      <div className="stack-4">
        <p className="quiet">{t('factor.scan')}</p>
        <div className="centered">
          <Suspense fallback={<Skeleton height={176} width="176px" />}>
            <QrCode value={otpauth} label={t('factor.qr')} size={176} />
          </Suspense>
        </div>
        <GroupedAddress address={secret} />
        <CopyButton value={secret} label={t('factor.copyKey')} />
        <a className={buttonClass({ kind: 'plain', size: 's', wide: true })} href={otpauth}>
          {t('factor.open')}
        </a>
        <SentForm form={form} submit={t('factor.confirm')}>
          <FormCode name="code" label={t('factor.code')} missing={t('factor.codeHint')} />
        </SentForm>
      </div>
    </Sheet>
  )
}

/** The recovery codes, which are shown once: only the button that says that they are kept closes them. */
function CodesSheet({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const t = useText()
  return (
    <Sheet open stays onClose={onClose} title={t('factor.codesTitle')}>
      <div className="stack-4">
        <p className="quiet">{t('factor.codesText')}</p>
        <ol className="halves mono small" translate="no">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <CopyButton value={codes.join('\n')} label={t('factor.copyCodes')} />
        <Button wide onClick={onClose}>
          {t('factor.kept')}
        </Button>
      </div>
    </Sheet>
  )
}

import { keyedActions } from '@sum28/contract/keyed-actions.ts'
import { takeBack } from '@sum28/contract/passkey-routes.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callThatEndsSession } from '#src/data/client.ts'
import { failureText } from '#src/data/failure.ts'
import { endSession } from '#src/data/session.ts'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { Button, LinkButton } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'

/**
 * Where the link of a mail leads that tells of a sign-in or of another address. Only the button acts: programs that
 * open the links of mails do nothing. The link's secret is behind the # of the address, and is sent nowhere before.
 */
export function TakeBackScreen() {
  const t = useText()
  const [link] = useState(() => location.hash.slice(1))
  const [actions] = useState(keyedActions)
  const taking = useMutation({
    mutationFn: () =>
      actions.send(link, (idempotencyKey) =>
        callThatEndsSession(takeBack, { link }, { idempotencyKey }),
      ),
    // The session of this device has ended too.
    onSuccess: endSession,
    // Shown below.
    onError: () => {},
  })
  const resetLink = (
    <LinkButton wide to={href('passwordReset')}>
      {t('takeBack.reset')}
    </LinkButton>
  )

  if (taking.isSuccess) {
    return (
      <Screen title={t('takeBack.done')}>
        <div className="stack-4" role="status">
          {taking.data?.address && <p>{t('takeBack.address')}</p>}
          <p>{t('takeBack.doneText')}</p>
          {resetLink}
        </div>
      </Screen>
    )
  }
  return (
    <Screen title={t('takeBack.title')} back>
      <div className="stack-4">
        {link === '' ? (
          <>
            <Callout icon="warn" tone="warn">
              {t('takeBack.broken')}
            </Callout>
            {resetLink}
          </>
        ) : (
          <>
            <p>{t('takeBack.text')}</p>
            <Button wide busy={taking.isPending} onClick={() => taking.mutate()}>
              {t('takeBack.confirm')}
            </Button>
          </>
        )}
        {taking.isError && (
          <div className="stack-4" role="alert">
            <Callout icon="warn" tone="warn">
              {failureText(taking.error)}
            </Callout>
            {resetLink}
          </div>
        )}
      </div>
    </Screen>
  )
}

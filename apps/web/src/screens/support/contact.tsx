import { buttonClass } from '@sum28/ui/button.tsx'
import { Callout } from '@sum28/ui/callout.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { classNames } from '@sum28/ui/class-names.ts'
import { CopyButton } from '@sum28/ui/copy-button.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { profileQuery } from '#src/data/profile.ts'
import { chatAddress } from '#src/data/support-chat.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/support/support-screen.module.css'

type ContactProps = { chat: string | null; email: string | null }

/** The ways to contact the operator, and the player's data to mention there. */
export function Contact({ chat, email }: ContactProps) {
  const t = useText()
  const address = chatAddress(chat)
  if (!address && !email) return <Callout icon="info">{t('support.none')}</Callout>
  return (
    <Card className="stack-3">
      {address && (
        <>
          <p className={styles.lead}>{t('support.byChat')}</p>
          <a
            className={classNames(buttonClass({ wide: true }), styles.way)}
            href={address}
            target="_blank"
            rel="noopener noreferrer"
          >
            <Icon name="chat" size={20} />
            {t('support.openChat')}
          </a>
        </>
      )}
      {email && (
        <>
          <p className={styles.lead}>{t('support.byMail')}</p>
          <div className={styles.line}>
            <p className={styles.address}>
              <AddressText email={email} />
            </p>
            <CopyButton small value={email} label={t('support.copyMail')} />
          </div>
          <a
            className={classNames(
              buttonClass({ kind: address ? 'soft' : 'primary', wide: true }),
              styles.way,
            )}
            href={`mailto:${email}`}
          >
            <Icon name="mail" size={20} />
            {t('support.writeMail')}
          </a>
        </>
      )}
      <Identity />
    </Card>
  )
}

/** An e-mail address that breaks before its @. */
function AddressText({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  )
}

/** The player's name and id; nothing until they are known. */
function Identity() {
  const t = useText()
  const { data: profile } = useQuery({ ...profileQuery, refetchInterval: false })
  if (!profile) return null
  const id = String(profile.id)
  return (
    <div className={classNames(styles.line, styles.identity)}>
      <p className={styles.words}>
        <b>
          {t('support.yourId')} <span className="num">{id}</span>
        </b>
        {t('support.yourIdNote')}
      </p>
      <CopyButton small value={id} label={t('support.copyId')} />
    </div>
  )
}

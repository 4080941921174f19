import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#src/data/config.ts'
import { profileQuery } from '#src/data/profile.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { chatAddress } from '#src/features/use-support.ts'
import { useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { buttonClass } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { Card, Section } from '#src/parts/card.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'

/** The operator's contacts, if any, and the common answers. */
export function SupportScreen() {
  const t = useText()
  const config = useQuery(configQuery)
  return (
    <Screen title={t('support.title')} back>
      <Loaded query={config} skeleton={<Skeleton height={190} />}>
        {({ supportChat, supportEmail }) => <Contact chat={supportChat} email={supportEmail} />}
      </Loaded>
      <Answers />
      <Card kind="rows">
        <ListRow icon="list" title={t('support.rules')} to={href('rules')} />
        <ListRow icon="shield" title={t('support.fairness')} to={href('fairness')} />
      </Card>
    </Screen>
  )
}

const QUESTIONS = ['deposit', 'withdraw', 'draw', 'void'] as const

function Answers() {
  const t = useText()
  const isLocal = useQuery(configQuery).data?.hasLocalBeacon

  function answerTo(question: (typeof QUESTIONS)[number]) {
    // Of a beacon of his own the operator may know the number before.
    if (question === 'draw' && isLocal) return t('support.drawLocalAnswer')
    return t(`support.${question}Answer`)
  }

  return (
    <Section title={t('support.answers')}>
      {QUESTIONS.map((question) => (
        <details key={question} className="surface">
          <summary className="row-space medium">
            <span>{t(`support.${question}`)}</span>
            <Icon name="down" size={18} />
          </summary>
          <p className="quiet row-space">{answerTo(question)}</p>
        </details>
      ))}
    </Section>
  )
}

type ContactProps = { chat: string | null; email: string | null }

function Contact({ chat, email }: ContactProps) {
  const t = useText()
  const address = chatAddress(chat)
  if (!address && !email) return <Callout icon="info">{t('support.none')}</Callout>
  return (
    <Card className="stack-3">
      {address && (
        <>
          <p className="ink-2">{t('support.byChat')}</p>
          <a
            className={buttonClass({ wide: true })}
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
          <p className="ink-2">{t('support.byMail')}</p>
          <div className="row-3">
            <p className="grow strong anywhere">
              <AddressText email={email} />
            </p>
            <CopyButton small value={email} label={t('support.copyMail')} />
          </div>
          <a
            className={buttonClass({ kind: address ? 'soft' : 'primary', wide: true })}
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

function Identity() {
  const t = useText()
  const { data: profile } = useQuery(profileQuery)
  if (!profile) return null
  const id = String(profile.id)
  return (
    <div className="row-3">
      <div className="grow">
        <b>
          {t('support.yourId')} <span className="num">{id}</span>
        </b>
        <p className="quiet">{t('support.yourIdNote')}</p>
      </div>
      <CopyButton small value={id} label={t('support.copyId')} />
    </div>
  )
}

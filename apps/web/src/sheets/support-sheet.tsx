import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { href } from '#src/app/routes.ts'
import { configQuery } from '#src/data/config.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/sheets/support-sheet.module.css'
import { buttonClass } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Sheet } from '#src/ui/sheet.tsx'

const QUESTIONS = ['deposit', 'draw', 'void'] as const

/** Where the operator has no chat: his mail address, if he gave one, and the common answers. */
export function SupportSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText()
  const config = useQuery(configQuery)
  const email = config.data?.features.support_email
  return (
    <Sheet open={open} onClose={onClose} title={t('support.title')}>
      <div className={styles.body}>
        <p className={styles.lead}>{email ? t('support.byMail') : t('support.none')}</p>
        {email && (
          <a className={buttonClass({ wide: true })} href={`mailto:${email}`}>
            <Icon name="mail" size={20} />
            {email}
          </a>
        )}
        <h3 className={styles.heading}>{t('support.answers')}</h3>
        {QUESTIONS.map((question) => (
          <details key={question} className={styles.question}>
            <summary>
              <span>{t(`support.${question}`)}</span>
              <Icon name="down" size={18} />
            </summary>
            <p>{t(`support.${question}Answer`)}</p>
          </details>
        ))}
        <Link className={styles.rules} to={href('rules')} onClick={onClose}>
          {t('support.rules')}
        </Link>
      </div>
    </Sheet>
  )
}

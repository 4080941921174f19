import { CardHeading } from '@sum28/ui/card.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/support/support-screen.module.css'

const QUESTIONS = ['deposit', 'withdraw', 'draw', 'void'] as const

export function Answers() {
  const t = useText()
  return (
    <section className="stack-2">
      <CardHeading>{t('support.answers')}</CardHeading>
      {QUESTIONS.map((question) => (
        <details key={question} className={styles.question}>
          <summary>
            <span>{t(`support.${question}`)}</span>
            <Icon name="down" size={18} />
          </summary>
          <p>{t(`support.${question}Answer`)}</p>
        </details>
      ))}
    </section>
  )
}

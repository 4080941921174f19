import { Icon } from '@sum28/ui/icon.tsx'
import { TRANSFER_STEPS } from '#src/data/deposit-transfers.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/deposit/transfer-steps.module.css'

/** The progress of a transfer through its three steps. */
export function TransferSteps({ status }: { status: (typeof TRANSFER_STEPS)[number] }) {
  const t = useText()
  const now = TRANSFER_STEPS.indexOf(status)
  return (
    <ol className={styles.steps}>
      {TRANSFER_STEPS.map((step, at) => (
        <li
          key={step}
          className={styles.step}
          data-at={at < now ? 'done' : at === now ? 'now' : 'later'}
          aria-current={at === now ? 'step' : undefined}
        >
          <span className={styles.dot}>{at < now && <Icon name="check" size={14} />}</span>
          {t(`transfer.${step}`)}
        </li>
      ))}
    </ol>
  )
}

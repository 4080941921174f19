import { AmountText } from '@sum28/ui/amount.tsx'
import { Dialog } from '@sum28/ui/dialog.tsx'
import { useLastValue } from '@sum28/ui/use-last-value.ts'
import { useNavigate } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { useGoBack } from '#src/app/use-go-back.ts'
import { payMethodMark, payMethodName } from '#src/data/pay-method.ts'
import type { Withdrawal } from '#src/data/withdrawal-attempt.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/withdrawal/outcome-dialog.module.css'
import type { Outcome } from '#src/screens/withdrawal/use-withdrawal.ts'

type OutcomeDialogProps = { outcome: Outcome | null; onClose: () => void }

/** The result of a withdrawal. After a success the buttons lead to the statement or back. */
export function OutcomeDialog({ outcome, onClose }: OutcomeDialogProps) {
  const t = useText()
  const navigate = useNavigate()
  const goBack = useGoBack()
  const open = outcome !== null
  const shown = useLastValue(outcome)

  if (shown?.kind === 'done') {
    return (
      <Dialog
        open={open}
        onClose={goBack}
        tone="done"
        title={t('withdrawal.doneTitle')}
        closeLabel={t('action.back')}
        confirm={{
          label: t('withdrawal.details'),
          onConfirm: () => navigate(href('statement'), { replace: true }),
        }}
      >
        <Done withdrawal={shown.withdrawal} />
      </Dialog>
    )
  }
  const insufficient = shown?.kind === 'insufficient'
  return (
    <Dialog
      open={open}
      onClose={onClose}
      tone="bad"
      title={insufficient ? t('withdrawal.insufficientTitle') : t('withdrawal.failedTitle')}
    >
      {shown?.kind === 'failed' ? shown.text : t('withdrawal.insufficient')}
    </Dialog>
  )
}

function Done({ withdrawal: { amount, method } }: { withdrawal: Withdrawal }) {
  const t = useText()
  return (
    <>
      <p className={styles.amount}>
        <AmountText value={amount} />
      </p>
      <p translate="no">
        {payMethodName(method)} <span className={styles.mark}>{payMethodMark(method)}</span>
      </p>
      <p className={styles.note}>{t('withdrawal.pendingNote')}</p>
    </>
  )
}

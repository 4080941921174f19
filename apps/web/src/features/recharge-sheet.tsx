import { ListRow } from '@sum28/ui/list-row.tsx'
import { Sheet } from '@sum28/ui/sheet.tsx'
import { useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { useSession } from '#src/data/session-watch.ts'
import styles from '#src/features/recharge-sheet.module.css'
import { useText } from '#src/i18n/text.ts'

type RechargeSheetProps = {
  open: boolean
  onClose: () => void
  /** From `useSupport`. */
  onSupport: () => void
}

/** The two ways to put money in: by oneself, or through support. */
export function RechargeSheet({ open, onClose, onSupport }: RechargeSheetProps) {
  const t = useText()
  const navigate = useNavigate()
  const session = useSession()

  function deposit() {
    onClose()
    navigate(session ? href('deposit', { group_id: session.groupId }) : href('login'))
  }

  function support() {
    onClose()
    onSupport()
  }

  return (
    <Sheet open={open} onClose={onClose} title={t('recharge.title')}>
      <div className={styles.rows}>
        <ListRow
          icon="wallet"
          title={t('recharge.byOneself')}
          note={t('recharge.byOneselfNote')}
          onPress={deposit}
        />
        <ListRow
          icon="chat"
          title={t('recharge.bySupport')}
          note={t('recharge.bySupportNote')}
          onPress={support}
        />
      </div>
    </Sheet>
  )
}

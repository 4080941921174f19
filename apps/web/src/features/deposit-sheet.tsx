import { ListRow } from '@sum28/ui/list-row.tsx'
import { Sheet } from '@sum28/ui/overlays.tsx'
import { useSession } from '#src/data/session-watch.ts'
import styles from '#src/features/deposit-sheet.module.css'
import { useText } from '#src/i18n/text.ts'
import { useNavigate } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'

type DepositSheetProps = {
  open: boolean
  onClose: () => void
  onSupport: () => void
}

/** The two ways to deposit: directly, or through support. */
export function DepositSheet({ open, onClose, onSupport }: DepositSheetProps) {
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
    <Sheet open={open} onClose={onClose} title={t('deposit.title')}>
      <div className={styles.rows}>
        <ListRow
          icon="wallet"
          title={t('deposit.byOneself')}
          note={t('deposit.byOneselfNote')}
          onPress={deposit}
        />
        <ListRow
          icon="chat"
          title={t('deposit.bySupport')}
          note={t('deposit.bySupportNote')}
          onPress={support}
        />
      </div>
    </Sheet>
  )
}

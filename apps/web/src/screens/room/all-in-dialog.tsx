import { totalStake } from '@sum28/domain/payout.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { Dialog } from '@sum28/ui/dialog.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { useText } from '#src/i18n/text.ts'
import { allInOf, type PanelRoom } from '#src/screens/room/room-state.ts'

type AllInDialogProps = {
  open: boolean
  room: PanelRoom
  onClose: () => void
  onConfirm: () => void
}

/** Asks for confirmation before 'all in' sets the stake; nothing is bought yet. */
export function AllInDialog({ open, room, onClose, onConfirm }: AllInDialogProps) {
  const t = useText()
  const { tag } = useLocale()
  const stake = allInOf(room)
  const count = room.panel.ruleIds.length
  return (
    <Dialog
      open={open}
      onClose={onClose}
      tone="warn"
      title={t('panel.allInTitle')}
      confirm={{ label: t('panel.allInConfirm'), onConfirm }}
    >
      {t('panel.allInText', {
        count,
        each: amountText(stake, { tag }),
        total: amountText(totalStake({ stake, selections: count }), { tag }),
      })}
    </Dialog>
  )
}

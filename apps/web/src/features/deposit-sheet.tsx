import { useQuery } from '@tanstack/react-query'
import { type DepositInfo, depositQuery } from '#src/data/deposit.ts'
import { useSession } from '#src/data/session-watch.ts'
import { useIsMember } from '#src/features/members-only.tsx'
import { useText } from '#src/i18n/text.ts'
import { useNavigate } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { ListRow } from '#src/parts/list-row.tsx'
import { Sheet } from '#src/parts/overlays.tsx'

type DepositSheetProps = {
  open: boolean
  onClose: () => void
  onSupport: () => void
}

/** The ways to deposit: directly, with what the operator offers, and through support. What came before is found directly, too. */
export function DepositSheet({ open, onClose, onSupport }: DepositSheetProps) {
  const t = useText()
  const navigate = useNavigate()
  const group = useSession('groupId')
  const isMember = useIsMember()
  const ways = useQuery({ ...depositQuery, enabled: open && isMember }).data

  function deposit() {
    onClose()
    navigate(group === undefined ? href('login') : href('deposit', { group_id: group }))
  }

  function support() {
    onClose()
    onSupport()
  }

  return (
    <Sheet open={open} onClose={onClose} title={t('deposit.title')}>
      <div className="sheet-rows grid-2">
        <ListRow
          icon="wallet"
          title={t('deposit.byOneself')}
          note={ways && t(noteOf(ways))}
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

function noteOf({ usdtAddress: usdt, bankAccount: bank }: DepositInfo) {
  if (usdt && bank) return 'deposit.byBoth'
  if (usdt) return 'deposit.byUsdt'
  return bank ? 'deposit.byBank' : 'deposit.none'
}

import { useQuery } from '@tanstack/react-query'
import { depositQuery } from '#src/data/deposit.ts'
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

/** The ways to deposit that there are: directly, by what the operator offers, and through support. */
export function DepositSheet({ open, onClose, onSupport }: DepositSheetProps) {
  const t = useText()
  const navigate = useNavigate()
  const group = useSession('groupId')
  const isMember = useIsMember()
  const ways = useQuery({ ...depositQuery, enabled: open && isMember }).data
  const usdt = ways?.usdtAddress !== undefined
  const bank = ways?.bankAccount !== undefined

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
        {(!ways || usdt || bank) && (
          <ListRow
            icon="wallet"
            title={t('deposit.byOneself')}
            note={
              ways &&
              t(usdt && bank ? 'deposit.byBoth' : usdt ? 'deposit.byUsdt' : 'deposit.byBank')
            }
            onPress={deposit}
          />
        )}
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

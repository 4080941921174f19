import { useState } from 'react'
import { href } from '#src/app/routes.ts'
import type { Game } from '#src/data/games.ts'
import { useSession } from '#src/data/session-watch.ts'
import { useText } from '#src/i18n/text.ts'
import { useSupport } from '#src/screens/support/use-support.tsx'
import { ListRow } from '#src/ui/list-row.tsx'
import { Sheet } from '#src/ui/sheet.tsx'

type PlusMenuProps = { game: Game; open: boolean; onClose: () => void }

/** What else there is around a room; depositing asks in which of two ways. */
export function PlusMenu({ game, open, onClose }: PlusMenuProps) {
  const t = useText()
  const [deposit, setDeposit] = useState(false)
  const place = { game_id: String(game.id), name: game.name }

  function askHow() {
    onClose()
    setDeposit(true)
  }

  return (
    <>
      <Sheet open={open} onClose={onClose} title={t('menu.title')}>
        <ListRow icon="wallet" title={t('menu.deposit')} onPress={askHow} />
        <ListRow icon="list" title={t('menu.drawResults')} to={href('lotteryDetail', place)} />
        <ListRow icon="line" title={t('menu.drawTrend')} to={href('trendChart', place)} />
        <ListRow icon="info" title={t('menu.explanation')} to={href('lotteryExplain')} />
        <ListRow icon="clock" title={t('menu.betHistory')} to={href('betRecord')} />
        <ListRow
          icon="refresh"
          title={t('menu.clearCache')}
          note={t('menu.clearCacheNote')}
          arrow={false}
          onPress={() => location.reload()}
        />
      </Sheet>
      <DepositSheet open={deposit} onClose={() => setDeposit(false)} />
    </>
  )
}

function DepositSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText()
  const { openSupport, supportSheet } = useSupport()
  const group = useSession()?.groupId

  function askSupport() {
    onClose()
    openSupport()
  }

  return (
    <>
      <Sheet open={open} onClose={onClose} title={t('menu.deposit')}>
        <ListRow
          icon="wallet"
          title={t('menu.depositSelf')}
          note={t('menu.depositSelfNote')}
          to={href('recharge', group ? { group_id: group } : {})}
        />
        <ListRow
          icon="chat"
          title={t('menu.depositSupport')}
          note={t('menu.depositSupportNote')}
          onPress={askSupport}
        />
      </Sheet>
      {supportSheet}
    </>
  )
}

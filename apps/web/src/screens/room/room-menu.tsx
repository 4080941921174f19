import { ListRow } from '@sum28/ui/list-row.tsx'
import { Sheet } from '@sum28/ui/sheet.tsx'
import { useState } from 'react'
import { href } from '#src/app/routes.ts'
import type { Game } from '#src/data/games.ts'
import { DepositSheet } from '#src/features/deposit-sheet.tsx'
import { useSupport } from '#src/features/use-support.ts'
import { useText } from '#src/i18n/text.ts'

type RoomMenuProps = { game: Game; open: boolean; onClose: () => void }

/** The plus menu of a room. */
export function RoomMenu({ game, open, onClose }: RoomMenuProps) {
  const t = useText()
  const { openSupport } = useSupport()
  const [deposit, setDeposit] = useState(false)
  const place = { game_id: String(game.id), name: game.name }

  function openDeposit() {
    onClose()
    setDeposit(true)
  }

  return (
    <>
      <Sheet open={open} onClose={onClose} title={t('menu.title')}>
        <div className="sheet-rows">
          <ListRow icon="wallet" title={t('menu.deposit')} onPress={openDeposit} />
          <ListRow icon="list" title={t('menu.pastRounds')} to={href('pastRounds', place)} />
          <ListRow icon="line" title={t('menu.trend')} to={href('trend', place)} />
          <ListRow icon="info" title={t('menu.rules')} to={href('memberRules')} />
          <ListRow icon="clock" title={t('menu.betHistory')} to={href('betHistory')} />
          <ListRow
            icon="refresh"
            title={t('menu.clearCache')}
            note={t('menu.clearCacheNote')}
            arrow={false}
            onPress={() => location.reload()}
          />
        </div>
      </Sheet>
      <DepositSheet open={deposit} onClose={() => setDeposit(false)} onSupport={openSupport} />
    </>
  )
}

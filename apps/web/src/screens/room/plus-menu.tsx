import { ListRow } from '@sum28/ui/list-row.tsx'
import { Sheet } from '@sum28/ui/sheet.tsx'
import { useState } from 'react'
import { href } from '#src/app/routes.ts'
import type { Game } from '#src/data/games.ts'
import { RechargeSheet } from '#src/features/recharge-sheet.tsx'
import { useSupport } from '#src/features/use-support.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/room/plus-menu.module.css'

type PlusMenuProps = { game: Game; open: boolean; onClose: () => void }

/** What else there is around a room; depositing asks in which of two ways. */
export function PlusMenu({ game, open, onClose }: PlusMenuProps) {
  const t = useText()
  const { openSupport } = useSupport()
  const [deposit, setDeposit] = useState(false)
  const place = { game_id: String(game.id), name: game.name }

  function askHow() {
    onClose()
    setDeposit(true)
  }

  return (
    <>
      <Sheet open={open} onClose={onClose} title={t('menu.title')}>
        <div className={styles.rows}>
          <ListRow icon="wallet" title={t('menu.deposit')} onPress={askHow} />
          <ListRow icon="list" title={t('menu.drawResults')} to={href('pastRounds', place)} />
          <ListRow icon="line" title={t('menu.drawTrend')} to={href('trend', place)} />
          <ListRow icon="info" title={t('menu.explanation')} to={href('lotteryExplain')} />
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
      <RechargeSheet open={deposit} onClose={() => setDeposit(false)} onSupport={openSupport} />
    </>
  )
}

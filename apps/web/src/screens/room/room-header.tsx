import type { Amount } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import type { Game, Room } from '#src/data/games.ts'
import { DepositSheet } from '#src/features/deposit-sheet.tsx'
import { PageHeader } from '#src/features/page.tsx'
import { useRoomTitle } from '#src/features/room-title.ts'
import { useSupport } from '#src/features/use-support.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { Icon, IconButton } from '#src/parts/icon.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { Sheet } from '#src/parts/overlays.tsx'
import { prefersReducedMotion } from '#src/parts/reduced-motion.ts'
import styles from '#src/screens/room/room.module.css'

type RoomHeaderProps = { game: Game; room: Room }

export const RoomHeader = memo(function RoomHeader({ game, room }: RoomHeaderProps) {
  const t = useText()
  const title = useRoomTitle()(room)
  const [menu, setMenu] = useState(false)
  return (
    <>
      <PageHeader
        title={`${game.name} · ${title}`}
        note={<NoticeLine game={game.name} title={title} stakeMin={room.stakeMin} />}
        back
        action={<IconButton icon="plus" label={t('room.more')} onPress={() => setMenu(true)} />}
      />
      <RoomMenu game={game} open={menu} onClose={() => setMenu(false)} />
    </>
  )
})

type RoomMenuProps = { game: Game; open: boolean; onClose: () => void }

function RoomMenu({ game, open, onClose }: RoomMenuProps) {
  const t = useText()
  const { openSupport } = useSupport()
  const [deposit, setDeposit] = useState(false)
  const gameParams = { game_id: String(game.id), name: game.name }

  function openDeposit() {
    onClose()
    setDeposit(true)
  }

  return (
    <>
      <Sheet open={open} onClose={onClose} title={t('menu.title')}>
        <div className="sheet-rows">
          <ListRow icon="wallet" title={t('menu.deposit')} onPress={openDeposit} />
          <ListRow icon="list" title={t('menu.pastRounds')} to={href('pastRounds', gameParams)} />
          <ListRow icon="line" title={t('menu.trend')} to={href('trend', gameParams)} />
          <ListRow icon="info" title={t('menu.rules')} to={href('memberRules')} />
          <ListRow
            icon="shield"
            title={t('fairness.title')}
            to={href('fairness', { game_id: gameParams.game_id })}
          />
          <ListRow icon="flag" title={t('limits.title')} to={href('limits')} />
          <ListRow icon="clock" title={t('betHistory.title')} to={href('betHistory')} />
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

const ROTATE_MS = 3_000

type NoticeLineProps = { game: string; title: string; stakeMin: Amount }

/**
 * A text that changes every three seconds; a tap pauses it, and with reduced motion it begins
 * paused.
 */
function NoticeLine({ game, title, stakeMin }: NoticeLineProps) {
  const t = useText()
  const { tag } = useLocale()
  const { data: config } = useQuery(configQuery)
  const [at, setAt] = useState(0)
  const [paused, setPaused] = useState(prefersReducedMotion)
  const gameParams = { game, room: title }
  const lines = [
    t('room.noticeRoom', gameParams),
    t('room.noticeSeal', { ...gameParams, seconds: (config?.sealMs ?? 30_000) / 1_000 }),
    t('room.noticeStakeMin', { ...gameParams, amount: amountText(stakeMin, { tag }) }),
  ]

  useEffect(() => {
    if (paused) return
    const timer = setInterval(() => setAt((before) => before + 1), ROTATE_MS)
    return () => clearInterval(timer)
  }, [paused])

  const line = lines[at % lines.length]
  return (
    <button
      type="button"
      className={styles.notice}
      aria-pressed={paused}
      onClick={() => setPaused(!paused)}
    >
      <span className="unseen">{t('room.noticePause')}: </span>
      {paused && <Icon name="pause" size={12} />}
      <span key={line} className={styles.noticeText}>
        {line}
      </span>
    </button>
  )
}

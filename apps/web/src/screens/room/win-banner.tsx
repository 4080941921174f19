import { AmountText } from '@sum28/ui/amount.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { IconButton } from '@sum28/ui/icon-button.tsx'
import { roundNumber } from '@sum28/ui/round-number.ts'
import { memo } from 'react'
import type { Win } from '#src/data/live/room-update.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/room/win-banner.module.css'

type WinBannerProps = { win: Win | undefined; onDismiss: () => void }

/** Shows one round's win until it is dismissed, then the next. */
export const WinBanner = memo(function WinBanner({ win, onDismiss }: WinBannerProps) {
  const t = useText()
  return (
    <div role="status">
      {win && (
        <div key={win.issue} className={styles.banner}>
          <Icon name="trophy" size={22} />
          <p className={styles.words}>
            <span>{t('room.won', { round: `${win.gameName} ${roundNumber(win.issue)}` })}</span>{' '}
            <AmountText value={win.roundProfit} signed className={styles.profit} />
          </p>
          <IconButton icon="close" label={t('room.dismiss')} onPress={onDismiss} />
        </div>
      )}
    </div>
  )
})

import { AmountText } from '@sum28/ui/amount.tsx'
import { Button } from '@sum28/ui/button.tsx'
import { Card, CardHeading } from '@sum28/ui/card.tsx'
import { ReloadLink } from '@sum28/ui/empty-state.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { prefersReducedMotion } from '@sum28/ui/reduced-motion.ts'
import { clockTimeText, dayHeading } from '@sum28/ui/time-text.ts'
import { useRef } from 'react'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import { useAutoAdvance } from '#src/screens/home/auto-advance.ts'
import styles from '#src/screens/home/home.module.css'
import { shownWinners, type Winner } from '#src/screens/home/home.ts'

const EVERY_MS = 2_500

/** Rows that are visible at once. */
const SEEN = 4

type WinnersProps = { winners: readonly Winner[]; onReload: () => void }

/** The wins of the last 24 hours, largest first, scrolled row by row until paused. */
export function Winners({ winners, onReload }: WinnersProps) {
  const t = useText()
  const when = useTimeFormat()
  const list = useRef<HTMLUListElement>(null)
  // Wins have no id: equal ones differ only by their place.
  const shown = shownWinners(winners).map((winner, at) => ({ ...winner, position: at + 1 }))
  const scrolls = shown.length > SEEN
  const { playing, setPlaying, hold } = useAutoAdvance(EVERY_MS, () => scrollOn(list.current))

  return (
    <section className={styles.winners} aria-label={t('winners.title')}>
      <CardHeading
        end={
          scrolls && (
            <Button kind="plain" size="s" onClick={() => setPlaying(!playing)}>
              {playing ? t('winners.pause') : t('winners.play')}
            </Button>
          )
        }
      >
        {t('winners.title')}
      </CardHeading>
      <Card kind="rows">
        {shown.length === 0 ? (
          <div className={styles.noWinners}>
            <Icon name="trophy" size={28} />
            <p>{t('winners.none')}</p>
            <ReloadLink onReload={onReload} />
          </div>
        ) : (
          <ul
            ref={list}
            className={styles.winnersList}
            data-scrolls={scrolls}
            tabIndex={scrolls ? 0 : undefined}
            {...hold}
          >
            {shown.map((winner) => (
              <li key={winner.position}>
                <b>{winner.nickname}</b>
                <AmountText className={styles.winnerProfit} value={winner.profit} signed />
                <span>{winner.game_name}</span>
                <span className="num">
                  {`${dayHeading(winner.createtime * 1_000, when)}, ${clockTimeText(winner.createtime * 1_000, when)}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  )
}

/** One row further, or back to the first after the last. */
function scrollOn(list: HTMLUListElement | null): void {
  const row = list?.firstElementChild
  if (!list || !row || list.scrollHeight <= list.clientHeight) return
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 2
  const behavior = prefersReducedMotion() ? 'instant' : 'smooth'
  if (atEnd) list.scrollTo({ top: 0, behavior })
  else list.scrollBy({ top: row.clientHeight, behavior })
}

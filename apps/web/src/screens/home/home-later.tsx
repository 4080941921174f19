/** What home shows of the server's answer, and below it: its code is loaded while the answer is awaited. */

import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import { useQuery } from '@tanstack/react-query'
import {
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { pictureAddress } from '#src/data/lines.ts'
import { protectionQuery } from '#src/data/protection.ts'
import { useSignedIn } from '#src/data/session-watch.ts'
import { ReloadLink } from '#src/features/loaded.tsx'
import { useSnapStrip } from '#src/features/use-snap-strip.ts'
import { withAllTexts } from '#src/i18n/load.tsx'
import { useText } from '#src/i18n/text.ts'
import { dayTimeText } from '#src/i18n/time-text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Button } from '#src/parts/button.tsx'
import { Card, CardHeading } from '#src/parts/card.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { prefersReducedMotion } from '#src/parts/reduced-motion.ts'
import { Skeleton } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/home/home.module.css'
import type { Banner, Winner } from '#src/screens/home/home.ts'

const BANNER_MS = 3_000

const BreakNote = lazyComponent(async () => {
  return withAllTexts((await import('#src/features/break-note.tsx')).BreakNote)
})

/** The banners of the home screen; to a player none before it is known that he is in no break, and in one the note about it. */
export function Banners({ banners }: { banners: readonly Banner[] }) {
  const signedIn = useSignedIn()
  const protection = useQuery({ ...protectionQuery, enabled: signedIn })
  if (protection.isLoading) return <Skeleton height={136} />
  if (signedIn && !protection.data) return null
  if (!protection.data?.exclusion) return <BannerStrip banners={banners} />
  return (
    <Suspense fallback={<Skeleton height={136} />}>
      <BreakNote />
    </Suspense>
  )
}

/** They advance by themselves until paused; a single one does not move. */
function BannerStrip({ banners }: { banners: readonly Banner[] }) {
  const t = useText()
  const { strip, current, show } = useSnapStrip(banners.length)
  const { playing, setPlaying, hold } = useAutoAdvance(
    { element: strip, everyMs: BANNER_MS, moves: banners.length > 1 },
    () => show((current + 1) % banners.length),
  )

  return (
    <section className={styles.carousel} aria-label={t('banner.label')}>
      {/* Before the list, so that a reader can stop it before the list moves on under him. */}
      {banners.length > 1 && (
        <div className={styles.controls}>
          {banners.map((banner, at) => (
            <button
              key={banner.id}
              type="button"
              className={styles.dot}
              aria-label={t('banner.position', { number: at + 1 })}
              aria-current={at === current || undefined}
              onClick={() => {
                setPlaying(false)
                show(at)
              }}
            />
          ))}
          <button
            type="button"
            className={styles.pause}
            aria-label={playing ? t('banner.pause') : t('banner.play')}
            onClick={() => setPlaying(!playing)}
          >
            <span className={styles.pauseSign}>
              <Icon name={playing ? 'pause' : 'resume'} size={16} />
            </span>
          </button>
        </div>
      )}
      <ul ref={strip} className={styles.strip} {...hold}>
        {banners.map((banner, at) => (
          <li key={banner.id} className={styles.slide} inert={at !== current}>
            <BannerSlide banner={banner} number={at + 1} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function BannerSlide({ banner, number }: { banner: Banner; number: number }) {
  const t = useText()
  const words = bannerWords(banner.image)
  const content = (
    <>
      <img
        className={styles.art}
        src={pictureAddress(banner.image)}
        alt={words ? '' : t('banner.position', { number })}
        draggable={false}
        fetchPriority={number === 1 ? 'high' : undefined}
      />
      {words && (
        <span className={styles.words}>
          <b>{t(`banner.${words}`)}</b>
          <span>{t(`banner.${words}More`)}</span>
        </span>
      )}
    </>
  )
  return <BannerLink link={banner.link}>{content}</BannerLink>
}

function BannerLink({ link, children }: { link: string; children: ReactNode }) {
  const target = linkOf(link)
  if (!target) return <div className={styles.face}>{children}</div>
  if (target.outside) {
    return (
      <a className={styles.face} href={target.to} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    )
  }
  return (
    <Link className={styles.face} to={target.to} draggable={false}>
      {children}
    </Link>
  )
}

const WINNER_MS = 2_500

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
  const { playing, setPlaying, hold } = useAutoAdvance(
    { element: list, everyMs: WINNER_MS, moves: scrolls },
    () => scrollOn(list.current),
  )

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
          <div className="row-3 quiet wrap row-space">
            <Icon name="trophy" size={28} className="ink-3" />
            <p className="grow">{t('winners.none')}</p>
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
                <span>{winner.game}</span>
                <span className="num">{dayTimeText(winner.wonAt, when)}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  )
}

/** The winners that are shown: an entry whose nickname has Chinese characters is hidden. */
export function shownWinners(winners: readonly Winner[]): Winner[] {
  return winners.filter(({ nickname }) => !/\p{Script=Han}/u.test(nickname))
}

function scrollOn(list: HTMLUListElement | null): void {
  const row = list?.firstElementChild
  if (!list || !row || list.scrollHeight <= list.clientHeight) return
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 2
  const behavior = prefersReducedMotion() ? 'instant' : 'smooth'
  if (atEnd) list.scrollTo({ top: 0, behavior })
  else list.scrollBy({ top: row.clientHeight, behavior })
}

export function HouseLinks() {
  const t = useText()
  return (
    <>
      <Card kind="rows">
        <ListRow
          icon="list"
          title={t('home.rules')}
          note={t('home.rulesNote')}
          to={href('rules')}
        />
        <ListRow
          icon="shield"
          title={t('home.fairness')}
          note={t('home.fairnessNote')}
          to={href('fairness')}
        />
        <ListRow
          icon="info"
          title={t('home.saferPlay')}
          note={t('home.saferPlayNote')}
          to={href('saferPlay')}
        />
      </Card>
      <p className={styles.adults}>
        <b aria-hidden="true">18+</b>
        {t('home.adults')}
      </p>
    </>
  )
}

type Moving = {
  element: RefObject<HTMLElement | null>
  everyMs: number
  moves: boolean
}

/** Calls `advance` repeatedly while the element is in view, unless it is paused or held. */
function useAutoAdvance({ element, everyMs, moves }: Moving, advance: () => void) {
  // With reduced motion it is started by a press.
  const [playing, setPlaying] = useState(() => !prefersReducedMotion())
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const held = pointed || focused
  const onTime = useEffectEvent(advance)
  useEffect(() => {
    if (!playing || held || !moves || !element.current) return
    let timer: ReturnType<typeof setInterval> | undefined
    const observer = new IntersectionObserver((changes) => {
      clearInterval(timer)
      if (!changes.at(-1)?.isIntersecting) return
      timer = setInterval(() => {
        if (!document.hidden) onTime()
      }, everyMs)
    })
    observer.observe(element.current)
    return () => {
      clearInterval(timer)
      observer.disconnect()
    }
  }, [playing, held, moves, everyMs, element])

  const release = () => setPointed(false)
  return {
    playing,
    setPlaying,
    /** For the moving element: it waits while it is touched, pointed at or focused. */
    hold: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: release,
      onPointerCancel: release,
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
  }
}

/** The app's own banners are pictures without words; the words are laid over them by language. */
const OWN = ['fairness', 'exact', 'rounds'] as const

type OwnBanner = (typeof OWN)[number]

/** The app's own banner with this file name, or null for a banner of the operator. */
export function bannerWords(image: string): OwnBanner | null {
  const name = /^\/banners\/([a-z]+)\.svg$/.exec(image)?.[1]
  return OWN.find((own) => own === name) ?? null
}

/** The target of a banner, inside or outside the app; null for none, or for no valid address. */
export function linkOf(link: string): { to: string; outside: boolean } | null {
  if (/^\/(?![/\\])/.test(link)) return { to: link, outside: false }
  return /^https?:\/\/[^/]/i.test(link) ? { to: link, outside: true } : null
}

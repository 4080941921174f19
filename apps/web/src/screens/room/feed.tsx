import { roundNumber } from '@sum28/domain/issues.ts'
import {
  type CSSProperties,
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useSession } from '#src/data/session-watch.ts'
import { EmptyState } from '#src/features/loaded.tsx'
import { OutcomeTags, Tag } from '#src/features/outcome-tag.tsx'
import { useText } from '#src/i18n/text.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { classNames } from '#src/parts/class-names.ts'
import { Icon } from '#src/parts/icon.tsx'
import { Skeletons } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/room/room.module.css'
import { feedScrolled } from '#src/screens/room/room-state.ts'
import type { FeedEntry } from '#src/screens/room/room-update.ts'
import type { LiveRoom } from '#src/screens/room/use-room.ts'

/** Within so many pixels of its end, the list counts as showing the newest entry. */
const END_PX = 24

type FeedProps = {
  /** Oldest first; null until they have come. */
  entries: readonly FeedEntry[] | null
  /** Entries after this one slide in. */
  slidesAfter: number | null
  running: string
  atNewest: boolean
  /** The number of entries that came since the player scrolled away. */
  unread: number
  /** Absent for a stranger, as `onName` is. */
  onFollow?: (entry: FeedEntry) => void
  /** Called with the entry whose player's name was tapped. */
  onName?: (entry: FeedEntry) => void
  onReload: () => void
  onScrolled: (scroll: { atNewest: boolean }) => void
}

/** The room's bets, newest at the bottom; stays at the bottom unless the player has scrolled up. */
export const Feed = memo(function Feed(props: FeedProps) {
  const { entries, slidesAfter, running, atNewest, unread, onFollow, onName, onReload } = props
  const { onScrolled } = props
  const t = useText()
  const me = useSession('userId')
  const scroller = useRef<HTMLDivElement>(null)
  const [kind, setKind] = useState<Kind>('all')
  const shown = (entries ?? []).filter(
    ({ robot }) => kind === 'all' || robot === (kind === 'robots'),
  )
  const newestId = shown.at(-1)?.id
  const isEmpty = !entries || entries.length === 0

  useLayoutEffect(() => {
    const list = scroller.current
    if (list && atNewest && newestId !== undefined) list.scrollTop = list.scrollHeight
  }, [atNewest, newestId])

  // When the height of the list or of its rows changes (draws unfold, a banner appears), its end stays visible.
  useEffect(() => {
    const list = scroller.current
    if (!list || !atNewest) return
    const observer = new ResizeObserver(() => {
      list.scrollTop = list.scrollHeight
    })
    observer.observe(list)
    if (list.firstElementChild) observer.observe(list.firstElementChild)
    return () => observer.disconnect()
  }, [atNewest, isEmpty])

  function followScroll() {
    const list = scroller.current
    if (!list) return
    onScrolled({ atNewest: list.scrollHeight - list.scrollTop - list.clientHeight < END_PX })
  }

  if (!entries) return <FeedSkeleton />
  if (entries.length === 0) {
    return (
      <section className={styles.feed} aria-label={t('feed.title')}>
        <EmptyState
          icon="list"
          title={t('feed.empty')}
          hint={t('feed.emptyHint')}
          onReload={onReload}
        />
      </section>
    )
  }
  return (
    <section className={styles.feed} aria-label={t('feed.title')}>
      <select
        className={styles.kind}
        aria-label={t('feed.shown')}
        value={kind}
        onChange={(event) => setKind(event.target.value as Kind)}
      >
        {KINDS.map((each) => (
          <option key={each} value={each}>
            {t(`feed.kind.${each}`)}
          </option>
        ))}
      </select>
      <div className={styles.scroller} ref={scroller} onScroll={followScroll}>
        {/* Grids are no table for a browser, so each part names its role. */}
        {/* biome-ignore-start lint/a11y: see above */}
        <table role="table" className={styles.table}>
          <thead role="rowgroup" className={styles.head}>
            <tr role="row" className={styles.row}>
              <th className={styles.who} role="columnheader" scope="col">
                {t('feed.player')}
                <span className="unseen">, {t('room.round')}</span>
              </th>
              <th className={styles.play} role="columnheader" scope="col">
                {t('feed.play')}
              </th>
              <th className={styles.total} role="columnheader" scope="col">
                {t('feed.total')}
              </th>
              <th className={styles.action} role="columnheader" scope="col">
                <span className="unseen">{t('feed.action')}</span>
              </th>
            </tr>
          </thead>
          {blocksOf(shown).map(({ key, roundId, entries: inBlock }) => (
            <tbody
              role="rowgroup"
              key={key}
              className={styles.rows}
              style={{ '--rows': inBlock.length } as CSSProperties}
              data-running={roundId === running}
            >
              {inBlock.map((entry) => (
                <FeedRow
                  key={entry.id}
                  entry={entry}
                  mine={String(entry.playerId) === me}
                  fresh={entry.id > (slidesAfter ?? 0)}
                  {...(onFollow && { onFollow })}
                  {...(onName && { onName })}
                />
              ))}
            </tbody>
          ))}
        </table>
        {/* biome-ignore-end lint/a11y: see above */}
        {shown.length === 0 && <p className={styles.none}>{t('feed.emptyKind')}</p>}
      </div>
      {!atNewest && (
        <button
          type="button"
          className={styles.newest}
          onClick={() => onScrolled({ atNewest: true })}
        >
          {/* What came is counted of all kinds. */}
          <span>
            {unread > 0 && kind === 'all' ? t('feed.unread', { count: unread }) : t('feed.newest')}
          </span>
          <Icon name="down" size={16} />
        </button>
      )}
    </section>
  )
})

export function FeedSkeleton() {
  return (
    <section className={styles.feed}>
      <div className={classNames('stack-3', styles.waitingRows)}>
        <Skeletons heights={[44, 44, 44]} />
      </div>
    </section>
  )
}

/** What the feed shows of a room as it is now. */
export function useFeedOf({ room, change, beatNow }: LiveRoom) {
  return {
    entries: room.lastEntryId === null ? null : room.feed,
    slidesAfter: room.slidesAfter,
    atNewest: room.atNewest,
    unread: room.unread,
    onReload: beatNow,
    onScrolled: useCallback(
      (place: { atNewest: boolean }) => change((now) => feedScrolled(now, place)),
      [change],
    ),
  }
}

/** Whose bets are listed. */
const KINDS = ['all', 'people', 'robots'] as const
type Kind = (typeof KINDS)[number]

/** Further outcomes are only counted. */
const TAGS_MAX = 4

/** Larger amounts get their own line. */
const WIDE_FROM = 1_000_000_000_000n

type FeedRowProps = {
  entry: FeedEntry
  mine: boolean
  /** Whether it came after the room was entered: it slides in. */
  fresh: boolean
  onFollow?: (entry: FeedEntry) => void
  onName?: (entry: FeedEntry) => void
}

const FeedRow = memo(function FeedRow(props: FeedRowProps) {
  const { entry, mine, fresh, onFollow, onName } = props
  const t = useText()
  return (
    // biome-ignore-start lint/a11y: see above
    <tr
      role="row"
      className={styles.row}
      data-mine={mine}
      data-robot={entry.robot}
      data-fresh={fresh}
      data-wide={entry.total >= WIDE_FROM}
    >
      <th role="rowheader" scope="row" className={styles.who}>
        {onName ? (
          <button
            type="button"
            className={styles.name}
            aria-haspopup="dialog"
            onClick={() => onName(entry)}
          >
            {mine ? t('feed.you') : entry.nickname}
          </button>
        ) : (
          <span className={styles.name}>{entry.nickname}</span>
        )}{' '}
        <span className={styles.under}>
          <span className="num">{roundNumber(entry.roundId)}</span> {entry.robot && <RobotBadge />}
        </span>
      </th>
      <td role="cell" className={styles.play}>
        <OutcomeTags outcomes={entry.outcomes} max={TAGS_MAX} />
      </td>
      <td role="cell" className={styles.total}>
        <AmountText value={entry.total} unit={false} />
      </td>
      <td role="cell" className={styles.action}>
        {!mine && onFollow && (
          <button
            type="button"
            className={styles.follow}
            aria-label={t('feed.followWhom', { player: entry.nickname })}
            onClick={() => onFollow(entry)}
          >
            {t('feed.follow')}
          </button>
        )}
      </td>
    </tr>
    // biome-ignore-end lint/a11y: see above
  )
})

export function RobotBadge() {
  const t = useText()
  return (
    <Tag look="other">
      <Icon name="robot" size={12} /> {t('feed.robot')}
    </Tag>
  )
}

/** The range of ids in one block. */
const BLOCK_IDS = 8

type FeedBlock = { key: string; roundId: string; entries: FeedEntry[] }

/**
 * A feed in blocks, in its order. Each entry's block depends only on the entry, so that other rows
 * do not move it between blocks.
 */
export function blocksOf(entries: readonly FeedEntry[]): FeedBlock[] {
  const blocks = new Map<string, FeedBlock>()
  for (const entry of entries) {
    const key = `${entry.roundId} ${Math.floor(entry.id / BLOCK_IDS)}`
    const block = blocks.get(key)
    if (block) block.entries.push(entry)
    else blocks.set(key, { key, roundId: entry.roundId, entries: [entry] })
  }
  return [...blocks.values()]
}

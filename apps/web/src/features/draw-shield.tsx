import type { Digits } from '@sum28/domain/digits.ts'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import {
  type CheckVerdict,
  chainStep,
  drawCheckQuery,
  fetchedAt,
  seenStep,
  verdictOfCheck,
} from '#src/data/draw-check.ts'
import { chainsQuery, isUndecided, publishedRoundQuery } from '#src/data/fairness.ts'
import styles from '#src/features/draw-shield.module.css'
import { useText } from '#src/i18n/text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Icon } from '#src/parts/icon.tsx'

type ShownDraw = { gameId: number; roundId: string; digits: Digits }

/** The public log has a round's proof soon after the draw; until then a check is repeated. */
const AGAIN_MS = 30_000
const TRIES_MAX = 6

/** Checks run one after another, so that a long list neither floods the server nor the device. */
let queue: Promise<unknown> = Promise.resolve()

/** The result of checking a draw on this device; null if it is not published. */
function drawVerdictQuery(draw: ShownDraw) {
  return queryOptions<CheckVerdict | null>({
    queryKey: ['draw-verdict', draw],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchInterval: ({ state }) => {
      const isEarly = state.data && EARLY.includes(state.data)
      return isEarly && state.dataUpdateCount < TRIES_MAX ? AGAIN_MS : false
    },
    queryFn: ({ client, signal }) => {
      const check = queue.then(() => (signal.aborted ? null : verdictOfDraw(draw, client)))
      queue = check.catch(() => {})
      return check
    },
  })
}

async function verdictOfDraw(
  { gameId, roundId, digits }: ShownDraw,
  client: QueryClient,
): Promise<CheckVerdict | null> {
  const query = publishedRoundQuery({ gameId, roundId })
  const round = await client.fetchQuery(query)
  if (!round) return null
  // The file of another round, or of other digits than those that are shown, or of none, proves nothing of them.
  const isIts = round.game_id === gameId && round.issue === roundId
  if (!isIts || (!isUndecided(round) && round.digits?.join() !== digits.join())) return 'failed'
  const chains = await client.fetchQuery(chainsQuery)
  const at = client.getQueryState(query.queryKey)?.dataUpdatedAt ?? 0
  const own = await client.fetchQuery(drawCheckQuery({ round, ...fetchedAt(round, at) }))
  const seen = seenStep(round)
  return verdictOfCheck([...own, chainStep(round, chains), ...(seen ? [seen] : [])], { round })
}

const EARLY: readonly CheckVerdict[] = ['pending', 'incomplete', 'unwitnessed']
const CHECKED: readonly CheckVerdict[] = [
  ...(['verified', 'unproved', 'newKeys', 'incomplete'] as const),
]
const TONES: Partial<Record<CheckVerdict, 'in' | 'warn' | 'bad'>> = {
  verified: 'in',
  unwitnessed: 'warn',
  failed: 'bad',
}

type DrawShieldProps = ShownDraw & {
  /**
   * `link`: a link to the check, with its result in words; `beside`: the same beside tiles, where a narrow screen has no
   * space for words; `mark`: a sign within a row, whose result is only read aloud.
   */
  kind?: 'link' | 'beside' | 'mark'
}

/** Checks a draw on this device, off the main thread, once it has been seen for a moment; and says the result. */
export const DrawShield = memo(function DrawShield({ kind = 'link', ...draw }: DrawShieldProps) {
  const t = useText()
  const place = useRef<HTMLSpanElement>(null)
  const seen = useSeen(place)
  const { data: verdict = null } = useQuery({ ...drawVerdictQuery(draw), enabled: seen })
  const checked = verdict !== null && CHECKED.includes(verdict)
  const isOdd = verdict === 'failed' || verdict === 'unwitnessed'
  const unchecked = kind !== 'mark' && t('charts.check')
  const words = isOdd ? t(`check.${verdict}`) : checked ? t('shield.checked') : unchecked
  const content = (
    <span ref={place} className={styles.shield} data-tone={verdict && TONES[verdict]}>
      <Icon name={isOdd ? 'warn' : 'shield'} size={16} />
      <span className={kind === 'mark' ? 'unseen' : styles.words}>
        {words}
        {checked && verdict !== 'verified' && (
          <span className="unseen">. {t(`check.${verdict}`)}</span>
        )}
      </span>
    </span>
  )
  if (kind === 'mark') return content
  const { gameId, roundId } = draw
  return (
    <Link
      className={styles.link}
      data-kind={kind}
      to={href('fairness', { game_id: String(gameId), issue: roundId })}
    >
      {content}
    </Link>
  )
})

/** Passing by while a list is scrolled is not enough. */
const SEEN_MS = 600

function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !element.current) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer)
      if (entry?.isIntersecting) timer = setTimeout(() => setSeen(true), SEEN_MS)
    })
    observer.observe(element.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [seen, element])
  return seen
}

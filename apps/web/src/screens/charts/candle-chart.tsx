import { roundNumber } from '@sum28/domain/issues.ts'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ChartRound, HiddenTypes } from '#src/data/rounds/candles.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { type ChartHandle, mountCandleChart } from '#src/screens/charts/candle-drawing.ts'
import styles from '#src/screens/charts/charts.module.css'

type CandleChartProps = {
  /** The name for screen readers. */
  label: string
  /** Oldest first; at least one. */
  rounds: readonly ChartRound[]
  hidden: HiddenTypes
  /** The round under the cross; null follows the latest. */
  chosen: string | null
  /** Called when the finger or mouse is over a round, or over none. */
  onPoint: (roundId: string | null) => void
  onChoose: (roundId: string) => void
  /** Called when older rounds will soon be needed. */
  onNearStart: () => void
  onAtEnd: (atEnd: boolean) => void
  /** Whether the latest round is visible; setting it to true scrolls there. */
  atEnd: boolean
}

/** The rounds as candles: drag to pan, pinch or use the wheel to zoom, tap or hold for a round. */
export function CandleChart(props: CandleChartProps) {
  const { rounds, hidden, chosen, atEnd: followed } = props
  const t = useText()
  const { tag } = useLocale()
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<ChartHandle>(null)
  const point = useEffectEvent(props.onPoint)
  const choose = useEffectEvent(props.onChoose)
  const nearStart = useEffectEvent(props.onNearStart)
  const atEnd = useEffectEvent(props.onAtEnd)
  const roundWords = useEffectEvent((roundId: string) =>
    t('hall.round', { round: roundNumber(roundId) }),
  )

  useEffect(() => {
    if (!box.current) return
    const mounted = mountCandleChart(box.current, {
      tag,
      roundWords,
      onPoint: point,
      onChoose: choose,
      onNearStart: nearStart,
      onAtEnd: atEnd,
    })
    chart.current = mounted
    return () => mounted.destroy()
  }, [tag])

  useEffect(() => {
    chart.current?.show(rounds, hidden)
  }, [rounds, hidden, tag])

  useEffect(() => {
    chart.current?.choose(chosen)
  }, [chosen, tag])

  const wasFollowed = useRef(true)
  useEffect(() => {
    if (followed && !wasFollowed.current) chart.current?.toLatest()
    wasFollowed.current = followed
  }, [followed])

  return <div ref={box} className={styles.chart} role="img" aria-label={props.label} />
}

import { roundNumber } from '@sum28/ui/round-number.ts'
import { useLocale } from '@sum28/ui/text.ts'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ChartRound, HiddenTypes } from '#src/data/chart-round.ts'
import { useText } from '#src/i18n/text.ts'
import { type ChartHandle, mountCandleChart } from '#src/screens/charts/candle-drawing.ts'
import styles from '#src/screens/charts/charts.module.css'

type CandleChartProps = {
  /** What it is, for screen readers. */
  label: string
  /** Oldest first; never none. */
  rounds: readonly ChartRound[]
  hidden: HiddenTypes
  /** The round to keep the cross on; null follows the latest. */
  chosen: string | null
  /** The finger or mouse is over a round, or over none. */
  onPoint: (issue: string | null) => void
  /** A round was tapped. */
  onChoose: (issue: string) => void
  /** One has panned to where older rounds will soon be missed. */
  onNearStart: () => void
  onAtEnd: (atEnd: boolean) => void
  /** The latest round is in sight; made true from outside, it is brought there. */
  atEnd: boolean
}

/** The rounds as candles: drag to pan, pinch or turn the wheel to zoom, tap or hold for a round. */
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
  const roundWords = useEffectEvent((issue: string) =>
    t('hall.round', { issue: roundNumber(issue) }),
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

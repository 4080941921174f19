/** Draws rounds with the charting library; the only file that imports it. */
import { roundNumber } from '@sum28/domain/issues.ts'
import { addDays, type Day } from '@sum28/domain/schedule.ts'
import {
  type CandlestickData,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  createSeriesMarkers,
  type DeepPartial,
  LineStyle,
  type MouseEventParams,
  type SeriesMarker,
  TickMarkType,
  type Time,
  type TimeChartOptions,
  type UTCTimestamp,
} from 'lightweight-charts'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import { scheme } from '#src/data/device-settings.ts'
import { type ChartRound, type HiddenTypes, lookOf } from '#src/data/rounds/candles.ts'
import { indexText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { prefersReducedMotion } from '#src/parts/reduced-motion.ts'
import styles from '#src/screens/charts/charts.module.css'

/** For the buttons beside the chart. */
export type ChartZoom = (by: number) => void

type CandleChartProps = {
  label: string
  /** Is given what makes the candles so many times as wide. */
  zoom: Ref<ChartZoom>
  /** Oldest first; at least one. */
  rounds: readonly ChartRound[]
  hidden: HiddenTypes
  /** The round under the cross; null follows the latest. */
  chosen: string | null
  /** Called when the finger or mouse is over a round, or over none. */
  onPoint: (roundId: string | null) => void
  onChoose: (roundId: string) => void
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
    t('round.number', { round: roundNumber(roundId) }),
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

  useImperativeHandle(props.zoom, () => (by) => chart.current?.zoom(by), [])

  const wasFollowed = useRef(true)
  useEffect(() => {
    if (followed && !wasFollowed.current) chart.current?.toLatest()
    wasFollowed.current = followed
  }, [followed])

  return <div ref={box} className={styles.chart} role="img" aria-label={props.label} />
}

type ChartHandle = {
  /** Rounds oldest first; the panned position is kept. */
  show: (rounds: readonly ChartRound[], hidden: HiddenTypes) => void
  /** Puts the cross on a round and scrolls to it; null removes the cross. */
  choose: (roundId: string | null) => void
  toLatest: () => void
  zoom: ChartZoom
  destroy: () => void
}

type ChartEvents = Pick<CandleChartProps, 'onPoint' | 'onChoose' | 'onNearStart' | 'onAtEnd'> & {
  tag: string
  /** The label under the cross. */
  roundWords: (roundId: string) => string
}

const BAR_SPACING = 7
/** Where candles are thinner than this many pixels, markers would cover each other. */
const MARKED_FROM = 6
/** Markers of the library's default size would be wider than the candles. */
const MARKER_SIZE = 0.6
/** Older rounds are loaded when this many are left before the first. */
const AHEAD = 60
/** Empty bars after the latest candle. */
const END_GAP = 2

function mountCandleChart(box: HTMLElement, events: ChartEvents): ChartHandle {
  let colours = chartColours(box)
  let rounds: readonly ChartRound[] = []
  let hidden: HiddenTypes = new Set()
  let chosen: string | null = null
  let marked = true
  const roundIdAt = new Map<number, string>()

  const calm = prefersReducedMotion()
  const chart = createChart(box, {
    autoSize: true,
    ...looks(box, colours),
    localization: {
      locale: events.tag,
      timeFormatter: (time: Time) => events.roundWords(roundIdAt.get(Number(time)) ?? ''),
    },
    rightPriceScale: {
      borderVisible: false,
      entireTextOnly: true,
      scaleMargins: { top: 0.08, bottom: 0.08 },
    },
    timeScale: {
      borderVisible: false,
      barSpacing: BAR_SPACING,
      minBarSpacing: 1.5,
      rightOffset: END_GAP,
      timeVisible: true,
      allowBoldLabels: false,
      tickMarkMaxCharacterLength: 6,
      tickMarkFormatter: (time: Time, type: TickMarkType) => tickText(Number(time), type),
    },
    handleScroll: { vertTouchDrag: false },
    handleScale: { axisPressedMouseMove: { price: false, time: true } },
    kineticScroll: { touch: !calm, mouse: false },
  })
  const series = chart.addSeries(CandlestickSeries, {
    priceFormat: {
      type: 'custom',
      minMove: 0.5,
      formatter: (value: number) => indexText(value, events.tag),
    },
    priceLineStyle: LineStyle.Dashed,
    priceLineColor: colours.tint,
  })
  const markers = createSeriesMarkers<Time>(series, [])
  const dayNames = new Intl.DateTimeFormat(events.tag, {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
  })

  function tickText(time: number, type: TickMarkType): string {
    if (type <= TickMarkType.DayOfMonth) {
      return dayNames.format(Date.parse(`${roundAtChartTime(time).day}T12:00:00Z`))
    }
    return String(roundAtChartTime(time).number).padStart(3, '0')
  }

  function draw() {
    roundIdAt.clear()
    for (const { roundId } of rounds) roundIdAt.set(chartTimeOf(roundId), roundId)
    series.setData(rounds.map((round) => bar(round, hidden, colours)))
    drawMarkers()
    cross()
  }

  function drawMarkers() {
    markers.setMarkers(marked ? rounds.flatMap((round) => marker(round, hidden, colours)) : [])
  }

  function cross() {
    const round = chosen && rounds.find(({ roundId }) => roundId === chosen)
    if (!round) chart.clearCrosshairPosition()
    else chart.setCrosshairPosition(round.candle.close, timeOf(round), series)
  }

  function scrollToRound(roundId: string) {
    const at = rounds.findIndex((round) => round.roundId === roundId)
    const range = chart.timeScale().getVisibleLogicalRange()
    if (at < 0 || !range) return
    const inner = { from: Math.ceil(range.from) + 1, to: Math.floor(range.to) - 1 }
    if (at >= inner.from && at <= inner.to) return
    const shift = at < inner.from ? at - inner.from : at - inner.to
    chart.timeScale().setVisibleLogicalRange({ from: range.from + shift, to: range.to + shift })
  }

  function move({ time, point, sourceEvent }: MouseEventParams) {
    // A cross set by this file is not the user's pointer.
    if (point !== undefined && sourceEvent === undefined) return
    const roundId = time === undefined ? undefined : roundIdAt.get(Number(time))
    events.onPoint(point === undefined ? null : (roundId ?? null))
    if (point === undefined && chosen) queueMicrotask(cross)
  }

  function press({ time }: MouseEventParams) {
    const roundId = time === undefined ? undefined : roundIdAt.get(Number(time))
    if (roundId) events.onChoose(roundId)
  }

  function pan() {
    const range = chart.timeScale().getVisibleLogicalRange()
    if (!range || rounds.length === 0) return
    const wide = chart.timeScale().options().barSpacing >= MARKED_FROM
    if (wide !== marked) {
      marked = wide
      drawMarkers()
    }
    events.onAtEnd(range.to >= rounds.length - 1)
    if (range.from < AHEAD) events.onNearStart()
    // The cross has a fixed place on the screen, so it is moved with its round.
    if (chosen) cross()
  }

  function recolour() {
    colours = chartColours(box)
    chart.applyOptions(looks(box, colours))
    series.applyOptions({ priceLineColor: colours.tint })
    draw()
  }

  chart.subscribeCrosshairMove(move)
  chart.subscribeClick(press)
  chart.timeScale().subscribeVisibleLogicalRangeChange(pan)
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', recolour)
  const endFollowing = scheme.subscribe(recolour)

  return {
    show: (shown, without) => {
      rounds = shown
      hidden = without
      draw()
    },
    choose: (roundId) => {
      chosen = roundId
      if (roundId) scrollToRound(roundId)
      cross()
    },
    toLatest: () => chart.timeScale().scrollToPosition(END_GAP, false),
    zoom: (by) => {
      const barSpacing = chart.timeScale().options().barSpacing * by
      chart.timeScale().applyOptions({ barSpacing })
    },
    destroy: () => {
      dark.removeEventListener('change', recolour)
      endFollowing()
      chart.remove()
    },
  }
}

function timeOf({ roundId }: { roundId: string }): UTCTimestamp {
  return chartTimeOf(roundId) as UTCTimestamp
}

/** A full body for long, a hollow one for short. */
function bar(round: ChartRound, hidden: HiddenTypes, colours: ChartColours): CandlestickData {
  const { size, faded } = lookOf(round, hidden)
  const colour = faded ? colours.shadow : colours[size]
  const { open, close, low, high } = round.candle
  return {
    time: timeOf(round),
    open,
    close,
    low,
    high,
    color: size === 'long' ? colour : colours.surface,
    borderColor: colour,
    wickColor: colour,
  }
}

/** Dots are odd, squares even; above a long round, under a short one. */
function marker(
  round: ChartRound,
  hidden: HiddenTypes,
  colours: ChartColours,
): SeriesMarker<Time>[] {
  const { size, marker: outcome } = lookOf(round, hidden)
  if (outcome === null) return []
  return [
    {
      time: timeOf(round),
      position: size === 'long' ? 'aboveBar' : 'belowBar',
      shape: outcome.endsWith('odd') ? 'circle' : 'square',
      color: colours[size],
      size: MARKER_SIZE,
    },
  ]
}

function looks(box: HTMLElement, colours: ChartColours): DeepPartial<TimeChartOptions> {
  const { fontFamily, fontSize } = getComputedStyle(box)
  const cross = { color: colours.quiet, labelBackgroundColor: colours.ink }
  return {
    layout: {
      background: { type: ColorType.Solid, color: colours.surface },
      textColor: colours.quiet,
      fontFamily,
      fontSize: Number.parseFloat(fontSize),
      // Its style element would break the content security policy; the screen shows the
      // attribution.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colours.line } },
    crosshair: { mode: CrosshairMode.Magnet, vertLine: cross, horzLine: cross },
  }
}

/** Reads CSS variables for the chart, whose canvas does not know them. */
type ChartColours = {
  readonly surface: string
  readonly line: string
  readonly ink: string
  readonly quiet: string
  readonly shadow: string
  readonly long: string
  readonly short: string
  /** The game's own. */
  readonly tint: string
}

function chartColours(element: Element): ChartColours {
  // A variable by itself may be a choice of two colours.
  const sample = element.appendChild(document.createElement('i'))
  // With less motion every style of the page changes by a short transition.
  sample.style.transitionProperty = 'none'
  // With the system's colours alone all of them would be that of its text.
  sample.style.forcedColorAdjust = 'none'
  const colour = (name: string) => {
    sample.style.color = `var(${name})`
    return getComputedStyle(sample).color
  }
  const colours = {
    surface: colour('--surface'),
    line: colour('--line'),
    ink: colour('--ink'),
    quiet: colour('--ink-3'),
    shadow: colour('--line'),
    long: colour('--long'),
    short: colour('--short'),
    tint: colour('--tint'),
  }
  sample.remove()
  return colours
}

const SECONDS_PER_DAY = 86_400
const SECONDS_PER_ROUND = 5

/** The most rounds that a day has place for; one every six seconds in 25 hours is 15,000. */
const ROUNDS_MAX = SECONDS_PER_DAY / SECONDS_PER_ROUND - 1

/** A round's place; later rounds have greater ones. Throws if the text is not a round's number. */
export function chartTimeOf(roundId: string): number {
  const midnight = Date.UTC(
    Number(roundId.slice(0, 4)),
    Number(roundId.slice(4, 6)) - 1,
    Number(roundId.slice(6, 8)),
  )
  const number = Number(roundId.slice(8))
  if (!Number.isFinite(midnight) || !(number >= 1 && number <= ROUNDS_MAX)) {
    throw new Error(`${roundId} has no place on the chart`)
  }
  return midnight / 1_000 + number * SECONDS_PER_ROUND
}

/** The game day and the number within it of the round at a place. */
export function roundAtChartTime(time: number): { day: Day; number: number } {
  const days = Math.floor(time / SECONDS_PER_DAY)
  return {
    day: addDays('1970-01-01', days),
    number: Math.round((time - days * SECONDS_PER_DAY) / SECONDS_PER_ROUND),
  }
}

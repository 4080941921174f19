/** A chart of figures beside their targets, as an SVG. */
import { shown, type Target } from './report.ts'

const ROW = 20
const TOP = 26
/** Where the bars begin, and where the mark of the target is. */
const LEFT = 330
const MARK = 200
/** A figure that is better than its target by more than this is drawn as this. */
const BEST = 2
const WIDTH = LEFT + BEST * MARK + 130

const STYLE = `text { font: 12px sans-serif; fill: #333 } .name { text-anchor: end }
  .reached { fill: #2e7d5b } .missed { fill: #b3582f } .mark { stroke: #333 } rect.ground { fill: #fff }`

/** A bar for each figure; the line that crosses all of them is where each reaches its target. */
export function drawTargets(targets: readonly (Target & { bench: string })[]): string {
  const height = TOP + targets.length * ROW + 8
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>Each figure as a share of its target</title>
<style>${STYLE}</style>
<rect class="ground" width="${WIDTH}" height="${height}"/>
<text x="${LEFT + MARK}" y="14" text-anchor="middle">target</text>
${targets.map((target, place) => bar(target, TOP + place * ROW)).join('\n')}
<line class="mark" x1="${LEFT + MARK}" x2="${LEFT + MARK}" y1="18" y2="${height - 8}"/>
</svg>
`
}

function bar(target: Target & { bench: string }, y: number): string {
  const { bench, figure, value, unit, atLeast, atMost } = target
  const share = atLeast === undefined ? (atMost as number) / value : value / atLeast
  const width = Math.round(Math.min(BEST, Math.max(0, share || 0)) * MARK)
  const label = `${shown(value)} ${unit} (${atLeast === undefined ? `≤ ${shown(atMost)}` : `≥ ${shown(atLeast)}`})`
  return `<text class="name" x="${LEFT - 8}" y="${y + 12}">${escaped(`${bench}: ${figure}`)}</text>
<rect class="${share >= 1 ? 'reached' : 'missed'}" x="${LEFT}" y="${y + 2}" width="${width}" height="${ROW - 6}"/>
<text x="${LEFT + Math.max(width, MARK) + 8}" y="${y + 12}">${escaped(label)}</text>`
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

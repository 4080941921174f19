import type { CandleOnWire } from '@sum28/contract/replies.ts'
import { candleOf, candleTuple } from '@sum28/domain/candles.ts'
import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import type { CandleRow } from './candle-store.ts'

/** A drawn round as a candle in wire form. */
export function wireCandle({ issue, openedHalves, digits, total }: CandleRow): CandleOnWire {
  const [first, second, third] = digits
  return {
    issue,
    cand: candleTuple(candleOf(openedHalves / 2, digits)),
    cand_code: labelsOfSum(total).join,
    code: total,
    site_1: first,
    site_2: second,
    site_3: third,
  }
}

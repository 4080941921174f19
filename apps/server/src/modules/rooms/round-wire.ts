import type { RunningRoundOnWire } from '@sum28/contract/replies.ts'
import type { GameBoard } from './board.ts'

/** The running round in wire form; sealed also while it is not open yet, or outside opening hours. */
export function wireRound(board: GameBoard, now: number): RunningRoundOnWire {
  const { scheduled, state, results } = board
  const left = scheduled && state === 'open' ? scheduled.sealsAt - now : 0
  const open = left > 0
  return {
    issue: scheduled?.issue ?? '',
    last_issue: results[0]?.issue ?? '',
    openTime1: open ? Math.ceil(left / 1000) : 0,
    whether_close: !open,
  }
}

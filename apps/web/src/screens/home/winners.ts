import type { home } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'

export type Winner = ReplyOf<typeof home>['winners'][number]

/** The winners that are shown: an entry whose nickname has Chinese characters is hidden. */
export function shownWinners(winners: readonly Winner[]): Winner[] {
  return winners.filter(({ nickname }) => !/\p{Script=Han}/u.test(nickname))
}

/** The games module's SQL for the rules as players read them. */
import type { Odds } from '@sum28/contract/replies.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { formatOdds, formatShare, returnPpm } from '@sum28/domain/odds.ts'
import type { Queryable } from '#src/db/database.ts'
import type { Offer } from './catalog.ts'

export type RoomRules = {
  id: number
  gameId: number
  gameName: string
  title: string
  /** 0 basic, 1 senior, 2 master, 3 expert. */
  type: number
  stakeMin: Amount
  stakeMax: Amount
  entryMin: Amount
  rulesVersion: number
  /** In the order of the rules: named outcomes, then sums. */
  offers: Offer[]
}

/** The rules of all rooms, read in one statement. */
export function rulesOfRooms(db: Queryable): Promise<RoomRules[]> {
  return db.query<RoomRules>(
    `select room.id, game_id as "gameId", game.name as "gameName", title, type,
       stake_min as "stakeMin", stake_max as "stakeMax", entry_min as "entryMin",
       rules_version as "rulesVersion",
       json_agg(json_build_object('ruleId', rule.id, 'outcome', outcome, 'ways', ways,
         'oddsMilli', odds_milli) order by rule.id) as offers
     from games.room
       join games.game on game.id = game_id
       join games.odds on room_id = room.id
       join games.rule on rule.id = rule_id
     group by room.id, game.id
     order by game_id, type, room.id`,
  )
}

/** Millionths in one way of the 1,000. */
const WAY_PPM = 1_000

/** An outcome's odds on the wire, with its chance and its return. */
export function wireOdds(offer: Offer): Odds {
  return {
    class: offer.ruleId,
    class_name: offer.outcome,
    odds: formatOdds(offer.oddsMilli),
    chance: formatShare(offer.ways * WAY_PPM),
    return: formatShare(returnPpm(offer)),
  }
}

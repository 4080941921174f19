/** The inbox's SQL: messages to players inside the app. */
import type { Queryable, Transaction } from '#src/db/database.ts'

export type Message = {
  id: bigint
  kind: string
  facts: Record<string, string>
  createdAt: number
  read: boolean
}

/** Adds messages in their order, and returns for each what a mail about it needs. */
export function addMessages(
  tx: Transaction,
  messages: readonly { playerId: number; kind: string; facts: Record<string, string> }[],
): Promise<{ email: string | null; lang: string }[]> {
  return tx.query<{ email: string | null; lang: string }>(
    `with given as (
       select position, (message ->> 'playerId')::integer as player_id, message ->> 'kind' as kind,
         message -> 'facts' as facts
       from jsonb_array_elements($1::jsonb) with ordinality each (message, position)
     ), added as (
       insert into inbox.message (player_id, kind, facts)
       select player_id, kind, facts from given order by position
     )
     select email, lang from given join accounts.player on player.id = player_id order by position`,
    [JSON.stringify(messages)],
  )
}

/** A player's latest messages, newest first, with their state before this reading. */
export function messagesOf(db: Queryable, playerId: number, limit: number): Promise<Message[]> {
  return db.query<Message>(
    `select id, kind, facts, created_at as "createdAt", read_at is not null as read
     from inbox.message where player_id = $1 order by id desc limit $2`,
    [playerId, limit],
  )
}

/** Marks the shown messages as read. */
export async function markRead(
  db: Queryable,
  { playerId, upTo }: { playerId: number; upTo: bigint },
): Promise<void> {
  await db.query(
    `update inbox.message set read_at = app.now()
     where player_id = $1 and id <= $2 and read_at is null`,
    [playerId, upTo],
  )
}

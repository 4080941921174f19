/** The inbox's SQL: messages to players inside the app. */
import type { Queryable, Transaction } from '#src/db/database.ts'

export type Message = {
  id: bigint
  kind: string
  facts: Record<string, string>
  createdAt: number
  read: boolean
}

/** Adds a message, and gives what a mail about it needs. */
export async function addMessage(
  tx: Transaction,
  { playerId, kind, facts }: { playerId: number; kind: string; facts: Record<string, string> },
): Promise<{ email: string | null; lang: string }> {
  const [player] = await tx.query<{ email: string | null; lang: string }>(
    `with added as (insert into inbox.message (player_id, kind, facts) values ($1, $2, $3::jsonb))
     select email, lang from accounts.player where id = $1`,
    [playerId, kind, JSON.stringify(facts)],
  )
  if (!player) throw new Error(`a message for player ${playerId}, who does not exist`)
  return player
}

/** A player's latest messages, newest first, as they stood before this reading. */
export function messagesOf(db: Queryable, playerId: number, limit: number): Promise<Message[]> {
  return db.query<Message>(
    `select id, kind, facts, created_at as "createdAt", read_at is not null as read
     from inbox.message where player_id = $1 order by id desc limit $2`,
    [playerId, limit],
  )
}

/** Marks what was shown as read. */
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

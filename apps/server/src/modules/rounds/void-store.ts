/** The rounds module's SQL for voids that two people decide on. */
import { only, type Queryable } from '#src/db/database.ts'

type Asked = { gameId: number; issue: string; session: string }

export async function proposeRoundVoid(
  db: Queryable,
  { gameId, issue, note, session }: Asked & { note: string },
): Promise<'proposed' | 'not_found' | 'decided' | 'already_proposed' | 'too_late'> {
  const { said } = only(
    await db.query<{ said: Awaited<ReturnType<typeof proposeRoundVoid>> }>(
      `select rounds.propose_void($1, $2, $3, $4) as said`,
      [gameId, issue, note, session],
    ),
  )
  return said
}

export async function confirmRoundVoid(
  db: Queryable,
  { gameId, issue, session }: Asked,
): Promise<'voided' | 'not_found' | 'not_proposed' | 'decided' | 'same_person' | 'too_late'> {
  const { said } = only(
    await db.query<{ said: Awaited<ReturnType<typeof confirmRoundVoid>> }>(
      `select rounds.confirm_void($1, $2, $3) as said`,
      [gameId, issue, session],
    ),
  )
  return said
}

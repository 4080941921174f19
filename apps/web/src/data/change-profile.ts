/** Changing the profile: apart from reading it, which the first screen needs. */
import { saveProfile } from '@sum28/contract/user-routes.ts'
import { call } from '#src/data/client.ts'
import { playerFromWire, profileQuery, withMoney } from '#src/data/profile.ts'
import { queryClient } from '#src/data/query-client.ts'
import { keepProfile } from '#src/data/session-watch.ts'

/** Saves an avatar, as `Player` has it, or a document's number. Rejects as `call` does. */
export async function changeProfile(
  change: { avatar: string } | { document: string },
): Promise<void> {
  const profile = await call(
    saveProfile,
    'document' in change ? { idcard: change.document } : change,
  )
  keepProfile(profile)
  queryClient.setQueryData(profileQuery.queryKey, (known) => {
    const player = playerFromWire(profile)
    // A reply that was lost at first may be older than what is known by now.
    return known ? withMoney(player, known) : player
  })
}

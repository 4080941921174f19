/** The player's own events: his balance, and which of his data have changed. */
import type { OwnState } from '@sum28/contract/stream.ts'
import { OWN_EVENT } from '@sum28/contract/stream-rules.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { StreamEvent } from '#src/data/live/read-stream.ts'
import { moneyFromWire } from '#src/data/money.ts'
import { learnMoney } from '#src/data/profile.ts'
import { currentSession, watchSession } from '#src/data/session-watch.ts'
import { whenIdle } from '#src/parts/when-idle.ts'

type Mark = Exclude<keyof OwnState, 'money' | 'held' | 'version'>

/** The first parts of the keys of the queries that each mark is about. */
const KEYS_OF: Record<Mark, readonly string[]> = {
  bets: ['profile', 'bets', 'bet-totals', 'bet', 'statement', 'figures', 'closing', 'entry-funds'],
  deposits: ['profile', 'deposit', 'statement', 'closing', 'entry-funds'],
  withdrawals: ['profile', 'withdrawal', 'statement', 'closing', 'entry-funds'],
  protection: ['protection', 'protection-changes'],
  messages: ['notices', 'own-data', 'profile', 'withdrawal', 'identity'],
}

const MARKS = Object.keys(KEYS_OF) as Mark[]
/** Reading the messages marks them as read: only a new one is a reason for it. */
const POLLED = new Set(
  Object.values(KEYS_OF)
    .flat()
    .filter((key) => key !== 'notices'),
)

/** Without a stream: fetches what is shown of the balance again, or of `all` own data. Settles in any case. */
export async function refetchOwn(queries: QueryClient, { all }: { all: boolean }): Promise<void> {
  await queries.refetchQueries(
    {
      type: 'active',
      predicate: ({ queryKey: [first] }) =>
        first === 'profile' || (all && POLLED.has(String(first))),
    },
    // A call that is repeated after its failure must come to its end, or the failure would never be shown.
    { cancelRefetch: false },
  )
}

/** The marks that came last, and the session that they are of. */
let known: { token: string; state: OwnState } | null = null
watchSession(() => {
  if (!currentSession()) known = null
})

/**
 * Handles an own event; ignores any other. What is shown of the changed subjects is fetched again now, the rest when it
 * is next shown. The first event of a session counts as a change of everything that was fetched before it.
 */
export function handleOwnEvent(queries: QueryClient, { name, data }: StreamEvent): void {
  const token = currentSession()?.token
  if (name !== OWN_EVENT || token === undefined) return
  const state: OwnState = JSON.parse(data)
  const before = known?.token === token ? known.state : null
  known = { token, state }
  learnMoney(moneyFromWire(state))
  const changed = MARKS.filter((mark) => state[mark] !== before?.[mark])
  const keys = new Set(changed.flatMap((mark) => KEYS_OF[mark]))
  if (keys.size === 0) return
  const fetchAgain = () => {
    void queries.invalidateQueries({
      predicate: ({ queryKey: [first] }) => keys.has(String(first)),
    })
  }
  // What was fetched while the stream was being opened is seldom older: the screen comes first.
  if (before) fetchAgain()
  else whenIdle(fetchAgain)
}

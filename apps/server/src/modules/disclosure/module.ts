/** What the house publishes of its money: what it owes, what it holds, and how returns were. */
import { reserves, returns } from '@sum28/contract/fairness-routes.ts'
import { owed } from '@sum28/contract/own-routes.ts'
import * as staff from '@sum28/contract/staff-reserve-routes.ts'
import { addDays, dayOf } from '@sum28/domain/schedule.ts'
import { isTronAddress, tronAddressOfSignature } from '#src/adapters/chain/tron-address.ts'
import { callFunction, type Database } from '#src/db/database.ts'
import { bind } from '#src/http/call.ts'
import { isDepositAddress } from '#src/modules/deposits/deposit-store.ts'
import { isGame } from '#src/modules/games/catalog.ts'
import { hostOf } from '#src/modules/public-log/log-keys.ts'
import type { ReadOwedLog } from '#src/modules/public-log/log-proof.ts'
import { asStaff } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { unixSeconds, wireOf } from '#src/wire-form.ts'
import { lastCounts, listedAddresses, owedProof, returnsReader } from './disclosure-store.ts'

export function disclosureModule({
  db,
  config,
  timeZone,
  now,
  readOwedLog,
}: Pick<Resources, 'db' | 'config' | 'timeZone' | 'now'> & { readOwedLog: ReadOwedLog }) {
  const readReturns = returnsReader(db)
  return {
    routes: [
      bind(reserves, () => readReserves(db)),
      bind(returns, async ({ input }) => {
        if (!(await isGame(db, input.game_id))) return refuse('not_found')
        const found = await readReturns({ gameId: input.game_id, days: input.days })
        return {
          ...found,
          list: found.list.map(({ ruleId, ...row }) => ({ rule_id: ruleId, ...wireOf(row) })),
        }
      }),
      bind(owed, ({ caller: { playerId } }) => readOwed({ db, readOwedLog }, playerId)),
      bind(staff.readReserves, async () => ({
        ...(await readReserves(db)),
        host: hostOf(config),
        today: dayOf(timeZone, now()),
      })),
      bind(staff.addReserveAddress, ({ caller, input }) => {
        const today = dayOf(timeZone, now())
        return addAddress(db, { ...input, host: hostOf(config), today, session: caller.token })
      }),
      bind(staff.removeReserveAddress, ({ caller, input }) =>
        asStaff(db, async (tx) => {
          const gone = await callFunction<boolean>(
            tx,
            'disclosure.remove_address',
            input.id,
            caller.token,
          )
          return gone ? null : refuse('not_found')
        }),
      ),
    ],
  }
}

async function readReserves(db: Database) {
  const [counts, addresses] = await Promise.all([lastCounts(db), listedAddresses(db)])
  return {
    counts: counts.map(({ block, ...count }) => ({
      ...wireOf(count),
      block: block === null ? null : Number(block),
    })),
    addresses: addresses.map(wireOf),
  }
}

async function readOwed(
  { db, readOwedLog }: { db: Database; readOwedLog: ReadOwedLog },
  playerId: number,
) {
  const joined = 'select created_at from accounts.player where id = $1'
  const since = await db.value<number>(joined, [playerId])
  const of = { player_id: playerId, since: unixSeconds(since) }
  const [last] = await lastCounts(db, 1)
  if (!last) return { ...of, count: null, proof: null, log: null }
  const { number, size, root } = last
  const [proof, log] = await Promise.all([owedProof(db, last, playerId), readOwedLog(number)])
  return {
    ...of,
    count: {
      number,
      counted_at: unixSeconds(last.countedAt),
      size,
      root,
      total: String(last.owed),
    },
    proof: proof && { ...proof, path: [...proof.path] },
    log,
  }
}

const STATEMENT_DAYS = 7

/** @returns null, or which field is wrong */
function addAddress(
  db: Database,
  of: {
    address: string
    day: string
    signature: string
    host: string
    today: string
    session: string
  },
): Promise<null | Refusal> {
  const { address, day, today, session } = of
  return asStaff(db, async (tx) => {
    if (!isTronAddress(address)) return malformed({ address: 'tron_address' })
    if (await isDepositAddress(tx, address)) return malformed({ address: 'deposit_address' })
    if (day > today || day < addDays(today, -STATEMENT_DAYS)) return malformed({ day: 'invalid' })
    const statement = staff.reserveStatement(of)
    if (tronAddressOfSignature(statement, of.signature) !== address) {
      return malformed({ signature: 'reserve_signature' })
    }
    const signature = of.signature.toLowerCase().replace(/^0x/, '')
    const added = await callFunction<boolean>(
      tx,
      'disclosure.add_address',
      ...[address, statement, signature, session],
    )
    return added ? null : malformed({ address: 'nothing_changed' })
  })
}

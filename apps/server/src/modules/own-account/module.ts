/** A player's requests about his own account: his figures, a file with his data, and closing the account. */
import * as wire from '@sum28/contract/own-routes.ts'
import { PUSH_TOPICS } from '@sum28/contract/push-topics.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { bind, type CallFor, type RouteBinding } from '#src/http/call.ts'
import { bindDownload, type DownloadBinding } from '#src/http/serve-downloads.ts'
import {
  type PasswordProof,
  requireFactor,
  requireProof,
} from '#src/modules/accounts/prove-password.ts'
import { checkSecurityCode } from '#src/modules/accounts/security-code.ts'
import { WITHDRAWAL_MIN } from '#src/modules/withdrawals/request-withdrawal.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { unixSeconds, wireOf } from '#src/wire-form.ts'
import { closeAccount, closedKeptDays, mayClose, openMatters } from './close-account.ts'
import { ownFigures } from './figures.ts'
import { addDataFile, dataFileOf, readPart } from './make-own-data.ts'
import { ownEvents } from './own-events.ts'
import * as push from './push.ts'

type OwnDeps = Pick<Resources, 'db' | 'timeZone' | 'now' | 'cipher'> & {
  /** Checks the password of a signed-in player; a wrong one is counted. */
  provePassword: (proof: PasswordProof) => Promise<string | null | Refusal>
}

export function ownAccountModule(
  deps: OwnDeps & Pick<Resources, 'fileDb' | 'bus' | 'log' | 'ending'>,
) {
  const events = ownEvents({
    db: deps.db,
    onError: (error) => deps.log.debug({ error }, 'players’ own data could not be read'),
  })
  deps.ending.defer(() => events.stop())
  deps.bus.subscribe(({ topic }) => {
    if (topic === 'roundChanged') events.changed()
  })
  return {
    routes: ownAccountRoutes(deps),
    downloads: ownDownloads({ db: deps.fileDb, cipher: deps.cipher }),
    watchOwn: events.watch,
  }
}

function ownAccountRoutes(deps: OwnDeps): RouteBinding[] {
  const { db, timeZone, now, provePassword } = deps
  async function prove({
    caller,
    input,
    address,
  }: CallFor<typeof wire.askOwnData>): Promise<string | null | Refusal> {
    const { playerId, username, tokenHash: session } = caller
    const unproved = await requireFactor(db, { playerId, session })
    if (unproved) return unproved
    return provePassword({ playerId, username, password: input.password, network: address })
  }

  return [
    bind(wire.figures, ({ caller: { playerId } }) =>
      ownFigures(db, { playerId, timeZone, now: now() }),
    ),

    bind(wire.ownData, async ({ caller: { playerId } }) => {
      const file = await dataFileOf(db, playerId)
      if (!file) return { state: 'none' as const, until: null, bytes: null }
      return {
        state: file.readyAt === null ? ('waiting' as const) : ('ready' as const),
        until: unixSeconds(file.until),
        bytes: file.bytes === null ? null : Number(file.bytes),
      }
    }),

    bind(
      wire.askOwnData,
      async (call) => {
        const proved = await prove(call)
        if (isRefusal(proved)) return proved
        const { playerId } = call.caller
        const added = await db.transaction((tx) => addDataFile(tx, playerId))
        return added ? null : refuse('own_data_asked')
      },
      { store: () => null, replay: provenAgain },
    ),

    bind(wire.push, ({ caller: { playerId }, input: { endpoint } }) =>
      push.pushState(deps, { playerId, endpoint }),
    ),
    bind(wire.subscribePush, ({ caller: { playerId, tokenHash: session }, input }) =>
      push.subscribePush(db, { ...input, playerId, session }),
    ),
    bind(wire.unsubscribePush, ({ caller: { playerId }, input: { endpoint } }) =>
      push.unsubscribePush(db, { playerId, endpoint }),
    ),
    bind(wire.choosePush, ({ caller: { playerId }, input: { amounts, ...wanted } }) => {
      const topics = PUSH_TOPICS.filter((topic) => wanted[topic])
      return push.choosePush(db, { playerId, topics, amounts })
    }),

    bind(wire.closing, async ({ caller: { playerId } }) => {
      const [open, keptDays] = await Promise.all([openMatters(db, playerId), closedKeptDays(db)])
      return {
        ...wireOf(open),
        withdraw_min: formatAmount(WITHDRAWAL_MIN),
        may_close: mayClose(open),
        kept_days: keptDays,
      }
    }),

    bind(
      wire.closeAccount,
      async (call) => {
        const proved = await prove(call)
        if (isRefusal(proved)) return proved
        call.extras.say('success.account_closed')
        const { playerId, tokenHash: session } = call.caller
        const { pay_id: payMethodId, security_code: code } = call.input
        if (payMethodId === undefined) return closeAccount(db, { playerId, session })
        if (code === undefined) return malformed({ security_code: 'required' })
        const checked = await checkSecurityCode(deps, { playerId, code, network: call.address })
        if (isRefusal(checked)) return checked
        const rest = { payMethodId, onDay: dayOf(timeZone, now()) }
        return closeAccount(db, { playerId, session, rest })
      },
      { store: () => null, replay: provenAgain },
    ),
  ]

  /** No hash of the input includes the password: a repeated request must prove it again. */
  async function provenAgain(call: CallFor<typeof wire.askOwnData>): Promise<null | Refusal> {
    const proved = await prove(call)
    if (!isRefusal(proved)) return null
    return proved.refused === 'password_wrong' ? refuse('idempotency_conflict') : proved
  }
}

type FileDeps = { db: Database } & Pick<Resources, 'cipher'>

function ownDownloads(deps: FileDeps): DownloadBinding[] {
  const { db } = deps
  return [
    bindDownload(wire.ownDataFile, async ({ caller: { playerId, tokenHash: session } }) => {
      // Of everybody: whoever has only the session must not get the file that its player has asked for.
      const unproved = await requireProof(db, session)
      if (unproved) return unproved
      const file = await dataFileOf(db, playerId)
      if (!file || file.readyAt === null) return refuse('not_found')
      return { name: `sum28-data-${playerId}.zip`, chunks: partsOf(deps, file.id) }
    }),
  ]
}

/** @throws if the file is deleted while it is read, so that no reader takes a part for the whole */
async function* partsOf(deps: FileDeps, fileId: bigint): AsyncGenerator<Buffer> {
  const parts = await deps.db.value<number>(
    'select count(*)::integer from own_account.data_part where file_id = $1',
    [fileId],
  )
  for (let position = 0; position < parts; position += 1) {
    const content = await readPart(deps, { fileId, position })
    if (!content) throw new Error(`the file ${fileId} has no part ${position} any more`)
    yield content
  }
}

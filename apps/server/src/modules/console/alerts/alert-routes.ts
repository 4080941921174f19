import { randomBytes } from 'node:crypto'
import { mayDo } from '@sum28/contract/staff-actions.ts'
import * as wire from '@sum28/contract/staff-start-routes.ts'
import { webhookFault } from '#src/adapters/send-webhook.ts'
import { callFunction, only } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/call.ts'
import { asStaff } from '#src/modules/staff/audit.ts'
import { isRefusal, malformed, refuseByWord } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { type RowOf, unixSecondsOrNull, wireOf } from '#src/wire-form.ts'
import { webhookSecret } from './send-alerts.ts'

/** Serves the calls about alerts: what is mailed to whom, and the webhooks. */
export function alertRoutes({ db, cipher, config }: Resources): RouteBinding[] {
  const privateToo = config.profile === 'demo'
  return [
    bind(wire.ownAlerts, async ({ caller: { staffId, role } }) => {
      const { alerts } = only(
        await db.query<{ alerts: string[] }>('select alerts from staff.member where id = $1', [
          staffId,
        ]),
      )
      const seen = wire.ALERT_KINDS.filter((kind) => mayDo(role, wire.ALERTS[kind]))
      return { list: seen.map((kind) => ({ kind, chosen: alerts.includes(kind) })) }
    }),

    bind(wire.chooseAlerts, async ({ input: { kinds }, caller }) => {
      const done = await asStaff(db, (tx) =>
        tx.query('select staff.choose_alerts($1, $2)', [kinds, caller.token]),
      )
      return isRefusal(done) ? done : null
    }),

    bind(wire.listWebhooks, async () => {
      const rows = await db.query<RowOf<wire.WireWebhook> & { failedSince: number | null }>(
        `select webhook.id, url, kinds, member.name as "madeBy", made_at as "madeAt", failed_since as "failedSince",
           failure, (select count(*)::integer from staff.alert_delivery
             where webhook_id = webhook.id and sent_at is null) as waiting
         from staff.webhook join staff.member on member.id = made_by where ended_at is null order by webhook.id`,
      )
      return rows.map(({ failedSince, ...row }) => ({
        ...wireOf({ ...row, id: Number(row.id) }),
        failed_since: unixSecondsOrNull(failedSince),
      }))
    }),

    bind(
      wire.addWebhook,
      async ({ input: { url, kinds }, caller }) => {
        const fault = webhookFault(url, privateToo)
        if (fault) return malformed({ url: fault })
        const salt = randomBytes(16)
        const { keyId } = cipher
        const id = await asStaff(db, (tx) =>
          callFunction<number | null>(
            ...([tx, 'staff.add_webhook', url, [...new Set(kinds)], salt, keyId] as const),
            caller.token,
          ),
        )
        if (isRefusal(id)) return id
        if (id === null) return malformed({ url: 'too_many' })
        return { id, secret: webhookSecret(cipher, { salt, keyId }) }
      },
      // The secret is not stored: it is made again.
      {
        store: ({ id }) => ({ id }),
        replay: async (_call, { id }) => {
          const [row] = await db.query<{ salt: Buffer; keyId: string }>(
            'select salt, key_id as "keyId" from staff.webhook where id = $1',
            [id],
          )
          return row ? { id, secret: webhookSecret(cipher, row) } : refuseByWord('not_found')
        },
      },
    ),

    bind(wire.removeWebhook, async ({ input: { id }, caller }) => {
      const word = await asStaff(db, (tx) =>
        callFunction<'closed' | 'not_found'>(tx, 'staff.remove_webhook', id, caller.token),
      )
      if (isRefusal(word)) return word
      return word === 'closed' ? null : refuseByWord(word)
    }),
  ]
}

/** Templates of messages to players: plain texts in seven languages, which staff choose and send as their own. */
import type { MessageTemplate } from '@sum28/contract/staff-players-routes.ts'
import { callFunction, type Database, only, type Queryable } from '#src/db/database.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal, refuseByWord } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

type Template = RowOf<Omit<MessageTemplate, 'missing'>>

/** All templates, by their names; at most 100. */
export function templateRows(db: Queryable): Promise<Template[]> {
  return db.query<Template>(
    `select template.id, version, template.name,
       (select jsonb_agg(jsonb_build_object('lang', lang, 'text', text) order by lang)
         from console_players.template_text where template_id = template.id) as texts,
       member.name as "changedBy", changed_at as "changedAt"
     from console_players.template join staff.member on member.id = changed_by
     order by lower(template.name), template.id`,
  )
}

/** The template, and the version that the form was made from. Without an id it is new. */
type Form = { id?: number | undefined; version?: number | undefined; session: string }

/**
 * Makes a template, or changes one.
 *
 * @param form `texts`: each language at most once, English always
 * @returns null, or malformed input if there are 100 already, not_found, content_changed
 */
export function saveTemplate(
  db: Database,
  { id, version, session, name, texts }: Form & Pick<Template, 'name' | 'texts'>,
): Promise<null | Refusal> {
  const [langs, words] = [texts.map(({ lang }) => lang), texts.map(({ text }) => text)]
  const all = [id ?? null, version ?? null, name, langs, words, session]
  return change(db, { id, session, action: 'saved' }, (tx) =>
    callFunction(tx, 'console_players.set_template', ...all),
  )
}

/**
 * Removes a template.
 *
 * @returns null, or not_found, content_changed
 */
export function removeTemplate(
  db: Database,
  { id, version, session }: Required<Form>,
): Promise<null | Refusal> {
  return change(db, { id, session, action: 'removed' }, (tx) =>
    callFunction(tx, 'console_players.remove_template', id, version, session),
  )
}

type Answer = 'saved' | 'not_found' | 'content_changed' | 'too_many'

/** Changes one, and writes what it was and is into the audit log. */
function change(
  db: Database,
  { id, session, action }: Form & { action: string },
  make: (tx: Queryable) => Promise<Answer>,
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    // One at a time, so that what is read before and after differs by this change alone.
    await tx.query(`select pg_advisory_xact_lock(hashtext('console_players.template'))`)
    const rows = await templateRows(tx)
    const before = rows.find((row) => row.id === id)
    const word = await make(tx)
    if (word === 'too_many') return malformed({ name: 'too_many' })
    if (word === 'content_changed') return refuseByWord(word, { by: before?.changedBy ?? '—' })
    if (word !== 'saved') return refuseByWord(word, { field: 'id' })
    const after = (await templateRows(tx)).find((row) =>
      id === undefined ? rows.every((each) => each.id !== row.id) : row.id === id,
    )
    const { id: changed } = only([before, after].filter((row) => row !== undefined).slice(0, 1))
    await appendAudit(tx, {
      session,
      action: `template_${action}`,
      subject: `template:${changed}`,
      details: { before: factsOf(before), after: factsOf(after) },
    })
    return null
  })
}

function factsOf(template: Template | undefined) {
  if (!template) return null
  const { name, texts } = template
  return { name, ...Object.fromEntries(texts.map(({ lang, text }) => [lang, text])) }
}

/** Templates of messages to players: plain texts in seven languages, which staff choose and send as their own. */
import type { MessageTemplate } from '@sum28/contract/staff-players-routes.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import { changeRow, type Form } from '#src/modules/console/change-row.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
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
  return changeRow(db, {
    ...TEMPLATES,
    id,
    session,
    action: 'template_saved',
    make: (tx) => callFunction(tx, 'console_players.set_template', ...all),
  })
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
  return changeRow(db, {
    ...TEMPLATES,
    id,
    session,
    action: 'template_removed',
    make: (tx) => callFunction(tx, 'console_players.remove_template', id, version, session),
  })
}

const TEMPLATES = {
  kind: 'template',
  rows: templateRows,
  field: 'name',
  facts: ({ name, texts }: Template) => ({
    name,
    ...Object.fromEntries(texts.map(({ lang, text }) => [lang, text])),
  }),
}

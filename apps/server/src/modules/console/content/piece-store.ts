/** The SQL of articles and announcements as the console shows and changes them. */
import type { listPieces, PieceKind, WirePiece } from '@sum28/contract/staff-content-routes.ts'
import { LANGUAGES } from '@sum28/i18n/languages.ts'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { type Ask, type ItemOf, type ListPage, pageOf } from '#src/db/list.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

export type PieceRow = RowOf<WirePiece>

export type ListedPiece = RowOf<ItemOf<typeof listPieces>>

const STATE = `case when published_until <= app.now() then 'withdrawn'
    when published_at is null then 'draft'
    when published_at > app.now() then 'scheduled' else 'published' end`

/** The columns of an article that an announcement does not have. */
const OF_ARTICLE: Record<PieceKind, string> = {
  article: 'category_id as "categoryId", top, image',
  announcement: `null::integer as "categoryId", false as top, '' as image`,
}

/** The columns of a piece, and the tables that they come from; the kind is never text from a request. */
function piece(kind: PieceKind): { columns: string; tables: string } {
  return {
    columns: `piece.id, version, ${STATE} as state, ${OF_ARTICLE[kind]},
      published_at as "publishedAt", published_until as "publishedUntil",
      member.name as "changedBy", changed_at as "changedAt"`,
    tables: `content.${kind} piece left join staff.member on member.id = changed_by`,
  }
}

/** One article or announcement; undefined if there is none with this id. */
export async function pieceRow(
  db: Queryable,
  { kind, id }: { kind: PieceKind; id: number },
): Promise<PieceRow | undefined> {
  const { columns, tables } = piece(kind)
  const [row] = await db.query<Omit<PieceRow, 'kind'>>(
    `select ${columns},
       (select coalesce(json_agg(json_build_object('lang', lang, 'title', title, 'html', html)), '[]')
         from content.${kind}_text where ${kind}_id = piece.id) as texts
     from ${tables} where piece.id = $1`,
    [id],
  )
  return row && { ...row, kind }
}

/** One page of the selected articles or announcements, newest first. */
export async function pieceRows(
  db: Queryable,
  ask: Ask<{ q: string; state: PieceRow['state']; categoryId: number }> & { kind: PieceKind },
): Promise<ListPage<ListedPiece> | Refusal> {
  const { kind } = ask
  const { columns, tables } = piece(kind)
  const source = {
    columns: `${columns}, '${kind}' as kind,
      (select title from content.${kind}_text where ${kind}_id = piece.id and lang = 'en') as title,
      array(select lang from unnest($1::text[]) with ordinality as known (lang, position)
        where not exists (select from content.${kind}_text text
          where ${kind}_id = piece.id and text.lang = known.lang) order by position) as missing`,
    from: tables,
    values: [LANGUAGES],
    id: { sql: 'piece.id', type: 'bigint' },
  } as const
  return pageOf<ListedPiece>(db, source, ask, {
    [`exists (select from content.${kind}_text
      where ${kind}_id = piece.id and position(lower(?) in lower(title)) > 0)`]: ask.q,
    [`${STATE} = ?`]: ask.state,
    [kind === 'article' ? 'category_id = ?' : 'null::integer = ?']: ask.categoryId,
  })
}

/** A piece, and the version that a form was made from. */
export type PieceForm = { kind: PieceKind; id: number; version: number; session: string }

/** How long a picture stays that nothing uses: an editor may put it back, and players' screens may still show it. */
const UNUSED_DAYS = 30

/**
 * Deletes pictures of the house that no banner, article or other text, published or not, has used for so many days. A
 * picture is first marked as unused and deleted later: one that is removed from an article, and put back in time,
 * stays.
 *
 * @returns how many were deleted
 */
export function forgetUnusedPictures(db: Queryable): Promise<number> {
  return callFunction(db, 'console_content.forget_unused_pictures', UNUSED_DAYS)
}

/** The content module's SQL for articles, announcements, about and promo images. */
import type { Queryable } from '#src/db/database.ts'

export type Article = {
  id: number
  categoryId: number
  image: string
  top: boolean
  publishedAt: number
  title: string
  html: string
}

const LISTED_MAX = 100

/** The text of each item in a language, if it exists in that, else in English. */
function inLanguage(table: string, owner: string): string {
  return `lateral (select * from content.${table} text
    where text.${owner} = thing.id and lang in ($1, 'en') order by lang = $1 desc limit 1) text`
}

const PUBLISHED = `thing.published_at <= app.now()
  and (thing.published_until is null or thing.published_until > app.now())`

const ARTICLE = `select thing.id, category_id as "categoryId", image, top,
    published_at as "publishedAt", title, html
  from content.article thing, ${inLanguage('article_text', 'article_id')}`

export function categories(db: Queryable, lang: string): Promise<{ id: number; name: string }[]> {
  return db.query(
    `select thing.id, name from content.category thing, ${inLanguage('category_name', 'category_id')}
     order by position, thing.id`,
    [lang],
  )
}

/** Published articles, newest first, up to a hundred of each category. */
export function publishedArticles(db: Queryable, lang: string): Promise<Article[]> {
  return db.query<Article>(
    `select * from (
       select *, row_number() over (partition by "categoryId" order by "publishedAt" desc, id desc) as position
       from (${ARTICLE} where ${PUBLISHED}) article) article
     where position <= ${LISTED_MAX} or top order by "publishedAt" desc, id desc`,
    [lang],
  )
}

export function publishedArticle(
  db: Queryable,
  { id, lang }: { id: number; lang: string },
): Promise<Article | undefined> {
  return db.first<Article>(`${ARTICLE} where ${PUBLISHED} and thing.id = $2`, [lang, id])
}

export async function hasCategory(db: Queryable, id: number): Promise<boolean> {
  return (await db.query(`select from content.category where id = $1`, [id])).length > 0
}

export type Announcement = {
  id: number
  title: string
  html: string
  publishedAt: number
  read: boolean
}

/** The latest announcements, newest first. */
export function announcementsShown(
  db: Queryable,
  { lang, limit }: { lang: string; limit: number },
): Promise<Omit<Announcement, 'read'>[]> {
  return db.query(
    `select thing.id, title, html, published_at as "publishedAt"
     from content.announcement thing, ${inLanguage('announcement_text', 'announcement_id')}
     where ${PUBLISHED} order by published_at desc, thing.id desc limit $2`,
    [lang, limit],
  )
}

/** The instant up to which a player has read announcements, in milliseconds since 1970; -Infinity: he has read none. */
export async function announcementsReadAt(db: Queryable, playerId: number): Promise<number> {
  const [row] = await db.query<{ readAt: number }>(
    `select read_at as "readAt" from content.announcement_reader where player_id = $1`,
    [playerId],
  )
  return row?.readAt ?? Number.NEGATIVE_INFINITY
}

export async function noteAnnouncementsRead(
  db: Queryable,
  { playerId, upTo }: { playerId: number; upTo: number },
): Promise<void> {
  await db.query(
    // The instant is known here only to the millisecond.
    `insert into content.announcement_reader as reader (player_id, read_at)
     values ($1, $2::timestamptz + interval '1 millisecond')
     on conflict (player_id) do update set read_at = greatest(reader.read_at, excluded.read_at)`,
    [playerId, new Date(upTo)],
  )
}

export async function aboutIn(db: Queryable, lang: string): Promise<string | null> {
  const [row] = await db.query<{ html: string }>(
    `select html from content.about where lang in ($1, 'en') order by lang = $1 desc limit 1`,
    [lang],
  )
  return row?.html ?? null
}

export function shownPromos(
  db: Queryable,
  lang: string,
): Promise<{ id: number; image: string; title: string }[]> {
  return db.query(
    `select thing.id, image, title
     from content.promo thing, ${inLanguage('promo_title', 'promo_id')}
     where shown order by position, thing.id`,
    [lang],
  )
}

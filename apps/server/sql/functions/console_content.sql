-- The console's area content: articles, announcements, banners, promo pictures, about.
--
-- Each function takes the version on which the caller's form is based, and changes nothing if there is a newer one: it
-- answers 'saved', not_found or content_changed. `kind` names the tables.

-- Begins a change by the acting member of staff: locks the row, which gets the next version. Answers null, not_found or
-- content_changed.
create or replace function console_content.begin_change(kind text, of_id integer, of_version integer, in_session text)
returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(in_session, 'owner', 'editor');
  present integer;
begin
  execute format('update content.%I set version = version + 1, changed_by = $3, changed_at = app.now()
    where id = $1 and version = $2 returning version', kind) into present using of_id, of_version, by_staff;
  if present is not null then return null; end if;
  execute format('select version from content.%I where id = $1', kind) into present using of_id;
  if present is null then return 'not_found'; end if;
  return 'content_changed';
end
$$;

-- Makes a draft with its English title. Returns its id; null if an article's category does not exist.
create or replace function console_content.make_piece(kind text, of_category integer, title text, by_session text)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'editor');
  made integer;
begin
  if kind = 'article' then
    insert into content.article (category_id, changed_by, changed_at)
    select category.id, by_staff, app.now() from content.category where category.id = of_category
    returning id into made;
    if made is null then return null; end if;
  else
    insert into content.announcement (changed_by, changed_at) values (by_staff, app.now()) returning id into made;
  end if;
  execute format('insert into content.%I values ($1, ''en'', $2, '''')', kind || '_text') using made, title;
  return made;
end
$$;

-- Sets title and text in one language; a null title deletes the language. The HTML is already safe.
create or replace function console_content.set_text(kind text, of_id integer, of_version integer, of_lang text,
  title text, html text, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  why_not constant text := console_content.begin_change(kind, of_id, of_version, by_session);
begin
  if why_not is not null then return why_not; end if;
  execute format('delete from content.%I where %I = $1 and lang = $2', kind || '_text', kind || '_id')
    using of_id, of_lang;
  if title is not null then
    execute format('insert into content.%I values ($1, $2, $3, $4)', kind || '_text')
      using of_id, of_lang, title, html;
  end if;
  return 'saved';
end
$$;

-- Sets the start and the end of publication.
create or replace function console_content.set_shown(kind text, of_id integer, of_version integer,
  since timestamptz, until timestamptz, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  why_not constant text := console_content.begin_change(kind, of_id, of_version, by_session);
begin
  if why_not is not null then return why_not; end if;
  if kind = 'announcement' then
    -- One that players see already is no news to them.
    update content.announcement set announced_at = greatest(since, app.now())
    where id = of_id and (published_at <= app.now() and coalesce(published_until > app.now(), true)) is not true;
  end if;
  execute format('update content.%I set published_at = $2, published_until = $3 where id = $1', kind)
    using of_id, since, until;
  return 'saved';
end
$$;

-- Sets an article's category, picture, and whether it is a hot topic.
create or replace function console_content.set_article(of_id integer, of_version integer, category integer,
  picture text, hot boolean, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  why_not constant text := console_content.begin_change('article', of_id, of_version, by_session);
begin
  if why_not is not null then return why_not; end if;
  update content.article set category_id = category, image = picture, top = hot where id = of_id;
  return 'saved';
end
$$;

-- Sets the operator's text about himself in one language; version 0 means that there is none yet.
create or replace function console_content.set_about(of_lang text, of_version integer, safe_html text, by_session text)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'editor');
begin
  if of_version = 0 then
    insert into content.about (lang, html, changed_by, changed_at) values (of_lang, safe_html, by_staff, app.now())
    on conflict (lang) do nothing;
  else
    update content.about set html = safe_html, version = version + 1, changed_by = by_staff, changed_at = app.now()
    where lang = of_lang and version = of_version;
  end if;
  return case when found then 'saved' else 'content_changed' end;
end
$$;

-- Adds a banner after the others, or changes one.
create or replace function console_content.set_banner(of_id integer, of_version integer, picture text, leads_to text,
  is_shown boolean, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'editor');
  why_not text;
begin
  -- One at a time, so that no two take one position.
  perform pg_advisory_xact_lock(hashtext('content.banner'));
  if of_id is null then
    insert into content.banner (position, image, link, shown, changed_by, changed_at)
    select coalesce(max(position), 0) + 1, picture, leads_to, is_shown, by_staff, app.now() from content.banner;
    return 'saved';
  end if;
  why_not := console_content.begin_change('banner', of_id, of_version, by_session);
  if why_not is not null then return why_not; end if;
  update content.banner set image = picture, link = leads_to, shown = is_shown where id = of_id;
  return 'saved';
end
$$;

-- Adds a promo picture after the others, or changes one, with its titles: each language once, none empty.
create or replace function console_content.set_promo(of_id integer, of_version integer, picture text,
  is_shown boolean, langs text[], titles text[], by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_staff constant integer := staff.acting(by_session, 'owner', 'editor');
  why_not text;
  mine integer := of_id;
begin
  perform pg_advisory_xact_lock(hashtext('content.promo'));
  if of_id is null then
    insert into content.promo (position, image, shown, changed_by, changed_at)
    select coalesce(max(position), 0) + 1, picture, is_shown, by_staff, app.now() from content.promo
    returning id into mine;
  else
    why_not := console_content.begin_change('promo', of_id, of_version, by_session);
    if why_not is not null then return why_not; end if;
    update content.promo set image = picture, shown = is_shown where id = of_id;
    delete from content.promo_title where promo_id = of_id;
  end if;
  insert into content.promo_title (promo_id, lang, title)
  select mine, translation.lang, translation.title from unnest(langs, titles) as translation (lang, title);
  return 'saved';
end
$$;

-- Moves a banner or a promo picture before its predecessor.
create or replace function console_content.raise_one(kind text, of_id integer, of_version integer, by_session text)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  why_not text;
begin
  perform staff.acting(by_session, 'owner', 'editor');
  if kind not in ('banner', 'promo') then raise exception 'a % has no position among others', kind; end if;
  perform pg_advisory_xact_lock(hashtext('content.' || kind));
  why_not := console_content.begin_change(kind, of_id, of_version, by_session);
  if why_not is not null then return why_not; end if;
  execute format($sql$
    with numbered as (
      select id, row_number() over (order by position, id)::integer as position from content.%1$I
    ), mine as (
      select position from numbered where id = $1
    )
    update content.%1$I one set position = case
        when numbered.position = mine.position and mine.position > 1 then mine.position - 1
        when numbered.position = mine.position - 1 then mine.position
        else numbered.position end
    from numbered, mine where one.id = numbered.id$sql$, kind) using of_id;
  return 'saved';
end
$$;

-- Stores a picture of the house. Answers 'saved'.
create or replace function console_content.keep_picture(picture text, content bytea, by_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform staff.acting(by_session, 'owner', 'editor');
  insert into accounts.house_picture (name, content) values (picture, keep_picture.content)
  on conflict (name) do update set unused_since = null;
  return 'saved';
end
$$;

-- Whether any content, published or not, uses a picture.
create or replace function console_content.names_picture(picture text) returns boolean
language sql stable set search_path = pg_catalog, pg_temp
return exists (select from content.banner where strpos(image, picture) > 0)
  or exists (select from content.article where strpos(image, picture) > 0)
  or exists (select from content.article_text where strpos(html, picture) > 0)
  or exists (select from content.announcement_text where strpos(html, picture) > 0)
  or exists (select from content.about where strpos(html, picture) > 0)
  or exists (select from content.promo where strpos(image, picture) > 0)
  or exists (select from content.text where strpos(content, picture) > 0);

-- Deletes pictures that were unused for so many days, at least one, and records which pictures are unused from now
-- on. It waits for content that is being changed. Returns how many were deleted.
create or replace function console_content.forget_unused_pictures(days integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment timestamptz;
  forgotten integer;
begin
  lock table content.banner, content.article, content.article_text, content.announcement_text, content.about,
    content.promo, content.text in share mode;
  moment := app.now();
  update accounts.house_picture set unused_since = null
  where unused_since is not null and console_content.names_picture(name);
  delete from accounts.house_picture where unused_since <= moment - make_interval(days => greatest(days, 1));
  get diagnostics forgotten = row_count;
  update accounts.house_picture set unused_since = moment
  where unused_since is null and not console_content.names_picture(name);
  return forgotten;
end
$$;

grant execute on function console_content.keep_picture, console_content.make_piece, console_content.raise_one,
  console_content.set_about, console_content.set_article, console_content.set_banner, console_content.set_promo,
  console_content.set_shown, console_content.set_text to sum28_api;
grant execute on function console_content.forget_unused_pictures to sum28_jobs;

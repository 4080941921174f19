-- What the operator publishes: banners, articles, announcements, about, promos. A version rises by one with each change;
-- a form that was made from another version changes nothing.

create table content.banner (
  id integer generated always as identity primary key,
  position integer not null,
  image text not null,
  link text not null default '',
  shown boolean not null default true,
  version integer not null default 1,
  changed_by integer references staff.member,
  changed_at timestamptz
);

-- Texts by key and language.
create table content.text (
  key text not null,
  lang text not null,
  content text not null,
  primary key (key, lang)
);

-- An article stands once, and its words once in each language; English is always there.
create table content.category (
  id integer generated always as identity primary key,
  position integer not null default 0
);

create table content.category_name (
  category_id integer not null references content.category on delete cascade,
  lang text not null,
  name text not null check (name <> ''),
  primary key (category_id, lang)
);

create table content.article (
  id integer generated always as identity primary key,
  category_id integer not null references content.category,
  -- A path of the app's own, or empty.
  image text not null default '',
  -- Among the hot topics.
  top boolean not null default false,
  -- From when it can be read; null while it is a draft.
  published_at timestamptz,
  version integer not null default 1,
  changed_by integer references staff.member,
  changed_at timestamptz,
  -- Until when it is shown; null: without an end. In the past: withdrawn, or over.
  published_until timestamptz
);
create index article_by_category on content.article (category_id, published_at desc);

create table content.article_text (
  article_id integer not null references content.article on delete cascade,
  lang text not null,
  title text not null check (title <> ''),
  -- Made safe before it was stored.
  html text not null,
  primary key (article_id, lang)
);

create table content.announcement (
  id integer generated always as identity primary key,
  -- Null while it is a draft.
  published_at timestamptz,
  version integer not null default 1,
  changed_by integer references staff.member,
  changed_at timestamptz,
  published_until timestamptz,
  -- When players could first see it, which may be later than the published_at that it shows; null: then.
  announced_at timestamptz
);

create table content.announcement_text (
  announcement_id integer not null references content.announcement on delete cascade,
  lang text not null,
  title text not null check (title <> ''),
  html text not null,
  primary key (announcement_id, lang)
);

-- When a player last listed announcements that were new to him.
create table content.announcement_reader (
  player_id integer primary key references accounts.player,
  listed_at timestamptz not null,
  -- What was published since is still unread in a repeat of that listing.
  listed_before timestamptz
);

create table content.about (
  lang text primary key,
  html text not null,
  version integer not null default 1,
  changed_by integer references staff.member,
  changed_at timestamptz
);

create table content.promo (
  id integer generated always as identity primary key,
  position integer not null,
  image text not null,
  shown boolean not null default true,
  version integer not null default 1,
  changed_by integer references staff.member,
  changed_at timestamptz
);

create table content.promo_title (
  promo_id integer not null references content.promo on delete cascade,
  lang text not null,
  title text not null check (title <> ''),
  primary key (promo_id, lang)
);

-- What the operator publishes: banners, articles, announcements, about, promos.

create schema content;

create table content.banner (
  id integer generated always as identity primary key,
  position integer not null,
  image text not null,
  link text not null default '',
  shown boolean not null default true
);

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
  published_at timestamptz
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
  published_at timestamptz
);

create table content.announcement_text (
  announcement_id integer not null references content.announcement on delete cascade,
  lang text not null,
  title text not null check (title <> ''),
  html text not null,
  primary key (announcement_id, lang)
);

-- Up to when a player has read the announcements.
create table content.announcement_reader (
  player_id integer primary key references accounts.player,
  read_at timestamptz not null
);

create table content.about (
  lang text primary key,
  html text not null
);

create table content.promo (
  id integer generated always as identity primary key,
  position integer not null,
  image text not null,
  shown boolean not null default true
);

create table content.promo_title (
  promo_id integer not null references content.promo on delete cascade,
  lang text not null,
  title text not null check (title <> ''),
  primary key (promo_id, lang)
);

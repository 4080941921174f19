-- What the operator publishes: banners, articles, announcements, about, promos.

create schema content;

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
comment on table content.banner is 'Pictures of the start screen.';
comment on column content.banner.version is
  'Rises by one with each change; a form made from another version changes nothing.';

create table content.text (
  key text not null,
  lang text not null,
  content text not null,
  primary key (key, lang)
);
comment on table content.text is 'Texts by key and language.';

-- An article stands once, and its words once in each language; English is always there.
create table content.category (
  id integer generated always as identity primary key,
  position integer not null default 0
);
comment on table content.category is 'Categories of articles.';

create table content.category_name (
  category_id integer not null references content.category on delete cascade,
  lang text not null,
  name text not null check (name <> ''),
  primary key (category_id, lang)
);
comment on table content.category_name is 'The names of categories in each language.';

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
  published_until timestamptz
);
comment on table content.article is 'Articles; published_at is null while one is a draft.';
comment on column content.article.version is
  'Rises by one with each change; a form made from another version changes nothing.';
comment on column content.article.published_until is
  'Until when it is shown; null: without an end. In the past: withdrawn, or over.';
create index article_by_category on content.article (category_id, published_at desc);

create table content.article_text (
  article_id integer not null references content.article on delete cascade,
  lang text not null,
  title text not null check (title <> ''),
  -- Made safe before it was stored.
  html text not null,
  primary key (article_id, lang)
);
comment on table content.article_text is 'The title and the safe HTML of articles in each language.';

create table content.announcement (
  id integer generated always as identity primary key,
  published_at timestamptz,
  version integer not null default 1,
  changed_by integer references staff.member,
  changed_at timestamptz,
  published_until timestamptz,
  announced_at timestamptz
);
comment on table content.announcement is 'Announcements; published_at is null while one is a draft.';
comment on column content.announcement.version is
  'Rises by one with each change; a form made from another version changes nothing.';
comment on column content.announcement.published_until is
  'Until when it is shown; null: without an end. In the past: withdrawn, or over.';
comment on column content.announcement.announced_at is
  'When players could first see it, which may be later than the published_at that it shows; null: then.';

create table content.announcement_text (
  announcement_id integer not null references content.announcement on delete cascade,
  lang text not null,
  title text not null check (title <> ''),
  html text not null,
  primary key (announcement_id, lang)
);
comment on table content.announcement_text is 'The title and the safe HTML of announcements in each language.';

create table content.announcement_reader (
  player_id integer primary key references accounts.player,
  listed_at timestamptz not null,
  -- What was published since is still unread in a repeat of that listing.
  listed_before timestamptz
);
comment on table content.announcement_reader is 'When a player last listed announcements that were new to him.';

create table content.about (
  lang text primary key,
  html text not null,
  version integer not null default 1,
  changed_by integer references staff.member,
  changed_at timestamptz
);
comment on table content.about is 'The page about the operator in each language.';
comment on column content.about.version is 'Rises by one with each change of the text in this language.';

create table content.promo (
  id integer generated always as identity primary key,
  position integer not null,
  image text not null,
  shown boolean not null default true,
  version integer not null default 1,
  changed_by integer references staff.member,
  changed_at timestamptz
);
comment on table content.promo is 'Promotions.';
comment on column content.promo.version is
  'Rises by one with each change; a form made from another version changes nothing.';

create table content.promo_title (
  promo_id integer not null references content.promo on delete cascade,
  lang text not null,
  title text not null check (title <> ''),
  primary key (promo_id, lang)
);
comment on table content.promo_title is 'The titles of promotions in each language.';

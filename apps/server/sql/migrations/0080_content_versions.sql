-- What the console needs of content: a version against stale forms, who changed it last, and the end of showing.

alter table content.article
  add version integer not null default 1,
  add changed_by integer references staff.member,
  add changed_at timestamptz,
  -- Until when it is shown; null: without an end. A withdrawn article has one in the past.
  add published_until timestamptz;
comment on column content.article.version is 'Rises by one with each change; a form made from another version changes nothing.';
comment on column content.article.published_until is 'Until when it is shown; null: without an end. In the past: withdrawn, or over.';

alter table content.announcement
  add version integer not null default 1,
  add changed_by integer references staff.member,
  add changed_at timestamptz,
  add published_until timestamptz;
comment on column content.announcement.version is 'Rises by one with each change; a form made from another version changes nothing.';
comment on column content.announcement.published_until is 'Until when it is shown; null: without an end. In the past: withdrawn, or over.';

alter table content.about
  add version integer not null default 1,
  add changed_by integer references staff.member,
  add changed_at timestamptz;
comment on column content.about.version is 'Rises by one with each change of the text in this language.';

alter table content.banner
  add version integer not null default 1,
  add changed_by integer references staff.member,
  add changed_at timestamptz;
comment on column content.banner.version is 'Rises by one with each change; a form made from another version changes nothing.';

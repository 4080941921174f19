-- Promo pictures are changed in the console: a version against stale forms, and who changed it last.

alter table content.promo
  add version integer not null default 1,
  add changed_by integer references staff.member,
  add changed_at timestamptz;
comment on column content.promo.version is 'Rises by one with each change; a form made from another version changes nothing.';

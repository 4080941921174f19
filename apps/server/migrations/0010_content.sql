-- What the operator shows: banners and the version notice.

create schema content;
grant usage on schema content to sum28_application;

create table content.banner (
  id integer generated always as identity primary key,
  position integer not null,
  image text not null,
  link text not null default '',
  shown boolean not null default true
);
insert into content.banner (position, image, link) values
  (1, '/banners/fairness.svg', '/fairness'),
  (2, '/banners/exact.svg', '/rules'),
  (3, '/banners/rounds.svg', '/lottery');

create table content.text (
  key text not null,
  lang text not null,
  content text not null,
  primary key (key, lang)
);

grant select on content.banner, content.text to sum28_application;

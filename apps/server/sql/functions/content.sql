-- What the operator publishes: the functions of console_content write it, each change with its version and the member of
-- staff. Requests record until when each player has read the announcements.

grant select on content.about, content.announcement, content.announcement_text, content.article, content.article_text,
  content.banner, content.category, content.category_name, content.promo, content.promo_title, content.text to
  sum28_api;
grant insert, update on content.announcement_reader to sum28_api;
grant select on content.announcement_reader to sum28_api, sum28_jobs;

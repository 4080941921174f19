-- What the operator publishes.

-- What the application may do.
revoke all on all tables in schema content from sum28_application;
revoke execute on all functions in schema content from public, sum28_application;
grant usage on schema content to sum28_application;
grant delete, insert, select, update on content.about, content.announcement,
  content.announcement_text, content.article, content.article_text, content.category,
  content.category_name, content.promo, content.promo_title to sum28_application;
grant insert, select, update on content.announcement_reader to sum28_application;
grant select on content.banner, content.text to sum28_application;

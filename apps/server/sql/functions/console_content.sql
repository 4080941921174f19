-- The console's area content: articles, notices, banners, about.

-- What the application may do.
grant usage on schema console_content to sum28_application;

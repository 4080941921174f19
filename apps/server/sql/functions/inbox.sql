-- Messages to a player inside the app. The text is generated when it is read, in the reader's language.

-- What each part of the product may do.
grant usage on schema inbox to sum28_api, sum28_jobs;
grant insert, select on inbox.message to sum28_api, sum28_jobs;
grant update (read_at) on inbox.message to sum28_api;
grant delete, update (created_at) on inbox.message to sum28_jobs;

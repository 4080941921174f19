-- Messages to a player inside the app. The text is generated when it is read, in the reader's language.

-- What the application may do.
grant usage on schema inbox to sum28_application;
grant delete, insert, select on inbox.message to sum28_application;
grant update (read_at) on inbox.message to sum28_application;

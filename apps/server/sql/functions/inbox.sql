-- Messages to a player inside the app. The text is made when it is read, in the reader's language.

-- What the application may do.
revoke all on all tables in schema inbox from sum28_application;
revoke execute on all functions in schema inbox from public, sum28_application;
grant usage on schema inbox to sum28_application;
grant insert, select on inbox.message to sum28_application;
grant update (read_at) on inbox.message to sum28_application;

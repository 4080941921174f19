-- Messages to a player inside the app. The text is generated when it is read, in the reader's language.

grant insert, select on inbox.message to sum28_api, sum28_jobs;
grant update (read_at) on inbox.message to sum28_api;
grant delete, update (created_at) on inbox.message to sum28_jobs;
grant select on inbox.push_choice, inbox.push_key, inbox.push_subscription to sum28_api, sum28_jobs;
grant insert, update on inbox.push_choice to sum28_api;
grant delete, insert, update on inbox.push_subscription to sum28_api;
grant delete, update (silent_until) on inbox.push_subscription to sum28_jobs;
grant insert on inbox.push_key to sum28_api;
grant update (encrypted_private_key, key_id) on inbox.push_key to sum28_jobs;

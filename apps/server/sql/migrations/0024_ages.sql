-- By which of what is not kept for ever the old is found, so that it is taken away in small steps.

create index session_by_age on accounts.session (seen_at);
create index remembered_device_by_age on accounts.remembered_device (expires_at);
create index email_code_by_age on accounts.email_code (created_at);
create index message_by_age on inbox.message (created_at);

-- For the filters of the console's page of the audit log.

create index audit_by_staff on staff.audit (staff_id, id);
create index audit_by_action on staff.audit (action, id);
create index audit_by_subject on staff.audit (subject, id);
create index audit_by_time on staff.audit (at, id);

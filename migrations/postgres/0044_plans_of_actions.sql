-- Of a selection that was frozen for an action: the type and payload of its job, its parts with their agents, and the user who planned it.
ALTER TABLE selections ADD COLUMN plan jsonb;

-- Incidents of mass changes: the folder, and the number of files in the last message about it.
ALTER TABLE alert_incidents ADD COLUMN path text, ADD COLUMN files bigint;

-- Administrators get an alert of mass changes once, when the first storage is live.
ALTER TABLE users ADD COLUMN has_mass_change_alert boolean NOT NULL DEFAULT false;

ALTER TABLE notifications ADD COLUMN webhook_format text NOT NULL DEFAULT 'AUTO', ADD COLUMN webhook_template text;
-- The body is all data as JSON; what is posted is made from it, the subject and the text when it is sent.
ALTER TABLE deliveries ADD COLUMN webhook_format text, ADD COLUMN webhook_template text, ADD COLUMN webhook_text text;
UPDATE report_templates SET delivery = delivery || '{"webhookFormat": "AUTO", "webhookTemplate": null}';

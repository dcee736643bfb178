-- Each change of tags has a number: of two that meet, the later one counts.
CREATE SEQUENCE tag_versions START WITH 2;

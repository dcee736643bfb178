-- The order of names in lists: `film 2` before `film 10`, letters with accents next to those without. Without ICU, that of bytes.
DO $$
BEGIN
  CREATE COLLATION name_order (provider = icu, locale = 'und-u-kn');
EXCEPTION WHEN feature_not_supported OR invalid_parameter_value THEN
  CREATE COLLATION name_order FROM "C";
END
$$;

-- The key by which searches find a name: composed (NFC) and case-folded. Empty for the names that only need their ASCII letters in lower
-- case, which are nearly all, so that it costs nothing for them. Rows from before get it when they are read.
ALTER TABLE entries
  ADD COLUMN IF NOT EXISTS folded_name String
    DEFAULT if(NOT isValidASCII(name) AND caseFoldUTF8(normalizeUTF8NFC(toValidUTF8(name))) != lower(name),
      caseFoldUTF8(normalizeUTF8NFC(toValidUTF8(name))), '')
    CODEC(ZSTD(1)) AFTER name;

ALTER TABLE entry_history
  ADD COLUMN IF NOT EXISTS folded_name String
    DEFAULT if(NOT isValidASCII(name) AND caseFoldUTF8(normalizeUTF8NFC(toValidUTF8(name))) != lower(name),
      caseFoldUTF8(normalizeUTF8NFC(toValidUTF8(name))), '')
    CODEC(ZSTD(1)) AFTER name;

-- The extension of `a.txt ` is `txt`, without the space, which can't be seen.
ALTER TABLE entries UPDATE extension = trimBoth(extension) WHERE extension != trimBoth(extension) SETTINGS mutations_sync = 2;

ALTER TABLE entry_history UPDATE extension = trimBoth(extension) WHERE extension != trimBoth(extension) SETTINGS mutations_sync = 2;

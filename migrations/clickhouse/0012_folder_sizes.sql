-- Hard links in a folder count once in its size; `repeated_size` has what they would add. A file repeats the size of the first of its links.
ALTER TABLE entries
  MODIFY COLUMN counted_size Int64 ALIAS if(is_directory, size, size - repeated_size);

ALTER TABLE entry_history
  MODIFY COLUMN counted_size Int64 ALIAS if(is_directory, size, size - repeated_size);
